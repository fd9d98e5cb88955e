//! Checks of positions, moves and games as people write them.

use merels_core::{
    Choice, Game, GameRecord, ReadOptions, Ruleset, Situation, SituationError, draw, draw_turn,
};

use crate::text::{as_text, assert_tells};
use crate::verdict::Verdict;

/// A FEN-like string, under several rulesets: the position can occur; it, and every position after
/// a move or a removal, prints and is read again.
///
/// # Panics
/// If that does not hold.
pub fn fen(bytes: &[u8]) -> Verdict {
    under_rulesets(bytes, |text, ruleset| {
        let situation = read_or_explained(Situation::from_fen(text, ruleset))?;
        assert_eq!(checked_again(&situation, ruleset).as_ref(), Ok(&situation));
        assert_reads_fen(&situation, ruleset);
        for choice in situation.choices(ruleset) {
            assert_reads_fen(&situation.after(&choice), ruleset);
        }
        Some(())
    })
}

fn assert_reads_fen(situation: &Situation, ruleset: &Ruleset) {
    let printed = situation.fen(ruleset).expect("a board that was read as FEN").to_string();
    assert_eq!(Situation::from_fen(&printed, ruleset).as_ref(), Ok(situation), "{printed}");
}

/// A position in any form, under several rulesets: it can occur, and is read again from every form
/// in which it can be printed; every legal move is read as it prints.
///
/// # Panics
/// If that does not hold.
pub fn situation(bytes: &[u8]) -> Verdict {
    under_rulesets(bytes, |text, ruleset| {
        let situation = read_or_explained(Situation::parse(text, ruleset))?;
        assert_eq!(checked_again(&situation, ruleset).as_ref(), Ok(&situation));
        for printed in forms(&situation, ruleset) {
            assert_eq!(Situation::parse(&printed, ruleset), Ok(situation), "{printed}");
        }
        let geometry = ruleset.board.geometry();
        for choice in situation.choices(ruleset) {
            let printed = choice.display(geometry).to_string();
            assert_eq!(situation.choice(&printed, ruleset), Ok(choice), "{printed}");
        }
        Some(())
    })
}

/// A situation in each of its forms.
fn forms(situation: &Situation, ruleset: &Ruleset) -> Vec<String> {
    let mut forms = vec![situation.text(ruleset).to_string(), situation.plain(ruleset).to_string()];
    forms.extend(situation.fen(ruleset).map(|fen| fen.to_string()));
    forms.extend(situation.letters(ruleset).map(|letters| letters.to_string()));
    forms.extend(situation.mfen(ruleset).map(|mfen| mfen.to_string()));
    let picture = draw(ruleset.board.geometry(), situation.position());
    forms.push(format!("{}\n\n{picture}\n{}\n", situation.text(ruleset), draw_turn(situation)));
    forms
}

/// A move: the first line of the input is a position, the rest is the move. The move is legal; it
/// prints and is read again.
///
/// # Panics
/// If that does not hold.
pub fn choice(bytes: &[u8]) -> Verdict {
    under_rulesets(bytes, |text, ruleset| {
        let (position, text) = text.split_once('\n')?;
        let situation = read_or_explained(Situation::parse(position, ruleset))?;
        let choice = read_or_explained(situation.choice(text, ruleset))?;
        assert!(situation.choices(ruleset).contains(&choice), "{choice:?}");
        let printed = choice.display(ruleset.board.geometry()).to_string();
        assert_eq!(situation.choice(&printed, ruleset), Ok(choice), "{printed}");
        Some(())
    })
}

/// A game, under several rulesets: it prints and is read again; its moves can be made one after the
/// other and taken back.
///
/// # Panics
/// If that does not hold.
pub fn game(bytes: &[u8]) -> Verdict {
    under_rulesets(bytes, |text, ruleset| {
        let game = read_or_explained(Game::parse(text, ruleset))?;
        let printed = game.to_string();
        assert_eq!(Game::parse(&printed, ruleset).as_ref(), Ok(&game), "{printed}");
        let mut again = Game::starting_at(ruleset, *game.start());
        for step in game.steps() {
            assert_eq!(*again.situation(), step.before);
            again.play(step.choice).expect("a move that was read");
        }
        if let Some(half) = game.half() {
            let half = Choice::Move(half).display(ruleset.board.geometry()).to_string();
            again.play_half(&half).expect("a half move that was read");
        }
        assert_eq!(again, game);
        while again.undo().is_some() {}
        assert_eq!(again.situation(), game.start());
        Some(())
    })
}

/// A position with moves behind it, in all ways that `query` takes, under several rulesets: it is a
/// game, and its last position is read again from every form in which it can be printed.
///
/// # Panics
/// If that does not hold.
pub fn position(bytes: &[u8]) -> Verdict {
    under_rulesets(bytes, |text, ruleset| {
        let options = ReadOptions::given(ruleset);
        let game = read_or_explained(Game::to_position(text, &options))?;
        let situation = game.situation();
        assert_eq!(checked_again(situation, ruleset).as_ref(), Ok(situation));
        for printed in forms(situation, ruleset) {
            let read = Game::to_position(&printed, &options);
            let read = read.unwrap_or_else(|error| panic!("{printed}: {error}"));
            assert_eq!(read.situation(), situation, "{printed}");
        }
        Some(())
    })
}

/// A file of games, under several rulesets: every game prints and is read again, and a variation
/// begins with the moves that it shares.
///
/// # Panics
/// If that does not hold.
pub fn record(bytes: &[u8]) -> Verdict {
    under_rulesets(bytes, |text, ruleset| {
        let options = ReadOptions::given(ruleset);
        let records = read_or_explained(GameRecord::read_all(text, &options))?;
        assert!(!records.is_empty());
        for record in records {
            let variations = record.variations.iter().map(|variation| &variation.game);
            for game in variations.chain([&record.game]) {
                assert_eq!(game.start(), record.game.start());
                let printed = game.to_string();
                let again = GameRecord::read_all(&printed, &options);
                // A game without moves is a position.
                if game.steps().is_empty() && game.half().is_none() {
                    continue;
                }
                let again = again.unwrap_or_else(|error| panic!("{printed}: {error}"));
                assert_eq!((again.len(), &again[0].game), (1, game), "{printed}");
            }
            for variation in &record.variations {
                assert!(variation.shared <= variation.game.steps().len(), "{text}");
            }
        }
        Some(())
    })
}

/// Passes the text to `check` under rules that differ in the positions, in the moves, and in the
/// end of a game.
fn under_rulesets(bytes: &[u8], check: impl Fn(&str, &Ruleset) -> Option<()>) -> Verdict {
    let Some(text) = as_text(bytes) else { return Verdict::Refused };
    let names = [
        "standard",
        "lasker,repetition=threefold",
        "morabaraba",
        "double-removal,ply-limit=20",
        "strict-removal,stones=5",
        "six",
        "seven",
        "three,repetition=threefold,ply-limit=50",
    ];
    let read = names.map(|name| check(text, &name.parse().expect("a ruleset")));
    if read.contains(&Some(())) { Verdict::Read } else { Verdict::Refused }
}

/// The value that was read. Checks the message of an error.
fn read_or_explained<T, E: std::fmt::Display>(result: Result<T, E>) -> Option<T> {
    result.inspect_err(assert_tells).ok()
}

/// The situation, checked again.
fn checked_again(situation: &Situation, ruleset: &Ruleset) -> Result<Situation, SituationError> {
    Situation::pending_removal(*situation.position(), situation.pending(), ruleset)
}
