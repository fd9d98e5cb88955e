//! What can be wrong with a position in text, and where.

use std::fmt;

use crate::notation::form::Form;
use crate::notation::problem::NotationProblem;
use crate::play::position::Side;

/// Why a text is not a position: in which form it was read, where the fault is, what is wrong. The
/// text of an error is one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position{}: {problem}", self.whereabouts())]
pub struct NotationError {
    form: Option<Form>,
    location: Option<TextLocation>,
    field: Option<NotationField>,
    #[source]
    problem: NotationProblem,
}

impl NotationError {
    pub(crate) const fn new(form: Form, location: TextLocation, problem: NotationProblem) -> Self {
        Self { form: Some(form), location: Some(location), field: None, problem }
    }

    /// A text in no known form.
    pub(crate) const fn no_form(problem: NotationProblem) -> Self {
        Self { form: None, location: None, field: None, problem }
    }

    pub(crate) fn in_field(self, field: NotationField) -> Self {
        Self { field: Some(field), ..self }
    }

    /// The form in which the text was read; none if it is in no known form.
    pub const fn form(&self) -> Option<Form> {
        self.form
    }

    /// Where the fault is; none if the text is in no known form.
    pub const fn location(&self) -> Option<TextLocation> {
        self.location
    }

    /// The field at fault, in forms that have fields.
    pub const fn field(&self) -> Option<NotationField> {
        self.field
    }

    /// What is wrong.
    pub const fn problem(&self) -> &NotationProblem {
        &self.problem
    }

    fn whereabouts(&self) -> String {
        let location = self.location.map(|location| format!(", {location}")).unwrap_or_default();
        let field = self.field.map(|field| format!(", {field}")).unwrap_or_default();
        location + &field
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextLocation {
    /// The number of the line, from 1; none if the text is one line.
    pub line: Option<usize>,
    /// The number of the character in the line, from 1.
    pub column: usize,
}

impl TextLocation {
    /// A place in a text of one line.
    pub(crate) const fn column(column: usize) -> Self {
        Self { line: None, column }
    }
}

impl fmt::Display for TextLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "column {}", self.column)
    }
}

/// The fields of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotationField {
    /// The stones on the board.
    Board,
    /// Whose turn it is.
    Side,
    /// Ready, placing, moving, or over.
    Phase,
    /// What the side to move does next.
    Action,
    /// How many stones a side has on the board.
    OnBoard(Side),
    /// How many stones a side has in hand.
    InHand(Side),
    /// How many stones a side has to remove.
    ToRemove(Side),
    /// How many stones a side has placed since the start of the game.
    Placed(Side),
}

impl fmt::Display for NotationField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Board => "board",
            Self::Side => "side to move",
            Self::Phase => "phase",
            Self::Action => "action",
            Self::OnBoard(Side::White) => "white stones on the board",
            Self::OnBoard(Side::Black) => "black stones on the board",
            Self::InHand(Side::White) => "white stones in hand",
            Self::InHand(Side::Black) => "black stones in hand",
            Self::ToRemove(Side::White) => "stones that white has to remove",
            Self::ToRemove(Side::Black) => "stones that black has to remove",
            Self::Placed(Side::White) => "stones that white has placed",
            Self::Placed(Side::Black) => "stones that black has placed",
        })
    }
}
