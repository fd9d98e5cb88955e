//! The databases of a folder.

mod batch;
mod blocks;
mod open;
mod table_source;

pub use table_source::TableSource;
