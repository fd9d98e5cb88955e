//! What can be wrong with a position in text, and where.

use std::fmt;

use crate::board::boards::Board;
use crate::board::geometry::Geometry;
use crate::notation::form::Form;
use crate::notation::shown::{point_hint, shown};
use crate::play::position::{Position, PositionError, Side, Stones};
use crate::play::situation::{Situation, SituationError};
use crate::rules::ruleset::Ruleset;

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

    /// The form in which the text was read; none if it is in no form that we know.
    pub const fn form(&self) -> Option<Form> {
        self.form
    }

    /// Where the fault is; none if the text is in no form that we know.
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
    /// The number of the line, from 1; none where the text is one line.
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

/// What is wrong with a position in text.
///
/// Texts kept here (`found`) are ready to be shown: cut if they are long, control characters
/// escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationProblem {
    /// The text is in no form that we know.
    #[error("'{found}' is in none of the known forms; {forms}")]
    NoForm {
        /// The text.
        found: String,
        /// The forms, with an example each.
        forms: String,
    },
    /// The form cannot show the ruleset's board.
    #[error(
        "this notation is not for the board '{board}'; a position of that is written as in {example}"
    )]
    Unsupported {
        /// The ruleset's board.
        board: Board,
        /// A position in the form for every board.
        example: String,
    },
    /// No such point.
    #[error("'{found}' is no point of the board '{board}'; {hint}")]
    NoPoint {
        /// The name.
        found: String,
        /// The ruleset's board.
        board: Board,
        /// Which names there are.
        hint: String,
    },
    /// A point named a second time.
    #[error("{point} is named twice")]
    Twice {
        /// The point's name.
        point: String,
    },
    /// A point named for both sides.
    #[error("{point} is named for both sides")]
    Both {
        /// The point's name.
        point: String,
    },
    /// More stones on the board than a game has.
    #[error("this is stone {} of {side:?}; by these rules a side has {most}", .most + 1)]
    Surplus {
        /// Whose stone.
        side: Side,
        /// The stones of a side at the start.
        most: u8,
    },
    /// Something needed is not there.
    #[error("missing; {needed}")]
    Missing {
        /// What is needed, with an example.
        needed: &'static str,
    },
    /// A character that is no stone.
    #[error("'{}' is no stone; points are {allowed}", .found.escape_debug())]
    Stone {
        /// The character.
        found: char,
        /// The characters that the form has.
        allowed: &'static str,
    },
    /// A point marked as closed, which only another game has; or a slip.
    #[error(
        "'{found}' is no stone; points are {allowed} ('X' marks a closed point, which no ruleset here has)"
    )]
    Marked {
        /// The character.
        found: char,
        /// The characters that the form has.
        allowed: &'static str,
    },
    /// More or fewer groups than the board has rings.
    #[error(
        "{found} groups between slashes; there must be {}, {rings}, for the board '{board}'",
        .rings.split('/').count()
    )]
    Groups {
        /// How many groups there are.
        found: usize,
        /// The ruleset's board.
        board: Board,
        /// The names of its rings, with slashes between them.
        rings: String,
    },
    /// A group has more or fewer than eight points.
    #[error("the {ring} group has {found} points; there must be 8")]
    GroupLength {
        /// Which group.
        ring: &'static str,
        /// How many characters it has.
        found: usize,
    },
    /// More or fewer than 24 letters.
    #[error("{found} points; there must be 24, outer, middle and inner ring")]
    Letters {
        /// How many there are.
        found: usize,
    },
    /// A slash that does not stand between two rings.
    #[error("a slash after {found} points; rings have 8")]
    Slash {
        /// How many points stand before it.
        found: usize,
    },
    /// A row of a picture has more or fewer points than the board.
    #[error("row {row} has {found} points; the board '{board}' has {points} there")]
    Row {
        /// The number of the row.
        row: u8,
        /// How many points the picture has in the row.
        found: usize,
        /// The ruleset's board.
        board: Board,
        /// The names of the board's points in that row.
        points: String,
    },
    /// Another row was to be expected here.
    #[error("row {row} stands where row {expected} is due (rows run down to 1)")]
    RowOrder {
        /// The number of the row.
        row: u8,
        /// The number that was due.
        expected: u8,
    },
    /// A picture with more rows than the board has, or a second picture.
    #[error("row {row}, but the board '{board}' has {rows} rows and they are all there")]
    RowSurplus {
        /// The number of the row.
        row: u8,
        /// The ruleset's board.
        board: Board,
        /// How many rows the board has.
        rows: u8,
    },
    /// A picture ends too early.
    #[error("missing; row {row} of the picture")]
    RowMissing {
        /// The row that is due.
        row: u8,
    },
    /// Not one of the words that stand here.
    #[error("'{found}' is not one of {allowed}")]
    Word {
        /// The text.
        found: String,
        /// What it could be.
        allowed: &'static str,
    },
    /// Something that does not belong here.
    #[error("'{found}' does not belong here; {expected}")]
    Unexpected {
        /// The text.
        found: String,
        /// What could stand here, with an example.
        expected: &'static str,
    },
    /// A part that is already there.
    #[error("{part} is given twice")]
    PartTwice {
        /// The part.
        part: &'static str,
    },
    /// Not a number, or too large for one.
    #[error("'{found}' is not a number of stones")]
    Number {
        /// The text of the field.
        found: String,
    },
    /// A number of stones that is not that of the board.
    #[error("says {said}, but the board shows {shown}")]
    Count {
        /// The number in the field.
        said: u8,
        /// The number of stones on the board.
        shown: u8,
    },
    /// More stones placed than a side has.
    #[error("{said}, but by these rules a side has {most} stones")]
    PlacedSurplus {
        /// The number in the field.
        said: u8,
        /// The stones of a side at the start.
        most: u8,
    },
    /// Fewer stones placed than stand on the board.
    #[error("{said}, but {shown} are on the board")]
    PlacedShort {
        /// The number in the field.
        said: u8,
        /// The number of stones on the board.
        shown: u8,
    },
    /// The phase does not fit the stones in hand.
    #[error("'m' (moving), but stones are still in hand")]
    MovingWithHands,
    /// The phase does not fit the stones in hand.
    #[error("'p' (placing), but no stones are in hand")]
    PlacingWithoutHands,
    /// A removal by the side that is not to move.
    #[error("{said}, but it is {:?}'s turn", .side.opponent())]
    NotItsTurn {
        /// The number in the field.
        said: u8,
        /// The side that would have to remove.
        side: Side,
    },
    /// The line above a picture has another position than the picture.
    #[error("this is another position than the picture, {shown}")]
    Contradiction {
        /// The picture's position in the form for every board.
        shown: String,
    },
    /// What is written is clear, but cannot occur under the rules.
    #[error(transparent)]
    Impossible(#[from] SituationError),
    /// The same, where nothing is said about stones in hand.
    #[error("{cause}; stones in hand are written as in {example}")]
    HandsLeftOut {
        /// Why the position cannot occur without stones in hand.
        #[source]
        cause: SituationError,
        /// How stones in hand are written.
        example: String,
    },
}

