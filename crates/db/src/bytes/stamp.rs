//! Telling whether a name still means the file that was opened.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::error::DbError;

/// What the system says about a file: which one it is, how long, and when it changed last. Another
/// file in its place, or other bytes in it, have another stamp. (Two changes within one tick of the
/// system's clock may share one; the checksums of the blocks notice those.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    length: u64,
    /// None where the system keeps no times.
    modified: Option<SystemTime>,
    #[cfg(unix)]
    unix: Unix,
}

#[cfg(unix)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unix {
    device: u64,
    inode: u64,
    /// Of the last change to the file or to what the system keeps about it: seconds, nanoseconds.
    changed: (i64, i64),
}

impl FileStamp {
    /// The stamp of the file of this name now; none if there is no such file.
    ///
    /// # Errors
    /// [`DbError::Io`].
    pub fn of(path: &Path) -> Result<Option<Self>, DbError> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Some(Self::of_metadata(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DbError::io("look for", path)(error)),
        }
    }

    pub(crate) fn of_metadata(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            unix: Unix {
                device: metadata.dev(),
                inode: metadata.ino(),
                changed: (metadata.ctime(), metadata.ctime_nsec()),
            },
        }
    }

    /// The length of the file, in bytes.
    pub(crate) const fn len(&self) -> u64 {
        self.length
    }
}
