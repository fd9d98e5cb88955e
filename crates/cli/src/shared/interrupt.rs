//! Ctrl-C and the signals that end a program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::exit::Exit;

/// Returns a flag that Ctrl-C and the signals that end a program set. The first of them calls
/// `on_first`; the second ends the program at once.
///
/// # Errors
/// If the system refuses the handler.
pub(crate) fn stop_on_signals(
    on_first: impl Fn() + Send + 'static,
) -> anyhow::Result<&'static AtomicBool> {
    static STOP: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        // Relaxed: the flag publishes nothing but itself.
        if STOP.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Interrupted as i32);
        }
        on_first();
    })
    .context("cannot catch Ctrl-C")?;
    Ok(&STOP)
}
