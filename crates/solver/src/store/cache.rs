//! Subspaces that stay in memory from one job to the next.
//!
//! Nearly every subspace is a child of two jobs or more, and was solved not long before. The reads
//! of every step are known beforehand. So when memory is short, the subspace whose next read is
//! last goes first: no other choice reads less from files (Belady 1966).

use std::collections::HashMap;
use std::sync::Arc;

use merels_core::{Ruleset, Subspace};

use crate::job::Job;
use crate::rows::solved::Child;

/// The subspaces in memory.
pub(crate) struct Cache {
    /// By subspace: the numbers of the steps that read it, in rising order.
    readers: HashMap<Subspace, Vec<usize>>,
    children: Vec<Arc<Child>>,
}

impl Cache {
    /// An empty cache for a run of `jobs`.
    pub(crate) fn new(ruleset: &Ruleset, jobs: &[Job]) -> Self {
        let mut readers = HashMap::<Subspace, Vec<usize>>::new();
        for (step, job) in jobs.iter().enumerate() {
            for child in job.children(ruleset) {
                readers.entry(child).or_default().push(step);
            }
        }
        Self { readers, children: Vec::new() }
    }

    /// A subspace, if the cache has it.
    pub(crate) fn get(&self, subspace: Subspace) -> Option<Arc<Child>> {
        self.children.iter().find(|child| child.index.subspace() == subspace).cloned()
    }

    /// Whether the cache has one of `subspaces` with far codes.
    pub(crate) fn has_far_codes(&self, subspaces: &[Subspace]) -> bool {
        let mut found = self.children.iter().filter(|c| subspaces.contains(&c.index.subspace()));
        found.any(|child| child.far.is_some())
    }

    /// Adds a subspace.
    pub(crate) fn put(&mut self, child: Arc<Child>) {
        self.children.push(child);
    }

    /// Makes room before or after `step`: drops what no later step reads, and of the rest what is
    /// read last, until at most `spare` bytes stay. The subspaces in `keep` stay in any case and do
    /// not count.
    pub(crate) fn make_room(&mut self, step: usize, keep: &[Subspace], spare: u64) {
        let (mut kept, others): (Vec<_>, Vec<_>) =
            self.children.drain(..).partition(|child| keep.contains(&child.index.subspace()));
        let next = |child: Arc<Child>| {
            let steps = self.readers.get(&child.index.subspace())?;
            Some((*steps.iter().find(|&&reader| reader > step)?, child))
        };
        let mut others: Vec<_> = others.into_iter().filter_map(next).collect();
        others.sort_by_key(|&(next, _)| next);
        let mut bytes = 0;
        others.retain(|(_, child)| {
            let with = bytes + child.bytes();
            let fits = with <= spare;
            if fits {
                bytes = with;
            }
            fits
        });
        kept.extend(others.into_iter().map(|(_, child)| child));
        self.children = kept;
    }

    /// Bytes of all subspaces other than `subspaces`.
    pub(crate) fn bytes_beside(&self, subspaces: &[Subspace]) -> u64 {
        let beside = self.children.iter().filter(|c| !subspaces.contains(&c.index.subspace()));
        beside.map(|child| child.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Board;
    use merels_core::numbering::SubspaceIndex;

    use super::*;
    use crate::plan::jobs::{Plan, Selection};
    use crate::rows::bytes::Pool;

    #[test]
    fn what_is_read_last_goes_first() {
        let plan = Plan::moving(&Ruleset::STANDARD, &Selection::UpTo(9)).unwrap();
        let names: Vec<_> = plan.jobs().iter().map(ToString::to_string).collect();
        assert_eq!(
            names,
            ["3-3", "4-3, 3-4", "5-3, 3-5", "4-4", "6-3, 3-6", "5-4, 4-5"],
            "the order that the steps below count"
        );
        let pool = Pool::new(u64::MAX);
        let mut cache = Cache::new(plan.ruleset(), plan.jobs());
        let child = |name: &str| {
            let subspace: Subspace = name.parse().unwrap();
            let index = SubspaceIndex::new(Board::Nine, subspace);
            Arc::new(Child::new(index, pool.table(100).unwrap(), 0))
        };
        // Step 3 reads 3-4 (as a child of 4-4), step 5 reads 3-5 and 4-4.
        for name in ["4-4", "3-4", "3-5", "6-3"] {
            cache.put(child(name));
        }
        let names = |cache: &Cache| {
            let mut names: Vec<_> =
                cache.children.iter().map(|c| c.index.subspace().to_string()).collect();
            names.sort();
            names
        };
        let keep = ["3-5".parse().unwrap()];
        cache.make_room(2, &keep, 200);
        assert_eq!(names(&cache), ["3-4", "3-5", "4-4"], "nothing reads 6-3");
        assert_eq!(cache.bytes_beside(&keep), 200);
        cache.make_room(2, &keep, 199);
        assert_eq!(names(&cache), ["3-4", "3-5"]);
        cache.make_room(3, &[], 1000);
        assert_eq!(names(&cache), ["3-5"]);
        assert!(cache.get("3-5".parse().unwrap()).is_some());
        assert!(cache.get("3-4".parse().unwrap()).is_none());
    }
}
