//! The answers of an address by their status.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::error_kinds::{ERROR_KINDS, ErrorKind};

/// The names of kinds of errors.
pub(crate) type Errors = &'static [&'static [&'static str]];

/// The errors of every address.
const ALWAYS: &[&str] = &["parameters", "host", "internal"];

/// The errors of a wait for a turn.
pub(crate) const WORK: &[&str] = &["busy", "timed-out"];

/// The errors of a read position, and of moves behind it.
pub(crate) const READING: &[&str] = &["position", "game"];

/// The error of a wrong name of a subspace.
pub(crate) const SUBSPACE: &[&str] = &["subspace"];

/// The error of parameters that do not fit.
pub(crate) const REQUEST: &[&str] = &["request"];

/// The errors of databases.
pub(crate) const DATABASES: &[&str] = &["missing", "damaged", "system"];

/// The responses of an address with this schema of its answer.
pub(super) fn of(answer: &Value, errors: Errors) -> Value {
    let mut by_status = BTreeMap::<u16, Vec<&ErrorKind>>::new();
    for name in errors.iter().copied().flatten().chain(ALWAYS) {
        let kind = ERROR_KINDS.iter().find(|kind| kind.name == *name).expect("a kind of error");
        for &status in kind.statuses {
            by_status.entry(status).or_default().push(kind);
        }
    }
    let errors = by_status.iter().map(|(status, kinds)| (status.to_string(), refusal(kinds)));
    let found = response("The answer.", answer);
    [("200".to_owned(), found)].into_iter().chain(errors).collect()
}

/// A response with one of these kinds of errors.
fn refusal(kinds: &[&ErrorKind]) -> Value {
    let lines = kinds.iter().map(|kind| format!("- `{}`: {}", kind.name, kind.meaning));
    let names: Vec<_> = kinds.iter().map(|kind| kind.name).collect();
    let schema = json!({
        "allOf": [
            { "$ref": "#/components/schemas/Error" },
            { "properties": { "error": { "properties": { "kind": { "enum": names } } } } },
        ],
    });
    response(&lines.collect::<Vec<_>>().join("\n"), &schema)
}

fn response(description: &str, schema: &Value) -> Value {
    json!({
        "description": description,
        "headers": { "merels-ruleset": { "$ref": "#/components/headers/merels-ruleset" } },
        "content": { "application/json": { "schema": schema } },
    })
}

/// The headers that all responses share.
pub(super) fn headers() -> Value {
    json!({
        "merels-ruleset": {
            "description": "The rules that the server answers for.",
            "required": true,
            "schema": { "type": "string" },
        },
    })
}
