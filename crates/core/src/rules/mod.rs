//! The rules: their fields, rulesets in text and in words, and known results of games.

pub(crate) mod choices;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod in_words;
pub(crate) mod known;
pub(crate) mod presets;
pub(crate) mod ruleset;
pub(crate) mod text;
