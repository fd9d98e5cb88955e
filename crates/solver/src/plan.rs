//! What to solve, in which order, and what it will take.

use std::cmp::Reverse;
use std::fmt;

use merels_core::{Pair, Placing, Ruleset, Subspace, SubspaceIndex, binomial};

use crate::SolverError;
use crate::double_mills::crossings;
use crate::half::LEAST_WAITING;
use crate::leads::{Leads, Removals};
use crate::rows::LINE;

/// Which subspaces are wanted. What they depend on is solved with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    #[default]
    All,
    /// Those with at most this many stones on the board.
    UpTo(u8),
    /// These.
    Only(Vec<Subspace>),
}

/// What is solved, checked and published as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Job {
    /// A pair of subspaces that lead to each other: those of the moving phase, and with stones in hand where
    /// stones may move meanwhile.
    Pair(Pair),
    /// A subspace with stones in hand in which the side to move can only place one.
    Placing(Subspace),
}

impl From<Pair> for Job {
    fn from(pair: Pair) -> Self {
        Self::Pair(pair)
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair(pair) => pair.fmt(f),
            Self::Placing(subspace) => subspace.fmt(f),
        }
    }
}

impl Job {
    /// The job that solves `subspace`.
    pub fn of(ruleset: &Ruleset, subspace: Subspace) -> Self {
        let moves = ruleset.placing == Placing::Mixed && subspace.mover() > 0;
        if subspace.is_moving() || moves {
            Self::Pair(Pair::of(subspace))
        } else {
            Self::Placing(subspace)
        }
    }

    /// The subspaces that it solves.
    pub fn subspaces(self) -> Vec<Subspace> {
        match self {
            Self::Pair(pair) => pair.subspaces().collect(),
            Self::Placing(subspace) => vec![subspace],
        }
    }

    /// The subspaces that must be solved before, each once.
    pub fn children(self, ruleset: &Ruleset) -> Vec<Subspace> {
        let placing = self.subspaces().into_iter().filter(|subspace| subspace.mover_hand() > 0);
        let removed = self.removals(ruleset).into_iter().flat_map(Removals::children);
        placing.map(Subspace::after_placing).chain(removed).collect()
    }

    /// What mills lead to that its moves close.
    fn removals(self, ruleset: &Ruleset) -> Vec<Removals> {
        let mut removals = Vec::new();
        for subspace in self.subspaces() {
            if matches!(self, Self::Pair(_)) {
                removals.push(Removals::by_moving(ruleset, subspace.swapped()));
            }
            if subspace.mover_hand() > 0 {
                removals.push(Removals::by_placing(ruleset, subspace.after_placing()));
            }
        }
        removals
    }

    /// Entries of its subspaces.
    pub fn entries(self, ruleset: &Ruleset) -> u64 {
        self.subspaces().into_iter().map(|subspace| entries(ruleset, subspace)).sum()
    }
}

/// The jobs to be done, children first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    ruleset: Ruleset,
    jobs: Vec<Job>,
}

impl Plan {
    /// The pairs of the moving phase that `selection` wants, with all that they depend on.
    ///
    /// # Errors
    /// [`SolverError::NoSuchSubspace`].
    pub fn moving(ruleset: &Ruleset, selection: &Selection) -> Result<Self, SolverError> {
        let all = moving_jobs(ruleset);
        Self::choose(ruleset, all, selection)
    }

    /// The jobs of the whole game that `selection` wants, with all that they depend on: the moving
    /// phase, then the placing phase from its last ply back to the empty board.
    ///
    /// # Errors
    /// [`SolverError::NoSuchSubspace`].
    pub fn whole_game(ruleset: &Ruleset, selection: &Selection) -> Result<Self, SolverError> {
        let all = all_jobs(ruleset);
        Self::choose(ruleset, all, selection)
    }

    /// The jobs without which `wanted` cannot be had, where the subspaces that `known` accepts are
    /// there and need not be solved; no jobs if `wanted` is one of them.
    ///
    /// # Errors
    /// [`SolverError::NoSuchSubspace`].
    pub fn missing(
        ruleset: &Ruleset,
        wanted: Subspace,
        known: impl Fn(Subspace) -> bool,
    ) -> Result<Self, SolverError> {
        let all = if wanted.is_moving() { moving_jobs(ruleset) } else { all_jobs(ruleset) };
        if !all.contains(&Job::of(ruleset, wanted)) {
            return Err(SolverError::NoSuchSubspace { subspace: wanted, ruleset: *ruleset });
        }
        let missing = |subspaces: Vec<Subspace>| subspaces.into_iter().filter(|&s| !known(s));
        let wanted = missing(vec![wanted]).map(|wanted| Job::of(ruleset, wanted)).collect();
        let jobs = with_children(ruleset, wanted, |job| missing(job.children(ruleset)).collect());
        let jobs = all.into_iter().filter(|job| jobs.contains(job)).collect();
        Ok(Self { ruleset: ruleset.without_history(), jobs })
    }

