//! Reading a table.
//!
//! A file is mapped, not read: opening checks the header and the block table, and blocks are
//! checked and decoded when they are asked for. A number from the file never decides how much
//! memory is taken, apart from the size of a block, which has a limit.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use merels_core::{Codes, Ruleset, Subspace, Value};
use rayon::prelude::*;

use crate::blocks::kind::Blocks;
use crate::blocks::sorted::LEFT_OUT;
use crate::blocks::split::split;
use crate::edition::Edition;
use crate::error::DbError;
use crate::folder::map::FileMap;
use crate::format::layout::block_record;
use crate::header::Header;
use crate::manifest::TableInfo;

/// What a table must be to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The rules.
    pub ruleset: Ruleset,
    /// The numbers of stones.
    pub subspace: Subspace,
    /// The edition; none to take any.
    pub edition: Option<Edition>,
}

/// An open table: the values of the positions of a subspace.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    map: FileMap,
    header: Header,
    blocks: OnceLock<Blocks>,
}

impl Table {
    /// Opens a table. Reads header and block table only.
    ///
    /// The file is mapped into memory. This crate never changes a finished file, it replaces it;
    /// **no other program may change or shorten it while it is open**, or reading it can end the
    /// process. Deleting or replacing it by a rename is harmless.
    ///
    /// # Errors
    /// [`DbError::NoTable`] if there is no file; [`DbError::Foreign`], [`DbError::Version`],
    /// [`DbError::Unsupported`] if it is not a table that can be read;
    /// [`DbError::OtherRuleset`], [`DbError::OtherSubspace`], [`DbError::OtherEdition`] if it is
    /// not the one expected;
    /// [`DbError::Damaged`] if it contradicts itself or has the wrong number of entries.
    pub fn open(path: &Path, expectation: &Expectation) -> Result<Self, DbError> {
        let subspace = expectation.subspace;
        let map = FileMap::open(path).map_err(|error| match error {
            DbError::Io { source, path, .. } if source.kind() == io::ErrorKind::NotFound => {
                DbError::NoTable { path, subspace }
            }
            other => other,
        })?;
        Self::of(path, map, expectation)
    }

    /// The table in `bytes`, which are those of a whole file: for files that do not lie on a disk.
    /// `path` is what messages call it.
    ///
    /// # Errors
    /// Those of [`Table::open`], apart from what only a disk can do.
    pub fn from_bytes(
        path: &Path,
        bytes: Vec<u8>,
        expectation: &Expectation,
    ) -> Result<Self, DbError> {
        Self::of(path, FileMap::Owned(bytes), expectation)
    }

    fn of(path: &Path, map: FileMap, expectation: &Expectation) -> Result<Self, DbError> {
        let subspace = expectation.subspace;
        let header = Header::from_bytes(path, &map)?;
        if header.ruleset != expectation.ruleset {
            let (found, expected) = (header.ruleset, expectation.ruleset);
            return Err(DbError::OtherRuleset { path: path.to_owned(), found, expected });
        }
        if header.subspace != subspace {
            let (found, expected) = (header.subspace, subspace);
            return Err(DbError::OtherSubspace { path: path.to_owned(), found, expected });
        }
        if let Some(expected) = expectation.edition.filter(|&edition| edition != header.edition) {
            let (path, found) = (path.to_owned(), header.edition);
            return Err(DbError::OtherEdition { path, found, expected });
        }
        Ok(Self { path: path.to_owned(), map, header, blocks: OnceLock::new() })
    }

