//! Arguments that several commands share.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use merels_core::{Game, Ruleset};

/// Which databases a command uses.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArgs {
    /// Folder of the databases; each ruleset has its own folder in it
    #[arg(long, global = true, value_name = "DIR", env = "MERELS_DB", default_value = "db")]
    pub(crate) db: PathBuf,
    /// Rules of the game: a name, or a name with changes
    ///
    /// Names: standard, no-flying, free-removal, strict-removal, double-removal, lasker,
    /// morabaraba, eleven, seven, six, five, four, three. Changes follow after commas:
    /// standard,flying=never,stones=7. `merels rules` describes the names.
    #[arg(long, global = true, value_name = "RULES", default_value = "standard")]
    pub(crate) ruleset: Ruleset,
}

impl DatabaseArgs {
    /// The rules that the databases are made for. Rules about the history of a game change no
    /// value.
    pub(crate) const fn solved_ruleset(&self) -> Ruleset {
        self.ruleset.without_history()
    }
}

/// The game in the text that an option `--moves` has.
///
/// # Errors
/// If the text is not a game. If it names a file, the message says how to pass its content.
pub(crate) fn game(text: &str, ruleset: &Ruleset) -> anyhow::Result<Game> {
    Game::parse(text, ruleset).map_err(|error| {
        if !Path::new(text).is_file() {
            return error.into();
        }
        anyhow!(
            "--moves takes the text of a game, and '{text}' is the name of a file; pass its content: \
             --moves \"$(cat {text})\""
        )
    })
}

/// The seed of an option `--seed`, or a random one. It is small enough for every JSON reader.
pub(crate) fn seed_or_random(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| fastrand::u64(..1 << 32))
}
