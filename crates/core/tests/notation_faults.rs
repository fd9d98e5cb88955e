//! The errors for texts that cannot be read: the fault, its place, the right form. Also games that
//! end by their history, and the examples of the documentation.

use merels_core::{Form, Game, GameEnd, MoveProblem, Ruleset, Side, Situation};

fn rules(text: &str) -> Ruleset {
    text.parse().unwrap()
}

/// Checks the error of `Situation::parse` for each text.
fn assert_faults<'a>(ruleset: &str, cases: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let ruleset = rules(ruleset);
    for (text, message) in cases {
        let error = Situation::parse(text, &ruleset).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.form(), Form::of(text), "{text}");
    }
}

#[test]
fn a_text_in_no_form_is_told_all_forms() {
    let twenty_four = "position: 'nonsense' is in none of the known forms; write it plainly, as in \
        'w:a1 b:a7 move:w hand:8,8', as FEN, as in \
        '********/********/*****O*@ w p p 1 8 1 8', as letters, as in \
        'B.....W./......../........|W|1|1', or as a picture, its lines from \
        '7  @-----------.-----------.' to 'White (O) to move'";
    assert_faults("standard", [("nonsense", twenty_four)]);
    let sixteen = "position: 'nonsense' is in none of the known forms; write it plainly, as in \
        'w:a1 b:a5 move:w hand:5,5', as FEN, as in '********/*****O*@ w p p 1 5 1 5', or as a \
         picture, its lines from '5  @-------.-------.' to 'White (O) to move'";
    assert_faults("six", [("nonsense", sixteen)]);
    // The examples can be read.
    let examples = [
        "w:a1 b:a7 move:w hand:8,8",
        "********/********/*****O*@ w p p 1 8 1 8",
        "B.....W./......../........|W|1|1",
    ];
    let read = examples.map(|text| Situation::parse(text, &Ruleset::STANDARD).unwrap());
    assert!(read[0] == read[1] && read[1] == read[2]);
}

#[test]
fn faults_of_the_plain_form() {
    const TURN: &str = "write whose turn it is as move:w or move:b";
    const HANDS: &str = "write white's stones in hand, then black's, as in hand:3,3";
    let cases = [
        (
            "w:a1,d4 b:a4 move:w hand:7,8",
            "position, column 6: 'd4' is not a point of the board 'nine'; \
             column d has points in rows 1 2 3 5 6 7",
        ),
        (
            "w:a1,h9 b:a4 move:w",
            "position, column 6: 'h9' is not a point of the board 'nine'; \
             points are a letter from a to g and a number from 1 to 7, as in a1",
        ),
        ("w:a1,A1 b:a4 move:w", "position, column 6: a1 is named twice"),
        ("w:a1 b:a1 move:w", "position, column 8: a1 is named for both sides"),
        (
            "w:a1,a4,a7,b2,b4,b6,c3,c4,c5,d1 b:d2 move:w",
            "position, column 30: this is stone 10 of White; by these rules a side has 9",
        ),
        (
            "w:a1,d7 b:a4,d5,d6 move:b hand:0,0",
            "position, column 1: White has only 2 stones (board and hand) and has lost already, so \
             it is not Black's move",
        ),
        (
            "w:a1 b:a4 move:w",
            "position, column 6: Black has only 1 stone (board and hand) and has lost already, so \
             it is not White's move; write stones in hand as in hand:8,8",
        ),
        (
            "w:a1 b:a4 move:w hand:3,8",
            "position, column 18: White has 3 stones in hand and Black 8 with White to move, but \
             the sides place in turn: both have equally many, or White has one more",
        ),
        (
            "w:a1 b:a4 move:b hand:8,7",
            "position, column 18: White has 8 stones in hand and Black 7 with Black to move, but \
             the sides place in turn: both have equally many, or Black has one more",
        ),
        (
            "w:a1,a4,d1 b:a7 move:w hand:2,2",
            "position, column 24: White has lost 4 stones and Black 6, but no game removes that \
             many with these stones in hand",
        ),
        (
            "w: b: move:w hand:8,8",
            "position, column 14: White has lost 1 stone and Black 1, but no game removes that \
             many with these stones in hand",
        ),
        (
            "w:a1,a4,d1 b:a7,d7,g7 move:b hand:1,0",
            "position, column 30: White has 1 stone in hand and Black 0 with Black to move, but \
             the sides place in turn: both have equally many, or Black has one more",
        ),
        (
            "w:a1 b:a4 move:w hand:9,9",
            "position, column 18: White has 10 stones (board and hand); by these rules a side has \
             9",
        ),
        (
            "w:a1,a4,d2 b:d6,d5,d1 move:w remove:1",
            "position, column 30: White is to remove a stone, but has not closed a mill",
        ),
        (
            "w:a1,a4,a7 b:d6,d5,d1 move:w remove:2",
            "position, column 30: 2 stones are to be removed, but by these rules one move removes \
             at most 1",
        ),
        ("w:a1,a4,d2 b:a7", &format!("position, column 16, side to move: missing; {TURN}")),
        ("w:a1,a4,d2 b:a7 move:", &format!("position, column 17: missing; {TURN}")),
        ("w:a1 b:a4 move:x", "position, column 16, side to move: 'x' is not one of w, b"),
        ("w:a1 b:a4 move:w hand:8", &format!("position, column 18: missing; {HANDS}")),
        (
            "w:a1 b:a4 move:w hand:8,8,7",
            &format!("position, column 27: '7' does not belong here; {HANDS}"),
        ),
        ("w:a1 b:a4 move:w hand:8,x", "position, column 25: 'x' is not a number of stones"),
        ("w:a1 w:a4", "position, column 6: w: is given twice"),
        (
            "who:a1 w:a4",
            "position, column 1: 'who' does not belong here; write the parts of a position as in \
             w:a1 b:a7 move:w hand:8,8 remove:1",
        ),
    ];
    assert_faults("standard", cases);
}

