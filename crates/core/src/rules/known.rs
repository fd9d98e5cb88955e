//! Known results of games: published ones, and those that this program found by solving a game to
//! the empty board.

use crate::rules::ruleset::Ruleset;
use crate::value::values::{Outcome, Plies, Value};

/// The result of a game under best play from the empty board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownResult {
    /// For the side that moves first; [`Plies::UNKNOWN`] if the distance is unknown.
    pub value: Value,
    /// How it is known.
    pub evidence: Evidence,
}

/// How a result is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// It was published; this program has not solved the game.
    Published,
    /// This program has computed it; we know of no publication.
    Computed,
    /// Both, and they agree; the distance, if any, is computed.
    Both,
}

impl Evidence {
    /// Whether it was published.
    pub const fn is_published(self) -> bool {
        matches!(self, Self::Published | Self::Both)
    }

    /// Whether this program has computed it.
    pub const fn is_computed(self) -> bool {
        matches!(self, Self::Computed | Self::Both)
    }
}

use Evidence::{Both, Computed};

const fn win(plies: u16) -> Value {
    Value::Win(Plies(plies))
}

/// By the ruleset's text. A computed result is here only if a run of the whole game has found it.
const RESULTS: &[(&str, Value, Evidence)] = &[
    ("standard", Value::Draw, Both),
    ("standard,stones=3", win(23), Computed),
    ("standard,stones=4", Value::Draw, Computed),
    ("standard,stones=5", Value::Draw, Computed),
    ("standard,stones=6", Value::Draw, Computed),
    ("standard,stones=7", Value::Draw, Computed),
    ("standard,stones=8", Value::Draw, Computed),
    ("standard,stones=10", Value::Draw, Both),
    ("no-flying", Value::Draw, Computed),
    ("free-removal", Value::Draw, Computed),
    ("strict-removal", Value::Draw, Computed),
    ("double-removal", Value::Draw, Computed),
    ("lasker", Value::Draw, Both),
    ("lasker,stones=3", win(23), Computed),
    ("lasker,stones=4", Value::Draw, Computed),
    ("lasker,stones=5", Value::Draw, Computed),
    ("lasker,stones=6", Value::Draw, Computed),
    ("lasker,stones=7", Value::Draw, Computed),
    ("lasker,stones=8", Value::Draw, Computed),
    ("morabaraba", win(49), Both),
    ("eleven", win(45), Both),
    ("seven", win(25), Computed),
    ("seven,flying=never", win(25), Computed),
    ("six", Value::Draw, Both),
    ("six,flying=three", Value::Draw, Both),
    ("five", Value::Draw, Both),
    ("five,flying=three", Value::Draw, Both),
    ("four", Value::Draw, Both),
    ("four,flying=three", Value::Draw, Both),
    ("three", win(9), Both),
    ("three,flying=three", Value::Draw, Computed),
    ("three,stones=4", win(13), Computed),
    ("three,stones=4,flying=three", win(15), Computed),
];

impl KnownResult {
    /// All games with a known result.
    pub fn all() -> impl Iterator<Item = (Ruleset, Self)> {
        RESULTS.iter().filter_map(|&(text, value, evidence)| {
            Some((text.parse().ok()?, Self { value, evidence }))
        })
    }
}

impl Ruleset {
    /// The result under best play from the empty board, if it is known. Rules about the history of
    /// a game do not change it.
    ///
    /// ```
    /// use merels_core::{Evidence, Plies, Ruleset, Value};
    ///
    /// let three: Ruleset = "three".parse()?;
    /// let known = three.known_result().unwrap();
    /// assert_eq!((known.value, known.evidence), (Value::Win(Plies(9)), Evidence::Both));
    /// # Ok::<(), merels_core::RulesetError>(())
    /// ```
    pub fn known_result(&self) -> Option<KnownResult> {
        let rules = self.without_history();
        let mut all = KnownResult::all();
        all.find(|(ruleset, _)| *ruleset == rules).map(|(_, known)| known)
    }

    /// The published outcome of the game for the side that moves first; none if there is none.
    pub fn published_outcome(&self) -> Option<Outcome> {
        let known = self.known_result().filter(|known| known.evidence.is_published());
        known.map(|known| known.value.outcome())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_written_as_rulesets_are_and_none_twice() {
        let rulesets: Vec<_> = KnownResult::all().map(|(ruleset, _)| ruleset).collect();
        assert_eq!(rulesets.len(), RESULTS.len(), "a text is not a ruleset");
        for (i, ruleset) in rulesets.iter().enumerate() {
            assert!(!rulesets[..i].contains(ruleset), "{ruleset}");
            assert_eq!(ruleset.without_history(), *ruleset);
        }
    }

    #[test]
    fn history_changes_nothing() {
        let rules: Ruleset = "six,ply-limit=20".parse().unwrap();
        assert_eq!(rules.published_outcome(), Some(Outcome::Draw));
        let computed: Ruleset = "three,flying=three".parse().unwrap();
        assert_eq!(computed.published_outcome(), None);
        let unknown: Ruleset = "standard,stones=4,removal=free".parse().unwrap();
        assert_eq!(unknown.known_result(), None);
    }
}
