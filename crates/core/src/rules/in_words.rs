//! The rules of a game in words, made from the fields of its ruleset.
//!
//! Whatever a ruleset changes changes a sentence here, so that people can read what they play and what
//! a database was made for. What the fields leave open is told as well: how the rules decide the cases
//! that rule books pass over.

use crate::board::boards::Board;
use crate::rules::error::RulesetError;
use crate::rules::known::{Evidence, KnownResult};
use crate::rules::ruleset::{DoubleMill, Flying, FullBoard, Placing, Removal, Repetition, Ruleset};
use crate::value::values::{Outcome, Value};

/// What the rules say about one part of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSection {
    /// Which part.
    pub title: &'static str,
    /// The rules, a sentence or two each, in the order in which they are best read.
    pub rules: Vec<String>,
}

impl Ruleset {
    /// The rules in words: the board, placing, moving, mills, the end of the game; and what it comes to,
    /// as far as that is known.
    ///
    /// ```
    /// use merels_core::Ruleset;
    ///
    /// let rules: Ruleset = "standard,flying=never".parse()?;
    /// let book = rules.in_words()?;
    /// let moving = book.iter().find(|section| section.title == "Moving").unwrap();
    /// assert!(moving.rules.iter().any(|rule| rule.contains("Nobody ever jumps")));
    /// # Ok::<(), merels_core::RulesetError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Ruleset::check`]: rules that do not go together are no game.
    pub fn in_words(&self) -> Result<Vec<RuleSection>, RulesetError> {
        self.check()?;
        let section = |title, rules| RuleSection { title, rules };
        Ok(vec![
            section("The board", self.board_in_words()),
            section("Placing", self.placing_in_words()),
            section("Moving", self.moving_in_words()),
            section("Mills", self.mills_in_words()),
            section("The end", self.end_in_words()),
            section("What it comes to", self.result_in_words()),
        ])
    }

    fn board_in_words(&self) -> Vec<String> {
        let (points, lines) = {
            let geometry = self.board.geometry();
            (geometry.point_count(), geometry.lines().len())
        };
        let drawn = match self.board {
            Board::Nine => {
                "three squares, one within the other, with the middles of their sides joined"
            }
            Board::Twelve => {
                "three squares, one within the other, with the middles of their sides and their \
                 corners joined"
            }
            Board::Six => {
                "two squares, one within the other, with the middles of their sides joined"
            }
            Board::Seven => {
                "two squares, one within the other, and a cross through the middles of their sides \
                 and the centre"
            }
            Board::Three => {
                "a square with both diagonals and a cross through the middles of its sides, all \
                 through the centre"
            }
        };
        let mut rules = vec![
            format!("The board has {points} points: {drawn}."),
            format!(
                "Three points in a row on one straight line can hold a mill: there are {lines} such \
                 lines."
            ),
        ];
        match self.board {
            Board::Six => rules
                .push("What joins the two squares holds only two points, and so no mill.".into()),
            Board::Seven => rules.push(
                "Both lines of the cross have five points, and any three of them in a row can hold a \
                 mill: four in a row are two mills."
                    .into(),
            ),
            Board::Nine | Board::Twelve | Board::Three => {}
        }
        rules.push(format!("Each side has {} stones. White begins.", self.stones));
        rules
    }

    fn placing_in_words(&self) -> Vec<String> {
        let mut rules = Vec::new();
        match self.placing {
            Placing::First => {
                rules.push(
                    "The sides take turns to place a stone on any empty point, until no stone is in \
                     hand."
                        .into(),
                );
                rules.push("No stone moves before that.".into());
            }
            Placing::Mixed => {
                rules.push(
                    "A side that has stones in hand places one on any empty point, or moves one that \
                     is on the board, as it likes."
                        .into(),
                );
                rules.push(
                    "A side that has placed all its stones moves them, even while the other side has \
                     stones in hand."
                        .into(),
                );
            }
        }
        rules.push(
            "Nobody is stuck with a stone in hand: as long as there is one, there is an empty point."
                .into(),
        );
        rules.push(self.full_board_in_words());
        rules
    }

    fn full_board_in_words(&self) -> String {
        let (points, stones) = (self.board.geometry().point_count(), 2 * self.stones);
        if stones < points {
            return format!("The board is never full: {stones} stones, {points} points.");
        }
        let end = match self.full_board {
            FullBoard::Loss => "the side to move, White, cannot move and has lost",
            FullBoard::Draw => "the game is a draw",
        };
        format!("If all {stones} stones are placed and none was removed, the board is full: {end}.")
    }

