//! Ctrl-C and the signals that end a program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::exit::Exit;

/// Returns a flag that Ctrl-C and the signals that end a program set. The first of them calls
/// `on_first`; the second ends the program at once. SIGHUP does nothing under `nohup`.
///
/// # Errors
/// If the system refuses the handler.
pub(crate) fn stop_on_signals(
    on_first: impl Fn() + Send + 'static,
) -> anyhow::Result<&'static AtomicBool> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let handle = move || {
        // Relaxed: the flag publishes nothing but itself.
        if STOP.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Interrupted as i32);
        }
        on_first();
    };
    keeping_nohup(|| ctrlc::set_handler(handle)).context("cannot catch Ctrl-C")?;
    Ok(&STOP)
}

/// Installs handlers of signals. A program that `nohup` started must survive the end of its
/// terminal: SIGHUP stays ignored if it was.
#[cfg(unix)]
#[allow(unsafe_code)]
fn keeping_nohup<T>(install: impl FnOnce() -> T) -> T {
    // SAFETY: ignoring a signal installs no code.
    let ignore = || unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    let was_ignored = ignore() == libc::SIG_IGN;
    let installed = install();
    if was_ignored {
        ignore();
    }
    installed
}

#[cfg(not(unix))]
fn keeping_nohup<T>(install: impl FnOnce() -> T) -> T {
    install()
}
