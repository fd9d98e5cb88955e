//! The list of the checks.

use crate::files::{journal, manifest, table};
use crate::notation::{choice, fen, game, position, record, situation};
use crate::text::{ruleset, subspace};
use crate::verdict::Verdict;

/// The check of one parser.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The name of the fuzz target and of the folder with its inputs.
    pub name: &'static str,
    /// Passes the bytes to the parser. Panics if a property does not hold.
    pub run: fn(&[u8]) -> Verdict,
}

/// All checks.
pub const ALL: &[Check] = &[
    Check { name: "choice", run: choice },
    Check { name: "fen", run: fen },
    Check { name: "game", run: game },
    Check { name: "journal", run: journal },
    Check { name: "manifest", run: manifest },
    Check { name: "position", run: position },
    Check { name: "record", run: record },
    Check { name: "ruleset", run: ruleset },
    Check { name: "situation", run: situation },
    Check { name: "subspace", run: subspace },
    Check { name: "table", run: table },
];
