//! The text of games as people paste it, without what carries no meaning.
//!
//! Byte order marks, zero-width characters, quote signs at the start of a line and the tags and
//! entities of HTML are taken out. Each place of the cleaned text knows its place in the original.

use crate::notation::error::TextLocation;

/// A cleaned text.
pub(crate) struct Source {
    text: String,
    /// Where runs of unchanged characters of one line begin: the byte of the cleaned text, the line
    /// and the column of the original.
    runs: Vec<(usize, usize, usize)>,
}

/// What is replaced, and by what.
const REPLACED: [(&str, &str); 8] = [
    ("<br>", "\n"),
    ("<br/>", "\n"),
    ("<br />", "\n"),
    ("<BR>", "\n"),
    ("&nbsp;", " "),
    ("&gt;", ">"),
    ("&lt;", "<"),
    ("\u{a0}", " "),
];

const fn is_invisible(found: char) -> bool {
    matches!(found, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

impl Source {
    /// Cleans a text.
    pub(crate) fn new(original: &str) -> Self {
        let mut source = Self { text: String::with_capacity(original.len()), runs: Vec::new() };
        for (line, text) in (1..).zip(original.split('\n')) {
            source.push_line(line, text);
            source.text.push('\n');
        }
        source.text.pop();
        source
    }

    fn push_line(&mut self, line: usize, text: &str) {
        let is_quote = |found: char| matches!(found, '>' | ' ' | '\t') || is_invisible(found);
        let quoted = text.trim_start_matches(is_quote);
        let has_quote = text[..text.len() - quoted.len()].contains('>');
        let mut rest = if has_quote { quoted } else { text };
        let mut column = 1 + text[..text.len() - rest.len()].chars().count();
        self.runs.push((self.text.len(), line, column));
        while let Some(found) = rest.chars().next() {
            let replaced = REPLACED.iter().find(|(from, _)| rest.starts_with(from));
            let (taken, put) = match replaced {
                Some((from, to)) => (*from, *to),
                None if is_invisible(found) => (&rest[..found.len_utf8()], ""),
                None => {
                    self.text.push(found);
                    column += 1;
                    rest = &rest[found.len_utf8()..];
                    continue;
                }
            };
            self.text.push_str(put);
            column += taken.chars().count();
            rest = &rest[taken.len()..];
            self.runs.push((self.text.len(), line, column));
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The place in the original of a byte of the cleaned text.
    pub(crate) fn location(&self, at: usize) -> TextLocation {
        let run = self.runs.partition_point(|&(start, ..)| start <= at).saturating_sub(1);
        let (start, line, column) = self.runs[run];
        let between = self.text.get(start..at).map_or(0, |text| text.chars().count());
        TextLocation { line: Some(line), column: column + between }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_original() {
        let source = Source::new("\u{feff}> d6\u{200b} f4<br>d7\nf2");
        assert_eq!(source.text(), "d6 f4\nd7\nf2");
        let place = |text: &str| {
            let TextLocation { line, column } = source.location(source.text().find(text).unwrap());
            (line.unwrap(), column)
        };
        assert_eq!(["d6", "f4", "d7", "f2"].map(place), [(1, 4), (1, 8), (1, 14), (2, 1)]);
        assert_eq!(source.location(source.text().len()).line, Some(2));
    }
}
