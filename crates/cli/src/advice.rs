//! What a user of the program can do about an error: the libraries say what is wrong, this adds the
//! options and commands that help.

use std::error::Error;

use merels_atlas::AtlasError;
use merels_core::{GameError, GameProblem, PointNumbers, one_line};
use merels_query::QueryError;
use merels_solver::SolverError;
use merels_verify::VerifyError;

/// What follows the message about a file that is cut off while it is read.
pub(crate) const CUT_FILE: &str = "; restore it from a copy, or delete it and run `merels solve`";

/// The error and its causes in one line, and what to do about it.
pub(crate) fn told(error: &(dyn Error + 'static)) -> String {
    let mut line = one_line(error);
    let mut next = Some(error);
    // The outermost known cause decides, as for the exit code.
    while let Some(cause) = next {
        if let Some(advice) = about(cause) {
            line.push_str(&advice);
            break;
        }
        next = cause.source();
    }
    line
}

/// What to do about an error, as it follows the text of the error, with its punctuation.
fn about(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<SolverError>() {
        return of_solver(error);
    }
    if let Some(error) = error.downcast_ref::<VerifyError>() {
        return of_verify(error);
    }
    if let Some(error) = error.downcast_ref::<AtlasError>() {
        return match error {
            AtlasError::Nothing { .. } => Some("; make them with `merels solve`".into()),
            AtlasError::Database(error) => about(error),
            AtlasError::Query(error) => about(error),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<GameError>() {
        return of_game(error.problem());
    }
    if let Some(QueryError::Solver(error)) = error.downcast_ref() {
        return of_solver(error);
    }
    merels_advice::about(error)
}

fn of_solver(error: &SolverError) -> Option<String> {
    let advice = match error {
        SolverError::Budget { .. } => "; allow more with --memory, or solve less with --up-to",
        SolverError::DiskSpace { .. } => {
            "; make room, name another folder with --db, or solve less with --up-to"
        }
        SolverError::Memory { .. } => "; close other programs, or solve less with --up-to",
        SolverError::Threads(_) => "; close other programs, or raise the limit on threads",
        SolverError::Differs { .. } => "; delete that file and run `merels solve` again",
        SolverError::Interrupted => ", and the next `merels solve` resumes",
        SolverError::Db(error) => return about(error),
        _ => return None,
    };
    Some(advice.into())
}

fn of_verify(error: &VerifyError) -> Option<String> {
    let advice = match error {
        VerifyError::Nothing { folder, .. } => {
            let command = merels_advice::SolveCommand::new(folder);
            return Some(format!("; make them with `{command}`"));
        }
        VerifyError::Unrestorable { .. } => "; `merels verify --full` shows which",
        VerifyError::Needs { source, .. } => {
            let advice = about(&**source).unwrap_or_default();
            return Some(format!("{advice}, or choose other subspaces with --only"));
        }
        VerifyError::Budget { .. } => "; allow more with --memory, or leave it out with --only",
        VerifyError::Memory { .. } => "; close other programs",
        VerifyError::Interrupted => "; the same command starts over, and with --full resumes here",
        VerifyError::Db(error) => return about(error),
        _ => return None,
    };
    Some(advice.into())
}

fn of_game(problem: &GameProblem) -> Option<String> {
    match problem {
        GameProblem::PointNumber { numbers: PointNumbers::FromOne, .. } => {
            Some("; --points 0 reads numbers from 0".into())
        }
        GameProblem::MoreStones { other, .. } => Some(format!(" (--ruleset {other})")),
        GameProblem::Ruleset { .. } => {
            Some("; name rules with --ruleset, and remove this line".into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use merels_core::{Game, Ruleset, Subspace};
    use merels_db::DbError;

    use super::*;

    #[test]
    fn the_outermost_error_gives_the_advice() {
        let interrupted = anyhow::Error::from(SolverError::Interrupted).context("3-3");
        assert_eq!(
            told(interrupted.as_ref()),
            "3-3: interrupted; finished subspaces are kept, and the next `merels solve` resumes"
        );
        let (subspace, needs) = (Subspace::moving(4, 3), Subspace::moving(3, 3));
        let source = DbError::NoTable { path: "db/standard/3-3.merels".into(), subspace: needs };
        let needs = VerifyError::Needs { subspace, needs, source: Box::new(source) };
        assert_eq!(
            told(&needs),
            "4-3 cannot be checked without 3-3, to which its moves lead: there is no database for \
             3-3: db/standard/3-3.merels does not exist; make it with `merels solve --only 3-3`, \
             or choose other subspaces with --only"
        );
        let missing = QueryError::Database(DbError::NoFolder {
            path: "db/standard".into(),
            ruleset: Ruleset::STANDARD,
        });
        assert!(
            told(&missing)
                .ends_with("make them with `merels solve`, or name the right folder with --db")
        );
        assert_eq!(told(&QueryError::Stopped), "the request was cancelled");
    }

    #[test]
    fn games_name_the_option_that_reads_them() {
        let refusal = |text: &str| told(&Game::parse(text, &Ruleset::STANDARD).unwrap_err());
        let numbers = refusal("1. 5 25");
        assert!(numbers.ends_with("from 1 at the top left; --points 0 reads numbers from 0"));
        let rules = refusal("[Ruleset \"fnord\"] 1. d6");
        assert!(rules.ends_with("are not known; name rules with --ruleset, and remove this line"));
    }
}
