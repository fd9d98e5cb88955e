//! Estimates of the memory of a job.

use merels_core::numbering::{SubspaceIndex, binomial};
use merels_core::{Ruleset, Subspace};

use crate::job::{AfterRemoval, Job, Removals, entries};
use crate::moving::decided::LEAST_WAITING;
use crate::rows::edges::crossings;
use crate::rows::row::LINE;

/// Memory in addition to the tables of positions: tables of classes and ranks, group tables,
/// compression buffers, the program itself. The job's subspaces and children have `entries` entries
/// together.
fn fixed(ruleset: &Ruleset, entries: u64, threads: usize) -> u64 {
    /// On boards of 24 points, with any number of threads.
    const LARGE: u64 = 220 << 20;
    /// The program, with everything that does not depend on the game.
    const PROGRAM: u64 = 12 << 20;
    /// The least memory of a thread, and the most that its buffers take for a block of a table.
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

/// The least memory in bytes with which `threads` threads can solve a job. The solver uses more if
/// it may.
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

/// The most bytes that a job takes in addition if some values, its own or those of its children,
/// need far codes (see [`FarCodes`]). Which games have such values is not known in advance.
///
/// [`FarCodes`]: merels_core::numbering::FarCodes
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
    // Where two stones can go: the values after the best second removal, for all positions after
    // the first.
    let has_second = |removals: &Removals| removals.second != AfterRemoval::Never;
    let removals = job.removals(ruleset).into_iter().filter(has_second);
    let after_first = sum(removals.filter_map(|removals| removals.children().next()).collect());
    children + after_first
}

/// The least memory of a job in addition to its tables.
pub(crate) fn beside_tables(ruleset: &Ruleset, job: Job, threads: usize) -> u64 {
    let children = job.children(ruleset).into_iter().map(|child| entries(ruleset, child));
    let fixed = fixed(ruleset, job.entries(ruleset) + children.sum::<u64>(), threads);
    fixed
        + match job {
            Job::Pair(pair) => {
                let sides = pair.subspaces().map(|subspace| beside_side(ruleset, subspace));
                // Each move to a position, of which there are fewer than 64, may leave an address
                // of four bytes that waits. The waiting list may exist twice more while it grows.
                let waiting = (4 * 64 * job.entries(ruleset)).min(LEAST_WAITING as u64);
                sides.sum::<u64>() + 3 * waiting
            }
            Job::Placing(subspace) => {
                // The buffer of a family has a row for every set of corners of one size at most.
                let geometry = ruleset.board.geometry();
                let (lower, points) = (geometry.corner_count(), geometry.point_count());
                let (mover, other) = (subspace.mover(), subspace.other());
                let rows =
                    (0..=other.min(lower)).map(|keys| binomial(lower, keys)).max().unwrap_or(1);
                threads as u64 * rows * binomial(points - other, mover)
            }
        }
}

/// The memory of one side of a pair: notes on cache lines, removal values (two bytes for each
/// arrangement with a mill, and two more if it has two crossing mills and two stones can go), and
/// placing values (two bytes for each entry, if the other side has stones in hand).
fn beside_side(ruleset: &Ruleset, subspace: Subspace) -> u64 {
    /// Bytes before the removal values or placing values of each distance in a row, times the usual
    /// number of distances.
    const HEADS: u64 = 3 * 2 * 60;
    let geometry = ruleset.board.geometry();
    let points = geometry.point_count();
    let index = SubspaceIndex::new(ruleset.board, subspace);
    let (rows, table) = (index.rows() as u64, padded(ruleset, subspace));
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
