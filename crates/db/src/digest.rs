//! The digest of values.

use std::fmt;

/// BLAKE3 of values: the bytes of the value codes in the order of the index.
///
/// It says that two tables hold the same values, however they were compressed. It prints as 64
/// hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Digest {
    /// The digest of what `hasher` has seen.
    pub fn of(hasher: &blake3::Hasher) -> Self {
        Self(hasher.finalize().into())
    }
}
