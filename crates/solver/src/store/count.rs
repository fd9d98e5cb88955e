//! Counting the values of a solved subspace, every position once.
//!
//! If a key has a stabiliser, several entries are the same position; the one with the smallest mask
//! counts.

use merels_core::Points;
use merels_core::numbering::Codes;
use merels_db::{Distribution, Longest, Statistics, ValueHistogram};
use merels_simd::bits;
use rayon::prelude::*;

use crate::rows::row::Rows;

/// The counts of some rows.
#[derive(Default)]
struct Counted {
    histogram: ValueHistogram,
    longest: Longest,
}

impl Counted {
    /// Counts codes and returns their sums.
    fn count(&mut self, codes: Codes<&[u8]>) -> Statistics {
        let statistics = Statistics::of_codes(codes);
        self.histogram.add_row(&statistics, codes);
        statistics
    }
}

/// The number of positions with each value in `codes`, tables of `rows`, and the places of the
/// longest win and loss.
pub(crate) fn count_values(rows: &Rows, codes: Codes<&[u8]>) -> Distribution {
    let symmetries = rows.board().geometry().symmetries();
    let count_row = |mut all: Counted, class: usize| {
        let codes = codes.map(|table| &table[class * rows.stride()..][..rows.row_len()]);
        let twins: Vec<_> = rows.twins(class).map(|id| symmetries.get(id)).collect();
        let first = (class * rows.row_len()) as u64;
        let statistics = if twins.is_empty() {
            all.count(codes)
        } else {
            let row = rows.row(class);
            let counts = |compressed: u32| {
                let stones = Points::from_bits(bits::deposit(compressed, row.free));
                twins.iter().all(|twin| twin.apply_set(stones) >= stones)
            };
            let counted = |values: &[u8]| -> Vec<u8> {
                let counted = row.unranked.iter().zip(values).filter(|(mask, _)| counts(**mask));
                counted.map(|(_, &byte)| byte).collect()
            };
            all.count(codes.map(counted).slices())
        };
        all.longest.add(&statistics, first, codes);
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
