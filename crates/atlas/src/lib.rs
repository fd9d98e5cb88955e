//! Pages about solved games: what they come to, how outcomes and distances are spread, the longest wins.
//!
//! An [`Atlas`] reads the headers of the databases of one or more rulesets, which hold all counts
//! ([`merels_db::Distribution`]), looks up the first moves and the line of best play from a longest win
//! where the edition can answer, and writes what it has found as a page of Markdown with plots in files of
//! their own ([`Atlas::write_markdown`]) or as one page of HTML ([`Atlas::to_html`]). The same databases
//! give the same bytes: there are no dates, times or paths in it. What a folder lacks is said to be lacking.
//!
//! The parts: `game` (the facts), `sections` (what is told about them), `plots` (drawings), `document`,
//! `markdown` and `html` (how it is written).
//!
//! ```no_run
//! use std::path::Path;
//!
//! use merels_atlas::{Atlas, rulesets_in};
//!
//! let db = Path::new("db");
//! let atlas = Atlas::read(db, &rulesets_in(db)?)?;
//! atlas.write_markdown(Path::new("docs"))?;
//! # Ok::<(), merels_atlas::AtlasError>(())
//! ```

mod document;
mod error;
mod game;
mod html;
mod markdown;
mod plots;
mod sections;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use merels_core::{Ruleset, Subspace};
use merels_db::{DbError, DbErrorKind};

pub use error::AtlasError;

use document::Document;
use game::Game;

/// The folder of the plots, beside the page.
const PLOTS: &str = "atlas";
/// The page.
const PAGE: &str = "atlas.md";

/// What is told about some solved games.
#[derive(Debug)]
pub struct Atlas {
    document: Document,
    failed: Vec<(Ruleset, AtlasError)>,
    gone: Vec<(Ruleset, Subspace)>,
}

/// The rulesets that have a folder in `db`: named ones first, in their usual order. None if there is no such
/// folder.
///
/// # Errors
/// [`AtlasError::Io`] if `db` cannot be listed.
pub fn rulesets_in(db: &Path) -> Result<Vec<Ruleset>, AtlasError> {
    let io = |source| AtlasError::Io { operation: "list", path: db.to_owned(), source };
    let mut found = Vec::new();
    let entries = match fs::read_dir(db) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
        entries => entries.map_err(io)?,
    };
    for entry in entries {
        let entry = entry.map_err(io)?;
        let name = entry.file_name().into_string().unwrap_or_default();
        // Only the name that the rules print as: others are no folder of databases.
        let ruleset = name.parse::<Ruleset>().ok().filter(|rules| rules.to_string() == name);
        found.extend(ruleset.filter(|_| entry.path().is_dir()));
    }
    found.sort_by_key(|ruleset| {
        let preset = Ruleset::PRESETS.iter().position(|preset| preset.ruleset == *ruleset);
        (preset.is_none(), preset, ruleset.to_string())
    });
    Ok(found)
}

impl Atlas {
    /// Reads what the folders of `rulesets` in `db` say, of each once. A game that cannot be read is left out,
    /// and [`failed`](Self::failed) has the reason.
    ///
    /// # Errors
    /// [`AtlasError::Nothing`] if there is nothing to read: no ruleset, or only folders without tables. Where
    /// nothing can be read, the first reason: [`AtlasError::Database`] if a folder is not there or cannot be
    /// read, [`AtlasError::Query`] if a database is damaged.
    pub fn read(db: &Path, rulesets: &[Ruleset]) -> Result<Self, AtlasError> {
        let mut games: Vec<Game> = Vec::new();
        let mut failed = Vec::new();
        for (i, &ruleset) in rulesets.iter().enumerate() {
            let rules = ruleset.without_history();
            if rulesets[..i].iter().any(|earlier| earlier.without_history() == rules) {
                continue;
            }
            match Game::read(db, ruleset) {
                Ok(game) => games.push(game),
                Err(error) => failed.push((ruleset, error)),
            }
        }
        let listed =
            |game: &Game| game.gone.iter().map(|&it| (game.ruleset, it)).collect::<Vec<_>>();
        let gone = games.iter().flat_map(listed).collect();
        games.retain(|game| !game.tables.is_empty());
        if games.is_empty() {
            let first = failed.into_iter().next().map(|(_, error)| error);
            return Err(first.unwrap_or(AtlasError::Nothing { folder: db.to_owned() }));
        }
        Ok(Self { document: sections::document(&games)?, failed, gone })
    }

    /// The games that could not be read, with the reason.
    pub fn failed(&self) -> &[(Ruleset, AtlasError)] {
        &self.failed
    }

    /// The subspaces that manifests list, and whose files are gone.
    pub fn gone(&self) -> &[(Ruleset, Subspace)] {
        &self.gone
    }

    /// Writes `atlas.md` into `dir`, and the plots into `dir/atlas`; both folders are made if they are missing.
    /// Gives the path of the page.
    ///
    /// # Errors
    /// [`AtlasError::Io`].
    pub fn write_markdown(&self, dir: &Path) -> Result<PathBuf, AtlasError> {
        let plots = dir.join(PLOTS);
        let io = |operation, path: &Path| {
            let path = path.to_owned();
            move |source| AtlasError::Io { operation, path, source }
        };
        fs::create_dir_all(&plots).map_err(io("create", &plots))?;
        for figure in self.document.figures() {
            let path = plots.join(figure.file_name());
            fs::write(&path, &figure.svg).map_err(io("write", &path))?;
        }
        let path = dir.join(PAGE);
        fs::write(&path, self.to_markdown()).map_err(io("write", &path))?;
        Ok(path)
    }

    /// The page as Markdown, which refers to plots in the folder `atlas` beside it.
    pub fn to_markdown(&self) -> String {
        markdown::write(&self.document, PLOTS)
    }

    /// The page as HTML with the plots in it.
    pub fn to_html(&self) -> String {
        html::write(&self.document)
    }
}

/// Whether an error says that values are not there, and not that something is wrong with them.
const fn is_absent(error: &DbError) -> bool {
    matches!(error.kind(), DbErrorKind::Missing)
}
