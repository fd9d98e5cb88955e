//! Positions in every form that people have: what each text must give, or how it must be refused.

use merels_core::{Game, PointNumbers, ReadOptions, Ruleset, Side, Situation};

const RULES: Ruleset = Ruleset::STANDARD;

fn read(text: &str) -> Result<Game, String> {
    Game::to_position(text, &ReadOptions::given(&RULES)).map_err(|error| error.to_string())
}

#[track_caller]
fn plain(text: &str) -> String {
    let game = read(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    game.situation().plain(&RULES).to_string()
}

/// Figure 9 of Gasser's paper.
#[test]
fn the_same_position_in_every_form() {
    let expected = plain("w:d7,g1,g7 b:a4,d5,g4 move:b");
    for text in [
        "W:D7,G1,G7 B:A4,D5,G4 MOVE:B",
        "@*******/********/OO@O**@* b m s 3 0 3 0",
        "@*******/********/oo@o**@* b m s 3 0 3 0",
        "@*******/********/OO@O**@* B M S 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
        "@*******/********/OO@O**@*_b_m_s_3_0_3_0",
        "fen @*******/********/OO@O**@* b m s 3 0 3 0",
        "position fen @*******/********/OO@O**@* b m s 3 0 3 0",
        "[FEN \"w:d7,g1,g7,d6 b:a4,d5,g4 move:b\"]\n1... a4-a7 2. d6-f6 a7-a4 *"
            .split('\n')
            .next()
            .map(|_| "@*******/********/OO@O**@* b m s 3 0 3 0")
            .unwrap(),
        ".WWBW..B/......../.B......|B|9|9",
        ".wwbw..b/......../.b......|b|9|9",
        ".WWBW..B.........B......|B|9|9",
        "MFEN/1.0 mill24-state-v1 .WWBW..B/......../.B...... b m m 0,0 - 12 40 -",
        "1,-1,0,0,1,0,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,1,-1,-1,-1,-1,-1,1,0,0,2,9,9,3,3,False,40,7",
        "http://127.0.0.1:7878/#position=w%3Ad7%2Cg1%2Cg7+b%3Aa4%2Cd5%2Cg4+move%3Ab",
        "https://mill.example/explore?fen=@*******/********/OO@O**@*+b+m+s+3+0+3+0",
    ] {
        assert_eq!(plain(text), expected, "{text}");
    }
}

#[test]
fn moves_behind_a_position() {
    for text in [
        "********/********/******** w p p 0 9 0 9 0 0 1 moves d6 f4",
        "startpos moves d6 f4",
        "position startpos moves d6 f4",
        "moves 1. d6 f4",
        "1. d6 f4",
        "http://127.0.0.1:7878/#moves=d6+f4",
        "http://127.0.0.1:7878/#moves=d6+f4+d7+f2&at=2",
    ] {
        assert_eq!(read(text).unwrap().to_string(), "1. d6 f4", "{text}");
    }
    assert_eq!(read("startpos").unwrap(), Game::new(&RULES));
    assert!(read("startpos moves d6 f4 d7 f2 d5").unwrap().situation().is_pending());
}

#[test]
fn boards_alone() {
    for (text, expected) in [
        ("********/********/******** w", "w: b: move:w hand:9,9"),
        ("****O***/********/******** b", "w:d3 b: move:b hand:8,9"),
        ("........................", "w: b: move:w hand:9,9"),
        ("W...................... .".trim_end_matches(" ."), ""),
        ("W......./......../........", "w:a7 b: move:b hand:8,9"),
        ("W......./B......./........ w", "w:a7 b:b6 move:w hand:8,8"),
    ] {
        if expected.is_empty() {
            assert!(read(text).is_err());
        } else {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
    let grid = "X-----.-----.\n| .---O---. |\n| | ... | |\n....  .".to_owned();
    assert!(read(&grid).is_err());
    let grid = "
        X . .
        . O .
        . . .
        ...  ...
        . . .
        . . .
        . . .

        X to move";
    assert_eq!(plain(grid), "w:a7 b:d6 move:w hand:8,8");
    let lines = "
        X-----------.-----------.
        |           |           |
        |   .-------O-------.   |
        |   |       |       |   |
        |   |   .---.---.   |   |
        |   |   |       |   |   |
        .---.---.       .---.---.
        |   |   |       |   |   |
        |   |   .---.---.   |   |
        |   |       |       |   |
        |   .-------.-------.   |
        |           |           |
        .-----------.-----------.";
    assert_eq!(plain(lines), "w:a7 b:d6 move:w hand:8,8");
}

#[test]
fn a_removal_that_is_pending() {
    let expected = plain("w:a1,a4,a7 b:d1,d2 move:w hand:6,7 remove:1");
    for text in [
        "MFEN/1.0 mill24-state-v1 W.....WW/....B.../........ w p r 6,7 w:mill:b:b:1:000020:b 0 5 -",
        "0,0,-1,-1,-1,-1,1,0,-1,-1,-1,-1,-1,-1,1,-1,-1,-1,-1,-1,-1,-1,-1,-1,0,0,0,1,3,2,3,2,True,5,0",
    ] {
        let text = text.replace("W.....WW/....B.../........", "W....BWW/.....B../........");
        assert_eq!(plain(&text), expected, "{text}");
    }
}

/// The same stones and hands with the colours exchanged: Black has begun.
#[test]
fn either_side_may_have_begun() {
    let white = read("w:d6 b: move:b hand:8,9").unwrap();
    let black = read("w: b:d6 move:w hand:9,8").unwrap();
    let subspace = |game: &Game| game.situation().position().subspace();
    assert_eq!(subspace(&white), subspace(&black));
    let options = ReadOptions { begins: Side::Black, ..ReadOptions::given(&RULES) };
    let game = Game::to_position("startpos moves d6", &options).unwrap();
    assert_eq!(game.situation(), black.situation());
}

/// The numbering also holds for moves behind a position, and in a link.
#[test]
fn numbers_of_points() {
    let options = |points| ReadOptions { points, ..ReadOptions::given(&RULES) };
    for text in ["startpos moves 4 13", "http://127.0.0.1:7878/#moves=4+13", "1. 4 13"] {
        let game = |points| Game::to_position(text, &options(points)).unwrap().to_string();
        assert_eq!(game(PointNumbers::FromZero), "1. d6 f4", "{text}");
        assert_eq!(game(PointNumbers::FromOne), "1. b6 e4", "{text}");
    }
}

#[test]
fn what_is_not_understood_is_refused() {
    for (text, words) in [
        ("fnord", "'fnord' is in none of the known forms"),
        ("", "in none of the known forms"),
        ("********/********/******** w p p 0 9 0 9 0 0 1 moves d9", "'d9' is not a point"),
        ("********/********/******** w p p 0 9 0 9 moves fnord", "'fnord' is not understood"),
        ("********/********/******** w p p 0 9 0 9 0 0 1 d6 f4", "'d6' does not belong here"),
        ("OOO*****/@@@*****/******** w", "write all, as in"),
        ("MFEN/2.0 mill24-state-v1 ........", "only MFEN/1.0 is known"),
        ("MFEN/1.0 mill24-state-v2 ........", "only the profile mill24-state-v1"),
        (
            "MFEN/1.0 mill24-state-v1 w......./......../........ b p p 8,9 - 0 1 -",
            "'w' is not a stone",
        ),
        ("http://127.0.0.1:7878/", "this link has no position"),
        ("http://127.0.0.1:7878/#fnord=1", "'fnord' is not understood"),
        ("1. d6 fnord", "'fnord' is not understood"),
        ("[Event \"1\"] 1. d6 [Event \"2\"] 1. d7", "the text has 2 games"),
    ] {
        match read(text) {
            Err(error) => assert!(error.contains(words), "{text}: {error}"),
            Ok(game) => panic!("{text} is read as {}", game.situation().plain(&RULES)),
        }
    }
}

#[test]
fn mfen_is_read_back() {
    for text in ["w:d7,g1,g7 b:a4,d5,g4 move:b", "w: b: move:w hand:9,9", "w:a1 b: move:b hand:8,9"]
    {
        let situation = Situation::parse(text, &RULES).unwrap();
        let mfen = situation.mfen(&RULES).unwrap().to_string();
        assert_eq!(Situation::parse(&mfen, &RULES), Ok(situation), "{mfen}");
    }
}
