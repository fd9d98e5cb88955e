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

use merels_core::{FarCodes, Ruleset, Subspace, Value, ValueCode};
use rayon::prelude::*;

use crate::blocks::Blocks;
use crate::blocks::sorted::LEFT_OUT;
use crate::digest::Digest;
use crate::edition::Edition;
use crate::error::DbError;
use crate::folder::map::FileMap;
use crate::format::layout::block_record;
use crate::header::{Header, Metric};
use crate::manifest::{FarInfo, TableInfo};

/// Blocks that are decoded before their bytes are digested: 4 MiB.
const DIGEST_BATCH: usize = 64;

/// What a table must be to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The rules.
    pub ruleset: Ruleset,
    /// The numbers of stones.
    pub subspace: Subspace,
    /// The edition; none to take any.
    pub edition: Option<Edition>,
    /// The number of entries; none to believe the header (which the file's length and the block
    /// table must bear out).
    pub entries: Option<u64>,
}

/// An open table: the values of the positions of a subspace.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    map: FileMap,
    header: Header,
    blocks: OnceLock<Blocks>,
    /// Bytes of the table of far codes beside this one; 0 if there is none.
    far_size: u64,
    /// That table, once somebody has asked for its values.
    far: OnceLock<Option<Box<Self>>>,
    /// Whether far codes are no concern of the reader.
    near_codes: bool,
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
        let mut table = Self::of(path, map, expectation)?;
        if table.header.metric == Metric::Beyond {
            return Err(DbError::damaged(path, "it has the codes of another file"));
        }
        if table.header.has_far_table() {
            table.far_size = table.far_table()?.map.len() as u64;
        }
        Ok(table)
    }

    /// Opens the table of far codes that belongs to this one; none if one code says all, or the edition keeps no
    /// distances.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub fn open_far(&self) -> Result<Option<Self>, DbError> {
        self.header.has_far_table().then(|| self.far_table()).transpose()
    }

    fn far_table(&self) -> Result<Self, DbError> {
        let path = far_path(&self.path);
        let Header { ruleset, subspace, edition, entries, .. } = self.header;
        let expectation =
            Expectation { ruleset, subspace, edition: Some(edition), entries: Some(entries) };
        let map = FileMap::open(&path).map_err(|error| match error {
            DbError::Io { source, path, .. } if source.kind() == io::ErrorKind::NotFound => {
                DbError::NoFar { path, table: self.path.clone(), subspace }
            }
            other => other,
        })?;
        let far = Self::of(&path, map, &expectation)?;
        let (near, header) = (&self.header, &far.header);
        let belongs = header.metric == Metric::Beyond
            && header.companion == Some(near.digest)
            && near.companion == Some(header.digest)
            && header.statistics == near.statistics;
        // Readers decode the same block of both.
        let is_alike = (header.encoding, header.entries_per_block, header.blocks)
            == (near.encoding, near.entries_per_block, near.blocks);
        if belongs && is_alike {
            return Ok(far);
        }
        Err(DbError::OtherFar { path, table: self.path.clone(), subspace })
    }

    /// The same table, of which near codes are read: the last loss means "so late, or later", and so does the last win.
    /// Far codes are in [the table beside it](Table::open_far).
    #[must_use]
    pub const fn by_near_codes(mut self) -> Self {
        self.near_codes = true;
        self
    }

    /// Makes sure that the codes of this table say all values; all that read codes do it.
    ///
    /// # Errors
    /// [`DbError::Far`] if there are far codes, and this is not [a table of near codes](Self::by_near_codes) to the
    /// reader.
    pub fn check_one_code(&self) -> Result<(), DbError> {
        let Header { companion, metric, edition, .. } = self.header;
        let has_far =
            companion.is_some() && metric == Metric::DistanceToWin && edition.has_distances();
        if self.near_codes || !has_far {
            return Ok(());
        }
        Err(DbError::Far { path: self.path.clone() })
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
        if let Some(expected) = expectation.entries.filter(|&entries| entries != header.entries) {
            let reason = format!(
                "the header says {} entries, but {subspace} has {expected}",
                header.entries
            );
            return Err(DbError::damaged(path, reason));
        }
        let (path, blocks) = (path.to_owned(), OnceLock::new());
        let far = OnceLock::new();
        Ok(Self { path, map, header, blocks, far_size: 0, far, near_codes: false })
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
            far: self.header.companion.map(|digest| FarInfo { size: self.far_size, digest }),
        }
    }

    /// The value of one entry; none if this edition leaves it out. Without distances a win is one in 1
    /// ply, a loss one in 0. Decodes a whole block (some 0.1 ms): callers that ask often keep what
    /// [`Table::decode_block`] gives.
    ///
    /// # Errors
    /// [`DbError::OutOfRange`]; [`DbError::Damaged`] if the block is.
    pub fn value(&self, index: u64) -> Result<Option<ValueCode>, DbError> {
        self.check_one_code()?;
        self.code(index)
    }

    fn code(&self, index: u64) -> Result<Option<ValueCode>, DbError> {
        let out_of_range =
            || DbError::OutOfRange { path: self.path.clone(), index, entries: self.header.entries };
        if index >= self.header.entries {
            return Err(out_of_range());
        }
        if self.header.blocks == 0 {
            return Ok(None);
        }
        thread_local! {
            static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        BYTES.with_borrow_mut(|bytes| {
            let block = self.block_of(index);
            bytes.resize(self.shape().len_of(block), 0);
            self.decode_piece(block, bytes).inspect_err(|_| bytes.clear())?;
            let place = index - self.indices_of(block).start;
            let byte = bytes.get(place as usize).copied().ok_or_else(out_of_range)?;
            Ok(ValueCode::from_byte(byte))
        })
    }

    /// The value of one entry with its exact distance, whether one code says it or two; none if this edition leaves it
    /// out. Where the edition keeps no distances, they are unknown. Otherwise as [`Table::value`].
    ///
    /// # Errors
    /// Those of [`Table::value`], also for the table of far codes.
    pub fn exact_value(&self, index: u64) -> Result<Option<Value>, DbError> {
        let Some(near) = self.code(index)? else { return Ok(None) };
        if !self.header.edition.has_distances() {
            return Ok(Some(near.value().without_distance()));
        }
        let far = match self.far() {
            Ok(Some(far)) if FarCodes::FILES.is_far(near) => far.code(index)?,
            Ok(_) => None,
            Err(error) => return Err(error),
        };
        Ok(Some(FarCodes::FILES.value(near, far)))
    }

    /// The table of far codes, opened when it is first needed.
    fn far(&self) -> Result<Option<&Self>, DbError> {
        if let Some(far) = self.far.get() {
            return Ok(far.as_deref());
        }
        let far = self.open_far()?.map(Box::new);
        Ok(self.far.get_or_init(|| far).as_deref())
    }

    /// Decodes a block into `bytes`, in place of what was there: one byte of a [`ValueCode`] for
    /// each entry of [`Table::indices_of`], [`LEFT_OUT`] for those that this edition leaves out. The
    /// buffer's memory is reused.
    ///
    /// # Errors
    /// [`DbError::Damaged`] if the block is; then the buffer is empty.
    ///
    /// # Panics
    /// If the table has no such block.
    pub fn decode_block(&self, block: u64, bytes: &mut Vec<u8>) -> Result<(), DbError> {
        bytes.resize(self.shape().len_of(block), 0);
        self.decode_into(block, bytes).inspect_err(|_| bytes.clear())
    }

    /// Decodes all entries from index 0 on, on all threads of the current rayon pool; those that
    /// this edition leaves out are [`LEFT_OUT`].
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block; what the buffer holds then means nothing.
    ///
    /// # Panics
    /// If the buffer has another size than the table has entries.
    pub fn decode_all(&self, bytes: &mut [u8]) -> Result<(), DbError> {
        assert_eq!(bytes.len() as u64, self.entries(), "the entries of {}", self.path.display());
        self.check_one_code()?;
        if self.header.blocks == 0 {
            bytes.fill(LEFT_OUT);
            return Ok(());
        }
        self.map.expect_sequential(true);
        let result = self.decode_blocks(0..self.blocks(), bytes);
        self.map.expect_sequential(false);
        result
    }

    /// The same, and compares the digest with the header's, as [`Table::check_digest`] does.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block, or says that the digest differs.
    ///
    /// # Panics
    /// As [`Table::decode_all`].
    pub fn decode_all_checked(&self, bytes: &mut [u8]) -> Result<(), DbError> {
        self.decode_all(bytes)?;
        let kept = if self.header.blocks == 0 { &[][..] } else { bytes };
        self.compare_digest(blake3::Hasher::new().update_rayon(kept))
    }

    /// Decodes consecutive blocks into a buffer with one byte for each of their entries, on all
    /// threads of the current rayon pool.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block; what the buffer holds then means nothing.
    ///
    /// # Panics
    /// If the table has no such blocks, or the buffer another size.
    pub fn decode_blocks(&self, blocks: Range<u64>, bytes: &mut [u8]) -> Result<(), DbError> {
        self.check_one_code()?;
        self.decode_pieces(blocks, bytes)
    }

    fn decode_pieces(&self, blocks: Range<u64>, bytes: &mut [u8]) -> Result<(), DbError> {
        let lengths: Vec<_> = blocks.clone().map(|block| self.shape().len_of(block)).collect();
        assert_eq!(bytes.len(), lengths.iter().sum::<usize>(), "the size of blocks {blocks:?}");
        let pieces: Vec<_> = blocks.zip(split(bytes, lengths.into_iter())).collect();
        pieces.into_par_iter().try_for_each(|(block, piece)| self.decode_piece(block, piece))
    }

    /// Gives every block to `work`, with the index of its first entry, in no particular order and
    /// on all threads of the current rayon pool. `work` may itself use the pool.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block; others may have been worked on before.
    pub fn for_each_block(&self, work: impl Fn(u64, &[u8]) + Send + Sync) -> Result<(), DbError> {
        self.map.expect_sequential(true);
        let result =
            (0..self.header.blocks).into_par_iter().try_for_each_init(Vec::new, |bytes, block| {
                let block = u64::from(block);
                self.decode_block(block, bytes)?;
                work(self.indices_of(block).start, bytes);
                Ok(())
            });
        self.map.expect_sequential(false);
        result
    }

    /// Compares every block's checksum with the stored bytes: finds damage to the file, decodes
    /// nothing. The table of far codes that belongs to this one is checked with it.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block.
    pub fn check(&self) -> Result<(), DbError> {
        self.map.expect_sequential(true);
        let blocks = (0..self.header.blocks).into_par_iter();
        let result = blocks.try_for_each(|block| self.stored_block(block.into()).map(drop));
        self.map.expect_sequential(false);
        result?;
        self.open_far()?.map_or(Ok(()), |far| far.check())
    }

    /// Decodes everything and compares its digest with the header's: the table holds the values
    /// that its writer was given. The table of far codes that belongs to this one is checked with it.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block, or says that the digest differs.
    pub fn check_digest(&self) -> Result<(), DbError> {
        let mut hasher = blake3::Hasher::new();
        let mut bytes = Vec::new();
        for first in (0..self.blocks()).step_by(DIGEST_BATCH) {
            let blocks = first..(first + DIGEST_BATCH as u64).min(self.blocks());
            let indices = self.indices_of(blocks.start).start..self.indices_of(blocks.end - 1).end;
            bytes.resize((indices.end - indices.start) as usize, 0);
            self.decode_pieces(blocks, &mut bytes)?;
            hasher.update_rayon(&bytes);
        }
        self.compare_digest(&hasher)?;
        self.open_far()?.map_or(Ok(()), |far| far.check_digest())
    }

    fn compare_digest(&self, hasher: &blake3::Hasher) -> Result<(), DbError> {
        let found = Digest::of(hasher);
        if found == self.header.kept {
            return Ok(());
        }
        let reason = format!("its values have the digest {found}, not {}", self.header.kept);
        Err(DbError::damaged(&self.path, reason))
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

    /// Decodes a block into a buffer of its exact size.
    ///
    /// # Errors
    /// [`DbError::Damaged`] if the block is; what the buffer holds then means nothing.
    ///
    /// # Panics
    /// If the table has no such block, or the buffer another size.
    pub fn decode_into(&self, block: u64, bytes: &mut [u8]) -> Result<(), DbError> {
        self.check_one_code()?;
        self.decode_piece(block, bytes)
    }

    fn decode_piece(&self, block: u64, bytes: &mut [u8]) -> Result<(), DbError> {
        assert_eq!(bytes.len(), self.shape().len_of(block), "the size of a block");
        let stored = self.stored_block(block)?;
        self.shape()
            .decode(block, stored, bytes)
            .map_err(|reason| DbError::damaged_block(&self.path, block, reason))
    }
}

/// Where the table of far codes is that belongs to the one at `path`. If that has none, a file there is nobody's: it is
/// not looked at, and stays until far codes take its place.
pub(crate) fn far_path(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default().display();
    path.with_extension(format!("far.{extension}"))
}

/// Cuts a buffer into pieces of these lengths, which must add up to its own.
pub(crate) fn split(
    mut bytes: &mut [u8],
    lengths: impl Iterator<Item = usize>,
) -> impl Iterator<Item = &mut [u8]> {
    lengths.map(move |length| {
        let (piece, rest) = std::mem::take(&mut bytes).split_at_mut(length);
        bytes = rest;
        piece
    })
}
