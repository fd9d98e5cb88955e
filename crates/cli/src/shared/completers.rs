//! What a shell offers when you press Tab behind an option: rulesets, editions, and subspaces.
//!
//! The shell runs the program with the words of the unfinished command line as its arguments, so
//! the folder and the rules in them are known here.

use std::env;
use std::path::PathBuf;

use clap_complete::CompletionCandidate;
use merels_core::{Ruleset, Subspace};
use merels_db::{Edition, Folder};

/// The rulesets that have a name.
pub(crate) fn rulesets() -> Vec<CompletionCandidate> {
    let presets = Ruleset::PRESETS.iter();
    presets
        .map(|preset| CompletionCandidate::new(preset.name).help(Some(preset.summary.into())))
        .collect()
}

/// The editions.
pub(crate) fn editions() -> Vec<CompletionCandidate> {
    Edition::ALL.into_iter().map(|edition| CompletionCandidate::new(edition.name())).collect()
}

/// The subspaces that have a database.
pub(crate) fn solved_subspaces() -> Vec<CompletionCandidate> {
    let (folder, ruleset) = database();
    let present = Folder::open(&folder, ruleset).and_then(|folder| folder.subspaces_present());
    candidates(present.unwrap_or_default())
}

/// All subspaces of the game.
pub(crate) fn subspaces() -> Vec<CompletionCandidate> {
    let (_, ruleset) = database();
    let moving = Subspace::all_moving(&ruleset);
    candidates(moving.into_iter().chain(Subspace::placing_layers(&ruleset).concat()))
}

fn candidates(subspaces: impl IntoIterator<Item = Subspace>) -> Vec<CompletionCandidate> {
    let names = subspaces.into_iter().map(|subspace| subspace.to_string());
    names.map(CompletionCandidate::new).collect()
}

/// The folder and the rules of the unfinished command line.
fn database() -> (PathBuf, Ruleset) {
    let words: Vec<_> = env::args().skip_while(|word| word != "--").skip(1).collect();
    let folder = value_of(&words, "-d", "--db").or_else(|| env::var("MERELS_DB").ok());
    let ruleset = value_of(&words, "-r", "--ruleset").and_then(|text| text.parse().ok());
    (folder.unwrap_or_else(|| "db".to_owned()).into(), ruleset.unwrap_or(Ruleset::STANDARD))
}

/// The value of an option, behind it or behind an equals sign.
fn value_of(words: &[String], short: &str, long: &str) -> Option<String> {
    words.iter().enumerate().find_map(|(place, word)| {
        if word == short || word == long {
            return words.get(place + 1).cloned();
        }
        word.strip_prefix(long)?.strip_prefix('=').map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found() {
        let words = ["merels", "list", "--ruleset=six", "-d", "x", "--subspace", ""];
        let words = words.map(str::to_owned);
        assert_eq!(value_of(&words, "-d", "--db"), Some("x".into()));
        assert_eq!(value_of(&words, "-r", "--ruleset"), Some("six".into()));
        assert_eq!(value_of(&words, "-o", "--output"), None);
    }
}
