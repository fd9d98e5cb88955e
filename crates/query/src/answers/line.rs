//! Lines of best play.

use std::collections::HashSet;

use merels_core::{Choice, IntoSituation, Position, Situation, Value};

use crate::error::QueryError;
use crate::oracle::Oracle;
use crate::source::Source;

/// A line of best play: in every position the first of the best choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The first situation.
    pub start: Situation,
    /// The value of the start for its side to move.
    pub value: Value,
    /// The steps, in order. The sides take turns.
    pub steps: Vec<LineStep>,
    /// Why it ends.
    pub end: LineEnd,
}

/// A step of a [`Line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineStep {
    /// The move, or the pending removal.
    pub choice: Choice,
    /// The position after it.
    pub position: Position,
    /// The value of that position for *its* side to move, the opponent of the side that made the
    /// choice.
    pub value: Value,
}

/// Why a [`Line`] ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over in the last position.
    Over,
    /// The last position has occurred earlier in the line, so play repeats.
    Repeats,
    /// The line has reached its limit of plies. The game is drawn, or distances are not kept.
    Cut,
}

impl Line {
    /// A limit for drawn lines that none reaches in practice: the first of the best moves is played
    /// in every position, so an earlier position occurs again long before.
    pub const DRAWN_PLIES: usize = 1000;
}

impl<S: Source> Oracle<S> {
    /// The line of best play from a position, or from a situation in the middle of a move.
    ///
    /// A line that one side wins runs to the end of the game, whatever `drawn_plies` is: its number
    /// of plies is the distance of its value. A drawn line ends with the game, with the first
    /// position that occurs a second time, or after `drawn_plies`. If distances are not kept, every
    /// line ends so, because the winning side may repeat positions.
    ///
    /// # Errors
    /// Those of [`Oracle::analyse`], for every position of the line.
    pub fn line(
        &self,
        situation: impl IntoSituation,
        drawn_plies: usize,
    ) -> Result<Line, QueryError> {
        let start = self.checked(situation)?;
        let mut analysis = self.analyse(start)?;
        let value = analysis.value();
        let mut steps: Vec<LineStep> = Vec::new();
        let mut seen = HashSet::new();
        if !start.is_pending() {
            seen.insert(*start.position());
        }
        let end = loop {
            let Some(&best) = analysis.choices().first() else { break LineEnd::Over };
            if value.distance().is_none() && steps.len() >= drawn_plies {
                break LineEnd::Cut;
            }
            analysis = self.analyse(best.position)?;
            let (choice, position, value) = (best.choice, best.position, analysis.value());
            steps.push(LineStep { choice, position, value });
            // This cannot happen if distances are known: each step brings the end one ply nearer.
            if !seen.insert(position) {
                break LineEnd::Repeats;
            }
        };
        Ok(Line { start, value, steps, end })
    }
}
