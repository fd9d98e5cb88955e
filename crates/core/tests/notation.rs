//! Every notation on every board reads back what it prints, and refuses any other text with an
//! error of one line.

use merels_core::{
    Board, Choice, Form, Game, GameEnd, Point, Points, Position, Ruleset, Side, Situation, Stones,
    draw, draw_turn,
};
use proptest::prelude::*;

/// The presets, and rulesets that they lack: with rules about history, and other combinations.
fn rulesets() -> impl Strategy<Value = Ruleset> {
    let more = [
        "double-removal,placing=mixed",
        "lasker,double-mill=two,repetition=threefold",
        "morabaraba,double-mill=two,ply-limit=20",
        "six,stones=8,full-board=draw,repetition=threefold",
        "six,flying=three,removal=strict,ply-limit=9",
        "standard,stones=3,repetition=threefold,ply-limit=30",
    ];
    let presets = Ruleset::PRESETS.iter().map(|preset| preset.ruleset);
    let all = presets.chain(more.map(|text| text.parse().unwrap())).collect::<Vec<_>>();
    prop::sample::select(all)
}

/// A ruleset and a situation that can occur under it: random stones, hands and sides. Unless
/// `settled`, a removal is pending wherever a mill allows it.
fn situations() -> impl Strategy<Value = (Ruleset, Situation)> {
    rulesets().prop_flat_map(|ruleset| {
        let points: Vec<_> = ruleset.board.geometry().points().into_iter().collect();
        let stones = 0..=usize::from(ruleset.stones);
        let hands = prop_oneof![
            Just((0, 0)),
            (0..=ruleset.stones).prop_map(|hand| (hand, hand)),
            (0..=ruleset.stones).prop_map(|hand| (hand, hand + 1)),
            (0..=ruleset.stones, 0..=ruleset.stones),
        ];
        let order = Just(points).prop_shuffle();
        let side = prop::sample::select(vec![Side::White, Side::Black]);
        (order, stones.clone(), stones, hands, side, any::<bool>()).prop_filter_map(
            "cannot occur",
            move |(order, white, black, hands, side, settled)| {
                let set = |points: &[Point]| points.iter().copied().collect::<Points>();
                let (first, rest) = order.split_at(white);
                let white = Stones { board: set(first), hand: hands.0 };
                let black = Stones { board: set(&rest[..black]), hand: hands.1 };
                let position = Position::new(white, black, side);
                let pending = if settled { 0..1 } else { 0..3 };
                let situations =
                    pending.rev().map(|it| Situation::pending_removal(position, it, &ruleset));
                let found = situations.flatten().next();
                found.map(|situation| (ruleset, situation))
            },
        )
    })
}

/// A game of random moves; each number chooses among the legal ones.
fn games() -> impl Strategy<Value = Game> {
    let starts = prop_oneof![
        rulesets().prop_map(|ruleset| Game::new(&ruleset)),
        situations().prop_map(|(rules, start)| Game::starting_at(&rules, start)),
    ];
    (starts, prop::collection::vec(any::<u32>(), 0..120)).prop_map(|(mut game, numbers)| {
        for number in numbers {
            if game.end().is_some() {
                break;
            }
            let choices = game.situation().choices(game.ruleset());
            game.play(choices[number as usize % choices.len()]).unwrap();
        }
        game
    })
}

