//! Results as JSON, as JSON lines, and as comma-separated values (RFC 4180).
//!
//! The rows of a result are JSON objects. A row of the last form has the same fields: one inside
//! another has the names of both, with a dot between them; an array is a JSON text.

use std::io::{self, Write};

use csv::Writer;
use merels_json::write_pretty;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::shared::output::Format;

/// The rows of a result, each a JSON object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records(Vec<Map<String, Value>>);

impl Records {
    /// The rows, from anything that is a JSON object.
    ///
    /// # Errors
    /// If a row is not an object.
    pub(crate) fn new(rows: impl IntoIterator<Item = impl Serialize>) -> io::Result<Self> {
        let object = |row| match serde_json::to_value(row)? {
            Value::Object(object) => Ok(object),
            other => Err(io::Error::other(format!("{other} is not an object"))),
        };
        rows.into_iter().map(object).collect::<io::Result<_>>().map(Self)
    }

    /// Writes one object in each line.
    pub(crate) fn write_lines(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        for row in &self.0 {
            serde_json::to_writer(&mut *out, row)?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Writes a heading with the fields of all rows, then the rows.
    pub(crate) fn write_csv(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let rows: Vec<_> = self.0.iter().map(flat).collect();
        let mut fields: Vec<&str> = Vec::new();
        for (name, _) in rows.iter().flatten() {
            if !fields.contains(&name.as_str()) {
                fields.push(name);
            }
        }
        if fields.is_empty() {
            return Ok(());
        }
        let mut writer = Writer::from_writer(out);
        writer.write_record(&fields)?;
        for row in &rows {
            let value = |field: &&str| {
                row.iter().find(|(name, _)| name == field).map_or("", |(_, value)| value.as_str())
            };
            writer.write_record(fields.iter().map(value))?;
        }
        writer.flush()
    }
}

/// Writes a result: `text` for people, `document` as JSON, or its rows.
///
/// # Errors
/// If `out` refuses.
pub(crate) fn write(
    out: &mut (impl Write + ?Sized),
    format: Format,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    document: &impl Serialize,
    rows: impl FnOnce() -> io::Result<Records>,
) -> io::Result<()>
where
{
    let mut out = out;
    match format {
        Format::Text => text(&mut out),
        Format::Json => write_pretty(&mut out, document),
        Format::Jsonl => rows()?.write_lines(&mut out),
        Format::Csv => rows()?.write_csv(&mut out),
    }
}

/// The fields of an object and of the objects in it.
fn flat(object: &Map<String, Value>) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for (name, value) in object {
        match value {
            Value::Object(inner) => {
                let inner = flat(inner).into_iter();
                fields.extend(inner.map(|(field, text)| (format!("{name}.{field}"), text)));
            }
            Value::Null => fields.push((name.clone(), String::new())),
            Value::String(text) => fields.push((name.clone(), text.clone())),
            other => fields.push((name.clone(), other.to_string())),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_have_the_fields_of_all() {
        let rows = [
            json!({"name": "a", "size": {"bytes": 1, "files": null}}),
            json!({"name": "b, c", "points": ["a1"], "right": true}),
        ];
        let records = Records::new(&rows).unwrap();
        let mut out = Vec::new();
        records.write_csv(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let expected = "name,size.bytes,size.files,points,right\n\
                        a,1,,,\n\
                        \"b, c\",,,\"[\"\"a1\"\"]\",true\n";
        assert_eq!(text, expected);
        assert!(Records::new([1]).is_err());
    }
}
