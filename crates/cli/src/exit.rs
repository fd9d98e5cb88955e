//! Exit codes and messages of errors.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use merels_atlas::AtlasError;
use merels_core::{GameError, NotationError, SituationError};
use merels_db::{DbError, DbErrorKind};
use merels_query::QueryError;
use merels_solver::SolverError;
use merels_verify::VerifyError;
use rayon::ThreadPoolBuildError;

use crate::advice::told;
use crate::output::CANNOT_WRITE;
use crate::output::note::complain;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Fine = 0,
    /// The run ended, but a line of the input has no answer.
    Negative = 1,
    /// Wrong arguments or input.
    Usage = 2,
    /// A needed database is missing.
    Missing = 3,
    /// A database is damaged, has another ruleset or version, or is not a database.
    Damaged = 4,
    /// The system refused: permissions, a full disk, a lock held by another run, too little memory.
    System = 5,
    /// A database holds a wrong value, or a published fact does not hold.
    Wrong = 6,
    /// Stopped by Ctrl-C or a signal. Finished databases are kept.
    Interrupted = 130,
}

impl Exit {
    /// The codes for `--help`.
    pub(crate) const HELP: &str = "\
Exit codes:
    0  success
    1  success, except for some lines of the input
    2  wrong arguments, or an unreadable or impossible position or move
    3  a database is missing; the message names the command that makes it
    4  a database is damaged, or has another ruleset, edition or format version, or somebody cut it
     short while merels was reading it
    5  the system refused: permissions, full disk, memory, another solver at work
    6  `verify` found a wrong value, or a published fact that does not hold
  130  interrupted; finished databases are kept";

    /// The more serious of two codes, which is the larger one.
    pub(crate) fn or(self, other: Self) -> Self {
        if other as u8 > self as u8 { other } else { self }
    }

    /// The code of an error.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        // The outermost known cause decides.
        error.chain().find_map(Self::of_cause).unwrap_or(Self::Usage)
    }

    fn of_cause(cause: &(dyn Error + 'static)) -> Option<Self> {
        if let Some(error) = cause.downcast_ref::<QueryError>() {
            return Some(match error {
                QueryError::Database(error) => Self::of_database(error),
                QueryError::Missing(_) => Self::Missing,
                QueryError::Inconsistent { .. } => Self::Damaged,
                QueryError::Solver(error) => return Self::of_cause(error),
                _ => Self::Usage,
            });
        }
        if let Some(error) = cause.downcast_ref::<SolverError>() {
            return Some(match error {
                SolverError::Db(error) => Self::of_database(error),
                SolverError::Interrupted => Self::Interrupted,
                SolverError::NoSuchSubspace { .. } => Self::Usage,
                SolverError::Differs { .. } => Self::Damaged,
                // Memory, disk, or a machine that computes wrong results.
                _ => Self::System,
            });
        }
        if let Some(error) = cause.downcast_ref::<VerifyError>() {
            return Some(match error {
                VerifyError::Db(error) => Self::of_database(error),
                VerifyError::Interrupted => Self::Interrupted,
                VerifyError::Nothing { .. } | VerifyError::Needs { .. } => Self::Missing,
                VerifyError::Unrestorable { .. } => Self::Wrong,
                // Memory, or a machine that computes wrong results.
                _ => Self::System,
            });
        }
        if let Some(error) = cause.downcast_ref::<AtlasError>() {
            return Some(match error {
                AtlasError::Database(error) => Self::of_database(error),
                AtlasError::Query(error) => return Self::of_cause(error),
                AtlasError::Nothing { .. } => Self::Missing,
                _ => Self::System,
            });
        }
        if let Some(error) = cause.downcast_ref::<DbError>() {
            return Some(Self::of_database(error));
        }
        if cause.is::<NotationError>() || cause.is::<GameError>() || cause.is::<SituationError>() {
            return Some(Self::Usage);
        }
        let is_systems = cause.is::<io::Error>()
            || cause.is::<ThreadPoolBuildError>()
            || cause.is::<ctrlc::Error>();
        is_systems.then_some(Self::System)
    }

    pub(crate) fn of_database(error: &DbError) -> Self {
        match error.kind() {
            DbErrorKind::Missing => Self::Missing,
            DbErrorKind::System => Self::System,
            DbErrorKind::Damaged => Self::Damaged,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Writes an error to standard error, in one line, and returns its exit code. A closed standard
/// output is not an error: its reader needs no more.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    let closed = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    if error.chain().any(|cause| cause.downcast_ref().is_some_and(closed)) {
        return Exit::Fine;
    }
    complain(told(error.as_ref()));
    Exit::of(error)
}

/// Writes an error about one of several subjects to standard error, in one line, and returns its
/// exit code. The caller continues with the others.
pub(crate) fn report_one(subject: impl Display, error: &(dyn Error + 'static)) -> Exit {
    complain(format_args!("{subject}: {}", told(error)));
    Exit::of_cause(error).unwrap_or(Exit::Usage)
}

/// Prints the text of `--help` or `--version` and returns the exit code.
pub(crate) fn show(help: &clap::Error) -> Exit {
    let shown = help.print().and_then(|()| io::stdout().flush());
    match shown.context(CANNOT_WRITE) {
        Ok(()) => Exit::Fine,
        Err(error) => report(&error),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use anyhow::anyhow;

    use super::*;

    #[test]
    fn each_kind_of_error_has_a_code() {
        let path = PathBuf::from("x");
        let damaged = || DbError::Damaged { path: path.clone(), block: None, reason: "no".into() };
        assert_eq!(Exit::of(&damaged().into()), Exit::Damaged);
        assert_eq!(Exit::of(&QueryError::Database(damaged()).into()), Exit::Damaged);
        let locked = DbError::Locked { path: path.clone() };
        assert_eq!(Exit::of(&anyhow::Error::from(locked).context("cannot start")), Exit::System);
        assert_eq!(Exit::of(&anyhow!("no such thing")), Exit::Usage);
        assert_eq!(Exit::of(&SolverError::Interrupted.into()), Exit::Interrupted);
        assert_eq!(Exit::of(&VerifyError::Interrupted.into()), Exit::Interrupted);
        assert_eq!(Exit::of(&VerifyError::Db(damaged()).into()), Exit::Damaged);
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(Exit::of(&denied.into()), Exit::System);
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        let closed = anyhow::Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(report(&closed.context("cannot write")), Exit::Fine);
    }
}
