//! What is wrong with a move of a game, in terms of the game.

use crate::notation::game::{Game, GameStep};
use crate::notation::games::error::GameProblem;
use crate::notation::move_error::MoveProblem;
use crate::notation::shown::shown;
use crate::notation::words::ply::PointNumbers;
use crate::play::situation::Choice;
use crate::rules::ruleset::Ruleset;

/// The problem of the move `written`, which cannot be made in `game`. `numbers` is how the game
/// numbers points; none if it names them.
pub(super) fn cause(
    game: &Game,
    written: &str,
    numbers: Option<PointNumbers>,
    problem: MoveProblem,
) -> GameProblem {
    let is_number = written.chars().all(|found| found.is_ascii_digit() || "-x:×".contains(found));
    match (problem, numbers) {
        (MoveProblem::Form | MoveProblem::Numbers { .. }, Some(numbers)) if is_number => {
            GameProblem::PointNumber { found: shown(written), numbers }
        }
        (problem, _) => {
            let other = with_more_stones(game.ruleset());
            match (problem, other) {
                (MoveProblem::NoHand { side, .. }, Some(other))
                    if game.steps().iter().all(places) =>
                {
                    GameProblem::MoreStones { side, placed: game.ruleset().stones, other }
                }
                (problem, _) => Box::new(problem).into(),
            }
        }
    }
}

/// Whether a ply places a stone.
fn places(step: &GameStep) -> bool {
    matches!(step.choice, Choice::Move(mv) if mv.from.is_none())
}

/// The named rules that have the most stones on as many points, if these are more than `ruleset`
/// has.
fn with_more_stones(ruleset: &Ruleset) -> Option<&'static str> {
    let points = |ruleset: &Ruleset| ruleset.board.geometry().point_count();
    let more = Ruleset::PRESETS.iter().filter(|preset| {
        preset.ruleset.stones > ruleset.stones && points(&preset.ruleset) == points(ruleset)
    });
    more.max_by_key(|preset| preset.ruleset.stones).map(|preset| preset.name)
}
