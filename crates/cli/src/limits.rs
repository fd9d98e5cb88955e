//! Limits of the system that otherwise end the process without a message: too little memory, and
//! files that may not grow (`ulimit -v`, `ulimit -f`).
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::exit::Exit;

/// The system's allocator. Where that fails, the program prints a line and ends with
/// [`Exit::System`]; the standard library would abort. Finished files survive this, like every
/// other end of the process. The solver's tables are mapped and do not come from here: their
/// failure is an error that names the job.
struct OrExit;

#[global_allocator]
static ALLOCATOR: OrExit = OrExit;

// SAFETY: every call passes its arguments to the system's allocator unchanged, and returns the
// result unless it is null.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        or_exit(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        or_exit(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        or_exit(unsafe { System.realloc(block, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

fn or_exit(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        out_of_memory(size);
    }
    block
}

/// Prints the line and ends the program, without allocating.
#[cold]
fn out_of_memory(size: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    // Relaxed: the flag publishes nothing. Another thread is about to end the process.
    while ENDING.swap(true, Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(1));
    }
    let mut line = [0; 160];
    let mut rest = &mut line[..];
    let _ = writeln!(
        rest,
        "merels: the system refuses {size} bytes of memory; close other programs, raise the limit, \
         or use fewer --threads"
    );
    let length = 160 - rest.len();
    end(&line[..length])
}

#[cfg(unix)]
fn end(line: &[u8]) -> ! {
    // SAFETY: `write` reads the `len` bytes of the slice. `_exit` ends the process; nothing that
    // runs at a usual end is needed, and some of it could wait for a lock that this thread holds.
    unsafe {
        libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len());
        libc::_exit(Exit::System as i32)
    }
}

#[cfg(not(unix))]
fn end(line: &[u8]) -> ! {
    let _ = std::io::stderr().write_all(line);
    std::process::exit(Exit::System as i32)
}

/// Under a limit on address space (`ulimit -v`), lets threads share memory pools.
///
/// glibc reserves address space for a pool of each thread. Where that fails, it asks the system for
/// every single allocation of the thread, and the program takes a hundred times as long.
pub(crate) fn share_memory_pools() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use nix::sys::resource::{Resource, getrlimit};
        /// The part of the limit for each pool, which reserves up to 128 MiB while it begins.
        const EACH: u64 = 1 << 30;
        /// With room for as many, no limit is needed.
        const PLENTY: u64 = 64;
        let pools = getrlimit(Resource::RLIMIT_AS).map_or(PLENTY, |(limit, _)| limit / EACH);
        if pools < PLENTY {
            // SAFETY: the function changes numbers of the allocator, under the allocator's lock.
            unsafe { libc::mallopt(libc::M_ARENA_MAX, pools.max(1) as libc::c_int) };
        }
    }
}

/// Lets the program open `wanted` files at the same time, if the system allows it. Returns how many
/// it may open.
pub(crate) fn raise_open_files(wanted: usize) -> usize {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let wanted = wanted as u64;
        let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return usize::MAX };
        let raised = wanted.min(hard).max(soft);
        let is_raised = raised > soft && setrlimit(Resource::RLIMIT_NOFILE, raised, hard).is_ok();
        usize::try_from(if is_raised { raised } else { soft }).unwrap_or(usize::MAX)
    }
    #[cfg(not(unix))]
    {
        let _ = wanted;
        usize::MAX
    }
}

/// Turns the signal for a file that may not grow into an error of the write.
pub(crate) fn refuse_large_files_by_errors() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal installs no code. The program does this first, so no other thread
    // is running.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
