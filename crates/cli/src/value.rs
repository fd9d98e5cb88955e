//! Values as they are told: in words, and as fields of JSON.

use merels_core::{Outcome, Plies, Value};

/// A value with its unit: `win in 5 plies`.
pub(crate) fn in_plies(value: Value) -> String {
    match (value.outcome(), value.distance()) {
        (outcome @ (Outcome::Win | Outcome::Loss), Some(plies)) => {
            format!("{outcome} in {}", plies.in_words())
        }
        (outcome, _) => outcome.to_string(),
    }
}

/// `win`, `draw` or `loss`.
pub(crate) const fn outcome(value: Value) -> &'static str {
    match value.outcome() {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// Plies to the end of the game; none for a draw.
pub(crate) fn distance(value: Value) -> Option<u16> {
    value.distance().map(|Plies(plies)| plies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let values = [Value::Win(Plies(1)), Value::Loss(Plies(0)), Value::Draw];
        assert_eq!(values.map(in_plies), ["win in 1 ply", "loss in 0 plies", "draw"]);
        assert_eq!(values.map(outcome), ["win", "loss", "draw"]);
        assert_eq!(values.map(distance), [Some(1), Some(0), None]);
    }
}
