//! The jobs of a plan and their order.

use std::cmp::Reverse;

use merels_core::numbering::Pair;
use merels_core::{Placing, Ruleset, Subspace};

use crate::error::SolverError;
use crate::job::Job;

/// The subspaces to solve. A plan adds what they depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All subspaces.
    #[default]
    All,
    /// The subspaces with at most this many stones on the board.
    UpTo(u8),
    /// These subspaces.
    Only(Vec<Subspace>),
}

/// The jobs to run, children first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    ruleset: Ruleset,
    jobs: Vec<Job>,
}

impl Plan {
    /// The pairs of the moving phase in `selection`, with all that they depend on.
    ///
    /// # Errors
    /// [`SolverError::NoSuchSubspace`].
    pub fn moving(ruleset: &Ruleset, selection: &Selection) -> Result<Self, SolverError> {
        let all = moving_jobs(ruleset);
        Self::choose(ruleset, all, selection)
    }

    /// The jobs of the whole game in `selection`, with all that they depend on: the moving phase,
    /// then the placing phase from its last ply back to the empty board.
    ///
    /// # Errors
    /// [`SolverError::NoSuchSubspace`].
    pub fn whole_game(ruleset: &Ruleset, selection: &Selection) -> Result<Self, SolverError> {
        let all = all_jobs(ruleset);
        Self::choose(ruleset, all, selection)
    }

    /// The jobs that `wanted` needs, apart from those of subspaces that `known` accepts; no jobs if
    /// it accepts `wanted` itself.
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

    /// The jobs in the order of a run.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Entries of all subspaces that the jobs solve.
    pub fn entries(&self) -> u64 {
        self.jobs.iter().map(|job| job.entries(&self.ruleset)).sum()
    }
}

/// Adds the jobs of everything that the jobs of the list depend on, by `children`.
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
        // If all stones are placed first, the jobs of a layer do not need each other. The best
        // order is then by the mover's stones and next by the other side's: what follows one
        // subspace after a placing follows the next subspace after a removal.
        if ruleset.placing == Placing::Mixed {
            jobs.sort_by_key(|&job| order_of_mixed(job));
            jobs.dedup();
        }
        all.extend(jobs);
    }
    all
}

/// The order of jobs with equally many stones in hand, if the rules allow moves meanwhile: a
/// removal leaves fewer stones on the board.
fn order_of_mixed(job: Job) -> impl Ord {
    let subspaces = job.subspaces();
    let most = |stones: fn(Subspace) -> u8| subspaces.iter().map(|&s| stones(s)).max();
    (most(Subspace::on_board), Reverse(most(Subspace::mover)), subspaces)
}

fn moving_jobs(ruleset: &Ruleset) -> Vec<Job> {
    Pair::all_moving(ruleset).into_iter().map(Job::Pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::memory::memory_of;

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
