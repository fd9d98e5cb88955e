//! The order of jobs, and what stays between them, for a folder of any edition.
//!
//! Jobs need the exact values of their children, but a folder of a small edition does not keep all
//! values. So it holds *work tables* for a while, in addition to its tables: full tables of the
//! subspaces of which it leaves something out. They go as soon as no job of the game needs them. Of
//! the plies of the placing phase that an edition leaves out altogether, every other one has no
//! work table: the run solves such a subspace right before the job that needs it, and hands it on
//! in memory.

use std::collections::{BTreeSet, HashMap};

use merels_core::{Placing, Ruleset, Subspace};
use merels_db::{Edition, Stored};

use crate::job::Job;
use crate::plan::jobs::all_jobs;

/// What a folder of an edition keeps, as far as it matters for solving.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keeping {
    pub(crate) ruleset: Ruleset,
    pub(crate) edition: Edition,
}

impl Keeping {
    /// Whether the folder's own table holds all exact values.
    pub(crate) fn is_exact(&self, subspace: Subspace) -> bool {
        self.edition.is_exact(&self.ruleset, subspace)
    }

    /// Whether the subspace is solved when a job needs it, and handed on in memory.
    ///
    /// This holds for odd numbers of stones in hand only: what such a subspace is solved from has
    /// an even number, or belongs to the moving phase.
    pub(crate) fn is_passing(&self, subspace: Subspace) -> bool {
        let in_hand = subspace.mover_hand() + subspace.other_hand();
        !in_hand.is_multiple_of(2)
            && self.ruleset.placing == Placing::First
            && self.stored(subspace) == Stored::Nothing
    }

    /// Whether jobs read a work table of the subspace.
    pub(crate) fn takes_work_table(&self, subspace: Subspace) -> bool {
        !self.is_exact(subspace) && !self.is_passing(subspace)
    }

    fn stored(&self, subspace: Subspace) -> Stored {
        self.edition.stored(&self.ruleset, subspace)
    }
}

/// One job of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) job: Job,
    /// Subspaces to keep in memory afterwards.
    pub(crate) hold: Vec<Subspace>,
    /// Whether the folder has its tables already, and the job only makes again what others need.
    pub(crate) again: bool,
}

/// The steps that complete `jobs` in a folder with tables of the subspaces `present` and work
/// tables of `work`.
pub(crate) fn schedule(
    keeping: &Keeping,
    jobs: &[Job],
    present: &BTreeSet<Subspace>,
    work: &BTreeSet<Subspace>,
) -> Vec<Step> {
    let done = |job: Job| job.subspaces().iter().all(|subspace| present.contains(subspace));
    let available = |subspace: Subspace| {
        (keeping.is_exact(subspace) && present.contains(&subspace)) || work.contains(&subspace)
    };
    let mut wanted: Vec<Job> = jobs.iter().copied().filter(|&job| !done(job)).collect();
    let mut next = 0;
    while let Some(job) = wanted.get(next).copied() {
        next += 1;
        for child in job.children(&keeping.ruleset) {
            let child_job = Job::of(&keeping.ruleset, child);
            if !available(child) && !wanted.contains(&child_job) {
                wanted.push(child_job);
            }
        }
    }
    let passing = |job: Job| job.subspaces().into_iter().all(|s| keeping.is_passing(s));
    let in_order = |accepts: &dyn Fn(Job) -> bool| {
        let all = all_jobs(&keeping.ruleset).into_iter();
        all.filter(|job| wanted.contains(job) && accepts(*job)).collect::<Vec<_>>()
    };

    let mut steps: Vec<Step> = Vec::new();
    let mut made = BTreeSet::new();
    let mut held: Vec<Subspace> = Vec::new();
    for job in in_order(&|job| !passing(job)) {
        let mut children = job.children(&keeping.ruleset);
        children.retain(|&child| keeping.is_passing(child));
        held.retain(|subspace| children.contains(subspace));
        for &child in &children {
            if !held.contains(&child) {
                let again = !made.insert(child) || present.contains(&child);
                steps.push(Step {
                    job: Job::of(&keeping.ruleset, child),
                    hold: children.clone(),
                    again,
                });
                held.push(child);
            }
        }
        // The next job often needs one of the children, too.
        steps.push(Step { job, hold: children, again: done(job) });
    }
    // Jobs that nothing else needs.
    for job in in_order(&passing) {
        if job.subspaces().iter().all(|subspace| !made.contains(subspace)) && !done(job) {
            steps.push(Step { job, hold: Vec::new(), again: false });
        }
    }
    steps
}

/// The files to write for one subspace of a finished job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// A work table.
    pub(crate) work: bool,
    /// The table.
    pub(crate) table: bool,
    /// A copy of the existing table, to compare with it.
    pub(crate) comparison: bool,
}

/// The work tables that the game still needs.
#[derive(Debug)]
pub(crate) struct Needs {
    keeping: Keeping,
    /// The jobs that have a subspace as a child.
    parents: HashMap<Subspace, Vec<Job>>,
}

impl Needs {
    pub(crate) fn new(keeping: Keeping) -> Self {
        let mut parents = HashMap::<Subspace, Vec<Job>>::new();
        for job in all_jobs(&keeping.ruleset) {
            for child in job.children(&keeping.ruleset) {
                parents.entry(child).or_default().push(job);
            }
        }
        Self { keeping, parents }
    }

