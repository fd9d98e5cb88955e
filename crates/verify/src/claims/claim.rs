//! A published fact, and what the claims of all rules share.

use merels_core::{
    Board, Outcome, Plies, Point, Points, Position, Ruleset, Side, Stones, Subspace, grouped,
};
use merels_db::Statistics;

use crate::claims::evidence::Evidence;
use crate::error::VerifyError;

pub(super) type Finder = Box<dyn Fn(&Evidence<'_>) -> Result<String, VerifyError>>;

/// A published fact, and the way to recompute it.
pub(super) struct Claim {
    pub(super) claim: String,
    pub(super) source: &'static str,
    pub(super) needs: Vec<Subspace>,
    /// Whether it needs distances.
    pub(super) exact: bool,
    pub(super) expected: String,
    pub(super) find: Finder,
}

impl Claim {
    pub(super) fn new(
        source: &'static str,
        claim: impl Into<String>,
        expected: impl Into<String>,
        needs: Vec<Subspace>,
        find: impl Fn(&Evidence<'_>) -> Result<String, VerifyError> + 'static,
    ) -> Self {
        let (claim, expected, find) = (claim.into(), expected.into(), Box::new(find));
        Self { claim, source, needs, exact: false, expected, find }
    }

    /// The same claim, marked as one that needs distances.
    pub(super) fn about_distances(self) -> Self {
        Self { exact: true, ..self }
    }
}

/// The stones on points of these names, with `hand` more in hand.
pub(super) fn stones(database: Board, names: &str, hand: u8) -> Stones {
    let geometry = database.geometry();
    let point = |name: &str| geometry.point_named(name).expect("a point of the board");
    Stones { board: names.split_whitespace().map(point).collect(), hand }
}

/// The position after a first stone on `point`.
pub(super) fn after_first_stone(ruleset: &Ruleset, point: Point) -> Position {
    let placed = Stones { board: point.set(), hand: ruleset.stones - 1 };
    let waiting = Stones { board: Points::EMPTY, hand: ruleset.stones };
    Position::new(placed, waiting, Side::Black)
}

/// The subspace of the empty board, and the one after the first stone.
pub(super) fn opening(ruleset: &Ruleset) -> (Subspace, Subspace) {
    let hand = ruleset.stones;
    (Subspace::placing(0, 0, hand, hand), Subspace::placing(0, 1, hand, hand - 1))
}

/// The outcome for the first player after a first stone.
pub(super) fn first_stone(
    evidence: &Evidence<'_>,
    ruleset: &Ruleset,
    point: Point,
) -> Result<Outcome, VerifyError> {
    Ok(evidence.value(&after_first_stone(ruleset, point))?.before().outcome())
}

/// Wins, draws, losses and the longest distances, as a line.
pub(super) fn outcomes(
    wins: u64,
    draws: u64,
    losses: u64,
    win: Option<u16>,
    loss: Option<u16>,
) -> String {
    let longest = |plies: Option<u16>| plies.map_or_else(|| "-".into(), |plies| plies.to_string());
    format!(
        "{} won, {} drawn, {} lost; longest win {}, longest loss {}",
        grouped(wins),
        grouped(draws),
        grouped(losses),
        longest(win),
        longest(loss)
    )
}

pub(super) fn outcomes_of(statistics: &Statistics) -> String {
    let plies = |longest: Option<Plies>| longest.map(|Plies(plies)| plies);
    let Statistics { wins, draws, losses, longest_win, longest_loss, .. } = *statistics;
    outcomes(wins, draws, losses, plies(longest_win), plies(longest_loss))
}
