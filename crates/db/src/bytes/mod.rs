//! The bytes of a table, wherever they are: one trait, and three places to read from.
//!
//! - [`Mapped`](mapped::Mapped): a file in the address space. The fastest for a program that reads
//!   whole tables and ends, as the solver and the verifier do. Reading bytes that somebody has cut
//!   off ends the process (see [`cut`]).
//! - [`Positioned`](positioned::Positioned): a file that is read piece by piece. What is not there
//!   is an error, so a program may outlive its files: look-ups use it.
//! - [`Memory`](memory::Memory): bytes that are there already, for tests and for places without
//!   files.

pub(crate) mod cut;
pub(crate) mod mapped;
pub(crate) mod memory;
pub(crate) mod positioned;
pub(crate) mod regular;
pub(crate) mod stamp;

use std::fmt::Debug;
use std::io;
use std::ops::Range;

use crate::bytes::stamp::FileStamp;

/// The bytes of one file, read at any place and by many threads.
pub(crate) trait Bytes: Debug + Send + Sync {
    /// Their number when the file was opened.
    fn len(&self) -> u64;

    /// The bytes of `range`, read into `buffer` unless they are in memory.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are not so many bytes; what the system says.
    fn read<'a>(&'a self, range: Range<u64>, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;

    /// Tells the system that everything is going to be read from start to end, or no longer. A
    /// hint: where it is refused, reading works as well.
    fn expect_sequential(&self, _sequential: bool) {}

    /// Which file was opened; none if there is no file that could change.
    fn stamp(&self) -> Option<FileStamp> {
        None
    }
}

/// The error of a range beyond the last byte.
pub(crate) fn too_short() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file is too short")
}

/// A piece of bytes in memory.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if there is no such piece.
pub(crate) fn piece(bytes: &[u8], range: Range<u64>) -> io::Result<&[u8]> {
    let ends = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    ends.and_then(|(start, end)| bytes.get(start..end)).ok_or_else(too_short)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::mapped::Mapped;
    use super::memory::Memory;
    use super::positioned::Positioned;
    use super::*;

    #[test]
    fn all_three_read_the_same() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let content: Vec<u8> = (0..10_000_u32).map(|number| (number * 7) as u8).collect();
        file.write_all(&content).unwrap();
        let sources: [Box<dyn Bytes>; 3] = [
            Box::new(Mapped::open(file.path()).unwrap()),
            Box::new(Positioned::open(file.path()).unwrap()),
            Box::new(Memory::new(content.clone())),
        ];
        for source in &sources {
            assert_eq!(source.len(), 10_000);
            let mut buffer = vec![9; 3];
            for range in [0..10_000, 0..0, 10_000..10_000, 5..4097, 9_999..10_000] {
                let expected = &content[range.start as usize..range.end as usize];
                assert_eq!(source.read(range, &mut buffer).unwrap(), expected, "{source:?}");
            }
            for range in [0..10_001, 10_000..10_001, 20_000..20_001, u64::MAX - 1..u64::MAX] {
                let error = source.read(range.clone(), &mut buffer).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{range:?} {source:?}");
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_while_it_is_read_by_pieces_is_an_error() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[7; 10_000]).unwrap();
        let source = Positioned::open(file.path()).unwrap();
        file.as_file().set_len(5_000).unwrap();
        let mut buffer = Vec::new();
        assert_eq!(source.read(0..5_000, &mut buffer).unwrap(), [7; 5_000]);
        let error = source.read(4_000..6_000, &mut buffer).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_stamp_tells_files_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, b"one").unwrap();
        let source = Positioned::open(&path).unwrap();
        let stamp = source.stamp();
        assert_eq!(FileStamp::of(&path).unwrap(), stamp);
        // Another length, another file of the same name, no file.
        fs::write(&path, b"longer").unwrap();
        assert_ne!(FileStamp::of(&path).unwrap(), stamp);
        fs::write(dir.path().join("other"), b"two").unwrap();
        fs::rename(dir.path().join("other"), &path).unwrap();
        assert_ne!(FileStamp::of(&path).unwrap(), stamp);
        fs::remove_file(&path).unwrap();
        assert_eq!(FileStamp::of(&path).unwrap(), None);
    }
}
