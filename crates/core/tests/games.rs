//! Games in every notation that people have: what each text must give, or how it must be refused.

use merels_core::{
    Game, GameError, GameProblem, GameRecord, PointNumbers, ReadOptions, Ruleset, RulesetChoice,
    Side, Situation,
};

const RULES: Ruleset = Ruleset::STANDARD;

fn options() -> ReadOptions {
    ReadOptions::given(&RULES)
}

fn all(text: &str) -> Result<Vec<GameRecord>, GameError> {
    GameRecord::read_all(text, &options())
}

#[track_caller]
fn one(text: &str) -> GameRecord {
    let mut games = all(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    assert_eq!(games.len(), 1, "{text}");
    games.pop().unwrap()
}

#[track_caller]
fn refused(text: &str) -> String {
    match all(text) {
        Err(error) => error.to_string(),
        Ok(games) => panic!("{text} is read as {}", games[0].game),
    }
}

/// A game with a mill, in the notations of letters, numbers and pairs, and in words.
#[test]
fn the_same_game_in_every_notation() {
    let expected = "1. d6 f4 2. d7 f2 3. d5xf4 b4";
    for text in [
        "1. d6 f4 2. d7 f2 3. d5xf4 b4",
        "1.d6 f4 2.d7 f2 3.d5xf4 b4 *",
        "d6 f4 d7 f2 d5xf4 b4",
        "d6, f4, d7, f2, d5 x f4, b4",
        "1. d6 2. f4 3. d7 4. f2 5. d5xf4 6. b4",
        "1 d6 f4 2 d7 f2 3 d5xf4 b4",
        "1... d6 f4 2... d7 f2 3... d5xf4 b4".split_once("... ").unwrap().1,
        "1. D6 F4\n2. D7 F2\n3. D5 xF4 B4",
        "1. d6 f4 2. d7 f2 3. d5 ×f4 b4",
        "1. d6 f4 2. d7 f2 3. d5:f4 b4",
        "1. d6 f4 2. d7 f2 3. d5/xf4 b4",
        "1. d6 f4 2. d7 f2 3. d5(f4) b4",
        "1. d6 f4 2. d7 f2 3. d5 (f4) b4",
        "1. d6! f4?? 2. d7 $1 f2 +- 3. d5!? xf4 b4",
        "1. d6 {[%clk 0:05]} f4 0:05 2. d7 (0:07) f2 3. d5xf4 1:02:03 b4 1/2-1/2",
        "> 1. d6 f4\n> 2. d7 f2\n> 3. d5xf4 b4",
        "1. d6 f4<br>2. d7 f2<br/>3. d5xf4&nbsp;b4",
        "1.\u{a0}d6 f\u{200b}4 2. d7 f2 3. d5xf4 b4",
        "% a line for other programs\n1. d6 f4 2. d7 f2 ; rest of the line\n3. d5xf4 b4",
        "[Event \"a [b] \\\"c\\\"\"]\n[Result \"*\"]\n\n1. d6 f4 2. d7 f2 3. d5xf4 b4 *",
        "Place to d6, place f4, Place to d7, f2, place d5 and take f4, b4",
        "White: d6 Black: f4 White: d7 Black: f2 White: d5, takes f4 Black: b4",
        "1. 5 14 2. 2 21 3. 8x14 11",
        "5 14 2 21 8x14 11",
        "1. 5 14 2. 2 21 3. 8:14 11 1-0",
        "(2,1) (2,3) (3,1) (2,4) (1,1)-(2,3) (2,7)",
        "(2,1) (2,3) (3,1) (2,4) (1,1) -(2,3) (2,7)",
    ] {
        let found = one(text).game.to_string();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn slides_in_every_notation() {
    let start = "[FEN \"w:a1,a4,d7,g1 b:b4,d5,g4,g7 move:w\"]";
    for (slide, after) in [
        ("d7-d6", "d7-d6"),
        ("d7 - d6", "d7-d6"),
        ("d7->d6", "d7-d6"),
        ("d7 → d6", "d7-d6"),
        ("d7\u{2010}d6", "d7-d6"),
        ("d7\u{2013}d6", "d7-d6"),
        ("d7\u{2212}d6", "d7-d6"),
        ("d7 to d6", "d7-d6"),
        ("Move from d7 to d6", "d7-d6"),
        ("2-5", "d7-d6"),
        ("(3,1)->(2,1)", "d7-d6"),
        ("d7-a7xb4", "d7-a7xb4"),
        ("d7 -> a7, take b4", "d7-a7xb4"),
        ("d7-a7(b4)", "d7-a7xb4"),
        ("2-1x11", "d7-a7xb4"),
        ("(3,1)->(3,8)-(2,7)", "d7-a7xb4"),
    ] {
        let game = one(&format!("{start} 1. {slide}")).game;
        assert_eq!(game.to_string().rsplit(' ').next(), Some(after), "{slide}");
    }
}

#[test]
fn points_from_zero() {
    let options = ReadOptions { points: PointNumbers::FromZero, ..options() };
    let read = |text: &str| {
        let games = GameRecord::read_all(text, &options).map_err(|error| error.to_string())?;
        Ok::<_, String>((games[0].game.to_string(), games[0].result.clone()))
    };
    assert_eq!(read("1. 4 13 2. 1 20"), Ok(("1. d6 f4 2. d7 f2".into(), None)));
    let result = Some("1-0".to_owned());
    assert_eq!(read("1. 4 13 2. 1 20 1-0"), Ok(("1. d6 f4 2. d7 f2".into(), result)));
    let start = "[FEN \"w:a7,a4,a1 b:b4,d5,g4,g7 move:w\"]";
    let slide = read(&format!("{start} 0-1 10-3")).unwrap().0;
    assert!(slide.ends_with("1. a7-d7 b4-b6"), "{slide}");
}

/// What would have been an answer about the empty board.
#[test]
fn texts_that_are_no_games() {
    for (text, words) in [
        ("", "line 1, column 1: no moves found: the text is empty"),
        ("  \n ", "no moves found"),
        ("{\"game\":\"1. d6 f4\"}", "pass the text of the game alone, not JSON"),
        (
            "[\"d6\",\"f4\"]",
            "line 1, column 1: '[\\\"d6\\\",\\\"f4\\\"]' is not understood; a tag is",
        ),
        ("[Event \"x\"]\n[Site \"y\"]", "line 1, column 1: no moves found"),
        ("{only a comment}", "no moves found"),
        ("1-0", "no moves found"),
        ("fnord", "line 1, column 1: 'fnord' is not understood"),
        ("1. d6 f4 2. d7 f2 fnord", "line 1, column 19: 'fnord' is not understood"),
        ("1. d6 f4 2. a1d1", "a1-d1 to move a stone"),
        ("1. d6 f4 {never", "'{' is never closed by '}'"),
        ("1. d6 f4 (1... d7", "line 1, column 10: '(' is never closed by ')'"),
        ("1. d6 f4 )", "')' is not understood"),
        ("(1. d6) f4", "a variation stands behind the move that it replaces"),
        ("1. d6 f4 5. d7 f2", "'5.' instead of move number 2"),
        ("1. d6 f4 2. d7 f2 1. d6", "'1.' instead of move number 3"),
        ("1. d6 f4 1-0 d7", "'d7' follows the result '1-0'"),
        ("White: d6 White: f4", "it is Black's turn"),
        ("1. d6 d6", "move 1... d6: d6 is not empty"),
        ("1. 5 25", "points are numbered row by row from 1"),
        ("1. 5 0", "points are numbered row by row from 1"),
        ("[Ruleset \"fnord\"] 1. d6", "the rules 'fnord' are not known"),
        ("[Ruleset \"lasker\"] 1. d6", "the rules 'lasker', but 'standard' is asked for"),
        ("; ruleset: no-flying\n1. d6", "the rules 'no-flying', but 'standard' is asked for"),
        ("[FEN \"fnord\"] 1. d6", "a position that cannot be read"),
        ("1. d6 f4 2. d7 f2 3. d5 b4 4. a1", "name the stone to remove, as in d5x"),
    ] {
        let error = refused(text);
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn several_games() {
    for text in [
        "[Event \"1\"]\n1. d6 f4 1-0\n\n[Event \"2\"]\n1. d7 g4 0-1",
        "[Event \"1\"] 1. d6 f4 [Event \"2\"] 1. d7 g4",
        "1. d6 f4 * 1. d7 g4 *",
    ] {
        let games: Vec<_> =
            all(text).unwrap().into_iter().map(|record| record.game.to_string()).collect();
        assert_eq!(games, ["1. d6 f4", "1. d7 g4"], "{text}");
        let error = Game::parse(text, &RULES).unwrap_err();
        assert_eq!(*error.problem(), GameProblem::Several { count: 2 });
    }
}

#[test]
fn variations_are_kept_apart() {
    let text = "1. d6 f4 (1... d7 2. f4 (2. g4 g1) 2... f2) (a1) 2. d7 *";
    let record = one(text);
    assert_eq!(record.game.to_string(), "1. d6 f4 2. d7");
    let variations: Vec<_> = record
        .variations
        .iter()
        .map(|variation| (variation.game.to_string(), variation.shared))
        .collect();
    let expected = [
        ("1. d6 d7 2. f4 f2".to_owned(), 1),
        ("1. d6 d7 2. g4 g1".to_owned(), 2),
        ("1. d6 a1".to_owned(), 1),
    ];
    assert_eq!(variations, expected);
    assert_eq!(record.result.as_deref(), Some("*"));
    let deep = format!("1. d6 f4 {}", "(1... d7 ".repeat(100));
    assert!(refused(&deep).contains("too deep"));
}

#[test]
fn rules_that_the_text_names() {
    let options =
        ReadOptions { ruleset: RulesetChoice::Default(RULES), ..ReadOptions::given(&RULES) };
    for text in ["; ruleset: no-flying\n1. d6", "[Ruleset \"no-flying\"] 1. d6"] {
        let games = GameRecord::read_all(text, &options).unwrap();
        assert_eq!(*games[0].game.ruleset(), "no-flying".parse().unwrap());
    }
    let games = GameRecord::read_all("[Variant \"Nine Men's Morris\"] 1. d6", &options).unwrap();
    assert_eq!(*games[0].game.ruleset(), RULES);
}

#[test]
fn a_removal_that_the_last_move_does_not_name_is_pending() {
    let record = one("1. d6 f4 2. d7 f2 3. d5");
    assert_eq!(record.game.to_string(), "1. d6 f4 2. d7 f2 3. d5");
    assert_eq!(record.game.steps().len(), 4);
    let situation = record.game.situation();
    assert!(situation.is_pending());
    assert_eq!(situation.position().side(), Side::White);
    let again = one(&record.game.to_string());
    assert_eq!(again, record);
    let text = one("[FEN \"w:a1,a4,d7,g1 b:b4,d5,g4,g7 move:w\"] 1. d7-a7").game.to_string();
    assert_eq!(one(&text).game.to_string(), text);
}

#[test]
fn either_side_may_begin() {
    let record = one("1... d6 2. f4");
    assert_eq!(record.game.start().position().side(), Side::Black);
    let options = ReadOptions { begins: Side::Black, ..options() };
    let games = GameRecord::read_all("d6 f4 d7", &options).unwrap();
    let text = games[0].game.to_string();
    assert_eq!(text, "[position \"w: b: move:b hand:9,9\"] 1... d6 2. f4 d7");
    assert_eq!(one(&text).game, games[0].game);
}

#[test]
fn a_game_with_more_stones_than_the_rules_have() {
    let placings =
        "1. a1 b2 2. d1 f2 3. g4 b4 4. f6 d7 5. d3 c4 6. e5 c3 7. a7 g7 8. d5 f4 9. d6 e4";
    let problem = refused(&format!("{placings} 10. g1 b6"));
    assert!(
        problem.ends_with(
            "move 10. g1: White has placed its 9 stones; if this is a game with more, name its \
             rules, as in 'morabaraba'"
        ),
        "{problem}"
    );
    // Once a stone has moved, it is a wrong move like any other.
    let problem = refused(&format!("{placings} 10. a1-a4 b6"));
    assert!(problem.contains("Black has no stones in hand; write two points"), "{problem}");
}

#[test]
fn numbers_in_the_place_of_one_move() {
    let start = Situation::start(&RULES);
    for text in ["5", "23-24", "d6x3"] {
        let problem = start.choice(text, &RULES).unwrap_err().to_string();
        assert!(problem.contains("a point is a letter and a digit, as in a7"), "{problem}");
    }
}
