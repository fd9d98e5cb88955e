//! Random entries of every table, each recomputed by the plain rules.
//!
//! The sample chooses among the entries that the edition keeps; of a subspace that is left out as a
//! whole it has none. If a successor is left out, its value is computed from its own successors. If
//! that is impossible, the sample has no entry of the subspace, either.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use merels_core::numbering::Index;
use merels_core::{Position, Subspace, Value};
use merels_db::{DbError, Folder, Stored};
use rayon::prelude::*;

use crate::error::VerifyError;
use crate::fast::successors::needed;
use crate::observer::{Observer, stopped};
use crate::plain::{self, Mismatch, Values};
use crate::sample::random::Random;
use crate::tables::database::{Database, Entry};
use crate::tables::open::OpenTable;

/// Positions that are checked together: their successors take some 50 MB.
const PORTION: usize = 50_000;

/// The same if successors are left out, and each position takes hundreds of look-ups.
const SMALL_PORTION: usize = 5_000;

/// The same if successors of successors may be left out, too, as with two stones in hand.
const SMALLEST_PORTION: usize = 1_000;

/// Mismatches to keep for each subspace. All are counted.
const KEPT: usize = 10;

/// The options of a sample.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// Only these subspaces; empty for all of the folder.
    pub only: Vec<Subspace>,
    /// Entries of each subspace, chosen among those that the edition keeps. A smaller subspace is
    /// checked whole.
    pub samples: u64,
    /// The same seed chooses the same entries.
    pub seed: u64,
}

/// The result for one subspace.
#[derive(Clone, Debug)]
pub struct SampleReport {
    /// The subspace.
    pub subspace: Subspace,
    /// The number of checked entries; smaller than requested if the edition keeps fewer.
    pub samples: u64,
    /// Whether entries could be compared with their successors. If not, the edition keeps no values
    /// of these, or of the subspace itself, and no entry was checked.
    pub compared: bool,
    /// The number of wrong entries.
    pub wrong: u64,
    /// Some of the wrong entries.
    pub mismatches: Vec<Mismatch>,
}

