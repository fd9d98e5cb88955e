//! An estimate of the disk space of a run.
//!
//! Tables stay, work tables come and go. So this module rehearses the steps of a run before it
//! begins: files appear and disappear in their order, with cautious estimates of their sizes. It
//! does not count far codes, since it is not known in advance which subspaces have them; they take
//! about half a bit for each entry (`docs/algorithm.md`). If they fill the disk, the run ends, and
//! the next one resumes when there is room. The final size of a folder says little: the edition
//! `statistics` needs a thousand times as much on the way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use merels_core::Subspace;
use merels_db::{Edition, Stored};

use crate::job::entries;
use crate::plan::jobs::Plan;
use crate::plan::schedule::{Keeping, Needs, Step, schedule};

/// Jobs that may wait for publication; their files have temporary names.
pub(crate) const MOST_WAITING: usize = 2;

/// A header and a small block table.
const SMALL: u64 = 1 << 16;

/// Bytes of a subspace's table in a folder of this edition: 4.5 bits for each entry with distances
/// and 1.25 without; the largest subspaces take 4.1 and 0.9.
fn table_size(keeping: &Keeping, subspace: Subspace) -> u64 {
    let entries = entries(&keeping.ruleset, subspace);
    let edition = keeping.edition;
    let all = if edition.has_distances() { entries * 9 / 16 } else { entries * 5 / 32 };
    let stored = match edition.stored(&keeping.ruleset, subspace) {
        Stored::Whole => all,
        Stored::Half => all / 2,
        Stored::Nothing => 0,
    };
    stored + SMALL
}

/// Bytes of a work table: 5 bits for each entry, since its compression is faster.
fn work_table_size(keeping: &Keeping, subspace: Subspace) -> u64 {
    entries(&keeping.ruleset, subspace) * 5 / 8 + SMALL
}

/// The files of a folder that matter for its size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// Subspaces with a table.
    pub(crate) present: BTreeSet<Subspace>,
    /// The work tables and their sizes in bytes.
    pub(crate) work: BTreeMap<Subspace, u64>,
}

/// The most bytes by which a folder with these files grows during `steps`.
pub(crate) fn most_growth(keeping: &Keeping, needs: &Needs, steps: &[Step], files: &Files) -> u64 {
    let mut files = files.clone();
    // Signed, since old work tables may make the folder shrink.
    let (mut growth, mut most) = (0_i128, 0);
    // The bytes that each waiting publication will free.
    let mut waiting = VecDeque::new();
    for step in steps {
        let subspaces = step.job.subspaces();
        let before = files.present.clone();
        files.present.extend(&subspaces);
        // Tables that are written for comparison only, and then dropped.
        let mut dropped = 0;
        for subspace in subspaces {
            let work: BTreeSet<_> = files.work.keys().copied().collect();
            let written = needs.written(subspace, &before, &files.present, &work);
            if written.work {
                let size = work_table_size(keeping, subspace);
                files.work.insert(subspace, size);
                growth += i128::from(size);
            }
            if written.table {
                growth += i128::from(table_size(keeping, subspace));
            } else if written.comparison {
                dropped += i128::from(table_size(keeping, subspace));
            }
        }
        most = most.max(growth + dropped);
        let Files { present, work } = &mut files;
        let mut freed = 0;
        work.retain(|&subspace, size| {
            let is_needed = needs.is_needed(subspace, present);
            freed += if is_needed { 0 } else { i128::from(*size) };
            is_needed
        });
        waiting.push_back(freed);
        if waiting.len() > MOST_WAITING {
            growth -= waiting.pop_front().unwrap_or(0);
        }
    }
    u64::try_from(most).unwrap_or(0)
}

/// A cautious estimate of the disk space for solving `plan` in a new folder of this edition, work
/// tables included.
pub fn disk_of(plan: &Plan, edition: Edition) -> u64 {
    let keeping = Keeping { ruleset: *plan.ruleset(), edition };
    let none = BTreeSet::new();
    let steps = schedule(&keeping, plan.jobs(), &none, &none);
    most_growth(&keeping, &Needs::new(keeping), &steps, &Files::default())
}

#[cfg(test)]
mod tests {
    use merels_core::Ruleset;

    use super::*;
    use crate::job::Job;
    use crate::plan::jobs::Selection;
    use crate::plan::memory::memory_of;

    fn whole_game(ruleset: &str) -> Plan {
        Plan::whole_game(&ruleset.parse().unwrap(), &Selection::All).unwrap()
    }

    #[test]
    fn without_work_tables_it_is_the_sum_of_the_tables() {
        let plan = whole_game("standard");
        let keeping = Keeping { ruleset: Ruleset::STANDARD, edition: Edition::Full };
        let subspaces = plan.jobs().iter().flat_map(|job| job.subspaces());
        let sum: u64 = subspaces.map(|subspace| table_size(&keeping, subspace)).sum();
        assert_eq!(disk_of(&plan, Edition::Full), sum);
    }

    #[test]
    fn smaller_editions_take_less_in_between_as_well() {
        let plan = whole_game("standard");
        let [full, compact, outcome, statistics] =
            [Edition::Full, Edition::Compact, Edition::Outcome, Edition::Statistics]
                .map(|edition| disk_of(&plan, edition));
        // Most of `outcome` and almost all of `statistics` are work tables of the moving phase.
        assert!(full > 2 * statistics, "{full} {statistics}");
        assert!(compact > statistics, "{compact} {statistics}");
        assert!(compact > outcome, "{compact} {outcome}");
    }

    #[test]
    fn what_is_left_of_an_interrupted_run_is_credited_when_it_goes() {
        let ruleset = Ruleset::STANDARD;
        let keeping = Keeping { ruleset, edition: Edition::Statistics };
        let needs = Needs::new(keeping);
        let plan = whole_game("standard");
        let none = BTreeSet::new();
        let start = |job: &&Job| matches!(job, Job::Pair(_));
        let present: BTreeSet<_> =
            plan.jobs().iter().take_while(start).flat_map(|job| job.subspaces()).collect();
        let needed = present.iter().filter(|subspace| needs.is_needed(**subspace, &present));
        let sizes = needed.map(|&subspace| (subspace, work_table_size(&keeping, subspace)));
        let work: BTreeMap<_, _> = sizes.collect();
        let held: u64 = work.values().sum();
        let names: BTreeSet<_> = work.keys().copied().collect();
        let steps = schedule(&keeping, plan.jobs(), &present, &names);
        let files = Files { present, work };
        let more = most_growth(&keeping, &needs, &steps, &files);
        assert!(more < held, "{more} {held}");
        let whole = schedule(&keeping, plan.jobs(), &none, &none);
        let all = most_growth(&keeping, &needs, &whole, &Files::default());
        assert!(more + held <= all + (1 << 30), "{more} {held} {all}");
    }

    #[test]
    fn a_game_of_a_hundred_billion_positions_can_be_planned() {
        let plan = whole_game("morabaraba");
        assert!(plan.entries() > 100_000_000_000, "{}", plan.entries());
        let most = plan.jobs().iter().map(|&job| memory_of(plan.ruleset(), job, 2)).max();
        assert!(most.unwrap() < 7 << 30, "{most:?}");
        let [full, compact, statistics] =
            [Edition::Full, Edition::Compact, Edition::Statistics].map(|e| disk_of(&plan, e) >> 30);
        assert!(statistics < compact && compact < full, "{statistics} {compact} {full}");
    }
}
