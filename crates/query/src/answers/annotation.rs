//! Judgements of the moves of a game: the value before a move, the value of the move, better moves.

use merels_core::{Game, GameStep, Outcome, Plies, Side, Value};

use crate::analysis::RankedChoice;
use crate::error::{Missing, QueryError};
use crate::oracle::Oracle;
use crate::source::Source;

/// A game with a judgement of each move.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The moves, in their order.
    pub plies: Vec<AnnotatedPly>,
    /// The value of the last position for its side to move, by its stones alone: a rule about
    /// repetition may have ended the game. None if a database is missing.
    pub last: Option<Value>,
    /// The missing databases, without which some moves have no judgement. Sorted by subspace.
    pub missing: Vec<Missing>,
}

/// A move of a game with its judgement.
#[derive(Clone, Debug)]
pub struct AnnotatedPly {
    /// The move and the situation before it.
    pub step: GameStep,
    /// The judgement; none if a database is missing.
    pub judgement: Option<Judgement>,
}

/// The value of a move, compared with the best one.
///
/// All values are for the side that made the move, and their distances count the move, so that you
/// can compare them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The value of the best move.
    pub best: Value,
    /// The value of the move that was made.
    pub played: Value,
    /// The number of legal moves. Each choice of a stone to remove counts.
    pub choices: usize,
    /// The number of moves that keep the outcome.
    pub holding: usize,
    /// The moves better than the one that was made, best first.
    pub better: Vec<RankedChoice>,
}

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No move is better.
    Best,
    /// The outcome is kept, but a win takes longer or a loss comes sooner.
    Slip {
        /// The number of plies lost; none if one of the distances is not kept.
        plies: Option<Plies>,
    },
    /// The outcome is worse: the result of the game changed here.
    Blunder {
        /// The outcome before the move.
        from: Outcome,
        /// The outcome after it.
        to: Outcome,
    },
}

impl AnnotatedPly {
    /// The side that made the move.
    pub const fn side(&self) -> Side {
        self.step.before.position().side()
    }

    /// How good the move was; none without a judgement.
    pub fn verdict(&self) -> Option<Verdict> {
        self.judgement.as_ref().map(Judgement::verdict)
    }
}

impl Judgement {
    /// How good the move was.
    pub fn verdict(&self) -> Verdict {
        let (best, played) = (self.best, self.played);
        if best == played {
            Verdict::Best
        } else if best.outcome() == played.outcome() {
            let plies = |value: Value| value.distance().map(|Plies(plies)| plies);
            let lost = plies(best).zip(plies(played)).map(|(a, b)| Plies(a.abs_diff(b)));
            Verdict::Slip { plies: lost }
        } else {
            Verdict::Blunder { from: best.outcome(), to: played.outcome() }
        }
    }

    /// Whether every other move has a worse outcome.
    pub const fn is_only_move(&self) -> bool {
        self.holding == 1 && self.choices > 1
    }

    /// The best moves; none if one of them was made.
    pub fn best_instead(&self) -> &[RankedChoice] {
        let mut groups = self.better.chunk_by(|one, next| one.value == next.value);
        groups.next().unwrap_or_default()
    }
}

impl Annotation {
    /// The numbers of the moves that changed the result, from 0.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> {
        let turns = |ply: &AnnotatedPly| matches!(ply.verdict(), Some(Verdict::Blunder { .. }));
        self.plies.iter().enumerate().filter(move |(_, ply)| turns(ply)).map(|(place, _)| place)
    }

    /// The number of moves of `side`, and the number of those with a judgement.
    pub fn known(&self, side: Side) -> (usize, usize) {
        let of_side = self.plies.iter().filter(|ply| ply.side() == side);
        (of_side.count(), self.count(side, |_| true))
    }

    /// The number of moves of `side` whose verdict satisfies `counts`.
    pub fn count(&self, side: Side, counts: impl Fn(Verdict) -> bool) -> usize {
        let of_side = self.plies.iter().filter(|ply| ply.side() == side);
        of_side.filter_map(AnnotatedPly::verdict).filter(|&verdict| counts(verdict)).count()
    }
}

impl<S: Source> Oracle<S> {
    /// Judges every move of a game under the oracle's rules. A move whose database is missing has
    /// no judgement; all others have one.
    ///
    /// # Errors
    /// Those of [`Oracle::analyse`] except [`QueryError::Missing`].
    pub fn annotate(&self, game: &Game) -> Result<Annotation, QueryError> {
        let mut missing = Vec::new();
        let mut plies = Vec::with_capacity(game.steps().len());
        for &step in game.steps() {
            let judgement = known(self.judge(&step), &mut missing)?;
            plies.push(AnnotatedPly { step, judgement });
        }
        let last = known(self.value(*game.situation()), &mut missing)?;
        missing.sort_by_key(|missing: &Missing| missing.subspace);
        missing.dedup_by_key(|missing| missing.subspace);
        Ok(Annotation { plies, last, missing })
    }

    /// Judges a legal move.
    fn judge(&self, step: &GameStep) -> Result<Judgement, QueryError> {
        let analysis = self.analyse(step.before)?;
        let choices = analysis.choices();
        let made = choices.iter().find(|ranked| ranked.choice == step.choice);
        let (best, played) = (analysis.value(), made.expect("a legal move is listed").value);
        let holding = choices.iter().filter(|other| other.value.outcome() == best.outcome());
        let holding = holding.count();
        let better = choices.iter().take_while(|other| other.value > played).copied().collect();
        Ok(Judgement { best, played, choices: choices.len(), holding, better })
    }
}

