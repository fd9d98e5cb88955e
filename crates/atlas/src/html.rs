//! A page as one HTML file, without other files.

use std::fmt::Write;

use crate::document::{Block, Document, Row, Table, anchor};

/// Readable in light and in dark colours. Plots bring their own white background.
const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8886; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1rem 0; }
figure svg { max-width: 100%; height: auto; border-radius: 4px; }
figcaption { font-size: .9rem; }
pre { overflow-x: auto; }
";

/// The page.
pub(crate) fn write(document: &Document) -> String {
    let title = escaped(&document.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for block in &document.blocks {
        // Writing to a string does not fail.
        let _ = match block {
            // Links lead only to headings of the second level, and only these are unique.
            Block::Heading(2, text) => {
                writeln!(out, "<h2 id=\"{}\">{}</h2>", anchor(text), escaped(text))
            }
            Block::Heading(level, text) => writeln!(out, "<h{level}>{}</h{level}>", escaped(text)),
            Block::Paragraph(text) => writeln!(out, "<p>{}</p>", with_code(text)),
            Block::Table(table) => {
                write_table(&mut out, table);
                Ok(())
            }
            Block::Figure(figure) => writeln!(
                out,
                "<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>",
                figure.svg.trim_end(),
                escaped(&figure.caption)
            ),
            Block::Details { summary, text } => writeln!(
                out,
                "<details><summary>{}</summary><pre>{}</pre></details>",
                with_code(summary),
                escaped(text)
            ),
        };
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn write_table(out: &mut String, table: &Table) {
    let row = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>"));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let written = |cells: &[String]| cells.iter().map(|cell| with_code(cell)).collect::<Vec<_>>();
    out.push_str("<table>\n");
    out.push_str(&row(&written(&table.headings), "th"));
    for Row { cells, about } in &table.rows {
        let mut cells = written(cells);
        if let (Some(heading), Some(first)) = (about, cells.first_mut()) {
            *first = format!("<a href=\"#{}\">{first}</a>", anchor(heading));
        }
        out.push_str(&row(&cells, "td"));
    }
    out.push_str("</table>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text in which words between backquotes are code.
fn with_code(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = escaped(part);
        if i % 2 == 1 {
            out.push_str(&format!("<code>{part}</code>"));
        } else {
            out.push_str(&part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_the_page_is_whole() {
        let mut page = Document { title: "A & B".into(), ..Document::default() };
        page.heading(2, "C = 1");
        page.paragraph("`a<b` is code");
        for name in ["x", "y"] {
            let mut table = Table::new(&[name, "count"]);
            table.push_about("C = 1".into(), ["`1`".into(), "2".into()]);
            page.table(table);
        }
        let html = write(&page);
        assert!(html.contains("<h1>A &amp; B</h1>"));
        assert!(html.contains("<h2 id=\"c--1\">C = 1</h2>"));
        assert!(html.contains("<td><a href=\"#c--1\"><code>1</code></a></td><td>2</td>"));
        assert!(html.contains("<p><code>a&lt;b</code> is code</p>"));
        assert_eq!(html.matches("<table>\n<tr><th>").count(), 2);
        assert_eq!(html.matches("</table>").count(), 2);
        assert!(html.ends_with("</body>\n</html>\n"));
    }
}
