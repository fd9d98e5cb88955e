//! Rows: the arrangements of one side's stones around each key of the other side's stones, in
//! memory.
//!
//! A table of rows holds one byte for every entry of a subspace index: row after row in the order
//! of classes, each padded to whole cache lines. Two tables have this shape: the *values* of the
//! positions with the key's side to move, and the *counters* of the positions with the other side
//! to move (see the crate's text).
//!
//! *Corners* are the points that a board numbers first, *midpoints* all the others (the centre,
//! too). The entries of a row that share the stones on midpoints form a *group*; an entry of a
//! group is a *lane*.

use merels_core::numbering::{ClassId, Index, Ranking, SubspaceIndex};
use merels_core::{Board, Points, Subspace, SymmetryId};

use crate::rows::edges::Edges;
use crate::rows::slides::Slides;

/// Bytes of a cache line: the unit of padding, and of the notes about where a layer occurs.
pub(crate) const LINE: usize = 64;

/// Bytes of rows for one task: its counters and values fit a core's second-level cache.
pub(crate) const CHUNK_BYTES: usize = 256 * 1024;

/// Marks a key that some symmetry leaves in place (in [`Rows::key_words`]).
pub(crate) const SYMMETRIC: u32 = 1 << 31;

/// The shape of rows keyed by one side's stones.
pub(crate) struct Rows {
    index: SubspaceIndex,
    stride: usize,
    key_words: Vec<u32>,
    /// By number of free corners: the compressed mask of each rank.
    unranked: Vec<Vec<u32>>,
    /// By number of free corners: how many words the lanes of all groups before each group take.
    group_words: Vec<Vec<u32>>,
    /// The edges of the board, if rows can be swept.
    edges: Option<Edges>,
    slides: Slides,
}

impl Rows {
    /// Rows keyed by `key` stones, with arrangements of `size` stones of the other side.
    pub(crate) fn new(board: Board, key: u8, size: u8) -> Self {
        Self::of(board, Subspace::moving(key, size))
    }

    /// Rows keyed by the mover's stones of a subspace.
    pub(crate) fn of(board: Board, subspace: Subspace) -> Self {
        let index = SubspaceIndex::new(board, subspace);
        let classes = index.classes();
        let key_words = classes
            .representatives()
            .iter()
            .enumerate()
            .map(|(class, representative)| {
                let trivial = classes.stabiliser(ClassId::new(class as u32)).is_trivial();
                representative.bits() | if trivial { 0 } else { SYMMETRIC }
            })
            .collect();
        let unrank_all = |ranking: &Option<Ranking>| {
            let ranking = ranking.as_ref();
            ranking.map_or_else(Vec::new, |ranking| {
                let corners = ranking.lower();
                let groups = (0..1_u32 << ranking.upper()).filter_map(|midpoints| {
                    let size = ranking.lower_size(midpoints)?;
                    Some((
                        midpoints << corners,
                        merels_core::numbering::lower_patterns(corners, size),
                    ))
                });
                groups
                    .flat_map(|(midpoints, lanes)| {
                        lanes.iter().map(move |&lane| midpoints | u32::from(lane))
                    })
                    .collect()
            })
        };
        let unranked = index.rankings().by_free_corners().iter().map(unrank_all).collect();
        let words_before = |ranking: &Option<Ranking>| {
            let ranking = ranking.as_ref();
            ranking.map_or_else(Vec::new, |ranking| {
                let groups = ranking.group_starts().windows(2);
                let words = groups.map(|group| (group[1] - group[0]).div_ceil(u64::BITS));
                let mut before = 0;
                let mut starts = vec![0];
                starts.extend(words.map(|words| {
                    before += words;
                    before
                }));
                starts
            })
        };
        let group_words = index.rankings().by_free_corners().iter().map(words_before).collect();
        let stride = (index.row_len() as usize).next_multiple_of(LINE);
        let slides = Slides::of(board);
        let edges = Edges::of(&slides, (1 << classes.ranking().lower()) - 1);
        Self { index, stride, key_words, unranked, group_words, edges, slides }
    }

    /// The order of the entries: that of the subspace with the key's side to move.
    pub(crate) const fn index(&self) -> &SubspaceIndex {
        &self.index
    }

