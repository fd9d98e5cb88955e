//! Lines, groups, classes and temptations against their definitions, on small subspaces of several
//! games that the naive solver solves.

mod common;

use std::sync::LazyLock;

use common::{Naive, naive_oracle, positions};
use merels_core::{Outcome, Plies, Position, Situation, Subspace, Value};
use merels_query::{Line, LineEnd, Oracle, RankedChoice, Temptation, pick};

/// Games, the number of stones that are solved, and the step between tested positions.
const GAMES: [(&str, u8, usize); 4] =
    [("three", 6, 1), ("three,flying=three", 6, 1), ("six", 7, 59), ("standard", 6, 997)];

static ORACLES: LazyLock<[Oracle<Naive>; GAMES.len()]> =
    LazyLock::new(|| GAMES.map(|(ruleset, stones, _)| naive_oracle(ruleset, stones)));

fn for_each_position(work: impl Fn(&Oracle<Naive>, Position)) {
    for ((ruleset, stones, step), oracle) in GAMES.into_iter().zip(&*ORACLES) {
        let subspaces = Subspace::all_moving(oracle.ruleset());
        for subspace in subspaces.into_iter().filter(|subspace| subspace.on_board() <= stones) {
            let positions = positions(oracle, subspace, step);
            assert!(!positions.is_empty(), "{ruleset} {subspace}");
            positions.into_iter().for_each(|position| work(oracle, position));
        }
    }
}

/// Each step is legal, the sides take turns, and all values are those of the positions.
fn assert_follows_the_rules(oracle: &Oracle<Naive>, line: &Line) {
    assert_eq!(line.value, oracle.value(line.start).unwrap());
    let mut situation = line.start;
    for step in &line.steps {
        assert!(situation.choices(oracle.ruleset()).contains(&step.choice));
        assert_eq!(step.choice.apply(&situation), step.position);
        assert_eq!(step.position.side(), situation.position().side().opponent());
        assert_eq!(step.value, oracle.value(step.position).unwrap());
        assert_eq!(step.value.before(), oracle.value(situation).unwrap());
        situation = situation.after(&step.choice);
    }
}

#[test]
fn a_decided_line_ends_after_its_distance() {
    for_each_position(|oracle, position| {
        let line = oracle.line(position, 0).unwrap();
        let Some(Plies(plies)) = line.value.distance() else { return };
        assert_follows_the_rules(oracle, &line);
        assert_eq!(line.steps.len(), usize::from(plies));
        assert_eq!(line.end, LineEnd::Over);
        let last = line.steps.last().map_or(position, |step| step.position);
        assert_eq!(oracle.ruleset().ending(&last), Some(Value::LOST));
    });
}

#[test]
fn a_drawn_line_goes_round_or_is_cut() {
    for_each_position(|oracle, position| {
        let line = oracle.line(position, 12).unwrap();
        if line.value != Value::Draw {
            return;
        }
        assert_follows_the_rules(oracle, &line);
        let start = Some(position);
        let mut seen: Vec<_> =
            start.into_iter().chain(line.steps.iter().map(|step| step.position)).collect();
        let last = seen.pop().unwrap();
        let before = |position: &Position| seen.iter().filter(|seen| *seen == position).count();
        assert!(seen.iter().all(|position| before(position) == 1));
        match line.end {
            LineEnd::Over => assert_eq!(oracle.ruleset().ending(&last), Some(Value::Draw)),
            LineEnd::Repeats => assert_eq!(before(&last), 1),
            LineEnd::Cut => assert_eq!((line.steps.len(), before(&last)), (12, 0)),
        }
    });
}

#[test]
fn a_line_from_the_middle_of_a_move_begins_with_the_removal() {
    let oracle = naive_oracle("standard", 6);
    let rules = oracle.ruleset();
    let mut tried = 0;
    for position in positions(&oracle, Subspace::moving(3, 3), 97) {
        let Ok(situation) = Situation::pending_removal(position, 1, rules) else { continue };
        let line = oracle.line(situation, 8).unwrap();
        assert_follows_the_rules(&oracle, &line);
        // With two stones left the opponent has lost.
        assert_eq!((line.value, line.steps.len()), (Value::Win(Plies(1)), 1));
        tried += 1;
    }
    assert!(tried > 0);
}

