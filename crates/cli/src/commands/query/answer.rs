//! All that is told about a position.

use merels_core::Situation;
use merels_db::Edition;
use merels_query::{Analysis, Line, QueryError};

use super::Request;
use crate::oracle::Oracle;

/// The most plies of a drawn line. As the first of the best moves is played in every position, it comes
/// back to an earlier one long before.
const DRAWN_PLIES: usize = 1000;

/// What is known about a position, as far as it was asked for.
pub(super) struct Answer {
    /// Its value, and its moves with theirs.
    pub(super) analysis: Analysis,
    /// The edition of the databases that it is from; none if the position was solved on the spot.
    pub(super) edition: Option<Edition>,
    /// The line of best play.
    pub(super) line: Option<Line>,
    /// The class of each move under the symmetries of the board.
    pub(super) classes: Option<Vec<usize>>,
}

impl Answer {
    /// Looks up what `request` asks for.
    ///
    /// # Errors
    /// Those of the oracle.
    pub(super) fn of(
        oracle: &Oracle,
        request: &Request,
        situation: Situation,
    ) -> Result<Self, QueryError> {
        let analysis = oracle.analyse(situation)?;
        let line = if request.line { Some(oracle.line(situation, DRAWN_PLIES)?) } else { None };
        let classes = request.symmetries.then(|| analysis.classes());
        // A move that is not finished has no entry of its own.
        let looked_up = match analysis.choices().first() {
            Some(choice) if situation.is_pending() => choice.position,
            _ => *situation.position(),
        };
        let edition = oracle.source().edition_of(looked_up.subspace());
        Ok(Self { analysis, edition, line, classes })
    }
}
