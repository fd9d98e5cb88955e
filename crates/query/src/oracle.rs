//! The value of a position and of each of its moves.

use std::path::Path;

use merels_core::{IntoSituation, Position, Ruleset, Situation, Value};
use rayon::prelude::*;

use crate::analysis::{Analysis, RankedChoice};
use crate::error::{Missing, QueryError};
use crate::on_the_spot::OnTheSpot;
use crate::source::Source;
use crate::survey::{Survey, UnvaluedChoice};
use crate::tables::TableSource;

/// Returns values of positions and moves.
#[derive(Debug)]
pub struct Oracle<S = TableSource> {
    ruleset: Ruleset,
    source: S,
}

impl Oracle {
    /// An oracle on the databases for `ruleset` in `dir`, which caches
    /// [`TableSource::DEFAULT_BLOCKS`] decoded blocks.
    ///
    /// # Errors
    /// [`QueryError::Database`] if there are no databases for these rules in `dir`.
    pub fn open(dir: &Path, ruleset: Ruleset) -> Result<Self, QueryError> {
        let source = TableSource::open(dir, ruleset, TableSource::DEFAULT_BLOCKS)?;
        Ok(Self::new(ruleset, source))
    }
}

impl Oracle<OnTheSpot> {
    /// An oracle on the databases for `ruleset` in `dir`, if there are any. It solves small missing
    /// subspaces itself, see [`OnTheSpot`].
    ///
    /// # Errors
    /// [`QueryError::Database`] if `dir` has a folder for these rules that cannot be used.
    pub fn open_or_solve(dir: &Path, ruleset: Ruleset) -> Result<Self, QueryError> {
        let source = OnTheSpot::open(dir, ruleset, TableSource::DEFAULT_BLOCKS)?;
        Ok(Self::new(ruleset, source))
    }

    /// An oracle without databases, for positions that can be solved on the spot.
    pub fn without_folder(ruleset: Ruleset) -> Self {
        Self::new(ruleset, OnTheSpot::without_folder(ruleset))
    }
}

impl<S: Source> Oracle<S> {
    /// An oracle that takes its values from `source`, which must be for the same rules.
    pub const fn new(ruleset: Ruleset, source: S) -> Self {
        Self { ruleset, source }
    }

    /// The rules.
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Where the values come from.
    pub const fn source(&self) -> &S {
        &self.source
    }

    /// The value of a position, or of a situation in the middle of a move, for the side to move. In
    /// the middle of a move the distance counts that move.
    ///
    /// # Errors
    /// [`QueryError::Impossible`], and those of the [`Source`].
    pub fn value(&self, situation: impl IntoSituation) -> Result<Value, QueryError> {
        let situation = self.checked(situation)?;
        if !situation.is_pending() {
            return self.probe(situation.position());
        }
        let values = situation.choices(&self.ruleset).into_iter();
        let mut values = values.map(|choice| Ok(self.probe(&choice.apply(&situation))?.before()));
        // A pending removal has at least one choice.
        values.try_fold(Value::LOST, |best, value: Result<_, QueryError>| Ok(best.max(value?)))
    }

    /// The values of many positions, in their order. Each equals what [`Oracle::value`] returns. If
    /// they come from files, each block is decoded once for up to a million of them, in any order:
    /// a million random positions of the whole game take a small part of the time that they take
    /// one at a time (`docs/performance.md`). Each position takes some hundred bytes of memory.
    pub fn values(&self, situations: &[Situation]) -> Vec<Result<Value, QueryError>> {
        let known = situations.par_iter().map(|situation| {
            if situation.is_pending() {
                return Some(self.value(*situation));
            }
            self.ruleset.ending(situation.position()).map(Ok)
        });
        let known: Vec<_> = known.collect();
        let asked = situations.iter().zip(&known).filter(|(_, known)| known.is_none());
        let asked: Vec<_> = asked.map(|(situation, _)| *situation.position()).collect();
        let mut found = self.source.values(&asked).into_iter();
        let found = |known: Option<_>| known.or_else(|| found.next()).expect("a value for each");
        known.into_iter().map(found).collect()
    }

    /// The value of a position, and all its choices, best first.
    ///
    /// # Errors
    /// Those of [`Oracle::value`], for the position and all positions after one choice;
    /// [`QueryError::Inconsistent`] if the position's value is not that of its best move.
    pub fn analyse(&self, situation: impl IntoSituation) -> Result<Analysis, QueryError> {
        self.survey(situation)?.complete()
    }