#[test]
fn choices_are_worth_what_they_lead_to() {
    for_each_position(|oracle, position| {
        let analysis = oracle.analyse(position).unwrap();
        let worth = |ranked: &RankedChoice| oracle.value(ranked.position).unwrap().before();
        assert!(analysis.choices().iter().all(|ranked| ranked.value == worth(ranked)));
        let moves = oracle.ruleset().legal_moves(&position);
        assert_eq!(analysis.choices().len(), moves.len());
        let best = analysis.choices().iter().map(worth).max();
        assert_eq!(analysis.value(), best.unwrap_or(analysis.value()));
        assert!(analysis.best().iter().all(|ranked| Some(ranked.value) == best));
        let groups: Vec<_> = analysis.groups().collect();
        assert_eq!(groups.concat(), analysis.choices());
        assert!(groups.windows(2).all(|pair| pair[0][0].value > pair[1][0].value));
        assert!(groups.iter().all(|group| group.iter().all(|r| r.value == group[0].value)));
    });
}

#[test]
fn classes_are_the_images_under_symmetries() {
    for_each_position(|oracle, position| {
        let analysis = oracle.analyse(position).unwrap();
        let symmetries = oracle.ruleset().board.geometry().symmetries();
        let alike = |one: &Position, other: &Position| {
            symmetries.iter().any(|(_, symmetry)| {
                symmetry.apply_set(one.mover().board) == other.mover().board
                    && symmetry.apply_set(one.other().board) == other.other().board
            })
        };
        let classes = analysis.classes();
        let mut next = 0;
        for (ranked, class) in analysis.choices().iter().zip(&classes) {
            assert!(*class <= next);
            next = next.max(class + 1);
            for (twin, other) in analysis.choices().iter().zip(&classes) {
                assert_eq!(class == other, alike(&ranked.position, &twin.position));
            }
        }
    });
}

#[test]
fn temptations_count_replies_that_are_worse() {
    for_each_position(|oracle, position| {
        let analysis = oracle.analyse(position).unwrap();
        let temptations = oracle.temptations(&analysis).unwrap();
        let choices: Vec<_> = temptations.iter().map(|temptation| temptation.choice).collect();
        assert_eq!(choices, analysis.best());
        for temptation in temptations {
            let rules = oracle.ruleset();
            let after = temptation.choice.position;
            let moves = rules.legal_moves(&after);
            let worth = moves.iter().map(|mv| oracle.value(mv.apply(&after)).unwrap().before());
            let worth: Vec<_> = worth.collect();
            let count = |mistake: &dyn Fn(Value) -> bool| {
                worth.iter().filter(|value| mistake(**value)).count()
            };
            let mistakes = match oracle.value(after).unwrap() {
                Value::Win(_) => count(&|value| value.outcome() != Outcome::Win),
                Value::Draw => count(&|value| value.outcome() == Outcome::Loss),
                Value::Loss(plies) => count(&|value| value < Value::Loss(plies)),
            };
            assert_eq!((temptation.replies, temptation.mistakes), (moves.len(), mistakes));
            assert_eq!(temptation.right_replies(), moves.len() - mistakes);
        }
    });
}

#[test]
fn the_pick_sets_the_most_problems() {
    let oracle = naive_oracle("three", 6);
    let position = positions(&oracle, Subspace::moving(3, 3), 1)[0];
    let choices = oracle.analyse(position).unwrap().choices().to_vec();
    let numbers = [(9, 3), (8, 5), (7, 5), (7, 5), (6, 4)];
    let list: Vec<_> = numbers
        .into_iter()
        .zip(choices.iter().cycle())
        .map(|((replies, mistakes), &choice)| Temptation { choice, replies, mistakes })
        .collect();
    let mut picked = [0; 5];
    for seed in 0..100 {
        let place = |seed| {
            let found = pick(&list, &mut fastrand::Rng::with_seed(seed)).unwrap();
            list.iter().position(|other| std::ptr::eq(other, found)).unwrap()
        };
        assert_eq!(place(seed), place(seed), "the same seed picks the same");
        picked[place(seed)] += 1;
    }
    // Of the three with five mistakes, the two with only two right replies; neither is preferred.
    assert_eq!(picked[2] + picked[3], 100);
    assert!(picked[2].min(picked[3]) > 20, "{picked:?}");
    assert_eq!(pick(&[], &mut fastrand::Rng::with_seed(1)), None);
}
