//! The number of moves of each position of a row: the counters of retrograde analysis.
//!
//! The side that waits keys a row; the entries are the stones of the side to move. On boards
//! without neighbouring corners every slide has an end among the midpoints. In a group, where the
//! midpoint stones are fixed, the number of moves is a constant plus a sum over the corner stones:
//! a stone on corner `q` adds its empty midpoint neighbours and takes away the midpoint stones that
//! could have moved to `q`. So a few masked additions of lanes fill a group.

use arrayvec::ArrayVec;
use merels_core::numbering::{LaneWords, PART_LIMIT};
use merels_simd::{Cpu, bits};

use crate::rows::row::Row;
use crate::rows::slides::Slides;

/// How the stones of a row move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    /// Along the lines.
    Slide,
    /// Along the lines, where a stone that closes two mills removes two stones.
    DoubleSlide,
    /// To any empty point.
    Jump,
}

/// Writes the number of moves of every entry of `row` to `counters`.
#[inline(always)]
pub(crate) fn count_moves<C: Cpu>(
    cpu: C,
    slides: &Slides,
    row: &Row<'_>,
    movement: Movement,
    counters: &mut [u8],
) {
    if movement == Movement::Jump {
        let free = row.free.count_ones();
        let stones = row.unranked[0].count_ones();
        counters.fill((stones * (free - stones)) as u8);
    } else if let Some(neighbours) = compress_neighbours(slides, row) {
        count_by_groups(cpu, row, &neighbours, counters);
    } else {
        count_singly(slides, row, counters);
    }
}

/// The free midpoint neighbours of the free corners and of the free midpoints, compressed.
struct Compressed {
    of_corners: ArrayVec<u32, { PART_LIMIT as usize }>,
    of_midpoints: ArrayVec<u32, { PART_LIMIT as usize }>,
}

/// None if two free corners are neighbours.
fn compress_neighbours(slides: &Slides, row: &Row<'_>) -> Option<Compressed> {
    let corner_mask = (1 << row.corners) - 1;
    let mut all = Compressed { of_corners: ArrayVec::new(), of_midpoints: ArrayVec::new() };
    let mut left = row.free;
    while left != 0 {
        let point = left.trailing_zeros() as usize;
        left &= left - 1;
        let compressed = bits::extract(slides.neighbours(point), row.free);
        if all.of_corners.len() < row.corners as usize {
            if compressed & corner_mask != 0 {
                return None;
            }
            all.of_corners.push(compressed >> row.corners);
        } else {
            all.of_midpoints.push(compressed >> row.corners);
        }
    }
    Some(all)
}

#[inline(always)]
fn count_by_groups<C: Cpu>(cpu: C, row: &Row<'_>, neighbours: &Compressed, counters: &mut [u8]) {
    let words = LaneWords::shared();
    let all_midpoints = (row.starts.len() - 2) as u32;
    let size = row.unranked[0].count_ones() as u8;
    for stones in 0..=all_midpoints {
        let start = row.starts[stones as usize] as usize;
        let end = row.starts[stones as usize + 1] as usize;
        if start == end {
            continue;
        }
        let empty = all_midpoints & !stones;
        let among_midpoints: u32 = neighbours
            .of_midpoints
            .iter()
            .enumerate()
            .filter(|(point, _)| stones >> point & 1 == 1)
            .map(|(_, &near)| (near & empty).count_ones())
            .sum();
        let to_corners: u32 =
            neighbours.of_corners.iter().map(|&near| (near & stones).count_ones()).sum();
        let corner_stones = size - stones.count_ones() as u8;
        let changes: ArrayVec<(u32, u8), { PART_LIMIT as usize }> = neighbours
            .of_corners
            .iter()
            .enumerate()
            .map(|(point, &near)| {
                let gained = (near & empty).count_ones();
                (1 << point, gained.wrapping_sub((near & stones).count_ones()) as u8)
            })
            .filter(|&(_, change)| change != 0)
            .collect();
        let fixed = cpu.splat((among_midpoints + to_corners) as u8);
        for (part, counters) in counters[start..end].chunks_mut(LaneWords::WORD).enumerate() {
            let mut lanes = fixed;
            for &(point, change) in &changes {
                let holding = words.holding(corner_stones, part, point);
                lanes = cpu.masked_add(holding, lanes, change);
            }
            cpu.store(lanes, counters);
        }
    }
}

/// The plain form: each entry by itself.
pub(crate) fn count_singly(slides: &Slides, row: &Row<'_>, counters: &mut [u8]) {
    for (counter, &compressed) in counters.iter_mut().zip(row.unranked) {
        let stones = bits::deposit(compressed, row.free);
        *counter = slides.count(stones, row.free & !stones) as u8;
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Board;
    use merels_simd::Portable;

    use super::*;
    use crate::rows::row::Rows;

    #[test]
    fn groups_count_as_single_positions_do() {
        for (board, key, size) in [
            (Board::Nine, 5, 4),
            (Board::Nine, 8, 6),
            (Board::Six, 4, 5),
            (Board::Seven, 5, 4),
            (Board::Three, 3, 3),
        ] {
            let rows = Rows::new(board, key, size);
            for class in (0..rows.count()).step_by(37) {
                let row = rows.row(class);
                let mut groups = vec![0; rows.row_len()];
                let mut singly = vec![0; rows.row_len()];
                let neighbours =
                    compress_neighbours(rows.slides(), &row).expect("no neighbouring corners");
                count_by_groups(Portable, &row, &neighbours, &mut groups);
                count_singly(rows.slides(), &row, &mut singly);
                assert_eq!(groups, singly, "{board} {key}-{size}, class {class}");
            }
        }
    }

    #[test]
    fn the_board_with_diagonals_is_counted_singly() {
        let rows = Rows::new(Board::Twelve, 4, 4);
        assert!(compress_neighbours(rows.slides(), &rows.row(0)).is_none());
    }
}
