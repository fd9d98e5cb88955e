//! What the command line asks about: a position, or the lines of a file or of standard input.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use anyhow::{Context, bail};
use merels_core::{Game, ReadOptions};

use crate::commands::query::args::QueryArgs;
use crate::commands::query::lines::Input;
use crate::output::note::note;
use crate::shared::arguments;
use crate::shared::input::open_error;
use crate::shared::terminal::TerminalArgs;

/// What to answer.
pub(super) enum Asked {
    /// A position at the end of a game, and its text.
    Position(Game, String),
    /// A position in each line.
    Lines(Input<Box<dyn Read>>),
}

/// Reads the command line.
///
/// # Errors
/// If it is not a position, and not the name of a file.
pub(super) fn read(
    args: &QueryArgs,
    options: &ReadOptions,
    terminal: TerminalArgs,
) -> anyhow::Result<Asked> {
    if let Some(moves) = &args.moves {
        return Ok(Asked::Position(arguments::game(moves, options)?, String::new()));
    }
    let text = args.position.join(" ");
    if text.is_empty() || text == "-" {
        if io::stdin().is_terminal() && !terminal.quiet {
            note("Type a position in each line; Ctrl-D ends. `merels query --help` shows how.");
        }
        return Ok(Asked::Lines(Input::stdin()));
    }
    let error = match Game::to_position(&text, options) {
        Ok(game) => return Ok(Asked::Position(game, text)),
        Err(error) => anyhow::Error::from(error),
    };
    let path = Path::new(&text);
    if path.exists() {
        return lines_of(path);
    }
    if looks_like_a_file(&text) {
        bail!("'{text}' is not a position, and there is no file of this name");
    }
    Err(error)
}

/// The lines of a file, which is no game.
fn lines_of(path: &Path) -> anyhow::Result<Asked> {
    let input = Input::file(path).map_err(|error| open_error(path, error))?;
    if input.is_file && is_game(path).with_context(|| format!("cannot read {}", path.display()))? {
        let name = path.display();
        bail!(
            "{name} has a game, not a position in each line: look its last position up with \
             `merels query --moves \"$(cat {name})\"`, or judge its moves with `merels annotate \
             {name}`"
        );
    }
    Ok(Asked::Lines(input))
}

/// Whether a file begins like a game in PGN: with a tag.
fn is_game(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    std::fs::File::open(path)?.take(1024).read_to_end(&mut beginning)?;
    let text = String::from_utf8_lossy(&beginning);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    Ok(text.starts_with('['))
}

/// Whether a word is more likely the name of a file than a position: `games.txt`, `x/y.csv`.
fn looks_like_a_file(text: &str) -> bool {
    let extension = Path::new(text).extension().and_then(|extension| extension.to_str());
    let is_short = |extension: &str| {
        (2..=5).contains(&extension.len()) && extension.bytes().all(|it| it.is_ascii_lowercase())
    };
    !text.contains(char::is_whitespace) && extension.is_some_and(is_short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        for name in ["games.txt", "x/y.csv", "./a.pgn"] {
            assert!(looks_like_a_file(name), "{name}");
        }
        for text in [".WWBW..B/......../.B......|B|9|9", "d6", "w:a1 b:a4", "********/O*"] {
            assert!(!looks_like_a_file(text), "{text}");
        }
    }
}
