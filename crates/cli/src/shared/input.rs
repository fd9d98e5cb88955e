//! Input from a file or from standard input.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};

use crate::output::note::note;
use crate::shared::terminal::TerminalArgs;

/// The longest text that a command reads as a whole, in bytes: a hundred thousand moves.
const LIMIT: u64 = 1024 * 1024;

/// A file that a command reads. Without a name, and with the name `-`, it is standard input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputFile<'a>(Option<&'a Path>);

impl<'a> InputFile<'a> {
    pub(crate) fn new(path: Option<&'a PathBuf>) -> Self {
        Self(path.map(PathBuf::as_path).filter(|path| *path != Path::new("-")))
    }

    /// The whole text. Someone who has to type it is told so by `hint`.
    ///
    /// # Errors
    /// If the file is missing, too long, or not in UTF-8.
    pub(crate) fn text(self, terminal: TerminalArgs, hint: &str) -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        match self.0 {
            Some(path) => {
                let file = File::open(path).map_err(|error| open_error(path, error))?;
                let read = file.take(LIMIT + 1).read_to_end(&mut bytes);
                read.with_context(|| format!("cannot read {}", path.display()))?;
            }
            None => {
                if io::stdin().is_terminal() && !terminal.quiet {
                    note(hint);
                }
                let read = io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes);
                read.context("cannot read standard input")?;
            }
        }
        let name = self.0.map_or_else(|| "the text".to_owned(), |path| path.display().to_string());
        ensure!(bytes.len() as u64 <= LIMIT, "{name} is longer than {LIMIT} bytes");
        String::from_utf8(bytes).map_err(|_| anyhow!("{name} is not written in UTF-8"))
    }
}

/// Why an input file cannot be opened. If there is no such file, the command line is wrong, and not
/// the system.
pub(crate) fn open_error(path: &Path, error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::NotFound {
        return anyhow!("there is no file {}", path.display());
    }
    anyhow::Error::from(error).context(format!("cannot read {}", path.display()))
}
