//! The output formats of `merels query`, one file each.

mod csv;
mod json;
mod text;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::commands::query::format::Format;

/// All formats: their names, their lines in `--help`, and what writes them.
static FORMATS: [(&str, &str, &dyn Format); 4] = [
    ("text", "The board and a table of moves, for people", &text::Text),
    ("json", "An object, or an array of objects for standard input", &json::Json),
    ("jsonl", "One object per line", &json::JsonLines),
    ("csv", "Only the value, a row for each position", &csv::Csv),
];

/// Reads the name of a format.
pub(super) fn parser() -> impl TypedValueParser<Value = &'static dyn Format> {
    let values = FORMATS.map(|(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).map(|word| {
        let named = FORMATS.into_iter().find(|(name, ..)| *name == word);
        named.expect("the parser accepts names of formats only").2
    })
}
