//! Counting the values of a solved subspace, every position once.
//!
//! If a key has a stabiliser, several entries are the same position; the one with the smallest mask
//! counts.

use merels_core::Points;
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
    /// Counts codes, and returns their sums.
    fn count(&mut self, values: &[u8], far: Option<&[u8]>) -> Statistics {
        match far {
            Some(far) => {
                let statistics = Statistics::of_far_bytes(values, far);
                self.histogram.add_far_row(&statistics, values, far);
                statistics
            }
            None => {
                let statistics = Statistics::of_bytes(values);
                self.histogram.add_row(&statistics, values);
                statistics
            }
        }
    }
}

/// The number of positions with each value in `values`, a table of `rows`, and the places of the
/// longest win and loss. With far codes, `values` are near codes.
pub(crate) fn count_values<'a>(
    rows: &Rows,
    values: &'a [u8],
    far: Option<&'a [u8]>,
) -> Distribution {
    let symmetries = rows.board().geometry().symmetries();
    let count_row = |mut all: Counted, class: usize| {
        let row_of = |table: &'a [u8]| &table[class * rows.stride()..][..rows.row_len()];
        let (values, far) = (row_of(values), far.map(row_of));
        let twins: Vec<_> = rows.twins(class).map(|id| symmetries.get(id)).collect();
        let first = (class * rows.row_len()) as u64;
        let statistics = if twins.is_empty() {
            all.count(values, far)
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
            all.count(&counted(values), far.map(counted).as_deref())
        };
        match far {
            Some(far) => all.longest.add_far(&statistics, first, values, far),
            None => all.longest.add(&statistics, first, values),
        }
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
