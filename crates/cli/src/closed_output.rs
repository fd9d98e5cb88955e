//! A standard output that is closed before the program begins, as by `merels query ... >&-`.
//!
//! Rust opens `/dev/null` in its place before `main`, so every write would succeed and the answer
//! would be lost. So the program looks before that.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the program began. Always false on other systems than
/// Unix.
pub(crate) fn is_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod before_main {
    use std::sync::atomic::Ordering;

    ctor::declarative::ctor! {
        // SAFETY: the function uses only `fcntl` and an atomic, which need nothing of the standard
        // library that is not there before `main`.
        #[ctor(unsafe)]
        fn look() {
            // SAFETY: asking for the flags of a file descriptor changes nothing, whether there is
            // such a descriptor or not.
            let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
            super::IS_CLOSED.store(flags == -1, Ordering::Relaxed);
        }
    }
}
