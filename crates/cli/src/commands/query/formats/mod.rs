//! The output formats of `merels query`, one file each.

mod csv;
mod json;
mod text;

use crate::commands::query::format::Format as Writer;
use crate::shared::output::Format;

/// What writes answers in a format.
pub(super) fn writer(format: Format) -> &'static dyn Writer {
    match format {
        Format::Text => &text::Text,
        Format::Json => &json::Json,
        Format::Jsonl => &json::JsonLines,
        Format::Csv => &csv::Csv,
    }
}
