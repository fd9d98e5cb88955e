//! Pairs of subspaces in which stones move: layer after layer, back from decided positions.

pub(crate) mod conversions;
pub(crate) mod counters;
pub(crate) mod decided;
pub(crate) mod far;
pub(crate) mod layers;
pub(crate) mod propagate;
pub(crate) mod queue;
pub(crate) mod scatter;
pub(crate) mod side;
pub(crate) mod sweep;
pub(crate) mod unmove_buffer;
pub(crate) mod unmoves;
