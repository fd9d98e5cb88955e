//! Rulesets as text: a preset's name, with fields changed after commas.

use std::fmt;
use std::str::FromStr;

use crate::rules::error::RulesetError;
use crate::rules::fields::FIELDS;
use crate::rules::ruleset::Ruleset;

impl Ruleset {
    /// All fields, each with its word in this ruleset, as in `field=word`.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, String)> {
        FIELDS.iter().map(|field| (field.name, (field.get)(self)))
    }
}

impl fmt::Display for Ruleset {
    /// The preset's name, or `standard` with the fields that differ. Reading it back gives the same
    /// rules, and no two rulesets print alike, so the text also names a folder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(preset) = Self::PRESETS.iter().find(|preset| preset.ruleset == *self) {
            return f.write_str(preset.name);
        }
        f.write_str("standard")?;
        for field in &FIELDS {
            let word = (field.get)(self);
            if word != (field.get)(&Self::STANDARD) {
                write!(f, ",{}={word}", field.name)?;
            }
        }
        Ok(())
    }
}

impl FromStr for Ruleset {
    type Err = RulesetError;

    /// Reads a preset's name, with fields changed after commas: `standard,flying=never,stones=7`.
    fn from_str(text: &str) -> Result<Self, RulesetError> {
        let mut words = text.split(',').map(str::trim);
        let name = words.next().unwrap_or_default();
        let preset = Self::PRESETS.iter().find(|preset| preset.name == name);
        let mut ruleset =
            preset.ok_or_else(|| RulesetError::Name { name: name.to_owned() })?.ruleset;
        let mut seen = Vec::new();
        for text in words {
            let (key, value) =
                text.split_once('=').ok_or_else(|| RulesetError::Form { text: text.to_owned() })?;
            let field = FIELDS
                .iter()
                .find(|field| field.name == key)
                .ok_or_else(|| RulesetError::Field { field: key.to_owned() })?;
            if seen.contains(&field.name) {
                return Err(RulesetError::Twice { field: field.name });
            }
            seen.push(field.name);
            (field.set)(&mut ruleset, value).ok_or_else(|| RulesetError::Value {
                field: field.name,
                value: value.to_owned(),
                allowed: (field.words)(),
            })?;
        }
        ruleset.check()?;
        Ok(ruleset)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use crate::rules::choices::{Removal, Repetition};

    use super::*;

    #[test]
    fn presets_are_sound_and_print_as_they_are_read() {
        for preset in Ruleset::PRESETS {
            assert_eq!(preset.ruleset.check(), Ok(()), "{}", preset.name);
            assert_eq!(preset.name.parse(), Ok(preset.ruleset));
            assert_eq!(preset.ruleset.to_string(), preset.name);
        }
    }

    #[test]
    fn overrides_are_read_and_printed() {
        let text = "standard,stones=7,removal=free,repetition=threefold,ply-limit=100";
        let rules: Ruleset = text.parse().unwrap();
        assert_eq!((rules.stones, rules.removal), (7, Removal::Free));
        assert_eq!(rules.to_string(), text);
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        let refusal = |text: &str| text.parse::<Ruleset>().unwrap_err().to_string();
        assert!(refusal("standart").contains("no ruleset 'standart'"));
        assert!(refusal("standard,flying").contains("field=value"));
        assert!(refusal("standard,wings=2").contains("no field 'wings'"));
        assert!(refusal("standard,flying=4").contains("three or never"));
        assert!(refusal("standard,stones=2").contains("3 to 12"));
        assert!(refusal("three,stones=5").contains("3 to 4"));
        assert!(refusal("").contains("no ruleset ''"));
        assert!(refusal("standard,stones=5,stones=6").contains("stones is given twice"));
    }

    #[test]
    fn rules_that_never_come_to_bear_are_refused() {
        let refusal = |text: &str| text.parse::<Ruleset>().unwrap_err().to_string();
        assert_eq!(
            refusal("lasker,full-board=draw"),
            "full-board=draw has no meaning here: 20 stones never fill the board 'nine' of 24 \
             points; take full-board=loss"
        );
        assert!(refusal("three,stones=4,full-board=draw").contains("8 stones never fill"));
        assert!(refusal("seven,stones=8,full-board=draw").contains("of 17 points"));
        assert!("six,stones=8,full-board=draw".parse::<Ruleset>().is_ok());
        assert!("standard,stones=12,full-board=draw".parse::<Ruleset>().is_ok());
        assert_eq!(
            refusal("four,double-mill=two"),
            "double-mill=two has no meaning here: two mills at once take 5 stones on the board \
             'six', and a side has 4; take double-mill=one"
        );
        assert!(refusal("three,stones=4,double-mill=two").contains("take 5 stones"));
        assert!(refusal("seven,stones=3,double-mill=two").contains("take 4 stones"));
        assert!("seven,stones=4,double-mill=two".parse::<Ruleset>().is_ok());
        assert!("five,double-mill=two".parse::<Ruleset>().is_ok());
    }

    #[test]
    fn rules_about_history_can_be_left_out() {
        for preset in Ruleset::PRESETS {
            let with = Ruleset {
                repetition: Repetition::Threefold,
                ply_limit: NonZeroU16::new(100),
                ..preset.ruleset
            };
            assert_ne!(with, preset.ruleset);
            assert_eq!(with.without_history(), preset.ruleset);
        }
    }
}
