//! What writes the positions of a list.

use std::io;

use merels_core::{Position, Value};

/// Writes positions with their values, as they are found.
pub(super) trait Writer {
    /// Writes what precedes all positions.
    ///
    /// # Errors
    /// If the output refuses, here and below.
    fn begin(&mut self) -> io::Result<()>;

    /// Writes the next positions.
    fn write(&mut self, rows: &[(Position, Value)]) -> io::Result<()>;

    /// Writes what follows all positions.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