    fn moving_in_words(&self) -> Vec<String> {
        let when = match self.placing {
            Placing::First => "When all stones are placed, the sides take turns to move a stone",
            Placing::Mixed => "A stone moves",
        };
        let mut rules = vec![format!("{when} along a drawn line to a neighbouring empty point.")];
        match self.flying {
            Flying::AtThree => {
                rules.push(
                    "Flying: a side that has exactly three stones, board and hand together, moves a \
                     stone to any empty point."
                        .into(),
                );
                if self.stones == Self::MIN_STONES {
                    rules.push("Both sides have three from the beginning, and so both fly.".into());
                }
            }
            Flying::Never => rules.push("Nobody ever jumps, even with three stones.".into()),
        }
        rules.push("A side that can move must move; nobody passes.".into());
        rules
    }

    fn mills_in_words(&self) -> Vec<String> {
        let mut rules = vec![
            "Who places or moves a stone so that it stands in a mill with two others closes that \
             mill, and removes a stone of the other side in the same turn. It is out of the game."
                .into(),
            "A mill may be opened and closed again as often as one likes; each time it removes a \
             stone."
                .into(),
        ];
        rules.push(
            match self.removal {
                Removal::Protected => {
                    "A stone in a mill is protected, unless all stones of its side on the board stand \
                     in mills: then any of them may be removed."
                }
                Removal::Strict => {
                    "A stone in a mill is never removed. If all stones of the other side on the board \
                     stand in mills, closing a mill removes nothing, and the turn is over."
                }
                Removal::Free => "Any stone may be removed, in a mill or not.",
            }
            .into(),
        );
        rules.push(
            "Only stones on the board are removed. If the other side has none there, closing a mill \
             removes nothing, and the turn is over."
                .into(),
        );
        rules.extend(self.double_mills_in_words());
        rules
    }

    /// None where a side has too few stones for two mills at once.
    fn double_mills_in_words(&self) -> Option<String> {
        if self.stones < self.board.geometry().fewest_in_two_mills() {
            return None;
        }
        if self.double_mill == DoubleMill::One {
            return Some("Two mills closed by one move remove one stone.".into());
        }
        let second = match self.removal {
            Removal::Free => "If the other side has only one stone on the board, one it is.",
            Removal::Protected => {
                "Whether the second is protected is seen when the first is gone: if the only stone \
                 outside of mills goes first, any other may follow; and what stood in a mill with the \
                 first is open now. If the other side has only one stone on the board, one it is."
            }
            Removal::Strict => {
                "Whether the second is protected is seen when the first is gone: if the only stone \
                 outside of mills goes first, and the others stand in mills, one it is."
            }
        };
        Some(format!(
            "Two mills closed by one move, or more, remove two stones, one after the other. {second}"
        ))
    }

    fn end_in_words(&self) -> Vec<String> {
        let mut rules = vec![
            "A side with fewer than three stones, board and hand together, has lost.".into(),
            match self.placing {
                Placing::First => "A side that has to move and cannot has lost.".into(),
                Placing::Mixed => {
                    "A side that has to move and cannot has lost, even if the other side still has \
                     stones in hand."
                        .into()
                }
            },
        ];
        rules.push(match self.repetition {
            Repetition::Unlimited => {
                "Play without end is a draw. No rule counts how often a position occurs.".into()
            }
            Repetition::Threefold => {
                "The game is a draw when a position occurs for the third time, with the same side to \
                 move and the same stones in hand."
                    .into()
            }
        });
        if let Some(plies) = self.ply_limit {
            rules.push(match plies.get() {
                1 => "The game is a draw when a ply has neither placed nor removed a stone; a ply is a \
                      turn of one side."
                    .into(),
                plies => format!(
                    "The game is a draw when {plies} plies in a row have neither placed nor removed a \
                     stone; a ply is a turn of one side."
                ),
            });
        }
        rules
    }

