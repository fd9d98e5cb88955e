//! A page, independent of the language in which it is written later.

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A heading; 1 is the largest.
    Heading(u8, String),
    /// Running text.
    Paragraph(String),
    /// A table.
    Table(Table),
    /// A plot.
    Figure(Figure),
    /// Preformatted text behind a line that opens it.
    Details {
        /// The line that opens it.
        summary: String,
        /// The text.
        text: String,
    },
}

/// Rows under headings. The first column is text, the others are mostly numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) headings: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) cells: Vec<String>,
    /// The heading of the second level to which the first cell links.
    pub(crate) about: Option<String>,
}

impl Table {
    pub(crate) fn new(headings: &[&str]) -> Self {
        Self { headings: headings.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// Adds a row of as many cells as there are headings.
    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.push_row(cells.into_iter().collect(), None);
    }

    /// Adds a row whose first cell links to a heading of the second level.
    pub(crate) fn push_about(&mut self, heading: String, cells: impl IntoIterator<Item = String>) {
        self.push_row(cells.into_iter().collect(), Some(heading));
    }

    fn push_row(&mut self, cells: Vec<String>, about: Option<String>) {
        assert_eq!(cells.len(), self.headings.len(), "{cells:?}");
        self.rows.push(Row { cells, about });
    }
}

/// A plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    /// Its name, without extension.
    pub(crate) name: String,
    /// What it shows, also for readers who cannot see it.
    pub(crate) caption: String,
    /// The drawing.
    pub(crate) svg: String,
}

impl Figure {
    pub(crate) fn file_name(&self) -> String {
        format!("{}.svg", self.name)
    }
}

/// A page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
}

impl Document {
    pub(crate) fn heading(&mut self, level: u8, text: impl Into<String>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    pub(crate) fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    pub(crate) fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    pub(crate) fn figure(&mut self, figure: Figure) {
        self.blocks.push(Block::Figure(figure));
    }

    pub(crate) fn details(&mut self, summary: impl Into<String>, text: impl Into<String>) {
        self.blocks.push(Block::Details { summary: summary.into(), text: text.into() });
    }

    pub(crate) fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        })
    }
}

/// The name by which links lead to a heading: the one that GitHub and most other programs derive
/// from a heading in Markdown.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// A part of a whole in percent, or a dash if the whole is zero.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}
