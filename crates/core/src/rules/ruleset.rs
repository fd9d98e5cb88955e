//! Everything on which rule books disagree, as one value.
//!
//! A [`Ruleset`] names the board and every variable rule. Solver, files and queries take it as a
//! whole; a database records its ruleset. Rules that need the history of a game (repetition, a
//! limit of plies without a removal) are part of a ruleset, but do not affect a position's value:
//! [`Ruleset::without_history`] is the ruleset without them.

use std::num::NonZeroU16;

use crate::board::boards::Board;
use crate::rules::choices::{DoubleMill, Flying, FullBoard, Placing, Removal, Repetition};

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

    /// The rules on which values depend, without those about the history of a game. Rulesets that
    /// differ only in rules about history have the same values, and share their databases.
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

    /// The most stones that one placing removes if the mover has `stones` on the board after it.
    /// Three stones can form one mill, a few more can form two.
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

    /// The same for a stone that moves from one point to another. Three stones, which may jump, are
    /// too few for two mills. On most boards no slide closes two
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
