//! What the whole game comes to: the empty board, its first moves, the longest wins and losses.

use std::path::Path;

use merels_core::{Choice, Plies, Points, Position, Ruleset, Subspace, Value};
use merels_db::TableInfo;
use merels_query::{Oracle, QueryError, RankedChoice};

/// The result of a game that is solved to the empty board.
#[derive(Debug)]
pub(super) struct GameReport {
    /// The empty board, for the side that moves first.
    pub(super) value: Value,
    /// The first moves, one of each class that the symmetries of the board make, best first.
    pub(super) first_moves: Vec<FirstMove>,
    /// The longest win over all subspaces; none if nothing is won.
    pub(super) longest_win: Option<Longest>,
    /// The longest loss.
    pub(super) longest_loss: Option<Longest>,
}

/// A class of first moves.
#[derive(Debug)]
pub(super) struct FirstMove {
    /// The first of its points by name.
    pub(super) point: String,
    /// How many points it has.
    pub(super) points: u8,
    /// For the side that moves first, counted from the empty board.
    pub(super) value: Value,
    /// Legal replies.
    pub(super) replies: usize,
    /// Replies after which the outcome is still that of `value`.
    pub(super) holding: usize,
}

/// Where the longest win or loss is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Longest {
    pub(super) subspace: Subspace,
    pub(super) plies: Plies,
}

impl GameReport {
    /// The report on the databases for `ruleset` in `db`, which hold at least `tables`, the empty
    /// board among them.
    pub(super) fn new(
        db: &Path,
        ruleset: Ruleset,
        tables: &[TableInfo],
    ) -> Result<Self, QueryError> {
        let oracle = Oracle::open(db, ruleset)?;
        let start = oracle.analyse(Position::start(&ruleset))?;
        let geometry = ruleset.board.geometry();
        let mut seen = Points::EMPTY;
        let mut first_moves = Vec::new();
        // Moves of one class have one value, and of one value they are sorted by name.
        for &RankedChoice { choice, position, value } in start.choices() {
            let Choice::Move(mv) = choice else { continue };
            if seen.contains(mv.to) {
                continue;
            }
            let images = geometry.symmetries().iter().map(|(_, symmetry)| symmetry.apply(mv.to));
            let class: Points = images.collect();
            seen = seen.union(class);
            let replies = oracle.analyse(position)?;
            let best = replies.value().outcome();
            first_moves.push(FirstMove {
                point: geometry.name(mv.to).to_string(),
                points: class.len(),
                value,
                replies: replies.choices().len(),
                holding: replies
                    .choices()
                    .iter()
                    .filter(|reply| reply.value.outcome() == best)
                    .count(),
            });
        }
        Ok(Self {
            value: start.value(),
            first_moves,
            longest_win: longest(tables, |info| info.statistics.longest_win),
            longest_loss: longest(tables, |info| info.statistics.longest_loss),
        })
    }
}

/// The longest of these distances; the first if there are several.
fn longest(tables: &[TableInfo], of: impl Fn(&TableInfo) -> Option<Plies>) -> Option<Longest> {
    let mut longest: Option<Longest> = None;
    for info in tables {
        if let Some(plies) = of(info)
            && longest.is_none_or(|longest| longest.plies < plies)
        {
            longest = Some(Longest { subspace: info.subspace, plies });
        }
    }
    longest
}