#[test]
fn faults_of_the_letters() {
    const NEEDED: &str = "after the 24 letters, write the side to move and the stones placed so \
                          far by white and black, as in |W|9|9";
    let cases = [
        ("......../......../........|", format!("28, side to move: missing; {NEEDED}")),
        (
            "......../......./.........|W|0|0",
            "17, board: a slash after 15 points; rings have 8".into(),
        ),
        (
            "......../......../.......|W|0|0",
            "1, board: 23 points; there must be 24, outer, middle and inner ring".into(),
        ),
        (
            "WWWWWWWW/WW....../........|W|9|0",
            "11, board: this is stone 10 of White; by these rules a side has 9".into(),
        ),
        (
            "W...X.../......../........|W|5|5",
            "5, board: 'X' is not a stone; points are W (white), B (black) or . (empty)".into(),
        ),
        (
            "W......./......../........|W|0|0",
            "30, stones that white has placed: 0, but the board shows 1".into(),
        ),
        (
            "W......./......../........|W|10|0",
            "30, stones that white has placed: 10, but by these rules a side has 9 stones".into(),
        ),
        (
            "W......./......../........|W|5|0",
            "32, stones that black has placed: White has 4 stones in hand and Black 9 with White \
             to move, but the sides place in turn: both have equally many, or White has one more"
                .into(),
        ),
        (
            "W......./......../........|W|5",
            format!("31, stones that black has placed: missing; {NEEDED}"),
        ),
        ("W......./......../........|X|5|5", "28, side to move: 'X' is not one of W, B".into()),
        (
            "......../......../........|W|0|0|7",
            "34, stones that black has placed: '7' does not belong here; the stones placed by \
             black are the last field"
                .into(),
        ),
    ];
    for (text, message) in cases {
        assert_faults("standard", [(text, format!("position, column {message}").as_str())]);
    }
    let other = "position, column 1, board: this notation is not for the board 'six'; write its \
                 positions as in w:a1 b:a5 move:w hand:5,5";
    assert_faults("six", [("......../......../........|W|0|0", other)]);
}

const PICTURE: &str = "\
3  .---.---.
   | \\ | / |
2  .---O---.
   | / | \\ |
