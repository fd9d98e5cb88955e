//! Counting the values of a solved subspace, every position once.
//!
//! Where a key has a stabiliser, several entries stand for the same position; of those, the one
//! with the smallest mask counts.

use merels_core::{Points, bits};
use merels_db::Statistics;
use rayon::prelude::*;

use crate::rows::Rows;

/// How many positions of each kind the `values` in these `rows` are.
pub(crate) fn count_values(rows: &Rows, values: &[u8]) -> Statistics {
    let symmetries = rows.board().geometry().symmetries();
    let count_row = |class: usize| {
        let values = &values[class * rows.stride()..][..rows.row_len()];
        let twins: Vec<_> = rows.twins(class).map(|id| symmetries.get(id)).collect();
        if twins.is_empty() {
            return Statistics::of_bytes(values);
        }
        let row = rows.row(class);
        let counts = |&(&compressed, _): &(&u32, &u8)| {
            let stones = Points::from_bits(bits::deposit(compressed, row.free));
            twins.iter().all(|twin| twin.apply_set(stones) >= stones)
        };
        let counted = row.unranked.iter().zip(values).filter(counts);
        Statistics::of_bytes(&counted.map(|(_, &byte)| byte).collect::<Vec<_>>())
    };
    let merge = |mut all: Statistics, part: Statistics| {
        all.merge(&part);
        all
    };
    let rows = (0..rows.count()).into_par_iter();
    rows.map(count_row).reduce(Statistics::default, merge)
}
