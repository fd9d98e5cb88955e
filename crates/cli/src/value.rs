//! Values as fields of JSON.

use merels_core::{Outcome, Plies, Value};

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
        assert_eq!(values.map(outcome), ["win", "loss", "draw"]);
        assert_eq!(values.map(distance), [Some(1), Some(0), None]);
    }
}
