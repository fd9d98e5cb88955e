//! The output formats of `merels query`, one file each.

mod csv;
mod json;
mod text;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::commands::query::format::Format;

/// All formats, in the order in which `--help` lists them.
static FORMATS: [&dyn Format; 4] = [&text::Text, &json::Json, &json::JsonLines, &csv::Csv];

/// Reads the name of a format.
pub(super) fn parser() -> impl TypedValueParser<Value = &'static dyn Format> {
    let values = FORMATS.map(|format| PossibleValue::new(format.name()).help(format.help()));
    PossibleValuesParser::new(values).map(|name| {
        let named = FORMATS.into_iter().find(|format| format.name() == name);
        named.expect("the parser accepts names of formats only")
    })
}
