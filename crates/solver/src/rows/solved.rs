//! Solved subspaces: the results that a job hands on.

use std::sync::Arc;

use merels_core::numbering::{Codes, FarCodes, Index, SubspaceIndex, ValueCode};
use merels_core::{Plies, Subspace, Value};

use crate::rows::bytes::ByteTable;
use crate::rows::row::Rows;

/// A solved subspace that other jobs read: row after row, `stride` bytes apart.
pub(crate) struct Child {
    /// The order of the values.
    pub(crate) index: SubspaceIndex,
    /// The values as codes.
    pub(crate) values: ByteTable,
    /// Bytes from one row to the next.
    pub(crate) stride: usize,
    /// The same subspace with far codes as its values, if it has far codes.
    pub(crate) far: Option<Arc<Self>>,
    /// An upper bound of the distances.
    pub(crate) longest: Plies,
}

impl Child {
    /// A subspace without far codes, with any distances.
    pub(crate) const fn new(index: SubspaceIndex, values: ByteTable, stride: usize) -> Self {
        Self { index, values, stride, far: None, longest: ValueCode::MAX_PLIES }
    }

    /// Adds far codes from a table of the same shape, if there is one.
    pub(crate) fn with_far(self, far: Option<ByteTable>) -> Self {
        let far = far.map(|far| Arc::new(Self::new(self.same_index(), far, self.stride)));
        Self { far, ..self }
    }

    /// A second index of the same subspace, since an index cannot be copied.
    pub(crate) fn same_index(&self) -> SubspaceIndex {
        SubspaceIndex::new(self.index.board(), self.index.subspace())
    }

    /// Bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let far = self.far.as_ref().map_or(0, |far| far.bytes());
        self.values.capacity() as u64 + far
    }

    /// The value at an index; none if the bytes are not a code.
    pub(crate) fn value(&self, index: Index, codes: FarCodes) -> Option<Value> {
        let code = |child: &Self| ValueCode::from_byte(child.code(index)).ok_or(());
        let both = Codes { near: self, far: self.far.as_deref() };
        both.try_map(code).ok().map(|found| codes.value(found))
    }

    /// The values of the row of a class and the bytes behind them, for vector loads.
    pub(crate) fn padded_row(&self, class: usize) -> &[u8] {
        &self.values.padded()[class * self.stride..]
    }

    /// The code at an index.
    pub(crate) fn code(&self, index: Index) -> u8 {
        let row_len = u64::from(self.index.row_len());
        let (class, rank) = ((index.0 / row_len) as usize, (index.0 % row_len) as usize);
        self.values[class * self.stride + rank]
    }
}

/// A solved subspace in tables of rows, as its job leaves it.
pub(crate) struct Solved {
    pub(crate) rows: Rows,
    /// The codes of its values, row by row with the padding of `rows`.
    pub(crate) codes: Codes<ByteTable>,
    /// An upper bound of the distances.
    pub(crate) longest: Plies,
}

impl Solved {
    /// The subspace.
    pub(crate) const fn subspace(&self) -> Subspace {
        self.rows.index().subspace()
    }

    /// The value at an index; none if the bytes are not a code.
    pub(crate) fn value_at(&self, index: Index, codes: FarCodes) -> Option<Value> {
        let code = |table: &[u8]| ValueCode::from_byte(self.rows.value_at(table, index)).ok_or(());
        self.tables().try_map(code).ok().map(|found| codes.value(found))
    }

    /// The tables of near and far codes.
    pub(crate) fn tables(&self) -> Codes<&[u8]> {
        self.codes.as_ref().map(|table| &**table)
    }

    /// The same, for other jobs to read.
    pub(crate) fn into_child(self) -> Child {
        let Self { rows, codes: Codes { near, far }, longest } = self;
        let stride = rows.stride();
        Child { longest, ..Child::new(rows.into_index(), near, stride).with_far(far) }
    }
}
