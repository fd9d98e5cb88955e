//! All that is told about a position.

use merels_core::{GameEnd, Situation};
use merels_db::Edition;
use merels_query::{Analysis, Line, LineEnd, QueryError, RankedChoice};

use super::Request;
use crate::shared::oracle::Oracle;

/// The most plies of a drawn line. As the first of the best moves is played in every position, it comes
/// back to an earlier one long before.
const DRAWN_PLIES: usize = 1000;

/// What is known about a position, as far as it was asked for.
pub(super) struct Answer {
    /// Its value, and its moves with theirs.
    pub(super) analysis: Analysis,
    /// How the game has ended; none if it goes on.
    pub(super) end: Option<GameEnd>,
    /// The edition of the databases that it is from; none if the position was solved on the spot.
    pub(super) edition: Option<Edition>,
    /// The line of best play.
    pub(super) line: Option<Line>,
    /// The class of each move under the symmetries of the board.
    pub(super) classes: Option<Vec<usize>>,
}

impl Answer {
    /// Looks up what `request` asks for. `end` is how the game has ended, as far as its history tells; then no
    /// line of best play goes on from it.
    ///
    /// # Errors
    /// Those of the oracle.
    pub(super) fn of(
        oracle: &Oracle,
        request: &Request,
        situation: Situation,
        end: Option<GameEnd>,
    ) -> Result<Self, QueryError> {
        let analysis = oracle.analyse(situation)?;
        let end = end.or_else(|| GameEnd::of_situation(&situation, oracle.ruleset()));
        let line = match (request.line, end) {
            (false, _) => None,
            (true, None) => Some(oracle.line(situation, DRAWN_PLIES)?),
            (true, Some(_)) => Some(Line {
                start: situation,
                value: analysis.value(),
                steps: Vec::new(),
                end: LineEnd::Over,
            }),
        };
        let classes = request.symmetries.then(|| analysis.classes());
        // A move that is not finished has no entry of its own.
        let looked_up = match analysis.choices().first() {
            Some(choice) if situation.is_pending() => choice.position,
            _ => *situation.position(),
        };
        let edition = oracle.source().edition_of(looked_up.subspace());
        Ok(Self { analysis, end, edition, line, classes })
    }

    /// The moves that can be made, best first: none if the game is over.
    pub(super) fn choices(&self) -> &[RankedChoice] {
        if self.end.is_some() { &[] } else { self.analysis.choices() }
    }

    /// The best of these.
    pub(super) fn best(&self) -> &[RankedChoice] {
        if self.end.is_some() { &[] } else { self.analysis.best() }
    }
}
