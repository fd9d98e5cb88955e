//! The command line that makes a missing database, for messages.

use std::fmt;
use std::path::Path;

use merels_core::Subspace;
use merels_db::Edition;

/// The command that makes what is missing in a folder `DIR/<ruleset>`, as a user types it.
///
/// ```
/// use std::path::Path;
/// use merels_core::Subspace;
/// use merels_advice::SolveCommand;
///
/// assert_eq!(SolveCommand::new(Path::new("db/standard")).to_string(), "merels solve");
/// let other = SolveCommand::new(Path::new("/my games/three")).only(Subspace::moving(3, 3));
/// assert_eq!(other.to_string(), "merels solve --only 3-3 --ruleset three --db '/my games'");
/// let compact = SolveCommand::new(Path::new("db/six")).of_edition(merels_db::Edition::Compact);
/// assert_eq!(compact.to_string(), "merels solve --ruleset six --edition compact --db db-compact");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SolveCommand<'a> {
    folder: &'a Path,
    only: Option<Subspace>,
    edition: Option<Edition>,
}

impl<'a> SolveCommand<'a> {
    /// For everything in `folder`.
    pub const fn new(folder: &'a Path) -> Self {
        Self { folder, only: None, edition: None }
    }

    /// For one subspace. With stones in hand it depends on most of the game: then for everything.
    #[must_use]
    pub fn only(self, subspace: Subspace) -> Self {
        Self { only: Some(subspace).filter(|subspace| subspace.is_moving()), ..self }
    }

    /// For another edition: in another folder, as a folder holds one edition.
    #[must_use]
    pub fn of_edition(self, edition: Edition) -> Self {
        Self { edition: Some(edition), ..self }
    }
}

impl fmt::Display for SolveCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("merels solve")?;
        if let Some(subspace) = self.only {
            write!(f, " --only {subspace}")?;
        }
        let ruleset = self.folder.file_name().map(|name| name.to_string_lossy());
        if let Some(ruleset) = ruleset.filter(|name| name != "standard") {
            write!(f, " --ruleset {}", quoted(&ruleset))?;
        }
        let db = self.folder.parent().map_or_else(|| "".into(), |db| db.to_string_lossy());
        let db = if db.is_empty() { "db".into() } else { db };
        if let Some(edition) = self.edition {
            write!(f, " --edition {edition}")?;
            return write!(f, " --db {}", quoted(&format!("{db}-{edition}")));
        }
        if db == "db" { Ok(()) } else { write!(f, " --db {}", quoted(&db)) }
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=+:@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