/// The program's text for a position.
fn shown(situation: &Situation, ruleset: &Ruleset) -> String {
    let board = draw(ruleset.board.geometry(), situation.position());
    let turn = draw_turn(situation);
    format!(
        "{}\n\n{board}\n{turn}: loss in 26 plies\n\nloss in 26 plies   d5-a7\n",
        situation.text(ruleset)
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn positions_are_read_back_in_every_form((rules, situation) in situations()) {
        let whole = shown(&situation, &rules);
        let (_, picture) = whole.split_once("\n\n").unwrap();
        let indented: String = picture.lines().map(|line| format!("    {line}\r\n")).collect();
        let trimmed: String = picture.lines().map(|line| format!("{}\n", line.trim())).collect();
        let mut texts = vec![
            (Form::Plain, situation.plain(&rules).to_string()),
            (Form::Plain, situation.plain(&rules).to_string().to_uppercase().replace(',', " , ")),
            (Form::Picture, picture.to_owned()),
            (Form::Picture, whole.clone()),
            (Form::Picture, indented),
            (Form::Picture, trimmed),
        ];
        let has_centre = matches!(rules.board, Board::Seven | Board::Three);
        prop_assert_eq!(situation.fen(&rules).is_none(), has_centre);
        texts.extend(situation.fen(&rules).map(|fen| (Form::Fen, fen.to_string())));
        if rules.board.geometry().point_count() == 24 {
            prop_assert_eq!(situation.letters(&rules).is_none(), situation.is_pending());
        } else {
            prop_assert!(situation.letters(&rules).is_none());
        }
        if let Some(letters) = situation.letters(&rules) {
            let letters = letters.to_string();
            texts.push((Form::Letters, letters.replace('/', "").to_lowercase()));
            texts.push((Form::Letters, letters));
        }
        for (form, text) in texts {
            prop_assert_eq!(Form::of(&text), Some(form), "{}", text);
            prop_assert_eq!(Situation::parse(&text, &rules), Ok(situation), "{}", text);
        }
    }

    #[test]
    fn choices_are_read_back_and_nothing_else_is_legal((rules, situation) in situations()) {
        let geometry = rules.board.geometry();
        let choices = situation.choices(&rules);
        let mut names: Vec<_> =
            choices.iter().map(|choice| choice.display(geometry).to_string()).collect();
        for (choice, name) in choices.iter().zip(&names) {
            prop_assert_eq!(situation.choice(name, &rules), Ok(*choice));
            let loud = format!(" {} ", name.to_uppercase().replace('X', " X "));
            prop_assert_eq!(situation.choice(&loud, &rules), Ok(*choice));
        }
        // Of all steps from a point or the hand to a point, only these are read.
        names.sort();
        let points = || geometry.points().into_iter();
        let from = points().map(|from| format!("{}-", geometry.name(from)));
        for from in from.chain([String::new()]) {
            for to in points() {
                let name = format!("{from}{}", geometry.name(to));
                let legal = names.binary_search(&name).is_ok();
                prop_assert_eq!(situation.choice(&name, &rules).is_ok(), legal, "{}", name);
            }
        }
    }

    #[test]
    fn games_are_read_back(game in games()) {
        prop_assume!(!game.steps().is_empty());
        let rules = game.ruleset();
        let text = game.to_string();
        let read = Game::parse(&text, rules).map_err(|error| error.to_string());
        prop_assert_eq!(read.as_ref(), Ok(&game), "{}", text);
        // Removals apart, comments, a result.
        let apart = text.replace('x', " x").replace(". ", ". {a comment} ") + " ; end\n 1/2-1/2";
        prop_assert_eq!(Game::parse(&apart, rules).map_err(|e| e.to_string()), Ok(game), "{}", apart);
    }

    #[test]
    fn a_game_is_taken_back_move_by_move(mut game in games()) {
        let first = Game::starting_at(game.ruleset(), *game.start());
        let mut steps = game.steps().to_vec();
        while let Some(choice) = game.undo() {
            let step = steps.pop().unwrap();
            prop_assert_eq!((step.choice, &step.before), (choice, game.situation()));
            prop_assert_eq!(game.end(), None, "a game is not over before its last move");
        }
        prop_assert_eq!(game, first);
    }

    #[test]
    fn games_end_by_the_count_of_their_positions(game in games()) {
        let mut seen: Vec<Situation> = game.steps().iter().map(|step| step.before).collect();
        let now = *game.situation();
        seen.push(now);
        let times = seen.iter().filter(|&&before| before == now).count();
        prop_assert_eq!(game.occurrences(), times);
        match game.end() {
            Some(GameEnd::Repetition) => prop_assert_eq!(times, 3),
            Some(GameEnd::PlyLimit { plies }) => {
                prop_assert_eq!(usize::from(plies), game.plies_of_moving());
            }
            Some(_) => prop_assert!(now.choices(game.ruleset()).is_empty()),
            None => prop_assert!(!now.choices(game.ruleset()).is_empty()),
        }
    }

    #[test]
    fn no_text_is_too_strange(rules in rulesets(), text in "\\PC{0,80}|(?s:.{0,80})") {
        refused_in_a_line(&rules, &text)?;
    }

    #[test]
    fn no_likely_text_is_too_strange(
        rules in rulesets(),
        text in "([wbWB|/.]{0,30}|[O@*/]{20,30}| |\n|[1-9]  [.O@-]{1,30}|[a-h][0-9]|[wb]:|move:|hand:|\
                 remove:|[0-9]|,|x|-|In hand:|White|to move|[{}\\[\\];]|1\\.|é|\\*){0,14}",
    ) {
        refused_in_a_line(&rules, &text)?;
    }

    #[test]
    fn a_damaged_text_is_read_or_refused(
        (rules, situation) in situations(),
        cut in any::<prop::sample::Index>(),
        instead in prop::option::of(any::<char>()),
    ) {
        let mut texts = vec![situation.plain(&rules).to_string(), shown(&situation, &rules)];
        texts.extend(situation.fen(&rules).map(|fen| fen.to_string()));
        texts.extend(situation.letters(&rules).map(|letters| letters.to_string()));
        for text in texts {
            let mut damaged: Vec<char> = text.chars().collect();
            let at = cut.index(damaged.len());
            damaged.splice(at..=at, instead);
            refused_in_a_line(&rules, &damaged.iter().collect::<String>())?;
        }
    }
}

/// Reads `text` in every way. What is read can occur; every error is one line.
fn refused_in_a_line(rules: &Ruleset, text: &str) -> Result<(), TestCaseError> {
    let line = |error: String, begins: &str| {
        prop_assert!(!error.contains(['\n', '\r']), "{:?}", error);
        prop_assert!(error.starts_with(begins), "{:?}", error);
        Ok(())
    };
    match Situation::parse(text, rules) {
        Ok(situation) => {
            let (position, pending) = (*situation.position(), situation.pending());
            prop_assert!(Situation::pending_removal(position, pending, rules).is_ok());
        }
        Err(error) => line(error.to_string(), "position")?,
    }
    if let Err(error) = Situation::from_fen(text, rules) {
        line(error.to_string(), "position, column ")?;
    }
    let start = Situation::start(rules);
    match start.choice(text, rules) {
        Ok(Choice::Move(mv)) => prop_assert!(rules.legal_moves(start.position()).contains(&mv)),
        Ok(Choice::Removal(_)) => prop_assert!(false, "nothing is to be removed"),
        Err(error) => line(error.to_string(), "move '")?,
    }
    if let Err(error) = Game::parse(text, rules) {
        line(error.to_string(), "game, line ")?;
    }
    Ok(())
}