    fn choose(
        ruleset: &Ruleset,
        all: Vec<Job>,
        selection: &Selection,
    ) -> Result<Self, SolverError> {
        if let Selection::Only(only) = selection
            && let Some(&subspace) =
                only.iter().find(|only| !all.contains(&Job::of(ruleset, **only)))
        {
            return Err(SolverError::NoSuchSubspace { subspace, ruleset: *ruleset });
        }
        let on_board = |job: &Job| job.subspaces().into_iter().map(Subspace::on_board).max();
        let wanted: Vec<Job> = match selection {
            Selection::All => all.clone(),
            Selection::UpTo(most) => {
                all.iter().copied().filter(|job| on_board(job) <= Some(*most)).collect()
            }
            Selection::Only(only) => only.iter().map(|&only| Job::of(ruleset, only)).collect(),
        };
        let wanted = with_children(ruleset, wanted, |job| job.children(ruleset));
        let jobs = all.into_iter().filter(|job| wanted.contains(job)).collect();
        Ok(Self { ruleset: ruleset.without_history(), jobs })
    }

    /// The rules.
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The jobs in the order in which they are done.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Entries of all subspaces that the jobs solve.
    pub fn entries(&self) -> u64 {
        self.jobs.iter().map(|job| job.entries(&self.ruleset)).sum()
    }
}

/// Adds the jobs that solve what the jobs of the list depend on, by `children`.
fn with_children(
    ruleset: &Ruleset,
    mut jobs: Vec<Job>,
    children: impl Fn(Job) -> Vec<Subspace>,
) -> Vec<Job> {
    let mut next = 0;
    while let Some(job) = jobs.get(next).copied() {
        for child in children(job).into_iter().map(|child| Job::of(ruleset, child)) {
            if !jobs.contains(&child) {
                jobs.push(child);
            }
        }
        next += 1;
    }
    jobs
}

/// The jobs of the whole game, children first.
pub(crate) fn all_jobs(ruleset: &Ruleset) -> Vec<Job> {
    let mut all = moving_jobs(ruleset);
    for layer in Subspace::placing_layers(ruleset).into_iter().rev() {
        let mut jobs: Vec<_> =
            layer.into_iter().map(|subspace| Job::of(ruleset, subspace)).collect();
        // Where stones are placed first, jobs of a layer do not need each other, and the order of the mover's stones
        // and then of the other side's is the best one: what follows one subspace after a placing follows the next
        // one after a removal.
        if ruleset.placing == Placing::Mixed {
            jobs.sort_by_key(|&job| order_of_mixed(job));
            jobs.dedup();
        }
        all.extend(jobs);
    }
    all
}

/// The order of jobs with as many stones in hand, where stones move meanwhile: a removal leaves fewer on
/// the board.
fn order_of_mixed(job: Job) -> impl Ord {
    let subspaces = job.subspaces();
    let most = |stones: fn(Subspace) -> u8| subspaces.iter().map(|&s| stones(s)).max();
    (most(Subspace::on_board), Reverse(most(Subspace::mover)), subspaces)
}

fn moving_jobs(ruleset: &Ruleset) -> Vec<Job> {
    Pair::all_moving(ruleset).into_iter().map(Job::Pair).collect()
}

/// Entries of a subspace.
pub(crate) fn entries(ruleset: &Ruleset, subspace: Subspace) -> u64 {
    SubspaceIndex::new(ruleset.board, subspace).entries()
}

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
    let has_second = |removals: &Removals| removals.second != Leads::Nowhere;
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
                let halves = pair.subspaces().map(|subspace| beside_half(ruleset, subspace));
                // A place of four bytes waits for each move that leads to a position, of which there are fewer than
                // 64. What waits to be stored may be written twice over while its memory grows.
                let waiting = (4 * 64 * job.entries(ruleset)).min(LEAST_WAITING as u64);
                halves.sum::<u64>() + 3 * waiting
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

