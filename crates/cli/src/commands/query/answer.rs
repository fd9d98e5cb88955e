//! Everything that an answer can show.

use merels_core::GameEnd;
use merels_db::Edition;
use merels_query::{Analysis, Line, LineEnd, QueryError, RankedChoice};

use crate::commands::query::request::Question;

/// The answer to a question, as far as the request needs it.
pub(super) struct Answer {
    /// Its value, and its moves with theirs.
    pub(super) analysis: Analysis,
    /// How the game ended; none if it is not over.
    pub(super) end: Option<GameEnd>,
    /// The edition of the databases that answer; none if the position was solved on the spot.
    pub(super) edition: Option<Edition>,
    /// The line of best play.
    pub(super) line: Option<Line>,
    /// The class of each move under the symmetries of the board.
    pub(super) classes: Option<Vec<usize>>,
}

impl Answer {
    /// Looks up what the request needs. If the game is over, no line of best play follows.
    ///
    /// # Errors
    /// Those of the oracle.
    pub(super) fn of(question: &Question<'_>) -> Result<Self, QueryError> {
        let &Question { oracle, request, situation, .. } = question;
        let analysis = oracle.analyse(situation)?;
        let end = question.end.or_else(|| GameEnd::of_situation(&situation, oracle.ruleset()));
        let line = match (request.line, end) {
            (false, _) => None,
            (true, None) => Some(oracle.line(situation, Line::DRAWN_PLIES)?),
            (true, Some(_)) => Some(Line {
                start: situation,
                value: analysis.value(),
                steps: Vec::new(),
                end: LineEnd::Over,
            }),
        };
        let classes = request.symmetries.then(|| analysis.classes());
        let edition = oracle.source().edition_of(analysis.looked_up().subspace());
        Ok(Self { analysis, end, edition, line, classes })
    }

    /// The possible moves, best first; none if the game is over.
    pub(super) fn choices(&self) -> &[RankedChoice] {
        if self.end.is_some() { &[] } else { self.analysis.choices() }
    }

    /// The best of them.
    pub(super) fn best(&self) -> &[RankedChoice] {
        if self.end.is_some() { &[] } else { self.analysis.best() }
    }
}
