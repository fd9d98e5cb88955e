//! Notes to the user on standard error.

use std::fmt::Display;
use std::io::Write;

use crate::output::style::ERROR;

/// The complaint about a file that the manifest lists and the folder lacks.
pub(crate) const GONE: &str = "the manifest lists it, but the file is gone";

/// Writes a line to standard error. Errors are ignored: a closed pipe must not end a run of
/// minutes.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Writes a line about a problem. It begins with the name of the program.
pub(crate) fn complain(text: impl Display) {
    note(format_args!("{ERROR}merels:{ERROR:#} {text}"));
}
