//! The line that follows if both sides play perfectly.

use std::collections::HashSet;

use merels_core::{Choice, IntoSituation, Position, Situation, Value};

use crate::error::QueryError;
use crate::oracle::Oracle;
use crate::source::Source;

/// A line of perfect play: in every position the first of the best choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it begins.
    pub start: Situation,
    /// What the start is worth to its side to move.
    pub value: Value,
    /// What is played, in order. The sides take turns.
    pub steps: Vec<LineStep>,
    /// Why it goes no further.
    pub end: LineEnd,
}

/// A step of a [`Line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineStep {
    /// The move, or the pending removal.
    pub choice: Choice,
    /// The position after it.
    pub position: Position,
    /// What that position is worth to *its* side to move, which is the opponent of the side that
    /// made the choice.
    pub value: Value,
}

/// Why a [`Line`] goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over in the last position.
    Over,
    /// The last position has occurred before in the line, so that play goes round in a circle.
    Repeats,
    /// The game is drawn, or the distance to its end is not kept, and the line has as many plies as
    /// were asked for.
    Cut,
}

impl Line {
    /// A limit for drawn lines that none reaches in practice: the first of the best moves is played in
    /// every position, so an earlier position occurs again long before.
    pub const DRAWN_PLIES: usize = 1000;
}

impl<S: Source> Oracle<S> {
    /// The line of perfect play from a position, or from a situation in the middle of a move.
    ///
    /// A line that is won for one side runs to the end of the game: it has as many plies as the
    /// distance of its value says (253 at most), whatever `drawn_plies` is. A drawn line ends with
    /// the first position that occurs a second time, with the game, or after `drawn_plies`; and so does
    /// any line where distances are not kept: there the side that wins may go round in circles.
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
            // Not where distances are known: then every step brings the end one ply nearer.
            if !seen.insert(position) {
                break LineEnd::Repeats;
            }
        };
        Ok(Line { start, value, steps, end })
    }
}
