//! Where the bytes of a column go (see `transpose`): fixed tables for each number of key corners
//! and of corner stones.

use merels_core::Board;
use merels_core::numbering::{binomial, lower_patterns, lower_rank};
use merels_simd::bits;

use crate::rows::bytes::SLACK;
use crate::rows::lane_images::LaneImages;
use crate::rows::lanes::SHORT;

/// The tables for one number of key corners and of corner stones.
#[derive(Default)]
pub(crate) struct GroupTable {
    /// Bytes of a target group.
    pub(crate) len: usize,
    /// By corner stones, then by lane of the key among the points that they leave free: the place
    /// in the column.
    pub(crate) sources: Vec<u16>,
    /// By symmetry, then by corner stones, then by lane of the target group under the symmetry: the
    /// lane of the key. For groups whose lanes are single bytes.
    pub(crate) shuffles: Vec<u8>,
    /// For longer groups: by symmetry, then as in `sources`, the lane in the target group under the
    /// symmetry.
    pub(crate) places: Vec<u16>,
}

/// The tables of a board.
pub(crate) struct GroupTables {
    /// The number of corners of the board.
    pub(crate) corners: u8,
    /// By number of key corners, then by number of corner stones.
    pub(crate) tables: Vec<Vec<GroupTable>>,
}

impl GroupTables {
    pub(crate) fn new(board: Board) -> Self {
        let corners = board.geometry().corner_count();
        let images = LaneImages::of(board);
        let table = |keys, stones| group_table(board, images, keys, stones);
        let tables = (0..=corners)
            .map(|keys| (0..=corners - keys).map(|stones| table(keys, stones)).collect())
            .collect();
        Self { corners, tables }
    }
}

fn group_table(board: Board, images: &LaneImages, keys: u8, stones: u8) -> GroupTable {
    let geometry = board.geometry();
    let corners = geometry.corner_count();
    let all = (1_u32 << corners) - 1;
    let len = binomial(corners - stones, keys) as usize;
    let lanes = binomial(corners - keys, stones) as usize;
    let mut table = GroupTable { len, ..GroupTable::default() };
    for &stones_mask in lower_patterns(corners, stones) {
        let stones_mask = u32::from(stones_mask);
        for &lane in lower_patterns(corners - stones, keys) {
            let key = bits::deposit(u32::from(lane), all & !stones_mask);
            let row = usize::from(lower_rank(key)) * lanes;
            let lane = lower_rank(bits::extract(stones_mask, all & !key));
            table.sources.push((row + usize::from(lane)) as u16);
        }
    }
    // In groups over the corners that the stones leave free, keys play the part of stones.
    let first_lane = (0..keys).map(|size| binomial(corners - stones, size) as usize).sum::<usize>();
    for id in geometry.symmetries().ids() {
        for &stones_mask in lower_patterns(corners, stones) {
            let image = images.get(stones_mask.into(), id);
            let places = (0..len).map(|i| image.at(first_lane + i));
            if len <= SHORT {
                let start = table.shuffles.len();
                table.shuffles.resize(start + len, 0);
                for (i, place) in places.enumerate() {
                    table.shuffles[start + place] = i as u8;
                }
            } else {
                table.places.extend(places.map(|place| place as u16));
            }
        }
    }
    table.shuffles.resize(table.shuffles.len() + SLACK, 0);
    table
}
