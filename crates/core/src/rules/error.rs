//! What can be wrong with a ruleset.

use crate::board::boards::Board;
use crate::rules::choices::{DoubleMill, FullBoard};
use crate::rules::fields;
use crate::rules::ruleset::Ruleset;

/// Why a text is not a ruleset, or why rules do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesetError {
    /// The first word is not the name of a preset.
    #[error("there is no ruleset '{name}'; the named ones are {}", preset_names())]
    Name {
        /// The word.
        name: String,
    },
    /// A later word is not of the form `field=value`.
    #[error("'{text}' is not of the form field=value (as in standard,flying=never)")]
    Form {
        /// The word.
        text: String,
    },
    /// No field has this name.
    #[error("rulesets have no field '{field}'; they have {}", fields::names())]
    Field {
        /// The name.
        field: String,
    },
    /// The text gives a field twice.
    #[error("{field} is given twice")]
    Twice {
        /// The field.
        field: &'static str,
    },
    /// The field does not take this value.
    #[error("{field} cannot be '{value}'; it takes {allowed}")]
    Value {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// The number of stones does not fit the board.
    #[error("{stones} stones a side do not fit the board '{board}': 3 to {most} do")]
    Stones {
        /// Stones a side.
        stones: u8,
        /// The board.
        board: Board,
        /// The most stones a side that the board takes.
        most: u8,
    },
    /// A rule about a full board, which the stones of the game never fill.
    #[error(
        "full-board=draw has no meaning here: {} stones never fill the board '{board}' of {} \
         points; take full-board=loss",
        2 * .stones, .board.geometry().point_count()
    )]
    NeverFull {
        /// Stones a side.
        stones: u8,
        /// The board.
        board: Board,
    },
    /// A rule about two mills at once, for which a side has too few stones.
    #[error(
        "double-mill=two has no meaning here: two mills at once take {} stones on the board \
         '{board}', and a side has {stones}; take double-mill=one",
        .board.geometry().fewest_in_two_mills()
    )]
    NoDoubleMill {
        /// Stones a side.
        stones: u8,
        /// The board.
        board: Board,
    },
}

fn preset_names() -> String {
    Ruleset::PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

impl Ruleset {
    /// Checks that the numbers fit each other and the board, and that every rule can apply. A rule
    /// for a case that never happens would only give the same game a second name.
    ///
    /// # Errors
    /// Names the field that is out of range or has no meaning.
    pub fn check(&self) -> Result<(), RulesetError> {
        let Self { board, stones, .. } = *self;
        let geometry = board.geometry();
        let most = Self::MAX_STONES.min(geometry.point_count() / 2);
        if !(Self::MIN_STONES..=most).contains(&stones) {
            return Err(RulesetError::Stones { stones, board, most });
        }
        if self.full_board == FullBoard::Draw && 2 * stones != geometry.point_count() {
            return Err(RulesetError::NeverFull { stones, board });
        }
        if self.double_mill == DoubleMill::Two && stones < geometry.fewest_in_two_mills() {
            return Err(RulesetError::NoDoubleMill { stones, board });
        }
        Ok(())
    }
}
