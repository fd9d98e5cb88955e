//! The positions of a list: those of a subspace that a filter lets through.

use std::ops::Range;

use merels_core::{Arrangements, Outcome, Position, Value};
use merels_query::Listed;

use crate::commands::list::args::Filter;
use crate::shared::oracle::Oracle;

/// Entries that are listed at a time: some tens of megabytes.
const AT_ONCE: u64 = 1 << 18;

/// The positions to choose from.
pub(super) struct List {
    pub(super) oracle: Oracle,
    pub(super) arrangements: Arrangements,
    pub(super) filter: Filter,
    pub(super) listed: Listed,
}

/// The values that are listed.
pub(super) struct Wanted {
    filter: Filter,
    /// The only win and the only loss, if the longest are wanted.
    longest: Option<[Option<Value>; 2]>,
}

impl Wanted {
    pub(super) fn include(&self, value: Value) -> bool {
        let is_longest = |longest: [Option<Value>; 2]| longest.contains(&Some(value));
        self.filter.includes(value) && self.longest.is_none_or(is_longest)
    }
}

impl List {
    /// Calls `work` with all positions, piece by piece, in order.
    pub(super) fn each(
        &self,
        mut work: impl FnMut(Vec<(Position, Value)>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for piece in self.pieces() {
            work(self.oracle.list(&self.arrangements, piece, self.listed)?)?;
        }
        Ok(())
    }

    fn pieces(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let entries = self.arrangements.index().entries();
        (0..entries).step_by(AT_ONCE as usize).map(move |start| start..entries.min(start + AT_ONCE))
    }

    /// The values to list. The longest ones are looked for first.
    pub(super) fn wanted(&self, longest: bool) -> anyhow::Result<Wanted> {
        let filter = self.filter;
        if !longest {
            return Ok(Wanted { filter, longest: None });
        }
        let [mut win, mut loss] = [None, None];
        for piece in self.pieces() {
            for (_, value) in self.oracle.list(&self.arrangements, piece, Listed::Classes)? {
                match value.outcome() {
                    // Of wins the longest is the least value, of losses the greatest.
                    Outcome::Win => win = Some(win.map_or(value, |it: Value| it.min(value))),
                    Outcome::Loss => loss = Some(loss.map_or(value, |it: Value| it.max(value))),
                    Outcome::Draw => {}
                }
            }
        }
        Ok(Wanted { filter, longest: Some([win, loss]) })
    }

    /// Makes sure that the databases have distances.
    pub(super) fn check_distances(&self) -> anyhow::Result<()> {
        let subspace = self.arrangements.index().subspace();
        // Opens the table, or solves the subspace.
        self.oracle.list(&self.arrangements, 0..1, Listed::Classes)?;
        let edition = self.oracle.source().edition_of(subspace);
        if let Some(edition) = edition.filter(|edition| !edition.has_distances()) {
            anyhow::bail!(
                "the edition {edition} keeps no distances; omit --distance and --longest, or name \
                 a folder of another edition with --db"
            );
        }
        Ok(())
    }
}
