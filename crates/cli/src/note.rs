//! Notes to the user on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line to standard error. If nobody takes it, the work goes on all the same: a closed pipe
/// must not cost a run of minutes.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