    /// The value of a position, and its choices, as far as the databases are there.
    ///
    /// # Errors
    /// Those of [`Oracle::analyse`], apart from missing databases: these are one only if neither
    /// the position nor any choice has a value.
    pub fn survey(&self, situation: impl IntoSituation) -> Result<Survey, QueryError> {
        let situation = self.checked(situation)?;
        let stored = match situation.is_pending() {
            true => None,
            false => Some(or_missing(self.probe(situation.position()))?),
        };
        let (mut choices, mut unvalued) = (Vec::new(), Vec::new());
        for choice in situation.choices(&self.ruleset) {
            let position = choice.apply(&situation);
            match or_missing(self.probe(&position))? {
                Ok(value) => choices.push(RankedChoice { choice, position, value: value.before() }),
                Err(missing) => unvalued.push(UnvaluedChoice { choice, position, missing }),
            }
        }
        let best = choices.iter().map(|ranked| ranked.value).max();
        let value = match stored {
            Some(Ok(stored)) => {
                let agrees = best.is_none_or(|best| match unvalued.is_empty() {
                    true => stored.agrees_with(best),
                    false => stored.outcome() >= best.outcome(),
                });
                if !agrees {
                    return Err(self.inconsistent(&situation, stored, best.unwrap_or(stored)));
                }
                // Without a choice the game is over, and its ending is the value. If distances are
                // not kept, the choices may still have one: a win in one ply, and what follows.
                Ok(best.filter(|_| unvalued.is_empty()).unwrap_or(stored))
            }
            Some(Err(missing)) => Err(missing),
            // Pending removals, at least one.
            None => match unvalued.first() {
                None => Ok(best.unwrap_or(Value::LOST)),
                Some(first) => Err(first.missing.clone()),
            },
        };
        match value {
            Err(missing) if choices.is_empty() => Err(missing.into()),
            value => Ok(Survey::new(self.ruleset.board, situation, value, choices, unvalued)),
        }
    }

    fn inconsistent(&self, situation: &Situation, stored: Value, best: Value) -> QueryError {
        let subspace = situation.position().subspace();
        QueryError::Inconsistent {
            position: situation.text(&self.ruleset).to_string(),
            subspace,
            stored,
            best,
            folder: self.source.folder(),
        }
    }

    /// A situation of the oracle's rules as it is; a position if it can occur.
    pub(crate) fn checked(&self, asked: impl IntoSituation) -> Result<Situation, QueryError> {
        let ruleset = self.ruleset;
        asked.into_situation(&ruleset).map_err(|cause| QueryError::Impossible { ruleset, cause })
    }

    /// The value of a position that can occur.
    fn probe(&self, position: &Position) -> Result<Value, QueryError> {
        match self.ruleset.ending(position) {
            Some(value) => Ok(value),
            None => self.source.value(position),
        }
    }
}