    /// The files to write for a subspace when its job is done. The folder had tables of `before`,
    /// it will have those of `after`; it has work tables of `work`.
    pub(crate) fn written(
        &self,
        subspace: Subspace,
        before: &BTreeSet<Subspace>,
        after: &BTreeSet<Subspace>,
        work: &BTreeSet<Subspace>,
    ) -> Written {
        let table = !before.contains(&subspace);
        if !table && self.keeping.is_passing(subspace) {
            return Written::default();
        }
        let work = self.keeping.takes_work_table(subspace)
            && self.is_needed(subspace, after)
            && !work.contains(&subspace);
        Written { work, table, comparison: !table }
    }

    /// Whether an unfinished job of the whole game needs all values of `subspace`, or needs a
    /// subspace that is solved from them.
    pub(crate) fn is_needed(&self, subspace: Subspace, present: &BTreeSet<Subspace>) -> bool {
        self.parents.get(&subspace).into_iter().flatten().any(|job| {
            job.subspaces().into_iter().any(|parent| {
                !present.contains(&parent)
                    || (self.keeping.is_passing(parent) && self.is_needed(parent, present))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::jobs::{Plan, Selection};

    /// Rehearses a run of a whole game, stopped after every `stop` steps, and checks that every
    /// step finds what it needs.
    fn rehearse(ruleset: Ruleset, edition: Edition, stop: usize) {
        let keeping = Keeping { ruleset, edition };
        let needs = Needs::new(keeping);
        let plan = Plan::whole_game(&ruleset, &Selection::All).unwrap();
        let (mut present, mut work) = (BTreeSet::new(), BTreeSet::new());
        let mut solved = BTreeSet::new();
        loop {
            let steps = schedule(&keeping, plan.jobs(), &present, &work);
            if steps.is_empty() {
                break;
            }
            let mut memory: Vec<Subspace> = Vec::new();
            for Step { job, hold, again } in steps.into_iter().take(stop) {
                memory.retain(|held| hold.contains(held) || job.children(&ruleset).contains(held));
                for child in job.children(&ruleset) {
                    let exact = keeping.is_exact(child) && present.contains(&child);
                    let there = exact || work.contains(&child) || memory.contains(&child);
                    assert!(there, "{ruleset} {edition}: {job} lacks {child}");
                }
                assert_eq!(again, job.subspaces().iter().all(|s| present.contains(s)), "{job}");
                memory.retain(|held| hold.contains(held));
                for subspace in job.subspaces() {
                    present.insert(subspace);
                    solved.insert(subspace);
                    if keeping.takes_work_table(subspace) {
                        work.insert(subspace);
                    }
                    if hold.contains(&subspace) {
                        memory.push(subspace);
                    }
                }
                work.retain(|&subspace| needs.is_needed(subspace, &present));
            }
        }
        let planned: BTreeSet<_> = plan.jobs().iter().flat_map(|job| job.subspaces()).collect();
        assert_eq!(solved, planned);
        assert!(work.is_empty(), "{work:?} are left over");
    }

    #[test]
    fn every_job_finds_its_children_however_often_the_run_is_stopped() {
        let small: Ruleset = "standard,stones=4".parse().unwrap();
        let six: Ruleset = "six".parse().unwrap();
        for edition in Edition::ALL {
            for stop in [usize::MAX, 7, 3] {
                rehearse(small, edition, stop);
                rehearse(six, edition, stop);
            }
            rehearse(Ruleset::STANDARD, edition, usize::MAX);
            rehearse(Ruleset::STANDARD, edition, 50);
        }
    }

    #[test]
    fn nothing_is_solved_twice_in_a_run_without_stops() {
        let keeping = Keeping { ruleset: Ruleset::STANDARD, edition: Edition::Compact };
        let plan = Plan::whole_game(&Ruleset::STANDARD, &Selection::All).unwrap();
        let steps = schedule(&keeping, plan.jobs(), &BTreeSet::new(), &BTreeSet::new());
        assert!(steps.iter().all(|step| !step.again));
        assert_eq!(steps.len(), plan.jobs().len());
    }

    #[test]
    fn a_lost_work_table_is_made_again() {
        let keeping = Keeping { ruleset: Ruleset::STANDARD, edition: Edition::Compact };
        let plan = Plan::moving(&Ruleset::STANDARD, &Selection::UpTo(8)).unwrap();
        let present: BTreeSet<_> = plan.jobs().iter().flat_map(|job| job.subspaces()).collect();
        let none = BTreeSet::new();
        assert_eq!(schedule(&keeping, plan.jobs(), &present, &none), []);
        let more = Plan::moving(&Ruleset::STANDARD, &Selection::Only(vec!["5-4".parse().unwrap()]));
        let steps = schedule(&keeping, more.unwrap().jobs(), &present, &none);
        let names: Vec<_> = steps.iter().map(|s| (s.job.to_string(), s.again)).collect();
        let again = |name: &str| (name.to_owned(), true);
        // 5-4 needs 3-5, which the folder keeps, and 4-4, of which it keeps half. 4-4 needs 3-4,
        // which it keeps.
        assert_eq!(names, [again("4-4"), ("5-4, 4-5".to_owned(), false)]);
    }
}
