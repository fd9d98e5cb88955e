//! What holds for every input of every parser.
//!
//! A [`Check`] gives any bytes to one parser. The parser may refuse them, but must not panic; and what
//! it reads must print and be read again as the same thing. The checks are used twice: by the fuzz
//! targets in `fuzz/`, which invent inputs, and by the test `corpus`, which replays the inputs kept in
//! `fuzz/corpus/`. So every `cargo test` goes where the fuzzer has been.

mod files;
mod notation;
mod repair;
mod text;

pub use files::{journal, manifest, table};
pub use notation::{choice, fen, game, situation};
pub use text::{ruleset, subspace};

/// What a parser said to an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was read.
    Read,
    /// It was refused.
    Refused,
}

/// The check of one parser.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The name of the fuzz target and of the folder with its inputs.
    pub name: &'static str,
    /// Gives the bytes to the parser; panics if what must hold does not.
    pub run: fn(&[u8]) -> Verdict,
}

/// All checks.
pub const ALL: &[Check] = &[
    Check { name: "choice", run: choice },
    Check { name: "fen", run: fen },
    Check { name: "game", run: game },
    Check { name: "journal", run: journal },
    Check { name: "manifest", run: manifest },
    Check { name: "ruleset", run: ruleset },
    Check { name: "situation", run: situation },
    Check { name: "subspace", run: subspace },
    Check { name: "table", run: table },
];
