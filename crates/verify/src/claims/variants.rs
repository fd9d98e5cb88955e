//! Published outcomes of other games.

use merels_core::{Geometry, Outcome, Point, Position, Ruleset};

use crate::claims::claim::{Claim, first_stone, opening};
use crate::claims::evidence::Evidence;
use crate::error::VerifyError;

const SOURCE: &str = "published solutions of this game";

/// The claims about a ruleset.
pub(super) fn claims(ruleset: &Ruleset) -> Vec<Claim> {
    let rules = *ruleset;
    let same = |text: &str| text.parse() == Ok(rules);
    let (start, first) = opening(ruleset);
    let mut claims = Vec::new();
    if let Some(outcome) = ruleset.published_outcome() {
        claims.push(Claim::new(
            SOURCE,
            "the game's outcome for the first player",
            outcome.to_string(),
            vec![start],
            move |evidence| Ok(evidence.value(&Position::start(&rules))?.outcome().to_string()),
        ));
    }
    if same("morabaraba") {
        let find = move |evidence: &Evidence<'_>| {
            Ok(evidence.value(&Position::start(&rules))?.to_string())
        };
        let claim = "in how many plies the first player wins";
        claims.push(Claim::new(SOURCE, claim, "win in 49", vec![start], find).about_distances());
    }
    let mut first_stones = |claim: &str, which: fn(&Geometry, Point) -> bool, outcome: Outcome| {
        claims.push(Claim::new(SOURCE, claim, outcome.to_string(), vec![first], move |evidence| {
            let geometry = rules.board.geometry();
            let points = geometry.points().into_iter().filter(|&point| which(geometry, point));
            let outcomes = points.map(|point| first_stone(evidence, &rules, point));
            let mut outcomes = outcomes.collect::<Result<Vec<_>, VerifyError>>()?;
            outcomes.sort();
            outcomes.dedup();
            let names: Vec<_> = outcomes.iter().map(ToString::to_string).collect();
            Ok(names.join(" or "))
        }));
    };
    let is_corner =
        |geometry: &Geometry, point: Point| point.index() < geometry.corner_count().into();
    if same("lasker") {
        first_stones("all first stones draw", |_, _| true, Outcome::Draw);
    } else if same("morabaraba") {
        first_stones("first stones on corners win", is_corner, Outcome::Win);
        first_stones(
            "first stones on the middles of sides draw",
            |geometry, point| point.index() >= geometry.corner_count().into(),
            Outcome::Draw,
        );
    } else if same("three") {
        first_stones(
            "the first stone in the centre wins",
            |geometry, point| geometry.neighbours(point).len() == 8,
            Outcome::Win,
        );
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_claims_about_games_of_which_something_is_published() {
        assert_eq!(claims(&"morabaraba".parse().unwrap()).len(), 4);
        assert_eq!(claims(&"three".parse().unwrap()).len(), 2);
        assert!(claims(&"no-flying".parse().unwrap()).is_empty());
    }
}
