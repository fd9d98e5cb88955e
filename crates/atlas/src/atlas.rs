//! All together: reads folders, and writes the page.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use merels_core::{Ruleset, Subspace};

use crate::document::Document;
use crate::error::AtlasError;
use crate::game::Game;
use crate::{html, markdown, sections};

/// The folder of the plots, beside the page.
const PLOTS: &str = "atlas";
/// The file name of the page.
const PAGE: &str = "atlas.md";

/// A page about some solved games.
#[derive(Debug)]
pub struct Atlas {
    document: Document,
    failed: Vec<(Ruleset, AtlasError)>,
    gone: Vec<(Ruleset, Subspace)>,
}

/// The rulesets that have a folder in `db`: presets first, in their usual order. Empty if `db` does
/// not exist.
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
        // A folder of databases has the name that its rules print.
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
    /// Reads the folders of `rulesets` in `db`, each once. It leaves out a game that it cannot
    /// read; [`failed`](Self::failed) has the reason.
    ///
    /// # Errors
    /// [`AtlasError::Nothing`] if there is no ruleset, or only folders without tables. If no folder
    /// can be read, the first reason: [`AtlasError::Database`] if a folder is missing or
    /// unreadable, [`AtlasError::Query`] if a database is damaged.
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

    /// The subspaces in manifests whose files are missing.
    pub fn gone(&self) -> &[(Ruleset, Subspace)] {
        &self.gone
    }

    /// Writes `atlas.md` into `dir` and the plots into `dir/atlas`. Makes both folders if they are
    /// missing. Returns the path of the page.
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

    /// The page as Markdown. It refers to plots in the folder `atlas` beside it.
    pub fn to_markdown(&self) -> String {
        markdown::write(&self.document, PLOTS)
    }

    /// The page as HTML with the plots in it.
    pub fn to_html(&self) -> String {
        html::write(&self.document)
    }
}
