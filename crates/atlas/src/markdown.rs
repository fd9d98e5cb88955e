//! A page as Markdown.

use std::fmt::Write;

use crate::document::{Block, Document, Row, Table, anchor};

/// The page, with plots in the folder `plots` beside it.
pub(crate) fn write(document: &Document, plots: &str) -> String {
    let mut out = format!("# {}\n", document.title);
    for block in &document.blocks {
        out.push('\n');
        // Writing to a string does not fail.
        let _ = match block {
            Block::Heading(level, text) => {
                writeln!(out, "{} {text}", "#".repeat(usize::from(*level)))
            }
            Block::Paragraph(text) => writeln!(out, "{text}"),
            Block::Table(table) => {
                write_table(&mut out, table);
                Ok(())
            }
            Block::Figure(figure) => {
                writeln!(out, "![{}]({plots}/{})", figure.caption, figure.file_name())
            }
            Block::Details { summary, text } => writeln!(
                out,
                "<details><summary>{summary}</summary>\n\n```\n{}\n```\n\n</details>",
                text.trim_end()
            ),
        };
    }
    out
}

fn write_table(out: &mut String, table: &Table) {
    let mut row = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<_> = cells.collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    let escaped = |cells: &[String]| -> Vec<String> {
        cells.iter().map(|cell| cell.replace('|', "\\|")).collect()
    };
    row(&mut escaped(&table.headings).into_iter());
    row(&mut (0..table.headings.len()).map(|i| if i == 0 { "---" } else { "---:" }.to_owned()));
    for Row { cells, about } in &table.rows {
        let mut cells = escaped(cells);
        if let (Some(heading), Some(first)) = (about, cells.first_mut()) {
            *first = format!("[{first}](#{})", anchor(heading));
        }
        row(&mut cells.into_iter());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Figure;

    #[test]
    fn every_kind_of_block() {
        let mut page = Document { title: "Games".into(), ..Document::default() };
        page.heading(2, "One");
        page.paragraph("Text.");
        let mut table = Table::new(&["name", "count"]);
        table.push(["a|b".into(), "1".into()]);
        table.push_about("One, x=2".into(), ["`c`".into(), "2".into()]);
        page.table(table);
        page.figure(Figure { name: "x".into(), caption: "A plot".into(), svg: "<svg/>".into() });
        page.details("More", "1. a1\n");
        let expected = "# Games\n\n## One\n\nText.\n\n| name | count |\n| --- | ---: |\n| a\\|b | 1 |\n\
                        | [`c`](#one-x2) | 2 |\n\n\
                        ![A plot](plots/x.svg)\n\n\
                        <details><summary>More</summary>\n\n```\n1. a1\n```\n\n</details>\n";
        assert_eq!(write(&page, "plots"), expected);
    }
}
