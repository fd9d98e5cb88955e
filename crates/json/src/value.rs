//! Values.

use merels_core::{Plies, Value};
use serde::Serialize;

use crate::names::outcome_name;

/// A value. The field that uses it says whose value it is and where the distance counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// Plies to the end of the game; none for a draw, and if the databases keep no distances.
    pub distance: Option<u16>,
}

impl From<Value> for Worth {
    fn from(value: Value) -> Self {
        let distance = value.distance().map(|Plies(plies)| plies);
        Self { outcome: outcome_name(value.outcome()), distance }
    }
}
