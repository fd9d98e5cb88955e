//! Rows of positions: their shape, their numbering and their bytes.

pub(crate) mod bytes;
pub(crate) mod edges;
pub(crate) mod lane_images;
pub(crate) mod lane_moves;
pub(crate) mod lanes;
pub(crate) mod row;
pub(crate) mod setup;
pub(crate) mod slides;
pub(crate) mod solved;
