//! Reading a table.
//!
//! Opening checks the header and the block table, and keeps the latter (16 bytes for a block);
//! blocks are read, checked and decoded when they are asked for. A number from the file never
//! decides how much memory is taken, apart from the size of a block, which has a limit.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use merels_core::numbering::Codes;
use merels_core::{Ruleset, Subspace, Value};
use rayon::prelude::*;

use crate::blocks::kind::Blocks;
use crate::blocks::record::BlockRecord;
use crate::blocks::sorted::LEFT_OUT;
use crate::blocks::split::split;
use crate::bytes::Bytes;
use crate::bytes::mapped::Mapped;
use crate::bytes::memory::Memory;
use crate::bytes::positioned::Positioned;
use crate::bytes::stamp::FileStamp;
use crate::edition::Edition;
use crate::error::DbError;
use crate::format::header_io::read_header;
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
    file: Box<dyn Bytes>,
    header: Header,
    /// Where each block is.
    records: Box<[BlockRecord]>,
    blocks: OnceLock<Blocks>,
}

impl Table {
    /// Opens a table, to be read piece by piece. Reads header and block table only.
    ///
    /// The program may outlive the file. This crate never changes a finished file, it replaces it,
    /// and an open table stays what it was. If somebody else cuts the file off or writes into it,
    /// reading it is an error or gives the right values, never others: every block has a checksum.
    ///
    /// # Errors
    /// [`DbError::NoTable`] if there is no file; [`DbError::Foreign`], [`DbError::Version`],
    /// [`DbError::Unsupported`] if it is not a table that can be read;
    /// [`DbError::OtherRuleset`], [`DbError::OtherSubspace`], [`DbError::OtherEdition`] if it is
    /// not the one expected;
    /// [`DbError::Damaged`] if it contradicts itself or has the wrong number of entries.
    pub fn open(path: &Path, expectation: &Expectation) -> Result<Self, DbError> {
        Self::of(path, or_no_table(Positioned::open(path), expectation)?, expectation)
    }

    /// Opens a table by mapping it into memory, which is the fastest way to read all of it.
    ///
    /// **No other program may change or shorten the file while it is open**, or reading it can end
    /// the process: see [`report_cut_files`](crate::report_cut_files). Deleting or replacing it by a
    /// rename is harmless.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub fn map(path: &Path, expectation: &Expectation) -> Result<Self, DbError> {
        Self::of(path, or_no_table(Mapped::open(path), expectation)?, expectation)
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
        Self::of(path, Memory::new(bytes), expectation)
    }

    fn of(
        path: &Path,
        file: impl Bytes + 'static,
        expectation: &Expectation,
    ) -> Result<Self, DbError> {
        let subspace = expectation.subspace;
        let (header, records) = read_header(path, &file)?;
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
        let (path, file) = (path.to_owned(), Box::new(file));
        Ok(Self { path, file, header, records, blocks: OnceLock::new() })
    }

    /// Whether the name still means the file that was opened, with the bytes that it had then.
    /// True for tables that are mapped or in memory.
    ///
    /// # Errors
    /// [`DbError::Io`].
    pub fn is_current(&self) -> Result<bool, DbError> {
        match self.file.stamp() {
            None => Ok(true),
            Some(stamp) => Ok(FileStamp::of(&self.path)? == Some(stamp)),
        }
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
            size: self.file.len(),
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
        self.file.expect_sequential(true);
        let result = self.decode_blocks(0..self.blocks(), codes);
        self.file.expect_sequential(false);
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
        self.file.expect_sequential(true);
        let blocks = (0..self.header.blocks).into_par_iter();
        let result = blocks.try_for_each_init(Codes::default, |codes, block| {
            let block = u64::from(block);
            self.decode_block(block, codes)?;
            work(self.indices_of(block).start, codes.slices());
            Ok(())
        });
        self.file.expect_sequential(false);
        result
    }

    /// Compares the checksum of every block with the stored bytes. Finds damage to the file and
    /// decodes nothing.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block.
    pub fn check(&self) -> Result<(), DbError> {
        self.file.expect_sequential(true);
        let blocks = (0..self.header.blocks).into_par_iter();
        let result = blocks.try_for_each(|block| self.with_stored(block.into(), |_| Ok(())));
        self.file.expect_sequential(false);
        result
    }

    /// Calls `work` with the stored bytes of a block, compared with their checksum. What `work`
    /// says is wrong with them is an error.
    ///
    /// # Panics
    /// If the table has no such block.
    fn with_stored(
        &self,
        block: u64,
        work: impl FnOnce(&[u8]) -> Result<(), String>,
    ) -> Result<(), DbError> {
        thread_local! {
            /// As long as the longest block that the thread has read.
            static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        assert!(block < self.blocks(), "no block {block} in {}", self.path.display());
        let damaged = |reason: &str| DbError::damaged_block(&self.path, block, reason);
        let cut = || damaged("the file has no such bytes");
        let record = self.records[block as usize];
        let range = record.range().ok_or_else(cut)?;
        BUFFER.with_borrow_mut(|buffer| {
            let stored = self.file.read(range, buffer).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => cut(),
                _ => DbError::io("read", &self.path)(error),
            })?;
            if crc32fast::hash(stored) != record.crc {
                return Err(damaged("the checksum is wrong"));
            }
            work(stored).map_err(|reason| damaged(&reason))
        })
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
        self.with_stored(block, |stored| self.shape().decode(block, stored, codes))
    }
}

/// Gives the missing file of a table an error of its own.
fn or_no_table<T>(opened: Result<T, DbError>, expectation: &Expectation) -> Result<T, DbError> {
    opened.map_err(|error| match error {
        DbError::Io { source, path, .. } if source.kind() == io::ErrorKind::NotFound => {
            DbError::NoTable { path, subspace: expectation.subspace }
        }
        other => other,
    })
}
