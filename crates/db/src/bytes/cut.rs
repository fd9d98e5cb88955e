//! A mapped file that somebody cuts off while it is read: `unsafe` code, for the signal.
//!
//! The system answers such a read with the signal SIGBUS, which ends the process without a word. A
//! program that calls [`report_cut_files`] ends as well, since nothing sensible can stand in the
//! place of the bytes, but its last line names the file and its exit code says what happened.
//!
//! A handler of a signal may neither wait nor allocate. So the mapped ranges are in a list of nodes
//! that is only ever added to, and all that a handler reads of a node is atomic.
#![allow(unsafe_code)]

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The most bytes of a name in the message. Of a longer one it shows the end.
const NAME: usize = 400;

/// A mapped range, or one that is mapped no more and may be used again.
struct Node {
    start: AtomicUsize,
    /// 0 if the node is free.
    end: AtomicUsize,
    length: AtomicUsize,
    name: [AtomicU8; NAME],
    next: OnceLock<&'static Self>,
}

static FIRST: Node = Node::free();

/// Held while nodes are taken; the handler never waits for it.
static TAKING: Mutex<()> = Mutex::new(());

/// A mapped range that the handler knows until this is dropped.
pub(crate) struct Watched(&'static Node);

impl Node {
    const fn free() -> Self {
        Self {
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            length: AtomicUsize::new(0),
            name: [const { AtomicU8::new(0) }; NAME],
            next: OnceLock::new(),
        }
    }

    fn is_free(&self) -> bool {
        self.end.load(Ordering::Acquire) == 0
    }

    fn holds(&self, address: usize) -> bool {
        // The pages behind the last byte of the file belong to the map; none is larger than this.
        const PAGE: usize = 1 << 16;
        let end = self.end.load(Ordering::Acquire);
        end != 0
            && address >= self.start.load(Ordering::Relaxed)
            && address < end.next_multiple_of(PAGE)
    }
}

fn nodes() -> impl Iterator<Item = &'static Node> {
    std::iter::successors(Some(&FIRST), |node| node.next.get().copied())
}

impl Watched {
    pub(crate) fn new(range: Range<*const u8>, path: &Path) -> Self {
        let _one_at_a_time = TAKING.lock().unwrap_or_else(PoisonError::into_inner);
        let node = nodes().find(|node| node.is_free()).unwrap_or_else(|| {
            let last = nodes().last().expect("the first node");
            last.next.get_or_init(|| Box::leak(Box::new(Node::free())))
        });
        let name = path.to_string_lossy();
        let name = &name.as_bytes()[name.len().saturating_sub(NAME)..];
        for (place, &byte) in node.name.iter().zip(name) {
            place.store(byte, Ordering::Relaxed);
        }
        node.length.store(name.len(), Ordering::Relaxed);
        node.start.store(range.start.addr(), Ordering::Relaxed);
        // Last: from here on the handler reads the node.
        node.end.store(range.end.addr().max(1), Ordering::Release);
        Self(node)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.end.store(0, Ordering::Release);
    }
}

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watched")
    }
}

/// The words of a program around the message.
#[derive(Clone, Copy)]
struct Words {
    program: &'static str,
    advice: &'static str,
}

/// The message about the file that is mapped at `address`, at the front of `line`, and its length;
/// none if no file is mapped there.
fn message(words: Words, address: usize, line: &mut [u8]) -> Option<usize> {
    let node = nodes().find(|node| node.holds(address))?;
    let length = node.length.load(Ordering::Relaxed);
    let name = node.name.iter().take(length).map(|byte| byte.load(Ordering::Relaxed));
    let before = words.program.bytes().chain(*b": ");
    let behind = b" was cut short, or cannot be read, while it was in use".iter().copied();
    let bytes = before.chain(name).chain(behind).chain(words.advice.bytes()).chain(*b"\n");
    Some(line.iter_mut().zip(bytes).map(|(place, byte)| *place = byte).count())
}

