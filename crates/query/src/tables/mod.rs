//! The databases of a folder.

mod batch;
mod blocks;
mod open;
mod seldom;
mod table_source;

pub(crate) use seldom::Seldom;
pub use table_source::TableSource;
