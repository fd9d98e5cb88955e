//! The kinds of errors, each with its statuses: the words for programs.

use serde_json::{Value, json};

/// A kind of error.
#[derive(Debug)]
pub(crate) struct ErrorKind {
    /// The word for programs.
    pub(crate) name: &'static str,
    /// The statuses that answers with it have.
    pub(crate) statuses: &'static [u16],
    /// When it occurs.
    pub(crate) meaning: &'static str,
}

/// All kinds.
pub(crate) const ERROR_KINDS: &[ErrorKind] = &[
    kind("parameters", &[400], "a parameter is unknown, missing or not of its type"),
    kind("request", &[400], "the parameters contradict each other or ask for too much"),
    kind("position", &[400], "the position cannot be read, or cannot occur"),
    kind("game", &[400], "the game or its moves cannot be read, or a move is not legal"),
    kind("subspace", &[400], "the text is not the name of a subspace"),
    kind(
        "body",
        &[400, 411, 413, 415],
        "the body is not as described (400), is late (400), has no Content-Length (411), is too \
         long (413), or is not JSON by its content type (415)",
    ),
    kind("host", &[400, 421], "the request names no host or several (400), or another one (421)"),
    kind("missing", &[404], "the answer needs a database that is missing or has no values"),
    kind("none-found", &[404], "no such position exists, or the search found none"),
    kind("address", &[404], "there is no such address"),
    kind("method", &[405], "the address does not accept the method"),
    kind(
        "damaged",
        &[500],
        "a file is damaged or contradicts itself; the server returns no value from it",
    ),
    kind("system", &[500], "the system refuses something"),
    kind("internal", &[500], "a bug"),
    kind("busy", &[503], "too many requests; try again later"),
    kind("timed-out", &[503], "the look-up takes too long; try again later"),
];

const fn kind(name: &'static str, statuses: &'static [u16], meaning: &'static str) -> ErrorKind {
    ErrorKind { name, statuses, meaning }
}

/// The names of all kinds, for schemas.
pub(crate) fn error_names() -> Value {
    json!(ERROR_KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>())
}