    fn result_in_words(&self) -> Vec<String> {
        let has_history = *self != self.without_history();
        let mut rules = vec![match self.known_result() {
            None => "Who wins, if both sides play their best, is not known here.".into(),
            Some(KnownResult { value, evidence }) => {
                let has = white_in_words(value);
                let source = match evidence {
                    Evidence::Published => "This is published.",
                    Evidence::Computed => "This is computed by merels.",
                    Evidence::Both => "This is published, and computed by merels.",
                };
                let game = match (self.repetition, self.ply_limit) {
                    _ if !has_history => "",
                    (Repetition::Threefold, None) => {
                        "In the game without the rule about repetition: "
                    }
                    (Repetition::Unlimited, _) => "In the game without the limit of plies: ",
                    (Repetition::Threefold, Some(_)) => {
                        "In the game without the rule about repetition and the limit of plies: "
                    }
                };
                let first = if has_history { "if" } else { "If" };
                format!("{game}{first} both sides play their best, {has}. {source}")
            }
        }];
        if has_history {
            rules.push(
                "Values of positions know nothing of the rules about repetition and about plies, which \
                 depend on what went before. Who can win need not repeat a position; but a limit of \
                 plies may end a game that would be won."
                    .into(),
            );
        }
        rules
    }
}

/// What White has, who moves first.
fn white_in_words(value: Value) -> String {
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

    /// Every pair of words for a field, and what the rules say with one of them and not with the other.
    #[test]
    fn every_field_changes_what_is_said() {
        for (first, second, only_first, only_second) in [
            ("standard", "no-flying", "Flying: a side", "Nobody ever jumps"),
            ("standard", "strict-removal", "unless all stones", "removes nothing, and the turn"),
            ("strict-removal", "free-removal", "is never removed", "Any stone may be removed"),
            ("standard", "double-removal", "move remove one stone", "remove two stones"),
            ("standard", "standard,placing=mixed", "No stone moves before", "as it likes"),
            (
                "morabaraba,full-board=loss",
                "morabaraba",
                "cannot move and has",
                "the game is a draw",
            ),
            ("six", "six,repetition=threefold", "No rule counts", "for the third time"),
            ("three", "four", "9 points", "16 points"),
            ("six", "five", "6 stones", "5 stones"),
            ("six", "seven", "only two points", "four in a row"),
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
        assert!(book("six,ply-limit=1").contains("when a ply has neither placed"));
    }

    #[test]
    fn no_two_presets_read_alike() {
        let books: Vec<_> = Ruleset::PRESETS.iter().map(|preset| book(preset.name)).collect();
        for (i, one) in books.iter().enumerate() {
            assert!(!books[..i].contains(one), "{}", Ruleset::PRESETS[i].name);
        }
    }

    #[test]
    fn what_never_happens_is_not_ruled() {
        assert!(book("standard").contains("The board is never full: 18 stones, 24 points."));
        assert!(book("morabaraba").contains("If all 24 stones are placed"));
        assert!(!book("four").contains("Two mills"));
        assert!(book("five").contains("Two mills"));
        assert!(book("three,flying=three").contains("both fly"));
        assert!(!book("six,flying=three").contains("both fly"));
    }

    #[test]
    fn what_is_known_is_told_with_its_source() {
        let three = "White wins in 9 plies. This is published, and computed by merels.";
        assert!(book("three").contains(three));
        assert!(
            book("lasker")
                .contains("the game is a draw. This is published, and computed by merels.\n")
        );
        let eleven = "White wins in 45 plies. This is published, and computed by merels.\n";
        assert!(book("eleven").contains(eleven), "{}", book("eleven"));
        assert!(book("standard,stones=4,removal=free").contains("is not known here"));
        // Rules about history leave the value as it is, and say so.
        let limited = book("three,ply-limit=50");
        assert!(limited.contains("may end a game that would be won"));
        let without = "In the game without the limit of plies: if both sides play their best, ";
        assert!(limited.contains(&format!("{without}{three}")), "{limited}");
        let without = "without the rule about repetition: if both sides";
        assert!(book("three,repetition=threefold").contains(without));
        let without = "without the rule about repetition and the limit of plies: if both sides";
        assert!(book("three,repetition=threefold,ply-limit=9").contains(without));
        assert!(!book("three").contains("may end a game"));
    }

    #[test]
    fn rules_that_do_not_go_together_are_no_game() {
        let rules = Ruleset { stones: 2, ..Ruleset::STANDARD };
        assert!(matches!(rules.in_words(), Err(RulesetError::Stones { .. })));
    }
}