impl NotationProblem {
    /// That `found` is no point.
    pub(crate) fn no_point(geometry: &Geometry, found: &str) -> Self {
        let hint = point_hint(geometry, found);
        Self::NoPoint { found: shown(found), board: geometry.board(), hint }
    }

    /// That `position` cannot occur, where nothing is said about stones in hand: if it could occur
    /// with some, how those are written, by `example`.
    pub(crate) fn without_hands(
        cause: SituationError,
        position: &Position,
        pending: u8,
        ruleset: &Ruleset,
        example: impl Fn(u8, u8) -> String,
    ) -> Self {
        let fits = |&(white, black): &(u8, u8)| {
            let stones = |side, hand| Stones { hand, ..position.stones(side) };
            let (white, black) = (stones(Side::White, white), stones(Side::Black, black));
            let position = Position::new(white, black, position.side());
            Situation::pending_removal(position, pending, ruleset).is_ok()
        };
        let most = ruleset.stones;
        let mut hands = (1..=most).rev().flat_map(|hand| [(hand, hand), (hand - 1, hand)]);
        match hands.find(fits) {
            Some((white, black)) => Self::HandsLeftOut { cause, example: example(white, black) },
            None => cause.into(),
        }
    }
}

/// Which part of a position a [`SituationError`] is about.
pub(crate) enum Part {
    Stones(Side),
    Hands,
    Removal,
}

impl Part {
    pub(crate) const fn of(error: &SituationError) -> Self {
        match error {
            SituationError::Position(error) | SituationError::AfterRemoval(error) => match error {
                PositionError::Overlap { .. } | PositionError::OffBoard { .. } => {
                    Self::Stones(Side::White)
                }
                PositionError::Over { side, .. } => Self::Stones(*side),
                // Stones on the board alone are counted as they are read.
                PositionError::TooMany { .. }
                | PositionError::Hands { .. }
                | PositionError::Beginning { .. }
                | PositionError::Removed { .. } => Self::Hands,
            },
            SituationError::TooMany { .. }
            | SituationError::NoMill { .. }
            | SituationError::NothingToRemove { .. } => Self::Removal,
        }
    }
}
