//! Everything that the rule books disagree about, as one value.
//!
//! A [`Ruleset`] names the board and every variable rule. Solver, files and queries take it as a
//! whole; a database records the ruleset it was made for. Rules that need the history of a game
//! (repetition, a limit of plies without a removal) are part of it, but not of a position's value:
//! [`Ruleset::without_history`] is the ruleset without them.

mod error;
mod text;

use std::num::NonZeroU16;

use crate::Board;

pub use error::RulesetError;

/// Whether a side reduced to three stones (board and hand together) may jump to any empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flying {
    /// With exactly three stones a side jumps.
    AtThree,
    /// Stones always slide along a line.
    Never,
}

/// Which stones may be removed by closing a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removal {
    /// Stones in mills are protected, unless all stones on the board stand in mills.
    Protected,
    /// Stones in mills are always protected: if all stand in mills, nothing is removed.
    Strict,
    /// Any stone may be removed.
    Free,
}

/// How many stones are removed when one move closes two mills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubleMill {
    /// One, as for one mill.
    One,
    /// Two.
    Two,
}

/// Whether stones may slide while some are still in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placing {
    /// All stones are placed first.
    First,
    /// Each turn is a placing or a slide, as long as stones are in hand (Lasker's game).
    Mixed,
}

/// What happens when the placing phase ends on a full board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FullBoard {
    /// The side to move is stuck and loses.
    Loss,
    /// The game is a draw.
    Draw,
}

/// Whether a position that occurs for the third time ends the game as a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// No such rule; endless play is a draw all the same.
    Unlimited,
    /// The third occurrence is a draw.
    Threefold,
}

/// One complete set of rules.
///
/// ```
/// use merels_core::{Flying, Ruleset};
///
/// let rules: Ruleset = "standard,flying=never".parse()?;
/// assert_eq!(rules, Ruleset { flying: Flying::Never, ..Ruleset::STANDARD });
/// assert_eq!(rules.to_string(), "no-flying");
/// # Ok::<(), merels_core::RulesetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The board.
    pub board: Board,
    /// Stones of each side at the start, [`Ruleset::MIN_STONES`]`..=`[`Ruleset::MAX_STONES`].
    pub stones: u8,
    /// Jumping with three stones.
    pub flying: Flying,
    /// Which stones a mill removes.
    pub removal: Removal,
    /// How many stones two mills at once remove.
    pub double_mill: DoubleMill,
    /// How placing and sliding go together.
    pub placing: Placing,
    /// A full board after placing.
    pub full_board: FullBoard,
    /// Draw by repetition.
    pub repetition: Repetition,
    /// Draw after this many plies in a row that neither place nor remove a stone.
    pub ply_limit: Option<NonZeroU16>,
}

/// A ruleset that people call by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name, as `--ruleset` takes it.
    pub name: &'static str,
    /// Who plays so, in a line.
    pub summary: &'static str,
    /// The rules.
    pub ruleset: Ruleset,
}

impl Ruleset {
    /// A side with fewer stones than this has lost, so no game starts with fewer.
    pub const MIN_STONES: u8 = 3;
    /// The most stones that a side has in any game known to us (Morabaraba).
    pub const MAX_STONES: u8 = 12;

    /// Nine Men's Morris by the rules of R. Gasser's solution.
    pub const STANDARD: Self = Self {
        board: Board::Nine,
        stones: 9,
        flying: Flying::AtThree,
        removal: Removal::Protected,
        double_mill: DoubleMill::One,
        placing: Placing::First,
        full_board: FullBoard::Loss,
        repetition: Repetition::Unlimited,
        ply_limit: None,
    };

