//! How a command is asked for the format of its results and the file that they go to.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use tempfile::Builder;

use crate::output::CANNOT_WRITE;

/// The formats of a command.
pub(crate) trait ResultFormat: ValueEnum + Copy + Send + Sync + 'static {
    /// The name of the usual one.
    const USUAL: &'static str;
    /// What `--json` asks for.
    const JSON: Self;
    /// What `--csv` asks for.
    const CSV: Self;

    /// Whether the format has colours where the output can show them.
    fn has_colours(self) -> bool;

    /// Whether the format is for programs only, so that it does not go to a terminal.
    fn is_binary(self) -> bool {
        false
    }
}

/// The formats of most commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON document (docs/json.md)
    Json,
    /// A JSON object in each line: the rows of the result
    Jsonl,
    /// The same rows, with a heading, separated by commas
    Csv,
}

impl ResultFormat for Format {
    const USUAL: &'static str = "text";
    const JSON: Self = Self::Json;
    const CSV: Self = Self::Csv;

    fn has_colours(self) -> bool {
        self == Self::Text
    }
}

/// Options about the results. Every command that prints results has them.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputArgs<F: ResultFormat> {
    /// Format of the results
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = F::USUAL)]
    format: F,
    /// Write the results to this file, which appears, or is replaced, when they are complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The same as `--format json`
    #[arg(long, hide = true, conflicts_with_all = ["format", "csv"])]
    json: bool,
    /// The same as `--format csv`
    #[arg(long, hide = true, conflicts_with = "format")]
    csv: bool,
}

impl<F: ResultFormat> OutputArgs<F> {
    /// The format.
    pub(crate) fn format(&self) -> F {
        match (self.json, self.csv) {
            (true, _) => F::JSON,
            (_, true) => F::CSV,
            _ => self.format,
        }
    }

    /// Calls `work` with the place of the results. A file gets its name only if `work` succeeds.
    ///
    /// # Errors
    /// That of `work`; if the file cannot be made; if a binary format would go to a terminal.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let format = self.format();
        let Some(path) = &self.output else {
            ensure!(
                !format.is_binary() || !io::stdout().is_terminal(),
                "this format is not for terminals; name a file with --output FILE"
            );
            // Looking for colours takes time, so it is done only for a format that has them.
            return if format.has_colours() {
                flushed(&mut BufWriter::new(anstream::stdout().lock()), work)
            } else {
                flushed(&mut BufWriter::new(io::stdout().lock()), work)
            };
        };
        let cannot = || format!("cannot write {}", path.display());
        // A device or a pipe can be written to, but not replaced.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = File::options().write(true).open(path).with_context(cannot)?;
            return to_file(file, format, work);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        // Readable by everyone whom the umask allows, unlike other temporary files.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder.unwrap_or(Path::new("."))).with_context(cannot)?;
        let content = file.as_file().try_clone().with_context(cannot)?;
        let result = to_file(content, format, work)?;
        file.as_file().sync_all().with_context(cannot)?;
        file.persist(path).map_err(|error| error.error).with_context(cannot)?;
        Ok(result)
    }
}

/// Writes to a file: text without its colours, everything else as it is.
fn to_file<T>(
    file: File,
    format: impl ResultFormat,
    work: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if format.has_colours() {
        flushed(&mut BufWriter::new(anstream::StripStream::new(file)), work)
    } else {
        flushed(&mut BufWriter::new(file), work)
    }
}

fn flushed<T>(
    out: &mut dyn Write,
    work: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let result = work(out)?;
    out.flush().context(CANNOT_WRITE)?;
    Ok(result)
}