1  @---.---.
   a   b   c

In hand: White (O) 2, Black (@) 2
White (O) to move
";

#[test]
fn faults_of_pictures() {
    const TURN: &str = "write whose turn it is below the picture, as in 'White (O) to move'";
    const HANDS: &str = "write stones in hand as in 'In hand: White (O) 3, Black (@) 3'";
    const BELOW: &str = "write the stones in hand and whose turn it is below the picture, as in \
                         'In hand: White (O) 3, Black (@) 3' and 'White (O) to move'";
    let (row, hands, turn) =
        ("2  .---O---.", "In hand: White (O) 2, Black (@) 2", "White (O) to move");
    // The replaced part, its replacement, and the error.
    let cases = [
        (turn, "", format!("line 10, column 1, side to move: missing; {TURN}")),
        (turn, "Nobody to move", format!("line 9, column 1: 'Nobody to move' does not belong here; {BELOW}")),
        (turn, "White to go", format!("line 9, column 1: 'White to go' does not belong here; {TURN}")),
        (row, "", "line 5, column 1: row 1 instead of row 2 (rows run down to 1)".into()),
        (
            row,
            "2  .---O---.---.",
            "line 3, column 1: row 2 has 4 points; the board 'three' has a2 b2 c2 there".into(),
        ),
        (
            row,
            "2  .---X---.",
            "line 3, column 8: 'X' is not a stone; points are O (white), @ (black) or . (empty)"
                .into(),
        ),
        (
            row,
            "2  O---O---O\n1  O",
            "line 4, column 4: this is stone 4 of White; by these rules a side has 3".into(),
        ),
        (hands, "In hand: White (O) 2", format!("line 8, column 1: missing; {HANDS}")),
        (hands, "In hand: two", "line 8, column 10: 'two' is not a number of stones".into()),
        (
            hands,
            "In hand: White 1, Black 2",
            "line 8, column 1: White has 1 stone in hand and Black 2 with White to move, but the \
             sides place in turn: both have equally many, or White has one more"
                .into(),
        ),
        (
            hands,
            "",
            "line 1, column 1: Black has only 1 stone (board and hand) and has lost already, so it \
             is not White's move; write stones in hand as in 'In hand: White (O) 2, Black (@) \
             2'"
            .into(),
        ),
        (
            PICTURE,
            &format!("w:a1 b:b2 move:w hand:2,2\n{PICTURE}"),
            "line 1, column 1: this position differs from the picture, which shows w:b2 b:a1 \
             move:w hand:2,2"
                .into(),
        ),
        (
            PICTURE,
            &format!("\nw:a1,a9\n{PICTURE}"),
            "line 2, column 6: 'a9' is not a point of the board 'three'; column a has points in \
             rows 1 2 3"
            .into(),
        ),
        (
            PICTURE,
            &format!("{PICTURE}{PICTURE}"),
            "line 10, column 1: row 3 is one too many: the picture already has the 3 rows of the \
             board 'three'"
                .into(),
        ),
    ];
    assert!(Situation::parse(PICTURE, &rules("three")).is_ok());
    for (part, instead, message) in cases {
        let text = PICTURE.replacen(part, instead, 1);
        assert_faults("three", [(text.as_str(), format!("position, {message}").as_str())]);
    }
}

/// Checks the error for each move in a position.
fn assert_move_faults(ruleset: &str, position: &str, cases: &[(&str, &str)]) {
    let ruleset = rules(ruleset);
    let situation = Situation::parse(position, &ruleset).unwrap();
    for (text, message) in cases {
        let error = situation.choice(text, &ruleset).unwrap_err();
        assert_eq!(error.to_string(), format!("move '{text}': {message}"), "{position}");
    }
}

