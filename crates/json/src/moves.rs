//! Moves.

use merels_core::{Choice, Geometry};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::point_names;

/// A move in its parts.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct MoveParts {
    /// Its notation: `d2`, `a1-a4xd7`, `xd7`.
    pub r#move: String,
    /// The point that the stone leaves; `null` for a placing and for a pending removal.
    pub from: Option<String>,
    /// The point that the stone reaches; `null` for a pending removal.
    pub to: Option<String>,
    /// The stones that it removes.
    pub removes: Vec<String>,
}

impl MoveParts {
    /// Describes a choice.
    pub fn new(geometry: &Geometry, choice: &Choice) -> Self {
        let (from, to, removes) = match choice {
            Choice::Move(mv) => (mv.from, Some(mv.to), mv.removes),
            Choice::Removal(removes) => (None, None, *removes),
        };
        let name = |point| geometry.name(point).to_string();
        Self {
            r#move: choice.display(geometry).to_string(),
            from: from.map(name),
            to: to.map(name),
            removes: point_names(geometry, removes),
        }
    }
}
