//! How much memory a job takes.

use merels_core::{Ruleset, Subspace, SubspaceIndex, binomial};

use crate::job::{AfterRemoval, Job, Removals, entries};
use crate::moving::decided::LEAST_WAITING;
use crate::rows::edges::crossings;
use crate::rows::row::LINE;

/// Bytes of memory beside the tables of positions, for a job whose subspaces and children have `entries` entries
/// together: tables of classes and ranks, run tables, compression buffers, the program itself.
fn fixed(ruleset: &Ruleset, entries: u64, threads: usize) -> u64 {
    /// On boards of 24 points, with as many threads as there may be.
    const LARGE: u64 = 220 << 20;
    /// The program, with what does not depend on the game.
    const PROGRAM: u64 = 12 << 20;
    /// What a thread needs at least, and the most that its buffers take for a block of a table.
    const THREAD: u64 = 128 << 10;
    const MOST_BUFFERS: u64 = 4 << 20;
    let points = ruleset.board.geometry().point_count();
    if points == 24 {
        return LARGE;
    }
    // Classes, ranks and images of sets of points: some words for each set.
    let sets = 48 << points;
    let buffers = (16 * entries).min(MOST_BUFFERS);
    PROGRAM + sets + threads as u64 * (THREAD + buffers)
}

/// The least memory with which a job can be done, in bytes, with `threads` threads. More is used if
/// it may be.
pub fn memory_of(ruleset: &Ruleset, job: impl Into<Job>, threads: usize) -> u64 {
    let job = job.into();
    let own: u64 = job.subspaces().into_iter().map(|subspace| padded(ruleset, subspace)).sum();
    let tables = match job {
        // Values and counters.
        Job::Pair(_) => 2 * own,
        Job::Placing(_) => own,
    };
    tables + beside_tables(ruleset, job, threads) + read_tables(ruleset, job)
}

/// Bytes that a job takes beyond that at most if some of its values, or of those that it is solved from, are too late
/// for one code (see [`FarCodes`](merels_core::FarCodes)). Which games have such values is not known before.
pub fn far_memory_of(ruleset: &Ruleset, job: impl Into<Job>) -> u64 {
    let job = job.into();
    let own: u64 = job.subspaces().into_iter().map(|subspace| padded(ruleset, subspace)).sum();
    own + read_tables(ruleset, job)
}

/// Bytes of a table of a subspace whose rows are whole cache lines.
fn padded(ruleset: &Ruleset, subspace: Subspace) -> u64 {
    let index = SubspaceIndex::new(ruleset.board, subspace);
    index.rows() as u64 * u64::from(index.row_len()).next_multiple_of(LINE as u64)
}

/// Bytes of the tables that a job reads.
fn read_tables(ruleset: &Ruleset, job: Job) -> u64 {
    let sum = |subspaces: Vec<Subspace>| -> u64 {
        subspaces.into_iter().map(|subspace| entries(ruleset, subspace)).sum()
    };
    let children = sum(job.children(ruleset));
    // Where two stones may go: what the better second removal leads to, for all positions after the
    // first.
    let has_second = |removals: &Removals| removals.second != AfterRemoval::Never;
    let removals = job.removals(ruleset).into_iter().filter(has_second);
    let after_first = sum(removals.filter_map(|removals| removals.children().next()).collect());
    children + after_first
}

/// Bytes that a job takes beside tables at least.
pub(crate) fn beside_tables(ruleset: &Ruleset, job: Job, threads: usize) -> u64 {
    let children = job.children(ruleset).into_iter().map(|child| entries(ruleset, child));
    let fixed = fixed(ruleset, job.entries(ruleset) + children.sum::<u64>(), threads);
    fixed
        + match job {
            Job::Pair(pair) => {
                let sides = pair.subspaces().map(|subspace| beside_side(ruleset, subspace));
                // A place of four bytes waits for each move that leads to a position, of which there are fewer than
                // 64. What waits to be stored may be written twice over while its memory grows.
                let waiting = (4 * 64 * job.entries(ruleset)).min(LEAST_WAITING as u64);
                sides.sum::<u64>() + 3 * waiting
            }
            Job::Placing(subspace) => {
                // A group's buffer has a row for every set of lower points of one size at most.
                let geometry = ruleset.board.geometry();
                let (lower, points) = (geometry.lower_count(), geometry.point_count());
                let (mover, other) = (subspace.mover(), subspace.other());
                let rows =
                    (0..=other.min(lower)).map(|keys| binomial(lower, keys)).max().unwrap_or(1);
                threads as u64 * rows * binomial(points - other, mover)
            }
        }
}

/// For one side of a pair: notes on cache lines, removal values (two bytes for each arrangement with
/// a mill, and two more if it has two that cross and two stones may go), and placing values (two bytes for
/// each entry, if the other side has stones in hand).
fn beside_side(ruleset: &Ruleset, subspace: Subspace) -> u64 {
    /// Bytes before each distance's removal values or placing values in a row, times the distances that are
    /// usual.
    const HEADS: u64 = 3 * 2 * 60;
    let geometry = ruleset.board.geometry();
    let points = geometry.point_count();
    let index = SubspaceIndex::new(ruleset.board, subspace);
    let rows = index.rows() as u64;
    let table = rows * u64::from(index.row_len()).next_multiple_of(LINE as u64);
    // At most this share of arrangements holds a mill: lines times the chance of each.
    let stones = subspace.other();
    let all = binomial(points, stones);
    let one_mill = stones.checked_sub(3).map_or(0, |others| binomial(points - 3, others));
    let with_mill = geometry.lines().len() as u64 * one_mill;
    let with_two = if ruleset.most_removed_by_moving(stones) == 2 {
        let holding = |set: &u32| {
            let set = set.count_ones() as u8;
            stones.checked_sub(set).map_or(0, |others| binomial(points - set, others))
        };
        let lines: Vec<_> = geometry.lines().iter().map(|line| line.bits()).collect();
        crossings(&lines).iter().map(holding).sum()
    } else {
        0
    };
    let removals = 2 * table * (with_mill.min(all) + with_two.min(all)) / all + rows * HEADS;
    let places = subspace.other_hand() > 0;
    let placings = if places { 2 * index.entries() + rows * HEADS } else { 0 };
    2 * table / LINE as u64 + removals + placings
}