/// Keeps a missing database apart from other errors, which end the look-up.
fn or_missing(value: Result<Value, QueryError>) -> Result<Result<Value, Missing>, QueryError> {
    match value {
        Ok(value) => Ok(Ok(value)),
        Err(QueryError::Missing(missing)) => Ok(Err(missing)),
        Err(other) => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use merels_core::numbering::Pair;
    use merels_core::{Board, Outcome, Plies, Points, Side, Stones, Subspace};
    use merels_naive::NaiveSolver;

    use super::*;

    /// The naive solver's values, with one position falsified on demand.
    struct Naive<'a> {
        solver: &'a NaiveSolver,
        falsified: Option<(Position, Value)>,
    }

    impl Source for Naive<'_> {
        fn value(&self, position: &Position) -> Result<Value, QueryError> {
            if let Some((falsified, value)) = self.falsified
                && falsified == *position
            {
                return Ok(value);
            }
            let subspace = position.subspace();
            self.solver.value(position).ok_or(Missing::no_table(subspace, None).into())
        }
    }

    fn oracle() -> Oracle<Naive<'static>> {
        static SOLVED: LazyLock<NaiveSolver> = LazyLock::new(|| {
            let mut solver = NaiveSolver::new(Ruleset::STANDARD);
            solver.solve(Pair::of(Subspace::moving(3, 3)));
            solver
        });
        Oracle::new(Ruleset::STANDARD, Naive { solver: &SOLVED, falsified: None })
    }

    fn position(white: &str, black: &str, side: Side) -> Position {
        let nine = Board::Nine.geometry();
        let stones = |names: &str| {
            let points = names.split_whitespace().map(|name| nine.point_named(name).unwrap());
            Stones { board: points.collect::<Points>(), hand: 0 }
        };
        Position::new(stones(white), stones(black), side)
    }

    fn names(analysis: &Analysis) -> Vec<String> {
        let nine = Board::Nine.geometry();
        analysis.choices().iter().map(|ranked| ranked.choice.display(nine).to_string()).collect()
    }

    #[test]
    fn oracles_can_be_shared() {
        fn shared<T: Send + Sync>() {}
        shared::<Oracle>();
    }

    #[test]
    fn figure_9_and_its_moves() {
        let oracle = oracle();
        let figure_9 = position("d7 g7 g1", "a4 g4 d5", Side::Black);
        assert_eq!(oracle.value(figure_9).unwrap(), Value::Loss(Plies(26)));
        let analysis = oracle.analyse(figure_9).unwrap();
        assert_eq!(analysis.value(), Value::Loss(Plies(26)));
        assert_eq!(analysis.choices().len(), 3 * 18);
        for pair in analysis.choices().windows(2) {
            assert!(pair[0].value >= pair[1].value);
        }
        for ranked in analysis.choices() {
            assert_eq!(oracle.value(ranked.position).unwrap().before(), ranked.value);
        }
    }

    #[test]
    fn a_pending_removal_is_as_good_as_its_best_stone() {
        let oracle = oracle();
        // All stones stand in mills, so any may go, and each ends the game.
        let closed = position("a1 a4 a7", "g7 g4 g1", Side::White);
        let closed = Situation::pending_removal(closed, 1, &Ruleset::STANDARD).unwrap();
        let analysis = oracle.analyse(closed).unwrap();
        assert_eq!(names(&analysis), ["xg1", "xg4", "xg7"]);
        assert_eq!(analysis.value(), Value::Win(Plies(1)));
        assert_eq!(oracle.value(closed).unwrap(), analysis.value());
        // Before it closed: the same distance, as the removal belongs to the move.
        let before = position("a4 a7 d7", "g7 g4 g1", Side::White);
        assert_eq!(oracle.value(before).unwrap(), Value::Win(Plies(1)));
    }

    #[test]
    fn endings_need_no_source() {
        let oracle = oracle();
        let lost = position("a7 d7 g7", "d6 d5", Side::Black);
        assert_eq!(oracle.value(lost).unwrap(), Value::LOST);
        let blocked =
            position("d7 d6 a4 b4 e5 c3 e3 d2 g1", "a7 b6 c5 d5 c4 d3 b2 a1 d1", Side::Black);
        let analysis = oracle.analyse(blocked).unwrap();
        assert_eq!(analysis.value(), Value::LOST);
        assert!(analysis.choices().is_empty());
    }

    #[test]
    fn refusals() {
        let oracle = oracle();
        let refusal = |position: Position| oracle.analyse(position).unwrap_err().to_string();
        let four = position("a7 d7 g1 b4", "d6 d5 f4", Side::Black);
        assert_eq!(refusal(four), "there is no database for 3-4 yet");
        let start = Position::start(&Ruleset::STANDARD);
        assert_eq!(refusal(start), "there is no database for 0-0+9-9 yet");
        let impossible = position("a7 d7 g1", "a7 d5 f4", Side::Black);
        assert!(refusal(impossible).contains("a7 holds a stone of both sides"));
    }

    #[test]
    fn numbers_of_stones_that_no_game_has() {
        let oracle = oracle();
        let with_hands = |white: &str, black: &str, hands: (u8, u8)| {
            let board = position(white, black, Side::Black);
            let stones = |side, hand| Stones { hand, ..board.stones(side) };
            Position::new(stones(Side::White, hands.0), stones(Side::Black, hands.1), Side::Black)
        };
        // White's third stone can have taken one of Black's first two, but not both.
        let error = oracle.value(with_hands("a7 d6 g1", "", (6, 7))).unwrap_err();
        assert!(matches!(error, QueryError::Impossible { .. }), "{error}");
        assert!(error.to_string().contains("White has lost 0 stones and Black 2, but"), "{error}");
        let error = oracle.value(with_hands("a7 d6 g1", "b4", (6, 7))).unwrap_err();
        assert!(matches!(error, QueryError::Missing(_)), "{error}");
        // Fewer than three stones, those in hand among them, are lost.
        assert_eq!(oracle.value(with_hands("a7 d6 g1", "b4", (0, 1))).unwrap(), Value::LOST);
    }

    #[test]
    fn placing_and_moving_in_turn() {
        let rules: Ruleset = "three,placing=mixed".parse().unwrap();
        let start = Position::start(&rules);
        let mut solver = NaiveSolver::new(rules);
        solver.solve(Pair::of(start.subspace()));
        let oracle = Oracle::new(rules, Naive { solver: &solver, falsified: None });
        assert_eq!(oracle.analyse(start).unwrap().choices().len(), 9);
        // Two stones slide, or the third is placed.
        let three = rules.board.geometry();
        let stones = |names: &str, hand| {
            let board = names.split_whitespace().map(|name| three.point_named(name).unwrap());
            Stones { board: board.collect(), hand }
        };
        let position = Position::new(stones("a1 b1", 1), stones("c3 b2", 1), Side::Black);
        let analysis = oracle.analyse(position).unwrap();
        let moves = rules.legal_moves(&position);
        assert_eq!(analysis.choices().len(), moves.len());
        assert!(
            moves.iter().any(|mv| mv.from.is_none()) && moves.iter().any(|mv| mv.from.is_some())
        );
    }

    #[test]
    fn a_wrong_value_is_noticed() {
        let mut oracle = oracle();
        let drawn = oracle.source.solver.positions(Subspace::moving(3, 3));
        let mut drawn = drawn.filter(|(_, _, value)| value.outcome() == Outcome::Draw);
        let (mover, other, _) = drawn.next().unwrap();
        let position = Position::of_subspace(Subspace::moving(3, 3), mover, other);
        drop(drawn);
        assert!(oracle.analyse(position).is_ok());
        oracle.source.falsified = Some((position, Value::Win(Plies(3))));
        let error = oracle.analyse(position).unwrap_err();
        assert!(matches!(error, QueryError::Inconsistent { best: Value::Draw, .. }), "{error}");
        assert!(error.to_string().contains(" w m s 3 0 3 0"), "{error}");
    }
}