/// For one half of a pair: notes on cache lines, removal values (two bytes for each arrangement with
/// a mill, and two more if it has two that cross and two stones may go), and placing values (two bytes for
/// each entry, if the other side has stones in hand).
fn beside_half(ruleset: &Ruleset, subspace: Subspace) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_planned_before_parents() {
        let only = vec!["5-4".parse().unwrap()];
        let plan = Plan::moving(&Ruleset::STANDARD, &Selection::Only(only)).unwrap();
        let names: Vec<_> = plan.jobs().iter().map(ToString::to_string).collect();
        assert_eq!(names, ["3-3", "4-3, 3-4", "5-3, 3-5", "4-4", "5-4, 4-5"]);
        let small = Selection::UpTo(7);
        assert_eq!(Plan::moving(&Ruleset::STANDARD, &small).unwrap().jobs().len(), 2);
        let all = Plan::moving(&Ruleset::STANDARD, &Selection::default()).unwrap();
        assert_eq!(all.jobs().len(), 28);
    }

    #[test]
    fn the_whole_game_ends_with_the_empty_board() {
        let plan = Plan::whole_game(&Ruleset::STANDARD, &Selection::default()).unwrap();
        assert_eq!(plan.jobs().last(), Some(&Job::Placing(Subspace::placing(0, 0, 9, 9))));
        let entries: u64 = plan.jobs().iter().map(|job| job.entries(&Ruleset::STANDARD)).sum();
        assert_eq!(entries, 9_193_626_407 + 18_644_115_505);
        for (i, job) in plan.jobs().iter().enumerate() {
            for child in job.children(&Ruleset::STANDARD) {
                let child_job = Job::of(&Ruleset::STANDARD, child);
                assert!(plan.jobs()[..i].contains(&child_job), "{job}: {child}");
            }
            assert!(memory_of(&Ruleset::STANDARD, *job, 2) < 6 << 30, "{job}");
        }
    }

    #[test]
    fn two_removals_are_planned_before_what_they_follow() {
        for name in [
            "double-removal",
            "morabaraba,double-mill=two",
            "seven,double-mill=two",
            "six,double-mill=two",
        ] {
            let ruleset: Ruleset = name.parse().unwrap();
            let plan = Plan::whole_game(&ruleset, &Selection::default()).unwrap();
            let mut done = Vec::new();
            for job in plan.jobs() {
                let missing =
                    job.children(&ruleset).into_iter().find(|child| !done.contains(child));
                assert_eq!(missing, None, "{name}: {job}");
                done.extend(job.subspaces());
            }
        }
        let double: Ruleset = "double-removal".parse().unwrap();
        let children = |job: Subspace| {
            let children = Job::of(&double, job).children(&double).into_iter();
            children.map(|child| child.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(children(Subspace::placing(6, 7, 3, 2)), ["7-7+2-2", "6-7+2-2", "5-7+2-2"]);
        assert_eq!(children(Subspace::moving(7, 6)), ["5-7", "6-6"]);
    }

    #[test]
    fn with_slides_in_between_children_come_first_too() {
        let lasker: Ruleset = "lasker,stones=6".parse().unwrap();
        let plan = Plan::whole_game(&lasker, &Selection::default()).unwrap();
        assert_eq!(plan.jobs().last(), Some(&Job::Placing(Subspace::placing(0, 0, 6, 6))));
        for (i, job) in plan.jobs().iter().enumerate() {
            assert!(!plan.jobs()[..i].contains(job), "{job} comes twice");
            let children = job.children(&lasker);
            for &child in &children {
                assert!(plan.jobs()[..i].contains(&Job::of(&lasker, child)), "{job}: {child}");
            }
        }
        let job = Job::of(&lasker, "3-4+2-1".parse().unwrap());
        assert_eq!(job.to_string(), "4-3+1-2, 3-4+2-1");
        let mut children: Vec<_> = job.children(&lasker).iter().map(ToString::to_string).collect();
        children.sort();
        let expected = ["2-4+2-1", "2-5+2-0", "3-3+1-2", "3-4+1-1", "3-5+2-0", "4-4+1-1"];
        assert_eq!(children, expected);
    }

    /// Ten stones a side: five times the standard game.
    #[test]
    fn laskers_game_fits_its_memory() {
        let lasker: Ruleset = "lasker".parse().unwrap();
        let plan = Plan::whole_game(&lasker, &Selection::default()).unwrap();
        let subspaces: usize = plan.jobs().iter().map(|job| job.subspaces().len()).sum();
        assert_eq!((subspaces, plan.entries()), (2_482, 139_158_899_527));
        for &job in plan.jobs() {
            assert!(memory_of(&lasker, job, 2) < 9 << 30, "{job}");
        }
    }

    #[test]
    fn what_the_game_does_not_have_is_refused() {
        for name in ["2-9", "10-3", "3-2", "5-4+1-1"] {
            let selection = Selection::Only(vec![name.parse().unwrap()]);
            let refusal = Plan::moving(&Ruleset::STANDARD, &selection);
            assert!(matches!(refusal, Err(SolverError::NoSuchSubspace { .. })), "{name}");
        }
    }

    #[test]
    fn the_standard_game_fits_its_memory() {
        for pair in Pair::all_moving(&Ruleset::STANDARD) {
            assert!(memory_of(&Ruleset::STANDARD, pair, 2) < 6 << 30, "{pair}");
        }
    }
}
