//! The values of many positions at once.
//!
//! Each of many random positions is in a block of its own, and if the edition leaves it out, its
//! successors are in a dozen others. So all needed entries are collected and sorted first, and then
//! each block with one of them is decoded once.

use std::sync::{Arc, OnceLock};

use merels_core::numbering::Codes;
use merels_core::{Position, Value};
use merels_db::Folder;
use rayon::prelude::*;

use crate::error::QueryError;
use crate::source::best_successor;
use crate::tables::open::{OpenTable, OpenTables};

/// Positions of a batch. Each needs some twenty entries of twelve bytes.
const MOST: usize = 1 << 20;

/// Positions that one thread works on at a time.
const PIECE: usize = 1024;

/// An entry: the number of its table, then its index.
type Entry = u64;

/// Bits of an entry for its index. No table has as many entries.
const INDEX_BITS: u32 = 48;

/// The value needs an entry that is not read.
struct Unread;

/// The values of `positions`. Each equals what `alone` returns for it.
pub(super) fn values(
    tables: &OpenTables,
    positions: &[Position],
    alone: impl Fn(&Position) -> Result<Value, QueryError> + Sync,
) -> Vec<Result<Value, QueryError>> {
    let mut values = Vec::with_capacity(positions.len());
    for positions in positions.chunks(MOST) {
        let held = Held::new(tables);
        let batch = Batch::of(&held, positions);
        let value = |position: &Position| {
            // Looked up alone, the position returns the error.
            batch.value(position).or_else(|Unread| alone(position))
        };
        values.par_extend(positions.par_iter().with_min_len(PIECE).map(value));
    }
    values
}

/// The tables of a batch: each is taken once, and stays the same to the end.
struct Held<'a> {
    tables: &'a OpenTables,
    folder: Arc<Folder>,
    /// By number.
    taken: Vec<OnceLock<Arc<OpenTable>>>,
}

impl<'a> Held<'a> {
    fn new(tables: &'a OpenTables) -> Self {
        let taken = (0..tables.len()).map(|_| OnceLock::new()).collect();
        Self { tables, folder: tables.folder(), taken }
    }

    /// The entry that holds a position.
    fn entry_of(&self, position: &Position) -> Result<Entry, QueryError> {
        let number = self.tables.number_of(position.subspace())?;
        let open = match self.taken[number].get() {
            Some(open) => open,
            None => {
                let open = self.tables.table(number)?;
                self.taken[number].get_or_init(|| open)
            }
        };
        Ok((number as u64) << INDEX_BITS | open.entry_of(position))
    }

    /// The table of an entry.
    fn table_of(&self, entry: Entry) -> &OpenTable {
        self.taken[(entry >> INDEX_BITS) as usize].get().expect("a table with an entry")
    }
}

/// Entries with their values; none if the block of an entry cannot be decoded.
struct Batch<'a> {
    held: &'a Held<'a>,
    entries: Vec<Entry>,
    values: Vec<Option<Value>>,
}

impl<'a> Batch<'a> {
    /// The entries that determine the values of `positions`.
    fn of(held: &'a Held<'a>, positions: &[Position]) -> Self {
        let needed = positions.par_chunks(PIECE).map(|positions| {
            let mut entries = Vec::new();
            for position in positions {
                let before = entries.len();
                if need(held, position, &mut entries).is_err() {
                    entries.truncate(before);
                }
            }
            entries.sort_unstable();
            entries.dedup();
            entries
        });
        let needed: Vec<_> = needed.collect();
        let mut entries = Vec::with_capacity(needed.iter().map(Vec::len).sum());
        needed.into_iter().for_each(|more| entries.extend(more));
        entries.par_sort_unstable();
        entries.dedup();
        let values = read(held, &entries);
        Self { held, entries, values }
    }

    fn value(&self, position: &Position) -> Result<Value, Unread> {
        let folder = &*self.held.folder;
        if !folder.edition().keeps(folder.ruleset(), position) {
            folder.check_kept(position.subspace()).map_err(|_| Unread)?;
            return best_successor(folder.ruleset(), position, &mut |next| self.value(next));
        }
        let entry = self.held.entry_of(position).map_err(|_| Unread)?;
        let place = self.entries.binary_search(&entry).map_err(|_| Unread)?;
        self.values[place].ok_or(Unread)
    }
}

/// Adds the entries that determine the value of `position`.
fn need(held: &Held<'_>, position: &Position, entries: &mut Vec<Entry>) -> Result<(), QueryError> {
    let folder = &*held.folder;
    if folder.edition().keeps(folder.ruleset(), position) {
        entries.push(held.entry_of(position)?);
        return Ok(());
    }
    folder.check_kept(position.subspace())?;
    best_successor(folder.ruleset(), position, &mut |next| {
        // Any value will do: only the entries count.
        need(held, next, entries).map(|()| Value::Draw)
    })?;
    Ok(())
}

/// The values of sorted entries; none if the block of an entry cannot be decoded.
fn read(held: &Held<'_>, entries: &[Entry]) -> Vec<Option<Value>> {
    let mut values = vec![None; entries.len()];
    let mut blocks = Vec::new();
    let (mut left, mut rest) = (entries, values.as_mut_slice());
    while let Some(&first) = left.first() {
        let open = held.table_of(first);
        let index = first & ((1 << INDEX_BITS) - 1);
        let block = open.table.block_of(index);
        let indices = open.table.indices_of(block);
        let [start, end] = [indices.start, indices.end].map(|at| first - index + at);
        let count = left.partition_point(|&entry| entry < end);
        let (here, behind) = left.split_at(count);
        let (places, others) = rest.split_at_mut(count);
        blocks.push((open, block, start, here, places));
        (left, rest) = (behind, others);
    }
    blocks.into_par_iter().for_each_init(
        Codes::default,
        |decoded, (open, block, start, here, places)| {
            if open.table.decode_block(block, decoded).is_ok() {
                for (place, entry) in places.iter_mut().zip(here) {
                    let codes = decoded.at((entry - start) as usize);
                    *place = codes.map(|codes| open.table.value_of(codes));
                }
            }
        },
    );
    values
}
