//! The rules of a game in words, made from the fields of its ruleset.
//!
//! Each field decides at least one sentence. So you can read the rules that you play by and the
//! rules of a database. Some sentences settle cases that rule books leave open.

use crate::board::boards::Specification;
use crate::rules::choices::DoubleMill;
use crate::rules::error::RulesetError;
use crate::rules::known::{Evidence, KnownResult};
use crate::rules::ruleset::Ruleset;
use crate::value::values::{Outcome, Value};

/// What the rules say about one part of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSection {
    /// The part of the game.
    pub title: &'static str,
    /// The rules, a sentence or two each, in reading order.
    pub rules: Vec<String>,
}

/// Fixed sentences as a list that can grow.
fn sentences(fixed: &[&str]) -> Vec<String> {
    fixed.iter().copied().map(String::from).collect()
}

impl Ruleset {
    /// The rules in words: the board, placing, moving, mills, the end of the game, and the result
    /// under best play, if it is known.
    ///
    /// ```
    /// use merels_core::Ruleset;
    ///
    /// let rules: Ruleset = "standard,flying=never".parse()?;
    /// let book = rules.in_words()?;
    /// let moving = book.iter().find(|section| section.title == "Moving").unwrap();
    /// assert!(moving.rules.iter().any(|rule| rule.contains("Stones never jump")));
    /// # Ok::<(), merels_core::RulesetError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Ruleset::check`].
    pub fn in_words(&self) -> Result<Vec<RuleSection>, RulesetError> {
        self.check()?;
        let section = |title, rules| RuleSection { title, rules };
        Ok(vec![
            section("The board", self.board_in_words()),
            section("Placing", self.placing_in_words()),
            section("Moving", self.moving_in_words()),
            section("Mills", self.mills_in_words()),
            section("The end", self.end_in_words()),
            section("The result", self.result_in_words()),
        ])
    }

    fn board_in_words(&self) -> Vec<String> {
        let geometry = self.board.geometry();
        let (points, lines) = (geometry.point_count(), geometry.lines().len());
        let Specification { drawn, remark, .. } = self.board.specification();
        let mut rules = vec![
            format!("The board has {points} points: {drawn}."),
            format!(
                "Three points in a row on one straight line can form a mill. There are {lines} such \
                 lines."
            ),
        ];
        rules.extend(remark.map(String::from));
        rules.push(format!("Each side has {} stones. White begins.", self.stones));
        rules
    }

    fn placing_in_words(&self) -> Vec<String> {
        let [placing, moves_meanwhile, ..] = self.placing.sentences();
        let mut rules = sentences(&[
            placing,
            moves_meanwhile,
            "A side with a stone in hand can always place it: there is always an empty point.",
        ]);
        let (points, stones) = (self.board.geometry().point_count(), 2 * self.stones);
        rules.push(if stones < points {
            format!("The board is never full: {stones} stones, {points} points.")
        } else {
            let [end] = self.full_board.sentences();
            format!(
                "If all {stones} stones are placed and none is removed, the board is full: {end}."
            )
        });
        rules
    }

    fn moving_in_words(&self) -> Vec<String> {
        let [_, _, moving, _] = self.placing.sentences();
        let [flying] = self.flying.sentences();
        let mut rules = sentences(&[moving, flying]);
        if self.stones == Self::MIN_STONES && self.flies(self.stones) {
            rules.push("Both sides have three stones from the beginning, so both fly.".into());
        }
        rules.push("A side that can move must move.".into());
        rules
    }

    fn mills_in_words(&self) -> Vec<String> {
        let [removal, second] = self.removal.sentences();
        let mut rules = sentences(&[
            "A side closes a mill when the stone that it places or moves forms a mill with two others \
             of its stones. In the same turn it removes a stone of the other side from the game.",
            "A mill may be opened and closed again any number of times. Each time it removes a stone.",
            removal,
            "Only stones on the board are removed. If the other side has none there, closing a mill \
             removes nothing, and the turn is over.",
        ]);
        if self.stones >= self.board.geometry().fewest_in_two_mills() {
            let [two] = self.double_mill.sentences();
            rules.push(match self.double_mill {
                DoubleMill::One => two.into(),
                DoubleMill::Two => format!("{two} {second}"),
            });
        }
        rules
    }

    fn end_in_words(&self) -> Vec<String> {
        let [_, _, _, blocked] = self.placing.sentences();
        let [repetition] = self.repetition.sentences();
        let mut rules = sentences(&[
            "A side with fewer than three stones, board and hand together, loses.",
            blocked,
            repetition,
        ]);
        rules.extend(self.ply_limit.map(|plies| {
            let passed = match plies.get() {
                1 => "one ply has".into(),
                plies => format!("{plies} plies in a row have"),
            };
            format!(
                "The game is a draw when {passed} neither placed nor removed a stone. A ply is one \
                 turn of one side."
            )
        }));
        rules
    }

