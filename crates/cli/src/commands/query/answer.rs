//! Everything that an answer can show.

use merels_core::GameEnd;
use merels_db::Edition;
use merels_query::{Line, LineEnd, Missing, QueryError, RankedChoice, Survey, UnvaluedChoice};

use crate::commands::query::request::Question;

/// The answer to a question, as far as the request needs it and the databases have it.
pub(super) struct Answer {
    /// Its value, and its moves with theirs.
    pub(super) survey: Survey,
    /// How the game ended; none if it is not over.
    pub(super) end: Option<GameEnd>,
    /// The edition of the databases that answer; none if the position was solved on the spot.
    pub(super) edition: Option<Edition>,
    /// The line of best play; none if it was not asked for.
    pub(super) line: Option<Result<Line, Missing>>,
    /// The class of each move under the symmetries of the board: first of those with a value.
    pub(super) classes: Option<Vec<usize>>,
}

impl Answer {
    /// Looks up what the request needs. If the game is over, no line of best play follows.
    ///
    /// # Errors
    /// Those of the oracle. A missing database is one only if nothing is known.
    pub(super) fn of(question: &Question<'_>) -> Result<Self, QueryError> {
        let &Question { oracle, request, situation, .. } = question;
        let survey = oracle.survey(situation)?;
        let end = question.end.or_else(|| GameEnd::of_situation(&situation, oracle.ruleset()));
        let line = match (request.line, end) {
            (false, _) => None,
            (true, None) => Some(match oracle.line(situation, Line::DRAWN_PLIES) {
                Err(QueryError::Missing(missing)) => Err(missing),
                other => Ok(other?),
            }),
            (true, Some(_)) => Some(survey.value().map_err(Missing::clone).map(|value| Line {
                start: situation,
                value,
                steps: Vec::new(),
                end: LineEnd::Over,
            })),
        };
        let classes = request.symmetries.then(|| survey.classes());
        let edition = oracle.source().edition_of(survey.looked_up().subspace());
        Ok(Self { survey, end, edition, line, classes })
    }

    /// The possible moves that have a value, best first; none if the game is over.
    pub(super) fn choices(&self) -> &[RankedChoice] {
        if self.end.is_some() { &[] } else { self.survey.choices() }
    }

    /// The possible moves that have none; none if the game is over.
    pub(super) fn unvalued(&self) -> &[UnvaluedChoice] {
        if self.end.is_some() { &[] } else { self.survey.unvalued() }
    }

    /// The moves that are certainly best.
    pub(super) fn best(&self) -> &[RankedChoice] {
        if self.end.is_some() { &[] } else { self.survey.best() }
    }

    /// What is missing for a value of the position; none if it has one.
    pub(super) fn missing(&self) -> Option<Missing> {
        self.survey.value().err().cloned()
    }

    /// The missing databases, each once: for the position, for moves, for the line of best play.
    pub(super) fn all_missing(&self) -> Vec<&Missing> {
        let of_line = self.line.as_ref().and_then(|line| line.as_ref().err());
        let of_moves = self.unvalued().iter().map(|one| &one.missing);
        let all = self.survey.value().err().into_iter().chain(of_moves).chain(of_line);
        let mut found: Vec<&Missing> = Vec::new();
        for missing in all {
            if found.iter().all(|known| known.subspace != missing.subspace) {
                found.push(missing);
            }
        }
        found
    }
}
