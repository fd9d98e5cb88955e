//! Values.

use merels_core::{Plies, Value};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::{OUTCOMES, outcome_name};

/// A value. The field that uses it says whose value it is and where the distance counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Worth {
    /// `win`, `draw` or `loss`.
    #[schemars(extend("enum" = OUTCOMES))]
    pub outcome: &'static str,
    /// Plies to the end of the game; `null` for a draw, and if the databases keep no distances.
    pub distance: Option<u16>,
}

impl From<Value> for Worth {
    fn from(value: Value) -> Self {
        let distance = value.distance().map(|Plies(plies)| plies);
        Self { outcome: outcome_name(value.outcome()), distance }
    }
}
