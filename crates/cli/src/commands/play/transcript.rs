//! A game as a text that `--moves` reads.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use merels_core::Side;
use tempfile::Builder;

use crate::commands::play::player::Player;
use crate::commands::play::session::Session;

/// A game with its rules, players, moves and result. All but moves and result are comments.
pub(super) struct Transcript<'a> {
    session: &'a Session<'a>,
}

impl<'a> Transcript<'a> {
    pub(super) const fn of(session: &'a Session<'a>) -> Self {
        Self { session }
    }

    /// Writes the game to a file. An existing file is replaced only by `force`, and only when the
    /// new one is on the disk.
    ///
    /// # Errors
    /// If the file exists, or the system refuses.
    pub(super) fn save(&self, path: &Path, force: bool) -> anyhow::Result<()> {
        check_new(path, force)?;
        let written = || {
            // A device or a pipe can be written to, but not replaced.
            if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
                return fs::write(path, self.to_string());
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let mut builder = Builder::new();
            // Readable by everyone whom the umask allows, unlike other temporary files.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
            file.write_all(self.to_string().as_bytes())?;
            file.as_file().sync_all()?;
            if force {
                file.persist(path)?;
            } else {
                file.persist_noclobber(path)?;
            }
            Ok(())
        };
        written().with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Refuses a file that exists, unless `force` is set. A device or a pipe loses nothing.
///
/// # Errors
/// If the file exists.
pub(super) fn check_new(path: &Path, force: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        force || !path.is_file(),
        "{} exists already; choose another name, or replace it with --force",
        path.display()
    );
    Ok(())
}

impl fmt::Display for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let session = self.session;
        let ruleset = session.ruleset();
        writeln!(f, "; ruleset: {ruleset}")?;
        for (word, side) in [("white", Side::White), ("black", Side::Black)] {
            match session.player(side) {
                Player::Person => writeln!(f, "; {word}: person")?,
                Player::Perfect => writeln!(f, "; {word}: perfect play, seed {}", session.seed())?,
            }
        }
        if let Some(ending) = session.ending() {
            writeln!(f, "; end: {}", session.in_words(ending))?;
        }
        writeln!(f, "{}", session.moves_and_result())
    }
}
