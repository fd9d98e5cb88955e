//! Tags that say under which rules and from which position a game was played.

use crate::rules::ruleset::Ruleset;

/// What a tag means to the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The rules.
    Rules(String),
    /// The first position.
    Start(String),
    /// Nothing.
    Other,
}

/// Names of rules in other programs, in small letters without blanks and signs.
const VARIANTS: [(&str, &str); 15] = [
    ("ninemensmorris", "standard"),
    ("ninemenmorris", "standard"),
    ("nmm", "standard"),
    ("mill", "standard"),
    ("mills", "standard"),
    ("merels", "standard"),
    ("muhle", "standard"),
    ("mühle", "standard"),
    ("muehle", "standard"),
    ("malom", "standard"),
    ("moulin", "standard"),
    ("laskermorris", "lasker"),
    ("sixmensmorris", "six"),
    ("fivemensmorris", "five"),
    ("threemensmorris", "three"),
];

/// What a tag means.
pub(super) fn meaning(name: &str, value: &str) -> Meaning {
    match name.to_ascii_lowercase().as_str() {
        "ruleset" | "variant" => Meaning::Rules(value.to_owned()),
        "fen" | "position" => Meaning::Start(value.to_owned()),
        _ => Meaning::Other,
    }
}

/// The rules in a comment such as `ruleset: lasker`.
pub(super) fn rules_in_comment(comment: &str) -> Option<&str> {
    let (name, value) = comment.split_once(':')?;
    name.trim().eq_ignore_ascii_case("ruleset").then(|| value.trim())
}

/// The rules of this name: ours, or that of another program.
pub(super) fn rules_named(name: &str) -> Option<Ruleset> {
    if let Ok(ruleset) = name.trim().parse() {
        return Some(ruleset);
    }
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let plain = plain.to_lowercase();
    let known = VARIANTS.iter().find(|(variant, _)| *variant == plain);
    known.and_then(|(_, preset)| preset.parse().ok())
}

/// The value of a tag without its escapes.
pub(super) fn unescaped(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(found) = characters.next() {
        plain.push(if found == '\\' { characters.next().unwrap_or('\\') } else { found });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rules() {
        assert!(VARIANTS.iter().all(|(_, preset)| preset.parse::<Ruleset>().is_ok()));
        assert_eq!(rules_named("Nine Men's Morris"), Some(Ruleset::STANDARD));
        assert_eq!(rules_named("no-flying"), "no-flying".parse().ok());
        assert_eq!(rules_named("chess"), None);
        assert_eq!(rules_in_comment(" ruleset: lasker"), Some("lasker"));
        assert_eq!(rules_in_comment(" white: person"), None);
        assert_eq!(unescaped(r#"a \"b\" \\"#), r#"a "b" \"#);
    }
}
