//! Arguments that several commands share.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, PathCompleter};
use merels_core::{Game, GameRecord, PointNumbers, ReadOptions, Ruleset, RulesetChoice, Side};

use crate::shared::completers;

const DEFAULT_FOLDER: &str = "db";

/// Which databases a command uses.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of all commands")]
pub(crate) struct DatabaseArgs {
    /// Folder of the databases; each ruleset has its own folder in it [default: db]
    #[arg(
        short,
        long,
        global = true,
        value_name = "DIR",
        env = "MERELS_DB",
        add = ArgValueCompleter::new(PathCompleter::dir()),
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    db: Option<PathBuf>,
    /// Rules of the game: a name, or a name with changes [default: standard]
    ///
    /// Changes follow after commas, as in standard,flying=never,stones=7. `merels rules` lists the
    /// names. A game that names its rules needs no --ruleset.
    #[arg(
        short,
        long,
        global = true,
        value_name = "RULES",
        add = ArgValueCandidates::new(completers::rulesets)
    )]
    ruleset: Option<Ruleset>,
}

/// How a command reads positions and games.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct NotationArgs {
    /// Number of the first point, where numbers name the points of a game row by row from the top
    /// left
    #[arg(long, value_name = "0|1", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1))]
    points: u8,
    /// Side that makes the first move of a game from the empty board
    #[arg(long, value_name = "SIDE", value_enum, default_value_t = Begins::White)]
    begins: Begins,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Begins {
    White,
    Black,
}

impl DatabaseArgs {
    /// The rules of the command line.
    pub(crate) fn ruleset(&self) -> Ruleset {
        self.ruleset.unwrap_or(Ruleset::STANDARD)
    }

    /// The rules of the command line, if it names any.
    pub(crate) fn given_ruleset(&self) -> Option<Ruleset> {
        self.ruleset
    }

    /// The rules that the databases are made for. Rules about the history of a game change no
    /// value.
    pub(crate) fn solved_ruleset(&self) -> Ruleset {
        self.ruleset().without_history()
    }

    /// The folder of the databases. It need not exist.
    ///
    /// # Errors
    /// If it is the folder of one ruleset: the folder above it is meant.
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        let folder = self.given_folder().unwrap_or(Path::new(DEFAULT_FOLDER));
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        if files.into_iter().any(|file| file.path().extension().is_some_and(|it| it == "merels")) {
            let above = folder.canonicalize().ok();
            let above = above.as_deref().and_then(Path::parent).unwrap_or(folder);
            anyhow::bail!(
                "{} is the folder of one ruleset; --db takes the folder above it: --db {}",
                folder.display(),
                above.display()
            );
        }
        Ok(folder.to_owned())
    }

    /// The folder of the databases, for a command that only reads. Without --db it need not exist.
    ///
    /// # Errors
    /// Those of [`DatabaseArgs::folder`]; a folder that the user names does not exist.
    pub(crate) fn existing_folder(&self) -> anyhow::Result<PathBuf> {
        let folder = self.folder()?;
        anyhow::ensure!(
            self.given_folder().is_none() || folder.exists(),
            "the folder {} does not exist; name the right one with --db, or make databases with \
             `merels solve --db {0}`",
            folder.display()
        );
        Ok(folder)
    }

    /// The folder that the user names. An empty name and that of the default are none.
    fn given_folder(&self) -> Option<&Path> {
        let given = self.db.as_deref().filter(|folder| !folder.as_os_str().is_empty());
        given.filter(|folder| *folder != Path::new(DEFAULT_FOLDER))
    }

    /// How to read positions and games.
    pub(crate) fn read_options(&self, notation: NotationArgs) -> ReadOptions {
        ReadOptions {
            ruleset: match self.ruleset {
                Some(ruleset) => RulesetChoice::Given(ruleset),
                None => RulesetChoice::Default(Ruleset::STANDARD),
            },
            points: if notation.points == 0 {
                PointNumbers::FromZero
            } else {
                PointNumbers::FromOne
            },
            begins: match notation.begins {
                Begins::White => Side::White,
                Begins::Black => Side::Black,
            },
        }
    }
}

/// The game in the text that an option `--moves` has. Without moves it stands at its beginning.
///
/// # Errors
/// If the text is not one game. If it names a file, the message says how to pass its content.
pub(crate) fn game(text: &str, options: &ReadOptions) -> anyhow::Result<Game> {
    if text.trim().is_empty() {
        return Ok(Game::to_position("startpos", options)?);
    }
    let records = GameRecord::read_all(text, options).map_err(|error| {
        if !Path::new(text).is_file() {
            return anyhow::Error::from(error);
        }
        anyhow!(
            "--moves takes the text of a game, and '{text}' is the name of a file; pass its content: \
             --moves \"$(cat {text})\""
        )
    })?;
    let count = records.len();
    let [record] = <[GameRecord; 1]>::try_from(records).map_err(|_| {
        anyhow!("--moves takes one game, and this text has {count}; `merels annotate` reads files of games")
    })?;
    Ok(record.game)
}

/// The seed of an option `--seed`, or a random one. It is small enough for every JSON reader.
pub(crate) fn seed_or_random(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| fastrand::u64(..1 << 32))
}