#[cfg(unix)]
mod signal {
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicI32, Ordering};

    use super::{NAME, Words, message};

    static EXIT_CODE: AtomicI32 = AtomicI32::new(1);

    static WORDS: OnceLock<Words> = OnceLock::new();

    /// What was done before about the signal.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// Has the process end with `exit_code` and one line to standard error where a mapped file turns
    /// out to be shorter than its map, or a disk does not give its bytes. The line begins with the
    /// name of the `program` and ends with `advice`, which has its own punctuation. A second call
    /// changes the exit code only.
    pub fn report_cut_files(exit_code: i32, program: &'static str, advice: &'static str) {
        EXIT_CODE.store(exit_code, Ordering::Relaxed);
        let _ = WORDS.set(Words { program, advice });
        let mut before = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: all fields of a `sigaction` may be zero. The handler has the signature that
        // SA_SIGINFO asks for, and does only what a handler may: it reads atomics, writes to a
        // file descriptor and ends the process.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = handle;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            if libc::sigaction(libc::SIGBUS, ptr::null(), before.as_mut_ptr()) == 0
                && BEFORE.set(before.assume_init()).is_ok()
            {
                libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut());
            }
        }
    }

    extern "C" fn handle(_: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        let mut line = [0; NAME + 200];
        // SAFETY: the system passes a valid `siginfo_t`, and that of SIGBUS has an address. `write`
        // reads `length` bytes of `line`. `_exit` runs nothing that could wait for a lock. For
        // other addresses what was there before takes over: the read is tried again on return, and
        // fails again.
        unsafe {
            let words = *WORDS.get().unwrap_or(&Words { program: "", advice: "" });
            match message(words, (*info).si_addr().addr(), &mut line) {
                Some(length) => {
                    libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length);
                    libc::_exit(EXIT_CODE.load(Ordering::Relaxed));
                }
                None => match BEFORE.get() {
                    Some(before) => {
                        libc::sigaction(libc::SIGBUS, ptr::from_ref(before), ptr::null_mut());
                    }
                    None => {
                        libc::signal(libc::SIGBUS, libc::SIG_DFL);
                    }
                },
            }
        }
    }
}

#[cfg(unix)]
pub use signal::report_cut_files;

/// Elsewhere the system refuses to cut a mapped file.
#[cfg(not(unix))]
pub fn report_cut_files(_exit_code: i32, _program: &'static str, _advice: &'static str) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(address: usize) -> Option<String> {
        let mut line = [0; NAME + 200];
        let words = Words { program: "reader", advice: "; restore it from a copy" };
        let length = message(words, address, &mut line)?;
        Some(String::from_utf8(line[..length].to_vec()).unwrap())
    }

    #[test]
    fn the_file_at_an_address_is_named_while_it_is_mapped() {
        // Addresses that no map of this test program has.
        let at = |address: usize| std::ptr::without_provenance::<u8>(address);
        let (low, high) = (1 << 20, 3 << 20);
        let one = Watched::new(at(low)..at(low + 100_000), Path::new("a/8-7.merels"));
        let two = Watched::new(at(high)..at(high + 1), Path::new(&"x".repeat(1000)));
        let line = told(low + 99_999).unwrap();
        assert!(line.starts_with("reader: a/8-7.merels was cut short"), "{line}");
        assert!(line.ends_with("while it was in use; restore it from a copy\n"), "{line}");
        assert!(told(high).unwrap().contains(&"x".repeat(NAME)));
        assert_eq!(told(low - 1), None);
        assert_eq!(told(high + (1 << 16)), None);
        drop(one);
        assert_eq!(told(low), None);
        let three = Watched::new(at(low)..at(low + 10), Path::new("a/3-3.merels"));
        assert!(told(low).unwrap().starts_with("reader: a/3-3.merels was"));
        drop((two, three));
        assert_eq!(told(high), None);
    }
}