/// Recomputes random entries of the tables in `folder` from their successors, on the current rayon
/// pool.
///
/// # Errors
/// See [`VerifyError`]. A wrong entry is not an error: the reports list it.
pub fn verify_sample(
    folder: &Folder,
    options: &SampleOptions,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<SampleReport>, VerifyError> {
    let database = Database::new(folder);
    let subspaces = database.selection(&options.only)?;
    let mut total = 0;
    for &subspace in subspaces.iter().filter(|&&subspace| database.is_checkable(subspace)) {
        if folder.stored(subspace) != Stored::Nothing {
            total += database.table(subspace)?.table.entries().min(options.samples);
        }
        for needs in needed(folder.ruleset(), subspace) {
            database.successor(subspace, needs)?;
        }
    }
    observer.begin(subspaces.len(), total);
    let mut reports = Vec::new();
    for subspace in subspaces {
        observer.begin_subspace(subspace);
        let compared = database.is_checkable(subspace);
        let mut report =
            SampleReport { subspace, samples: 0, compared, wrong: 0, mismatches: Vec::new() };
        let picked = match compared {
            true => pick(&database, subspace, options)?,
            false => Vec::new(),
        };
        for portion in picked.chunks(portion_of(&database, subspace)) {
            stopped(stop)?;
            let found = check_portion(&database, subspace, portion)?;
            report.samples += portion.len() as u64;
            report.wrong += found.len() as u64;
            report.mismatches.extend(found.into_iter().take(KEPT - report.mismatches.len()));
            observer.advance(portion.len() as u64);
        }
        observer.end_subspace(subspace);
        reports.push(report);
    }
    Ok(reports)
}

/// The number of positions of a subspace to check together.
fn portion_of(database: &Database<'_>, subspace: Subspace) -> usize {
    let partly = |&needs: &Subspace| database.folder().stored(needs) != Stored::Whole;
    let left_out: Vec<_> =
        needed(database.ruleset(), subspace).into_iter().filter(partly).collect();
    let edition = database.folder().edition();
    let deeper = |&needs: &Subspace| edition.restores_deeper(database.ruleset(), needs);
    match left_out.iter().any(deeper) {
        true => SMALLEST_PORTION,
        false if left_out.is_empty() => PORTION,
        false => SMALL_PORTION,
    }
}

/// Numbers to draw for each entry to choose before the choice ends with fewer: where half of the
/// entries are kept, less than one in a billion choices gets here.
const MOST_DRAWS: u64 = 32;

/// The chosen entries of a subspace, all of which the edition keeps, in order.
fn pick(
    database: &Database<'_>,
    subspace: Subspace,
    options: &SampleOptions,
) -> Result<Vec<Index>, DbError> {
    if database.folder().stored(subspace) == Stored::Nothing {
        return Ok(Vec::new());
    }
    let open = database.table(subspace)?;
    let entries = open.table.entries();
    let is_kept = |index: &Index| database.keeps(&position_at(&open, subspace, *index));
    if options.samples >= entries {
        return Ok((0..entries).map(Index).filter(is_kept).collect());
    }
    // Each subspace has its own stream, whatever the selection.
    let stones = [subspace.mover(), subspace.other(), subspace.mover_hand(), subspace.other_hand()];
    let stream = stones.into_iter().fold(0, |all, stones| all << 8 | u64::from(stones));
    let mut random = Random::new(options.seed ^ Random::new(stream).next());
    let draws = (0..MOST_DRAWS * options.samples).map(|_| Index(random.below(entries)));
    let mut picked: Vec<_> = draws.filter(is_kept).take(options.samples as usize).collect();
    picked.sort_unstable();
    Ok(picked)
}

fn position_at(open: &OpenTable, subspace: Subspace, index: Index) -> Position {
    let (mover, other) = open.index.stones_at(index);
    Position::of_subspace(subspace, mover, other)
}

/// Recomputes some entries and returns the wrong ones. Decodes each block that holds successors
/// once.
fn check_portion(
    database: &Database<'_>,
    subspace: Subspace,
    portion: &[Index],
) -> Result<Vec<Mismatch>, DbError> {
    let ruleset = database.ruleset();
    let open = database.table(subspace)?;
    let position_at = |index| position_at(&open, subspace, index);
    let wanted = portion.par_iter().map(|&index| {
        let wanted = Wanted { database, entries: RefCell::default() };
        plain::ranked_moves(ruleset, &position_at(index), &wanted)?;
        let mut entries = wanted.entries.into_inner();
        entries.push(Entry { subspace, index });
        Ok::<_, DbError>(entries)
    });
    let mut entries = wanted.try_reduce(Vec::new, |mut all, mut more| {
        all.append(&mut more);
        Ok(all)
    })?;
    entries.par_sort_unstable();
    entries.dedup();
    let values = database.read(&entries)?;
    let known = Known { database, entries, values };
    let compare = |&index: &Index| {
        let stored = known.get(Entry { subspace, index });
        plain::compare(ruleset, position_at(index), index, stored, &known).transpose()
    };
    portion.par_iter().filter_map(compare).collect()
}

/// Records the requested entries.
struct Wanted<'a> {
    database: &'a Database<'a>,
    entries: RefCell<Vec<Entry>>,
}

impl Values for Wanted<'_> {
    type Error = DbError;

    fn value(&self, position: &Position) -> Result<Value, DbError> {
        if !self.database.keeps(position) {
            return plain::recompute(self.database.ruleset(), position, self);
        }
        self.entries.borrow_mut().push(self.database.entry_of(position)?);
        // The caller ignores it.
        Ok(Value::Draw)
    }
}

/// Entries that were read.
struct Known<'a> {
    database: &'a Database<'a>,
    entries: Vec<Entry>,
    values: Vec<Value>,
}

impl Known<'_> {
    fn get(&self, entry: Entry) -> Value {
        let place = self.entries.binary_search(&entry).expect("a requested entry");
        self.values[place]
    }
}

impl Values for Known<'_> {
    type Error = DbError;

    fn value(&self, position: &Position) -> Result<Value, DbError> {
        if !self.database.keeps(position) {
            return plain::recompute(self.database.ruleset(), position, self);
        }
        Ok(self.get(self.database.entry_of(position)?))
    }
}
