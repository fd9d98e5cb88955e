//! Counting the values of a solved subspace, every position once.
//!
//! Where a key has a stabiliser, several entries stand for the same position; of those, the one
//! with the smallest mask counts.

use merels_core::{ValueCode, bits};
use merels_db::ValueHistogram;
use rayon::prelude::*;

use crate::rows::Rows;

/// How many positions have each of the `values` in these `rows`.
pub(crate) fn count_values(rows: &Rows, values: &[u8]) -> ValueHistogram {
    let symmetries = rows.board().geometry().symmetries();
    let count_row = |histogram: &mut ValueHistogram, class: usize| {
        let values = &values[class * rows.stride()..][..rows.row_len()];
        let twins: Vec<_> = rows.twins(class).map(|id| symmetries.get(id)).collect();
        if twins.is_empty() {
            histogram.add_bytes(values);
            return;
        }
        let row = rows.row(class);
        for (&compressed, &byte) in row.unranked.iter().zip(values) {
            let stones = merels_core::Points::from_bits(bits::deposit(compressed, row.free));
            if twins.iter().all(|twin| twin.apply_set(stones) >= stones) {
                histogram.add(ValueCode::from_byte(byte).expect("layers store value codes"));
            }
        }
    };
    (0..rows.count())
        .into_par_iter()
        .fold(ValueHistogram::default, |mut histogram, class| {
            count_row(&mut histogram, class);
            histogram
        })
        .reduce(ValueHistogram::default, |mut all, part| {
            all.merge(&part);
            all
        })
}
