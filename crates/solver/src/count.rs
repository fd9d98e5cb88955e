//! Counting the values of a solved subspace, every position once.
//!
//! Where a key has a stabiliser, several entries stand for the same position; of those, the one
//! with the smallest mask counts.

use merels_core::{Points, bits};
use merels_db::{Distribution, Longest, Statistics, ValueHistogram};
use rayon::prelude::*;

use crate::rows::Rows;

/// What has been counted in some rows.
#[derive(Default)]
struct Counted {
    histogram: ValueHistogram,
    longest: Longest,
}

/// How many positions of each value the `values` in these `rows` are, and where the longest win and loss
/// are.
pub(crate) fn count_values(rows: &Rows, values: &[u8]) -> Distribution {
    let symmetries = rows.board().geometry().symmetries();
    let count_row = |mut all: Counted, class: usize| {
        let values = &values[class * rows.stride()..][..rows.row_len()];
        let twins: Vec<_> = rows.twins(class).map(|id| symmetries.get(id)).collect();
        let first = (class * rows.row_len()) as u64;
        let statistics = if twins.is_empty() {
            let statistics = Statistics::of_bytes(values);
            all.histogram.add_row(&statistics, values);
            statistics
        } else {
            let row = rows.row(class);
            let counts = |&(&compressed, _): &(&u32, &u8)| {
                let stones = Points::from_bits(bits::deposit(compressed, row.free));
                twins.iter().all(|twin| twin.apply_set(stones) >= stones)
            };
            let counted = row.unranked.iter().zip(values).filter(counts);
            let counted: Vec<_> = counted.map(|(_, &byte)| byte).collect();
            let statistics = Statistics::of_bytes(&counted);
            all.histogram.add_row(&statistics, &counted);
            statistics
        };
        all.longest.add(&statistics, first, values);
        all
    };
    let merge = |mut all: Counted, part: Counted| {
        all.histogram.merge(&part.histogram);
        all.longest.merge(&part.longest);
        all
    };
    let rows = (0..rows.count()).into_par_iter();
    let Counted { histogram, longest } =
        rows.fold(Counted::default, count_row).reduce(Counted::default, merge);
    longest.with(histogram)
}
