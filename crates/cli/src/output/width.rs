//! How many columns the terminal has.

use terminal_size::{Width, terminal_size_of};

/// The columns of the terminal that shows standard output; none if it is no terminal.
pub(crate) fn of_terminal() -> Option<usize> {
    let (Width(columns), _) = terminal_size_of(std::io::stdout())?;
    (columns > 0).then_some(columns.into())
}
