//! Lanes as bytes: the lane that each lane of a group becomes when a corner gains a stone.
//!
//! All groups of a row with `k` corner stones have the same lanes, so whatever depends on the
//! corner stones alone is a fixed table over the lanes. In numeric order the subsets of the first
//! `n` corners come before all others, so one table for twelve points serves every number of
//! points.

use std::sync::LazyLock;

use merels_core::numbering::{PART_LIMIT, lower_patterns, lower_rank};

const PARTS: usize = PART_LIMIT as usize;

/// Longest group whose lanes are single bytes.
pub(crate) const SHORT: usize = u8::MAX as usize + 1;

/// For every size and corner: the lane of each subset after adding the point.
pub(crate) struct LaneSteps {
    adding: Vec<[Vec<u8>; PARTS]>,
    lists: Vec<Vec<u16>>,
}

/// The lane steps of all boards.
pub(crate) static LANE_STEPS: LazyLock<LaneSteps> = LazyLock::new(|| {
    let adding = |size| -> [Vec<u8>; PARTS] {
        std::array::from_fn(|point| {
            let added = |&lane: &u16| lower_rank(u32::from(lane) | 1 << point) as u8;
            lower_patterns(PART_LIMIT, size).iter().map(added).chain([0; 64]).collect()
        })
    };
    let lists = |size| -> Vec<u16> {
        let lists = lower_patterns(LISTED, size).iter().flat_map(|&lane| {
            let empty = (0..LISTED).filter(move |point| lane >> point & 1 == 0);
            empty.map(move |point| {
                let added = lower_rank(u32::from(lane) | 1 << point);
                u16::from(point) * SHORT_PLACES + added as u16
            })
        });
        lists.collect()
    };
    LaneSteps {
        adding: (0..=PART_LIMIT).map(adding).collect(),
        lists: (0..LISTED).map(lists).collect(),
    }
});

impl LaneSteps {
    /// By lane of the subsets of `size` without `point`: their lane with the point, for groups of
    /// up to [`SHORT`] lanes. 64 more bytes follow, for vector loads.
    #[inline(always)]
    pub(crate) fn adding(&self, size: u8, point: usize) -> &[u8] {
        &self.adding[size as usize][point]
    }

    /// For every lane of the subsets of `size` of [`LISTED`] points, one after the other: its lanes
    /// with each of the missing points, plus [`SHORT_PLACES`] times that point.
    pub(crate) fn list(&self, size: u8) -> &[u16] {
        &self.lists[size as usize]
    }
}

/// The number of points of [`LaneSteps::list`].
pub(crate) const LISTED: u8 = 9;

/// More than the lanes of any group over [`LISTED`] points.
pub(crate) const SHORT_PLACES: u16 = 128;

/// The lanes of groups of every size over `points` corners, by rising size, without gaps.
pub(crate) fn lanes_of_all_sizes(points: u8) -> &'static [u16] {
    static LANES: LazyLock<Vec<Vec<u16>>> = LazyLock::new(|| {
        (0..=PART_LIMIT)
            .map(|points| {
                (0..=points).flat_map(|size| lower_patterns(points, size)).copied().collect()
            })
            .collect()
    });
    &LANES[points as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_to_the_lane_with_the_point_added() {
        for size in 0..PART_LIMIT {
            for (lane, &pattern) in lower_patterns(PART_LIMIT, size).iter().enumerate() {
                for point in 0..PARTS {
                    if pattern >> point & 1 == 0 {
                        let added = LANE_STEPS.adding(size, point)[lane];
                        let expected = lower_rank(u32::from(pattern) | 1 << point);
                        assert_eq!(added, expected as u8);
                    }
                }
            }
        }
    }
}