#[test]
fn faults_of_moves() {
    const FORM: &str = "this is not a move; write d2 to place a stone, a1-a4 to move one, d2xd7 or \
                        a1-a4xd7 to remove one as well, xd7 for a removal alone";
    assert_move_faults(
        "standard",
        "w:a1,a4,d7,g1 b:b4,d5,g4,g7 move:w",
        &[
            ("", FORM),
            ("x", FORM),
            ("a1d1", "write a1-d1 to move a stone, a1xd1 to place one and remove another"),
            ("a1a4a7", FORM),
            ("a1-a4-a7", FORM),
            ("a1-", FORM),
            ("castle", FORM),
            (
                "d9-d6",
                "'d9' is not a point of the board 'nine'; column d has points in rows 1 2 3 5 6 7",
            ),
            ("a1-a4", "a4 is not empty: White has a stone there"),
            ("b4-a4", "the stone on b4 is Black's"),
            ("b2-b4", "there is no stone on b2"),
            (
                "a1-a7",
                "a7 is not next to a1; from there a stone goes to a4 d1 (only a side with three \
                 stones jumps)",
            ),
            ("d2", "White has no stones in hand; write two points to move a stone, as in a1-d1"),
            ("a1-d1xd5", "it closes no mill, so it removes nothing; write a1-d1"),
            ("d7-a7", "it closes a mill; name the stone to remove, as in d7-a7xb4"),
            ("d7-a7xd7", "the stone on d7 is White's"),
            ("d7-a7xb2", "there is no stone on b2"),
            (
                "xd5",
                "no mill has been closed, so there is nothing to remove; write a move, as in a1-d1",
            ),
        ],
    );
    assert_move_faults(
        "standard",
        "w:a1,a4,d7 b:g7,g4,g1,d5 move:w",
        &[
            ("d7-a7xg4", "the stone on g4 stands in a mill and may not be removed; d5 may"),
            ("d7-a7xd5xg4", "2 stones are named for removal, but it removes 1, as in d7-a7xd5"),
            ("d7-a7xd5xd5", "d5 is named twice"),
        ],
    );
    assert_move_faults(
        "standard",
        "w:a1,a4,a7 b:g7,g4,g1,d5 move:w remove:1",
        &[
            ("d5", "White has closed a mill; write the removal as in xd5"),
            ("xg4", "the stone on g4 stands in a mill and may not be removed; d5 may"),
        ],
    );
    assert_move_faults(
        "standard",
        "w:a1 b:a4 move:w hand:8,8",
        &[
            (
                "a1-d1",
                "White has stones in hand (8) and must place them first; write one point to place \
                 a stone, as in a7",
            ),
            ("a4", "a4 is not empty: Black has a stone there"),
        ],
    );
    assert_move_faults(
        "strict-removal",
        "w:a1,a4,d7 b:g7,g4,g1 move:w",
        &[("d7-a7xg4", "no stone of Black may be removed, so it removes nothing; write d7-a7")],
    );
    assert_move_faults(
        "double-removal",
        "w:a7,g7,d6,d5 b:a1,d1,g1,f4 move:w hand:1,1",
        &[
            ("d7", "it closes two mills; name the two stones to remove, as in d7xa1xf4"),
            ("d7xa1", "1 stone is named for removal, but it removes 2, as in d7xa1xf4"),
            ("d7xa1xd1", "these stones may not both be removed; xg1xf4 xa1xf4 xd1xf4 may"),
        ],
    );
    assert_move_faults(
        "standard",
        "w:d7,d6 b:a7,d5,d1 move:w",
        &[("d7-g7", "the game is over: White has fewer than three stones and has lost")],
    );
    assert_move_faults(
        "no-flying",
        "w:a1,a4,d7 b:g7,g4,d5 move:w",
        &[("a1-g1", "g1 is not next to a1; from there a stone goes to a4 d1")],
    );
}

