//! Aligned tables of plain text.

use std::io::{self, Write};

use console::measure_text_width;

use crate::output::width;

/// Rows of cells, in aligned columns: the first one flush left, the others flush right.
///
/// On a terminal with too few columns, a table first has headings of two lines and one blank
/// between columns, then short numbers, and then it omits columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    /// The column besides the first that is flush left.
    flush_left: Option<usize>,
    /// Headings of columns that a narrow terminal can do without, in this order.
    spare: &'static [&'static str],
    /// Blanks between columns.
    gap: usize,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new(headings: &[&str]) -> Self {
        let rows = vec![headings.iter().map(ToString::to_string).collect()];
        Self { rows, gap: 2, ..Self::default() }
    }

    /// The table with this column flush left.
    pub(crate) fn flush_left(self, column: usize) -> Self {
        Self { flush_left: Some(column), ..self }
    }

    /// The table without these columns, one after another, where it would be too wide.
    pub(crate) fn spare(self, headings: &'static [&'static str]) -> Self {
        Self { spare: headings, ..self }
    }

    /// Adds a row of as many cells as there are headings.
    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<_> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.rows[0].len(), "{cells:?}");
        self.rows.push(cells);
    }

    /// Writes the table as wide as the terminal allows.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match width::of_terminal() {
            Some(columns) => self.within(columns).write_all(out),
            None => self.write_all(out),
        }
    }

    /// The table in a form that fits so many columns, as far as it can be had.
    fn within(&self, columns: usize) -> Self {
        let mut table = self.clone();
        if table.width() > columns {
            table.gap = 1;
            table.break_headings();
        }
        if table.width() > columns {
            table.rows.iter_mut().flatten().for_each(|cell| *cell = short(cell));
        }
        for heading in self.spare {
            if table.width() > columns
                && let Some(place) = self.rows[0].iter().position(|name| name == heading)
            {
                // Columns that are gone have no width and no blanks.
                table.rows.iter_mut().for_each(|row| row[place].clear());
            }
        }
        table
    }

    /// Puts the first word of a heading of two words above the second.
    fn break_headings(&mut self) {
        let words: Vec<_> = self.rows[0].iter().map(|heading| heading.split_once(' ')).collect();
        if words.iter().all(Option::is_none) {
            return;
        }
        let above = words.iter().map(|words| words.map_or("", |(above, _)| above).to_owned());
        let (above, headings) = (above.collect(), self.rows[0].iter());
        let below =
            headings.map(|heading| heading.split_once(' ').map_or(heading.as_str(), |it| it.1));
        self.rows[0] = below.map(str::to_owned).collect();
        self.rows.insert(0, above);
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| measure_text_width(&row[column]));
            cells.max().unwrap_or(0)
        };
        (0..self.rows[0].len()).map(width).collect()
    }

    fn width(&self) -> usize {
        let widths = self.widths();
        let columns = widths.iter().filter(|width| **width > 0);
        columns.map(|width| width + self.gap).sum::<usize>().saturating_sub(self.gap)
    }

    fn write_all(&self, out: &mut dyn Write) -> io::Result<()> {
        let widths = self.widths();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if width == 0 {
                    continue;
                }
                if column > 0 {
                    line.push_str(&" ".repeat(self.gap));
                }
                let fill = " ".repeat(width - measure_text_width(cell));
                let is_left = column == 0 || self.flush_left == Some(column);
                let (before, after) =
                    if is_left { ("", fill.as_str()) } else { (fill.as_str(), "") };
                line.push_str(&format!("{before}{cell}{after}"));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A large number in groups of digits, in at most four digits and a prefix; other cells as they
/// are.
fn short(cell: &str) -> String {
    let digits: String = cell.split(',').collect();
    match digits.parse::<u64>() {
        Ok(number) if digits.len() > 5 && cell.contains(',') => {
            let (unit, prefix) = match number {
                0..1_000_000 => (1e3, 'k'),
                1_000_000..1_000_000_000 => (1e6, 'M'),
                1_000_000_000..1_000_000_000_000 => (1e9, 'G'),
                _ => (1e12, 'T'),
            };
            format!("{:.1}{prefix}", number as f64 / unit)
        }
        _ => cell.to_owned(),
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

    #[test]
    fn narrow_terminals_get_narrow_tables() {
        let mut table = Table::new(&["subspace", "entries", "longest win", "size"]);
        table = table.spare(&["size"]);
        table.push(["9-8".into(), "3,225,600,000".into(), "151".into(), "1.2 GiB".into()]);
        let text = |columns| {
            let mut out = Vec::new();
            table.within(columns).write_all(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let widest = |text: &str| text.lines().map(str::len).max().unwrap();
        assert_eq!(widest(&text(80)), table.width());
        for columns in [38, 31, 24] {
            assert!(widest(&text(columns)) <= columns, "{}", text(columns));
        }
        assert!(text(31).contains(" 3.2G "), "{}", text(31));
        assert!(text(31).starts_with("                 longest\n"), "{}", text(31));
        assert!(!text(24).contains("size"), "{}", text(24));
    }

    #[test]
    fn short_numbers() {
        let cells = ["999", "12,345", "123,456", "26,732,284,656", "draw", "1.2 GiB"].map(short);
        assert_eq!(cells, ["999", "12,345", "123.5k", "26.7G", "draw", "1.2 GiB"]);
    }
}
