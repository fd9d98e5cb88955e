//! A game as a text that `--moves` takes.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::Context;
use merels_core::Side;

use super::Player;
use super::session::Session;

/// A game with its rules, players, moves and result. All but moves and result stands in comments.
pub(super) struct Transcript<'a> {
    session: &'a Session<'a>,
}

impl<'a> Transcript<'a> {
    pub(super) const fn of(session: &'a Session<'a>) -> Self {
        Self { session }
    }

    /// Writes the game to a file, in place of what may be there.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn save(&self, path: &Path) -> anyhow::Result<()> {
        let written = fs::write(path, self.to_string());
        written.with_context(|| format!("cannot write {}", path.display()))
    }
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
            writeln!(f, "; end: {}", session.told(ending))?;
        }
        writeln!(f, "{}", session.moves_and_result())
    }
}