    /// The named rulesets.
    pub const PRESETS: &'static [Preset] = &[
        Preset {
            name: "standard",
            summary: "Nine Men's Morris: 9 stones, jumping with three, a mill protects its stones",
            ruleset: Self::STANDARD,
        },
        Preset {
            name: "no-flying",
            summary: "standard, but nobody ever jumps",
            ruleset: Self { flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "free-removal",
            summary: "standard, but a stone may be taken out of a mill at any time",
            ruleset: Self { removal: Removal::Free, ..Self::STANDARD },
        },
        Preset {
            name: "strict-removal",
            summary: "standard, but a stone in a mill can never be taken",
            ruleset: Self { removal: Removal::Strict, ..Self::STANDARD },
        },
        Preset {
            name: "double-removal",
            summary: "standard, but two mills closed at once take two stones",
            ruleset: Self { double_mill: DoubleMill::Two, ..Self::STANDARD },
        },
        Preset {
            name: "lasker",
            summary: "Lasker's game: 10 stones, placing or sliding while stones are in hand",
            ruleset: Self { stones: 10, placing: Placing::Mixed, ..Self::STANDARD },
        },
        Preset {
            name: "morabaraba",
            summary: "12 stones on the board with diagonals, a full board is a draw",
            ruleset: Self {
                board: Board::Twelve,
                stones: 12,
                full_board: FullBoard::Draw,
                ..Self::STANDARD
            },
        },
        Preset {
            name: "eleven",
            summary: "11 stones on the board with diagonals",
            ruleset: Self { board: Board::Twelve, stones: 11, ..Self::STANDARD },
        },
        Preset {
            name: "seven",
            summary: "Seven Men's Morris: 7 stones on two rings with a cross, jumping with three",
            ruleset: Self { board: Board::Seven, stones: 7, ..Self::STANDARD },
        },
        Preset {
            name: "six",
            summary: "Six Men's Morris: 6 stones on two rings, nobody jumps",
            ruleset: Self { board: Board::Six, stones: 6, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "five",
            summary: "Five Men's Morris: 5 stones on two rings, nobody jumps",
            ruleset: Self { board: Board::Six, stones: 5, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "four",
            summary: "4 stones on two rings, nobody jumps",
            ruleset: Self { board: Board::Six, stones: 4, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "three",
            summary: "Three Men's Morris: 3 stones on nine points, nobody jumps",
            ruleset: Self {
                board: Board::Three,
                stones: 3,
                flying: Flying::Never,
                ..Self::STANDARD
            },
        },
    ];

    /// Checks that the numbers fit each other and the board, and that every rule can come to bear:
    /// what never happens in a game would only give the same game a second name.
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

    /// The rules on which values depend: those about the history of a game left out. Rulesets that
    /// differ in nothing else have the same values, and share their databases.
    ///
    /// ```
    /// use merels_core::Ruleset;
    ///
    /// let rules: Ruleset = "six,repetition=threefold,ply-limit=100".parse()?;
    /// assert_eq!(rules.without_history().to_string(), "six");
    /// # Ok::<(), merels_core::RulesetError>(())
    /// ```
    #[must_use]
    pub const fn without_history(self) -> Self {
        Self { repetition: Repetition::Unlimited, ply_limit: None, ..self }
    }

    /// The most stones that one placing removes if the mover has `stones` on the board after it: three
    /// stones make a mill, and some more two.
    pub fn most_removed(&self, stones: u8) -> u8 {
        if stones < 3 {
            0
        } else if self.double_mill == DoubleMill::One
            || stones < self.board.geometry().fewest_in_two_mills()
        {
            1
        } else {
            2
        }
    }

    /// The same for a stone that moves from one point to another. Three stones, which may jump, are too
    /// few for two mills; and on most boards no slide closes two
    /// ([`Geometry::slides_close_two_mills`](crate::Geometry::slides_close_two_mills)).
    pub fn most_removed_by_moving(&self, stones: u8) -> u8 {
        let most = if self.board.geometry().slides_close_two_mills() { 2 } else { 1 };
        self.most_removed(stones).min(most)
    }

    /// Whether a side with `stones` stones in all (board and hand) jumps.
    pub const fn flies(&self, stones: u8) -> bool {
        stones == 3 && matches!(self.flying, Flying::AtThree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_sound_and_print_as_they_are_read() {
        for preset in Ruleset::PRESETS {
            assert_eq!(preset.ruleset.check(), Ok(()), "{}", preset.name);
            assert_eq!(preset.name.parse(), Ok(preset.ruleset));
            assert_eq!(preset.ruleset.to_string(), preset.name);
        }
    }

    #[test]
    fn overrides_are_read_and_printed() {
        let text = "standard,stones=7,removal=free,repetition=threefold,ply-limit=100";
        let rules: Ruleset = text.parse().unwrap();
        assert_eq!((rules.stones, rules.removal), (7, Removal::Free));
        assert_eq!(rules.to_string(), text);
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        let refusal = |text: &str| text.parse::<Ruleset>().unwrap_err().to_string();
        assert!(refusal("standart").contains("no ruleset 'standart'"));
        assert!(refusal("standard,flying").contains("field=value"));
        assert!(refusal("standard,wings=2").contains("no field 'wings'"));
        assert!(refusal("standard,flying=4").contains("three or never"));
        assert!(refusal("standard,stones=2").contains("3 to 12"));
        assert!(refusal("three,stones=5").contains("3 to 4"));
        assert!(refusal("").contains("no ruleset ''"));
        assert!(refusal("standard,stones=5,stones=6").contains("stones is given twice"));
    }

    #[test]
    fn rules_that_never_come_to_bear_are_refused() {
        let refusal = |text: &str| text.parse::<Ruleset>().unwrap_err().to_string();
        assert_eq!(
            refusal("lasker,full-board=draw"),
            "full-board=draw has no meaning here: 20 stones never fill the board 'nine' of 24 points; \
             take full-board=loss"
        );
        assert!(refusal("three,stones=4,full-board=draw").contains("8 stones never fill"));
        assert!(refusal("seven,stones=8,full-board=draw").contains("of 17 points"));
        assert!("six,stones=8,full-board=draw".parse::<Ruleset>().is_ok());
        assert!("standard,stones=12,full-board=draw".parse::<Ruleset>().is_ok());
        assert_eq!(
            refusal("four,double-mill=two"),
            "double-mill=two has no meaning here: two mills at once take 5 stones on the board 'six', \
             and a side has 4; take double-mill=one"
        );
        assert!(refusal("three,stones=4,double-mill=two").contains("take 5 stones"));
        assert!(refusal("seven,stones=3,double-mill=two").contains("take 4 stones"));
        assert!("seven,stones=4,double-mill=two".parse::<Ruleset>().is_ok());
        assert!("five,double-mill=two".parse::<Ruleset>().is_ok());
    }

    #[test]
    fn rules_about_history_can_be_left_out() {
        for preset in Ruleset::PRESETS {
            let with = Ruleset {
                repetition: Repetition::Threefold,
                ply_limit: NonZeroU16::new(100),
                ..preset.ruleset
            };
            assert_ne!(with, preset.ruleset);
            assert_eq!(with.without_history(), preset.ruleset);
        }
    }
}