    /// The order of the entries, when the rows are no longer needed.
    pub(crate) fn into_index(self) -> SubspaceIndex {
        self.index
    }

    /// The board.
    pub(crate) const fn board(&self) -> Board {
        self.index.board()
    }

    /// Stones of the key's side.
    pub(crate) const fn key_size(&self) -> u8 {
        self.index.subspace().mover()
    }

    /// Stones of the other side, which a row arranges.
    pub(crate) const fn size(&self) -> u8 {
        self.index.subspace().other()
    }

    /// Whether the stones fill the board, so that none can ever move.
    pub(crate) fn is_full_board(&self) -> bool {
        self.key_size() + self.size() == self.board().geometry().point_count()
    }

    /// The number of rows.
    pub(crate) fn count(&self) -> usize {
        self.key_words.len()
    }

    /// Entries of a row.
    pub(crate) const fn row_len(&self) -> usize {
        self.index.row_len() as usize
    }

    /// Bytes from one row to the next.
    pub(crate) const fn stride(&self) -> usize {
        self.stride
    }

    /// Bytes of a table of these rows.
    pub(crate) fn table_len(&self) -> usize {
        self.count() * self.stride
    }

    /// The value at an index, in a table of these rows.
    pub(crate) fn value_at(&self, values: &[u8], index: Index) -> u8 {
        let row_len = self.row_len() as u64;
        let (class, rank) = ((index.0 / row_len) as usize, (index.0 % row_len) as usize);
        values[class * self.stride + rank]
    }

    /// Copies the values from index `first` on out of a table of these rows, without the padding.
    pub(crate) fn copy_values(&self, values: &[u8], first: Index, mut bytes: &mut [u8]) {
        let row_len = self.row_len();
        let mut class = (first.0 / row_len as u64) as usize;
        let mut rank = (first.0 % row_len as u64) as usize;
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at_mut(bytes.len().min(row_len - rank));
            part.copy_from_slice(&values[class * self.stride + rank..][..part.len()]);
            bytes = rest;
            (class, rank) = (class + 1, 0);
        }
    }

    /// By class: the representative's mask, with [`SYMMETRIC`] set if it has a stabiliser.
    pub(crate) fn key_words(&self) -> &[u32] {
        &self.key_words
    }

    /// How stones move on the board.
    pub(crate) const fn slides(&self) -> &Slides {
        &self.slides
    }

    /// The edges for sweeping rows, if the board allows it.
    pub(crate) const fn edges(&self) -> Option<&Edges> {
        self.edges.as_ref()
    }

    /// The row of a class.
    pub(crate) fn row(&self, class: usize) -> Row<'_> {
        let key = Points::from_bits(self.key_words[class] & !SYMMETRIC);
        let free = self.board().geometry().points().difference(key).bits();
        let ranking = self.index.rankings().of(key);
        Row {
            key,
            free,
            corners: ranking.lower(),
            starts: ranking.group_starts(),
            unranked: &self.unranked[ranking.lower() as usize],
            group_words: &self.group_words[ranking.lower() as usize],
        }
    }

    /// The images of `key` under all symmetries, by symmetry.
    pub(crate) fn images(&self, key: Points) -> [u32; 16] {
        let symmetries = self.board().geometry().symmetries();
        let mut images = [0; 16];
        for (id, symmetry) in symmetries.iter() {
            images[id.index()] = symmetry.apply_set(key).bits();
        }
        images
    }

    /// The symmetries that leave the key of a class in place, other than the identity.
    pub(crate) fn twins(&self, class: usize) -> impl Iterator<Item = SymmetryId> {
        let stabiliser = self.index.classes().stabiliser(ClassId::new(class as u32));
        stabiliser.iter().filter(|&id| id != SymmetryId::IDENTITY)
    }
}

/// One row: the points that its key leaves free, and the numbering of their subsets.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    /// The key.
    pub(crate) key: Points,
    /// The free points as a mask.
    pub(crate) free: u32,
    /// The number of free corners.
    pub(crate) corners: u8,
    /// Where the group of each pattern of midpoint stones starts.
    pub(crate) starts: &'a [u32],
    /// By rank: the subset as a mask of the free points, compressed.
    pub(crate) unranked: &'a [u32],
    /// Where the lanes of each group start if every group begins a new word of 64.
    pub(crate) group_words: &'a [u32],
}
