//! The answer of a parser to an input.

/// The answer of a parser to an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The parser read it.
    Read,
    /// The parser refused it.
    Refused,
}
