//! Rows of positions: their shape, their numbering, and the bytes that they are stored in.

pub(crate) mod bytes;
pub(crate) mod edges;
pub(crate) mod lane_images;
pub(crate) mod lanes;
pub(crate) mod row;
pub(crate) mod slides;
pub(crate) mod solved;