/// The answer; none if a database is missing, which is added to `missing`.
fn known<T>(
    answer: Result<T, QueryError>,
    missing: &mut Vec<Missing>,
) -> Result<Option<T>, QueryError> {
    match answer {
        Err(QueryError::Missing(lack)) => {
            missing.push(lack);
            Ok(None)
        }
        other => other.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Ruleset;

    use super::*;

    fn annotated(ruleset: &str, text: &str) -> Annotation {
        let rules: Ruleset = ruleset.parse().unwrap();
        let game = Game::parse(text, &rules).unwrap();
        Oracle::without_folder(rules).annotate(&game).unwrap()
    }

    fn verdicts(annotation: &Annotation) -> Vec<Verdict> {
        annotation.plies.iter().map(|ply| ply.verdict().expect("a verdict")).collect()
    }

    #[test]
    fn perfect_play_has_no_mistakes() {
        let text = "1. b2 b3 2. a1 c3 3. a3 a2 4. a1-b1 c3-c2 5. b1-c1xb3 1-0";
        let annotation = annotated("three", text);
        assert!(verdicts(&annotation).iter().all(|&verdict| verdict == Verdict::Best));
        assert_eq!(annotation.last, Some(Value::LOST));
        assert_eq!(annotation.turning_points().count(), 0);
        // The distance falls by one with each ply of either side.
        for (place, ply) in annotation.plies.iter().enumerate() {
            let judgement = ply.judgement.as_ref().unwrap();
            assert_eq!(judgement.best.distance(), Some(Plies(9 - place as u16)));
            assert_eq!(judgement.best_instead(), []);
        }
    }

    #[test]
    fn mistakes_have_better_moves() {
        // The first move gives a win away, the reply a draw; then the win takes longer.
        let annotation = annotated("three", "1. a1 b3 2. a2");
        let found = verdicts(&annotation);
        assert_eq!(found[0], Verdict::Blunder { from: Outcome::Win, to: Outcome::Draw });
        assert_eq!(found[1], Verdict::Blunder { from: Outcome::Draw, to: Outcome::Loss });
        assert_eq!(found[2], Verdict::Slip { plies: Some(Plies(2)) });
        assert_eq!(annotation.turning_points().collect::<Vec<_>>(), [0, 1]);
        let first = annotation.plies[0].judgement.as_ref().unwrap();
        let three = Ruleset::PRESETS.iter().find(|preset| preset.name == "three").unwrap();
        let geometry = three.ruleset.board.geometry();
        let names = |choices: &[RankedChoice]| {
            choices.iter().map(|one| one.choice.display(geometry).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(first.best_instead()), ["b2"]);
        assert_eq!((first.choices, first.holding, first.is_only_move()), (9, 1, true));
        assert_eq!(annotation.count(Side::White, |verdict| verdict != Verdict::Best), 2);
    }

    #[test]
    fn values_agree_with_those_of_the_positions() {
        let rules: Ruleset = "four".parse().unwrap();
        let game = Game::parse("1. d2 b4 2. a3 e3 3. d4 d3 4. c1", &rules).unwrap();
        let oracle = Oracle::without_folder(rules);
        let annotation = oracle.annotate(&game).unwrap();
        let mut next = annotation.last.unwrap();
        for ply in annotation.plies.iter().rev() {
            let judgement = ply.judgement.as_ref().unwrap();
            assert_eq!(judgement.played, next.before());
            assert_eq!(judgement.best, oracle.value(ply.step.before).unwrap());
            assert!(judgement.better.iter().all(|better| better.value > judgement.played));
            assert!(judgement.best >= judgement.played);
            next = judgement.best;
        }
    }

    #[test]
    fn slips_count_the_plies_lost() {
        let judgement =
            |best, played| Judgement { best, played, choices: 2, holding: 2, better: Vec::new() };
        let slower = judgement(Value::Win(Plies(5)), Value::Win(Plies(9))).verdict();
        assert_eq!(slower, Verdict::Slip { plies: Some(Plies(4)) });
        let sooner = judgement(Value::Loss(Plies(8)), Value::Loss(Plies(2))).verdict();
        assert_eq!(sooner, Verdict::Slip { plies: Some(Plies(6)) });
        let unknown = judgement(Value::Win(Plies(1)), Value::Win(Plies::UNKNOWN)).verdict();
        assert_eq!(unknown, Verdict::Slip { plies: None });
    }

    #[test]
    fn a_move_without_a_database_has_no_judgement() {
        // The first move is made with nine stones on the board, the second after a removal with
        // eight.
        let text = r#"[position "w:a1,a4,d7,g1,f4 b:b4,d5,g4,c3 move:w"] 1. d7-a7xb4 d5-e5"#;
        let annotation = annotated("standard", text);
        assert_eq!(annotation.plies[0].verdict(), None);
        assert!(annotation.plies[1].judgement.is_some());
        assert!(annotation.last.is_some());
        let Missing { subspace, folder, .. } = &annotation.missing[0];
        assert_eq!((subspace.to_string().as_str(), annotation.missing.len()), ("5-4", 1));
        assert_eq!(*folder, Some("db/standard".into()));
    }
}