#[test]
fn faults_of_games() {
    let cases = [
        (
            "1. d6 f4 2. f2 b4 3. a4 a4",
            "1, column 25, move 3... a4: a4 is not empty: White has a stone there",
        ),
        (
            "d6 f4 d7 f2 d5 a1",
            "1, column 13, move 3. d5: it closes a mill; name the stone to remove, as in d5xf2",
        ),
        (
            "1. d6 f4 {a\ncomment} 2. d7 f2 ; another\n3. d5 xd6",
            "3, column 4, move 3. d5 xd6: the stone on d6 is White's",
        ),
        ("1. d6 {x", "1, column 7: '{' is never closed by '}'"),
        ("d6 [x", "1, column 4: '[' is never closed by ']'"),
        (
            "[FEN \"w: b: move:w hand:9,9\"][position \"w: b: move:w hand:9,9\"] d6",
            "1, column 30: a game has one starting position, before its first move",
        ),
        (
            "[position \"w:a1 b:d4 move:w\"] a4",
            "1, column 1: the game starts from a position that cannot be read: position, column 8: \
             'd4' is not a point of the board 'nine'; column d has points in rows 1 2 3 5 6 7",
        ),
        (
            "d6 1-0 f4",
            "1, column 8: 'f4' follows the result '1-0'; put a tag in front of the next game, as in \
             [Event \"2\"]",
        ),
    ];
    for (text, message) in cases {
        let error = Game::parse(text, &Ruleset::STANDARD).unwrap_err();
        assert_eq!(error.to_string(), format!("game, line {message}"));
    }
    let error = Game::parse("b2 a1 a2 c1 c2xa1 b1", &rules("three")).unwrap_err();
    assert_eq!(error.number(), Some((3, Side::Black)));
    assert_eq!(error.text(), Some("b1"));
    let message = "game, line 1, column 19, move 3... b1: the game is over: Black has fewer than \
                   three stones and has lost";
    assert_eq!(error.to_string(), message);
}

#[test]
fn games_as_people_write_them() {
    let plain = "1. d6 f4 2. d7 f2 3. d5xf4 b4";
    let game = Game::parse(plain, &Ruleset::STANDARD).unwrap();
    for text in [
        "d6 f4 d7 f2 d5xf4 b4",
        "1.d6 f4 2.d7 2... f2 3.d5 xf4 b4",
        "[Event \"a game\"]\n[White \"x\"]\n\n1. D6, F4; first\n2. d7! f2?? {weak} 3. d5 {mill} XF4 b4 1/2-1/2",
        "1 d6 f4 2 d7 f2 3 d5xf4 b4 *",
    ] {
        assert_eq!(Game::parse(text, &Ruleset::STANDARD).as_ref(), Ok(&game), "{text}");
    }
    assert_eq!(game.to_string(), plain);
    // A game that starts with a removal, by Black.
    let start = "w:a1,a4,d2 b:a7,d7,g7 move:b hand:0,0 remove:1";
    let text = format!("[position \"{start}\"] 1... xd2");
    let game = Game::parse(&text, &Ruleset::STANDARD).unwrap();
    assert_eq!(game.to_string(), text);
    assert_eq!(game.end(), Some(GameEnd::TooFewStones { loser: Side::White }));
    assert_eq!(game.end().unwrap().winner(), Some(Side::Black));
    let fen = "[FEN \"********/********/@@@**OO* b m r 3 0 3 0\"]";
    assert!(Game::parse(&format!("{fen} xa1"), &Ruleset::STANDARD).is_err(), "d7-g7-g4 is no mill");
}

#[test]
fn the_third_occurrence_is_a_draw_only_where_the_rules_say_so() {
    let start = "[position \"w:a1,a4,d2,g1 b:a7,d7,f6,g4 move:w hand:0,0\"]";
    let round = "a1-d1 f6-f4 d1-a1 f4-f6 ";
    let twice = format!("{start} {round}{round}");
    let rules = rules("standard,repetition=threefold");
    let game = Game::parse(&twice, &rules).unwrap();
    assert_eq!((game.end(), game.occurrences()), (Some(GameEnd::Repetition), 3));
    assert_eq!(game.end().unwrap().winner(), None);
    let mut shorter = game.clone();
    shorter.undo();
    assert_eq!((shorter.end(), shorter.occurrences()), (None, 2));
    let more = Game::parse(&format!("{twice} a1-d1"), &rules).unwrap_err();
    assert!(
        more.to_string().contains("move 5. a1-d1: the game is over: the position has occurred")
    );
    let endless = Game::parse(&format!("{twice}{round}"), &Ruleset::STANDARD).unwrap();
    assert_eq!((endless.end(), endless.occurrences()), (None, 4));
}