    /// The same table, to be read block by block here and there. The operating system then reads what is
    /// asked for and no more, where otherwise it may read megabytes around it.
    #[must_use]
    pub fn for_random_access(mut self) -> Self {
        self.map.expect_random();
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the table says about itself.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The number of entries.
    pub const fn entries(&self) -> u64 {
        self.header.entries
    }

    /// How the entries fall into blocks. Worked out when it is first needed: it takes the numbering of
    /// positions, which those who only want the header do without.
    fn shape(&self) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::of(&self.header))
    }

    /// The number of blocks; none if nothing of the subspace is stored.
    pub fn blocks(&self) -> u64 {
        self.header.blocks.into()
    }

    /// The block that holds an entry.
    pub fn block_of(&self, index: u64) -> u64 {
        self.shape().block_of(index)
    }

    /// The indices of the entries of a block; an empty range if the table has no such block.
    pub fn indices_of(&self, block: u64) -> Range<u64> {
        self.shape().indices_of(block)
    }

    /// What a manifest says about the table.
    pub fn info(&self) -> TableInfo {
        TableInfo {
            subspace: self.header.subspace,
            size: self.map.len() as u64,
            entries: self.header.entries,
            digest: self.header.digest,
            statistics: self.header.statistics,
            far: self.header.far.map(|far| far.digest),
            companions: Vec::new(),
        }
    }

    /// Whether the values of the table take two codes.
    pub fn has_far_codes(&self) -> bool {
        self.header.has_far_frames()
    }

    /// Buffers for the codes of this many entries, to be decoded into.
    pub fn buffers(&self, entries: usize) -> Codes<Vec<u8>> {
        let far = self.has_far_codes().then(|| vec![0; entries]);
        Codes { near: vec![0; entries], far }
    }

    /// The value of one entry; none if this edition leaves it out. The distance is unknown if the
    /// edition keeps none. Decodes a whole block (some 0.1 ms): callers that ask often keep what
    /// [`Table::decode_block`] returns.
    ///
    /// # Errors
    /// [`DbError::OutOfRange`]; [`DbError::Damaged`] if the block is.
    pub fn value(&self, index: u64) -> Result<Option<Value>, DbError> {
        let out_of_range =
            || DbError::OutOfRange { path: self.path.clone(), index, entries: self.header.entries };
        if index >= self.header.entries {
            return Err(out_of_range());
        }
        if self.header.blocks == 0 {
            return Ok(None);
        }
        thread_local! {
            static CODES: RefCell<Codes<Vec<u8>>> = const {
                RefCell::new(Codes::near(Vec::new()))
            };
        }
        CODES.with_borrow_mut(|codes| {
            let block = self.block_of(index);
            self.decode_block(block, codes)?;
            let place = (index - self.indices_of(block).start) as usize;
            if place >= codes.near.len() {
                return Err(out_of_range());
            }
            Ok(codes.at(place).map(|codes| self.value_of(codes)))
        })
    }

    /// The value that codes of this table say. Without distances a win is coded as one in 1 ply, a
    /// loss as one in 0.
    pub fn value_of(&self, codes: Codes) -> Value {
        let value = codes.value();
        if self.header.edition.has_distances() { value } else { value.without_distance() }
    }

    /// Decodes a block into `codes`, in place of what was there: the codes of each entry of
    /// [`Table::indices_of`], [`LEFT_OUT`] for those that this edition leaves out. The memory of the
    /// buffers is used again.
    ///
    /// # Errors
    /// [`DbError::Damaged`] if the block is; then the buffers are empty.
    ///
    /// # Panics
    /// If the table has no such block.
    pub fn decode_block(&self, block: u64, codes: &mut Codes<Vec<u8>>) -> Result<(), DbError> {
        let entries = self.shape().len_of(block);
        if self.has_far_codes() != codes.has_far() {
            codes.far = self.has_far_codes().then(Vec::new);
        }
        codes.as_mut().both().for_each(|codes| codes.resize(entries, 0));
        let result = self.decode_into(block, codes.slices_mut());
        result.inspect_err(|_| codes.as_mut().both().for_each(Vec::clear))
    }

    /// Decodes all entries from index 0 on, on all threads of the current rayon pool; those that
    /// this edition leaves out are [`LEFT_OUT`].
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block; what the buffers hold then means nothing.
    ///
    /// # Panics
    /// If a buffer has another size than the table has entries, and as [`Table::decode_into`].
    pub fn decode_all(&self, codes: Codes<&mut [u8]>) -> Result<(), DbError> {
        if self.header.blocks == 0 {
            codes.both().for_each(|codes| codes.fill(LEFT_OUT));
            return Ok(());
        }
        self.map.expect_sequential(true);
        let result = self.decode_blocks(0..self.blocks(), codes);
        self.map.expect_sequential(false);
        result
    }

    /// Decodes consecutive blocks into buffers for the codes of their entries, on all threads of
    /// the current rayon pool.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block; what the buffers hold then means nothing.
    ///
    /// # Panics
    /// If the table has no such blocks, a buffer has another size, and as [`Table::decode_into`].
    pub fn decode_blocks(
        &self,
        blocks: Range<u64>,
        codes: Codes<&mut [u8]>,
    ) -> Result<(), DbError> {
        let lengths: Vec<_> = blocks.clone().map(|block| self.shape().len_of(block)).collect();
        let entries = lengths.iter().sum::<usize>();
        assert_eq!(codes.near.len(), entries, "the size of blocks {blocks:?}");
        let pieces: Vec<_> = blocks.zip(split(codes, lengths.into_iter())).collect();
        pieces.into_par_iter().try_for_each(|(block, piece)| self.decode_into(block, piece))
    }

    /// Calls `work` with the index of the first entry and the codes of every block, in no
    /// particular order and on all threads of the current rayon pool. `work` may itself use the
    /// pool.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block; others may have been worked on before.
    pub fn for_each_block(
        &self,
        work: impl Fn(u64, Codes<&[u8]>) + Send + Sync,
    ) -> Result<(), DbError> {
        self.map.expect_sequential(true);
        let blocks = (0..self.header.blocks).into_par_iter();
        let result = blocks.try_for_each_init(Codes::default, |codes, block| {
            let block = u64::from(block);
            self.decode_block(block, codes)?;
            work(self.indices_of(block).start, codes.slices());
            Ok(())
        });
        self.map.expect_sequential(false);
        result
    }

    /// Compares the checksum of every block with the stored bytes. Finds damage to the file and
    /// decodes nothing.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block.
    pub fn check(&self) -> Result<(), DbError> {
        self.map.expect_sequential(true);
        let blocks = (0..self.header.blocks).into_par_iter();
        let result = blocks.try_for_each(|block| self.stored_block(block.into()).map(drop));
        self.map.expect_sequential(false);
        result
    }

    /// The stored bytes of a block, compared with their checksum.
    ///
    /// # Panics
    /// If the table has no such block.
    fn stored_block(&self, block: u64) -> Result<&[u8], DbError> {
        assert!(block < self.blocks(), "no block {block} in {}", self.path.display());
        let damaged = |reason: &str| DbError::damaged_block(&self.path, block, reason);
        // Checked when the table was opened; this costs nothing, and relies on nothing.
        let record = block_record(&self.map, block);
        let bytes = record.and_then(|record| {
            let range = record.range()?;
            self.map.will_read(&range);
            Some((self.map.get(range)?, record.crc))
        });
        let (stored, crc) = bytes.ok_or_else(|| damaged("the file has no such bytes"))?;
        if crc32fast::hash(stored) != crc {
            return Err(damaged("the checksum is wrong"));
        }
        Ok(stored)
    }

    /// Decodes a block into buffers of its exact size. If there is a buffer of far codes and the
    /// table has none, they follow from the near codes.
    ///
    /// # Errors
    /// [`DbError::Damaged`] if the block is; what the buffers hold then means nothing.
    ///
    /// # Panics
    /// If the table has no such block, a buffer has another size, or the buffer of far codes is
    /// missing for a table that has them: near codes alone do not say its values.
    pub fn decode_into(&self, block: u64, codes: Codes<&mut [u8]>) -> Result<(), DbError> {
        let entries = self.shape().len_of(block);
        let fits = codes.near.len() == entries
            && codes.far.as_ref().is_none_or(|far| far.len() == entries);
        assert!(fits, "the size of block {block} of {}", self.path.display());
        assert!(
            codes.has_far() || !self.has_far_codes(),
            "near codes alone do not say the values of {}",
            self.path.display()
        );
        let stored = self.stored_block(block)?;
        self.shape()
            .decode(block, stored, codes)
            .map_err(|reason| DbError::damaged_block(&self.path, block, reason))
    }
}