    fn result_in_words(&self) -> Vec<String> {
        let left_out: Vec<_> = [
            (self.repetition != self.without_history().repetition, "repetition"),
            (self.ply_limit.is_some(), "the limit of plies"),
        ]
        .into_iter()
        .filter_map(|(applies, name)| applies.then_some(name))
        .collect();
        let left_out = left_out.join(" and ");
        let result = match self.known_result() {
            None => "The result under best play is not known.".into(),
            Some(KnownResult { value, evidence }) => {
                let source = match evidence {
                    Evidence::Published => "This is published.",
                    Evidence::Computed => "merels computed this.",
                    Evidence::Both => "This is published, and merels computed it, too.",
                };
                let rules = match left_out.as_str() {
                    "" => String::new(),
                    left_out => format!(", without the rule of {left_out}"),
                };
                format!("Under best play{rules}, {}. {source}", for_white(value))
            }
        };
        let mut rules = vec![result];
        if !left_out.is_empty() {
            rules.push(
                "The values of positions ignore the rules of repetition and of the limit of plies, \
                 which depend on the earlier moves. A side that can win need not repeat a position, \
                 but a limit of plies may end a game that it would win."
                    .into(),
            );
        }
        rules
    }
}

/// The value of the empty board, where White is to move.
fn for_white(value: Value) -> String {
    let end = match value.outcome() {
        Outcome::Win => "White wins",
        Outcome::Draw => "the game is a draw",
        Outcome::Loss => "Black wins",
    };
    match value.distance() {
        Some(plies) => format!("{end} in {}", plies.in_words()),
        None => end.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rules of a game, one after the other.
    fn book(ruleset: &str) -> String {
        let rules: Ruleset = ruleset.parse().unwrap();
        let sections = rules.in_words().unwrap();
        sections.iter().flat_map(|section| &section.rules).map(|rule| format!("{rule}\n")).collect()
    }

    /// For two words of each field: a phrase that only the rules with the one word have, and a
    /// phrase that only those with the other have.
    #[test]
    fn every_field_changes_what_is_said() {
        for (first, second, only_first, only_second) in [
            ("standard", "no-flying", "Flying: a side", "Stones never jump"),
            ("standard", "strict-removal", "unless all stones", "is never removed"),
            ("strict-removal", "free-removal", "is never removed", "Any stone may be removed"),
            ("standard", "double-removal", "removes one stone", "removes two stones"),
            ("standard", "standard,placing=mixed", "No stone moves before", "either places one"),
            (
                "morabaraba,full-board=loss",
                "morabaraba",
                "cannot move and loses",
                "the game is a draw",
            ),
            ("six", "six,repetition=threefold", "No rule counts", "for the third time"),
            ("three", "four", "9 points", "16 points"),
            ("six", "five", "6 stones", "5 stones"),
            ("six", "seven", "have only two points", "four in a row"),
        ] {
            let [one, other] = [first, second].map(book);
            assert_ne!(one, other, "{first} {second}");
            assert!(one.contains(only_first), "{first}: {one}");
            assert!(other.contains(only_second), "{second}: {other}");
            if (first, second) != ("standard", "strict-removal") {
                assert!(!one.contains(only_second), "{first}: {one}");
            }
            assert!(!other.contains(only_first), "{second}: {other}");
        }
        assert!(book("six,ply-limit=100").contains("when 100 plies"));
        assert!(!book("six").contains("plies in a row"));
        assert!(book("six,ply-limit=1").contains("when one ply has neither placed"));
    }

    #[test]
    fn no_two_presets_read_alike() {
        let books: Vec<_> = Ruleset::PRESETS.iter().map(|preset| book(preset.name)).collect();
        for (i, one) in books.iter().enumerate() {
            assert!(!books[..i].contains(one), "{}", Ruleset::PRESETS[i].name);
        }
    }

    #[test]
    fn cases_that_never_happen_have_no_rule() {
        assert!(book("standard").contains("The board is never full: 18 stones, 24 points."));
        assert!(book("morabaraba").contains("If all 24 stones are placed"));
        assert!(!book("four").contains("closes two mills"));
        assert!(book("five").contains("closes two mills"));
        assert!(book("three,flying=three").contains("both fly"));
        assert!(!book("six,flying=three").contains("both fly"));
    }

    #[test]
    fn known_results_have_their_source() {
        let three = "White wins in 9 plies. This is published, and merels computed it, too.";
        assert!(book("three").contains(three));
        assert!(
            book("lasker")
                .contains("the game is a draw. This is published, and merels computed it, too.\n")
        );
        let eleven = "White wins in 45 plies. This is published, and merels computed it, too.\n";
        assert!(book("eleven").contains(eleven), "{}", book("eleven"));
        assert!(book("standard,stones=4,removal=free").contains("is not known."));
        // Rules about history do not change the value, and the text says so.
        let limited = book("three,ply-limit=50");
        assert!(limited.contains("may end a game that it would win"));
        let without = "Under best play, without the rule of the limit of plies, ";
        assert!(limited.contains(&format!("{without}{three}")), "{limited}");
        let without = "without the rule of repetition, White wins";
        assert!(book("three,repetition=threefold").contains(without));
        let without = "without the rule of repetition and the limit of plies, White";
        assert!(book("three,repetition=threefold,ply-limit=9").contains(without));
        assert!(!book("three").contains("may end a game"));
    }

    #[test]
    fn rules_that_contradict_each_other_have_no_words() {
        let rules = Ruleset { stones: 2, ..Ruleset::STANDARD };
        assert!(matches!(rules.in_words(), Err(RulesetError::Stones { .. })));
    }
}
