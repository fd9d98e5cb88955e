//! Aligned tables of plain text.

use std::io::{self, Write};

/// Rows of cells, in aligned columns: the first one flush left, the others flush right.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new(headings: &[&str]) -> Self {
        Self { rows: vec![headings.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row of as many cells as there are headings.
    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<_> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.rows[0].len(), "{cells:?}");
        self.rows.push(cells);
    }

    /// Writes the table, two blanks between columns.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.rows[0].len();
        let width = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = format!("{:<1$}", row[0], widths[0]);
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                line.push_str(&format!("  {cell:>width$}"));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A short form of a number of entries a second, with its prefix.
pub(crate) fn millions(number: f64) -> String {
    if number < 1e6 { format!("{:.0} k", number / 1e3) } else { format!("{:.1} M", number / 1e6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_short() {
        assert_eq!((millions(250_000.0), millions(31.26e6)), ("250 k".into(), "31.3 M".into()));
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["name", "count"]);
        table.push(["a".into(), "12".into()]);
        table.push(["longer".into(), "123456".into()]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "name     count\na           12\nlonger  123456\n");
    }
}
