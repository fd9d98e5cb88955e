//! Families of rows: those of the keys that differ in their corners alone.

use merels_core::Points;
use merels_core::numbering::lower_rank;

use crate::rows::row::Rows;

/// The keys with the same midpoints: consecutive classes.
pub(crate) struct KeyFamily {
    pub(crate) classes: std::ops::Range<usize>,
    /// The midpoints, as a mask of the board.
    pub(super) midpoints: Points,
    /// The number of corners of each key.
    pub(super) key_corners: u8,
}

impl KeyFamily {
    /// All families of the keys of `rows`.
    pub(crate) fn all(rows: &Rows) -> Vec<Self> {
        let corners = Points::first(rows.board().geometry().corner_count());
        let keys = rows.index().classes().representatives();
        let mut start = 0;
        keys.chunk_by(|one, other| one.difference(corners) == other.difference(corners))
            .map(|family| {
                let classes = start..start + family.len();
                start = classes.end;
                let midpoints = family[0].difference(corners);
                KeyFamily { classes, midpoints, key_corners: family[0].len() - midpoints.len() }
            })
            .collect()
    }

    /// The number of a key among all sets of as many corners, which is the number of its groups in
    /// the columns.
    pub(super) fn group_of(&self, key: Points) -> usize {
        usize::from(lower_rank(key.difference(self.midpoints).bits()))
    }
}