#[test]
fn plies_are_counted_from_the_last_that_placed_or_removed_a_stone() {
    let rules = rules("standard,ply-limit=4");
    let game = Game::parse("1. d6 f4 2. d7 f2 3. a1 a4 4. g1", &rules).unwrap();
    assert_eq!((game.end(), game.plies_of_moving()), (None, 0));
    let start = "[position \"w:a1,a4,d7,g1 b:b4,d5,g4,g7 move:w hand:0,0\"]";
    let mut game = Game::parse(&format!("{start} d7-d6 b4-b2 d6-d7"), &rules).unwrap();
    assert_eq!((game.end(), game.plies_of_moving()), (None, 3));
    game.play_text("b2-b4").unwrap();
    assert_eq!(game.end(), Some(GameEnd::PlyLimit { plies: 4 }));
    let refused = game.play_text("d7-d6").unwrap_err();
    assert!(matches!(refused.problem(), MoveProblem::Over { .. }), "{refused}");
    let game = Game::parse(&format!("{start} g1-d1 g4-f4 d7-a7xb4 d5-d6"), &rules).unwrap();
    assert_eq!((game.end(), game.plies_of_moving()), (None, 1));
}

#[test]
fn a_full_board_ends_the_game_as_the_rules_say() {
    let position = "w:a1,d7,d1,f4,f2,c4,d5,c5,e3,b6,b2,g4 b:a7,a4,g7,g1,d6,f6,b4,d2,e5,e4,c3,d3 \
                    move:w hand:0,0";
    let morabaraba = rules("morabaraba");
    let full = Situation::parse(position, &morabaraba).unwrap();
    let game = Game::starting_at(&morabaraba, full);
    assert_eq!(game.end(), Some(GameEnd::FullBoard));
    let lost = Game::starting_at(&rules("morabaraba,full-board=loss"), full);
    assert_eq!(lost.end(), Some(GameEnd::Blocked { loser: Side::White }));
}

#[test]
fn the_documented_examples_can_be_read() {
    let page = include_str!("../../../docs/notation.md");
    // The indented blocks of the section under a heading.
    let blocks = |heading: &str| {
        let (_, section) = page.split_once(&format!("\n{heading}\n")).unwrap();
        let section = section.split("\n#").next().unwrap();
        let lines = section.lines().map(|line| line.strip_prefix("    ").ok_or(line.is_empty()));
        let mut blocks = vec![String::new()];
        for line in lines {
            match line {
                Ok(line) => *blocks.last_mut().unwrap() += &format!("{line}\n"),
                // Blank lines belong to a picture.
                Err(true) => *blocks.last_mut().unwrap() += "\n",
                Err(false) => blocks.push(String::new()),
            }
        }
        blocks.retain(|block| !block.trim().is_empty());
        blocks
    };
    let rules = Ruleset::STANDARD;
    let figure_9 = Situation::parse("w:d7,g7,g1 b:a4,d5,g4 move:b", &rules).unwrap();
    let start = *Game::new(&rules).start();
    let positions = |heading| {
        let read = |block: &String| Situation::parse(block, &rules).unwrap();
        blocks(heading).iter().map(read).collect::<Vec<_>>()
    };
    assert_eq!(positions("### Plain"), [figure_9, start]);
    assert_eq!(positions("### FEN-like"), [figure_9, start]);
    assert_eq!(positions("### Letters"), [figure_9]);
    assert_eq!(positions("### Picture"), [figure_9]);
    assert_eq!(positions("### MFEN"), [figure_9]);
    assert_eq!(positions("### Integers"), [figure_9]);
    let opening = Situation::parse("w:a7 b:d6 move:w hand:8,8", &rules).unwrap();
    assert_eq!(positions("### Rows"), [opening]);
    let games = blocks("## Games");
    let plies = games.iter().map(|game| Game::parse(game, &rules).unwrap().steps().len());
    assert_eq!(plies.collect::<Vec<_>>(), [6]);
}
