//! Checks of names: rulesets and subspaces.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use merels_core::{Ruleset, Subspace};

use crate::verdict::Verdict;

/// A ruleset: it is sound, and its text names it.
///
/// # Panics
/// If that does not hold.
pub fn ruleset(bytes: &[u8]) -> Verdict {
    let verdict = reads_as_printed::<Ruleset>(bytes);
    if let Some(ruleset) = as_text(bytes).and_then(|text| text.parse::<Ruleset>().ok()) {
        assert_eq!(ruleset.check(), Ok(()));
    }
    verdict
}

/// A subspace.
///
/// # Panics
/// If a subspace is not read again as it prints.
pub fn subspace(bytes: &[u8]) -> Verdict {
    reads_as_printed::<Subspace>(bytes)
}

/// If the parser reads a value from `bytes`, the value prints and is read again as the same.
fn reads_as_printed<T>(bytes: &[u8]) -> Verdict
where
    T: FromStr<Err: Display> + Display + Debug + PartialEq,
{
    let Some(text) = as_text(bytes) else { return Verdict::Refused };
    match text.parse::<T>() {
        Ok(read) => {
            let printed = read.to_string();
            assert_eq!(printed.parse::<T>().ok().as_ref(), Some(&read), "printed as '{printed}'");
            Verdict::Read
        }
        Err(error) => {
            assert_tells(&error);
            Verdict::Refused
        }
    }
}

/// Every error has a message.
pub(crate) fn assert_tells(error: &impl Display) {
    assert!(!error.to_string().is_empty());
}

/// The input, if it is text.
pub(crate) fn as_text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok()
}
