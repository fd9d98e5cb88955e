//! What can be wrong with a position in text.

use crate::board::boards::Board;
use crate::board::geometry::Geometry;
use crate::notation::shown::{point_hint, shown};
use crate::play::position::{Position, PositionError, Side, Stones};
use crate::play::situation::{Situation, SituationError};
use crate::rules::ruleset::Ruleset;

/// What is wrong with a position in text.
///
/// The texts in `found` are ready to print: cut if they are long, with control characters
/// escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationProblem {
    /// The text is in no known form.
    #[error("'{found}' is in none of the known forms; {forms}")]
    NoForm {
        /// The text.
        found: String,
        /// The forms, with an example each.
        forms: String,
    },
    /// The form cannot show the ruleset's board.
    #[error("this notation is not for the board '{board}'; write its positions as in {example}")]
    Unsupported {
        /// The ruleset's board.
        board: Board,
        /// A position on the board, in the form for every board.
        example: String,
    },
    /// The board has no such point.
    #[error("'{found}' is not a point of the board '{board}'; {hint}")]
    NoPoint {
        /// The name.
        found: String,
        /// The ruleset's board.
        board: Board,
        /// The names that the board has.
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
    /// More stones on the board than a side has in a game.
    #[error("this is stone {} of {side:?}; by these rules a side has {most}", .most + 1)]
    Surplus {
        /// Whose stone.
        side: Side,
        /// The stones of a side at the start.
        most: u8,
    },
    /// A needed part is missing.
    #[error("missing; {needed}")]
    Missing {
        /// What is needed, with an example.
        needed: &'static str,
    },
    /// A character that is not a stone.
    #[error("'{}' is not a stone; points are {allowed}", .found.escape_debug())]
    Stone {
        /// The character.
        found: char,
        /// The characters that the form has.
        allowed: &'static str,
    },
    /// A point marked as closed, which only other games have; or a slip.
    #[error(
        "'{found}' is not a stone; points are {allowed} ('X' marks a closed point, which no \
         ruleset here has)"
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
    /// A group with more or fewer than eight points.
    #[error("the {ring} group has {found} points; there must be 8")]
    GroupLength {
        /// The name of the group.
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
    /// A row of a picture with more or fewer points than the board has there.
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
    /// A row of a picture in the wrong place.
    #[error("row {row} instead of row {expected} (rows run down to 1)")]
    RowOrder {
        /// The number of the row.
        row: u8,
        /// The number that must come here.
        expected: u8,
    },
    /// A picture with more rows than the board has, or a second picture.
    #[error(
        "row {row} is one too many: the picture already has the {rows} rows of the board '{board}'"
    )]
    RowSurplus {
        /// The number of the row.
        row: u8,
        /// The ruleset's board.
        board: Board,
        /// How many rows the board has.
        rows: u8,
    },
    /// A picture ends too early.
    #[error("row {row} of the picture is missing")]
    RowMissing {
        /// The missing row.
        row: u8,
    },
    /// A word other than those allowed here.
    #[error("'{found}' is not one of {allowed}")]
    Word {
        /// The text.
        found: String,
        /// The allowed words.
        allowed: &'static str,
    },
    /// Something that does not belong here.
    #[error("'{found}' does not belong here; {expected}")]
    Unexpected {
        /// The text.
        found: String,
        /// What may stand here, with an example.
        expected: &'static str,
    },
    /// A part that the text already has.
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
    /// A number of stones other than that on the board.
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
    #[error("{said}, but the board shows {shown}")]
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
    /// Several positions have these stones on the board.
    #[error(
        "the board alone does not say whose turn it is and the stones in hand: write all, as in {one} or {other}"
    )]
    Ambiguous {
        /// A position with these stones.
        one: String,
        /// Another one.
        other: String,
    },
    /// No numbers in hand fit the stones on the board.
    #[error("no numbers of stones in hand fit this board and the side to move")]
    NoHands,
    /// The line above a picture holds a different position.
    #[error("this position differs from the picture, which shows {shown}")]
    Contradiction {
        /// The picture's position in the form for every board.
        shown: String,
    },
    /// The text is clear, but the position cannot occur under the rules.
    #[error(transparent)]
    Impossible(#[from] SituationError),
    /// The same, for a text that says nothing about stones in hand.
    #[error("{cause}; write stones in hand as in {example}")]
    HandsLeftOut {
        /// Why the position cannot occur without stones in hand.
        #[source]
        cause: SituationError,
        /// How to write stones in hand.
        example: String,
    },
}

impl NotationProblem {
    /// The problem that `found` is not a point.
    pub(crate) fn no_point(geometry: &Geometry, found: &str) -> Self {
        let hint = point_hint(geometry, found);
        Self::NoPoint { found: shown(found), board: geometry.board(), hint }
    }

    /// The problem that `position`, whose text says nothing about stones in hand, cannot occur. If
    /// it can occur with stones in hand, `example` shows how to write them.
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
                // The readers refuse surplus stones on the board themselves.
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
