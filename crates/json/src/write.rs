//! How a command writes JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a value over several lines, indented, and ends the last line.
///
/// # Errors
/// If `out` refuses.
pub fn write_pretty(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
