//! Advice about databases that are missing, damaged, or others than expected.

use std::error::Error;
use std::path::Path;

use merels_core::one_line;
use merels_db::{DbError, Edition};
use merels_query::{Missing, QueryError, WhyMissing};

use crate::solve_command::SolveCommand;

/// The error and its causes in one line, with advice about databases behind them.
pub fn told(error: &(dyn Error + 'static)) -> String {
    let mut line = one_line(error);
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(advice) = about(cause) {
            line.push_str(&advice);
            break;
        }
        next = cause.source();
    }
    line
}

/// What to do about an error of the databases, as it follows the text of the error, with its
/// punctuation. None if there is no advice, or if the error is of another kind. It does not look at
/// the causes of the error.
pub fn about(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref() {
        return of_database(error);
    }
    if let Some(missing) = error.downcast_ref() {
        return Some(of_missing(missing));
    }
    match error.downcast_ref()? {
        QueryError::Database(error) => of_database(error),
        QueryError::Missing(missing) => Some(of_missing(missing)),
        QueryError::Inconsistent { subspace, folder, .. } => Some(format!(
            "; delete the database of {subspace} and make it again with `{}`",
            command_in(folder.as_deref()).only(*subspace)
        )),
        _ => None,
    }
}

/// The command that makes what is missing.
pub fn command_for(missing: &Missing) -> SolveCommand<'_> {
    let command = match &missing.why {
        WhyMissing::NotKept { path, .. } => SolveCommand::new(path).of_edition(Edition::Compact),
        _ => command_in(missing.folder.as_deref()),
    };
    command.only(missing.subspace)
}

/// The command for a folder of a ruleset; without one, for the standard game.
fn command_in(folder: Option<&Path>) -> SolveCommand<'_> {
    SolveCommand::new(folder.unwrap_or(Path::new("db/standard")))
}

fn of_missing(missing: &Missing) -> String {
    let what = if matches!(missing.why, WhyMissing::NotKept { .. }) { "them" } else { "it" };
    format!("; make {what} with `{}`", command_for(missing))
}

fn of_database(error: &DbError) -> Option<String> {
    /// The command for the folder of a file.
    fn again(path: &Path) -> SolveCommand<'_> {
        SolveCommand::new(path.parent().unwrap_or(path))
    }
    Some(match error {
        DbError::NoFolder { path, .. } => format!(
            "; make them with `{}`, or name the right folder with --db",
            SolveCommand::new(path)
        ),
        DbError::NoTable { path, subspace } => {
            format!("; make it with `{}`", again(path).only(*subspace))
        }
        DbError::DiskFull { .. } => {
            "; make room and run the command again: finished files are kept".into()
        }
        DbError::Foreign { path, .. } => {
            format!("; move it away, and make it again with `{}`", again(path))
        }
        DbError::Version { path, .. } => format!(
            "; move {} away or delete it, then run `{}`",
            path.parent().unwrap_or(path).display(),
            again(path)
        ),
        DbError::Unreadable { .. } => "; remove it and run the command again".into(),
        DbError::Unsupported { .. } => "; use a newer version of merels".into(),
        DbError::OtherRuleset { .. } => {
            "; keep the databases of each ruleset in a folder of their own".into()
        }
        DbError::OtherEdition { .. } => "; keep each edition in a folder of its own (--db); \
             `merels pack` makes a smaller edition from a larger one"
            .into(),
        DbError::NotCovered { path, wanted, .. } => {
            let command = SolveCommand::new(path).of_edition(*wanted);
            format!("; make that edition with `{command}`")
        }
        DbError::NotKept { path, subspace, .. } => {
            let command = SolveCommand::new(path).only(*subspace).of_edition(Edition::Compact);
            format!("; make them with `{command}`")
        }
        DbError::OtherSubspace { path, .. } => format!(
            "; if it was renamed, restore its name, otherwise delete it and run `{}`",
            again(path)
        ),
        DbError::NoSuchSubspace { .. } => "; move it away".into(),
        DbError::Damaged { path, .. } => {
            format!("; restore it from a copy, or delete it and run `{}`", again(path))
        }
        DbError::Disagreement { path, .. } => format!(
            "; restore the right file from a copy, or delete both and run `{}`",
            again(path)
        ),
        DbError::Locked { .. } => "; wait until it has finished, or stop it".into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use merels_core::{Ruleset, Subspace};

    use super::*;

    #[test]
    fn commands_name_what_is_missing_and_where() {
        let subspace = Subspace::moving(5, 4);
        let missing = |folder: Option<&str>| Missing::no_table(subspace, folder.map(Into::into));
        let line = |missing: Missing| told(&QueryError::from(missing));
        let begin = "there is no database for 5-4 yet; make it with `merels solve --only 5-4";
        assert_eq!(line(missing(None)), format!("{begin}`"));
        assert_eq!(line(missing(Some("db/standard"))), format!("{begin}`"));
        assert_eq!(line(missing(Some("db/six"))), format!("{begin} --ruleset six`"));
        assert_eq!(line(missing(Some("/x/standard"))), format!("{begin} --db /x`"));
        let start = Missing::no_table("0-0+9-9".parse().unwrap(), None);
        assert_eq!(
            told(&start),
            "there is no database for 0-0+9-9 yet; make it with `merels solve`"
        );
        let path = PathBuf::from("db/six");
        let edition = Edition::Statistics;
        let error = DbError::NotKept { path, edition, subspace };
        let end = "because its edition is 'statistics'; make them with `merels solve --only 5-4 \
                   --ruleset six --edition compact --db db-compact`";
        assert!(told(&error).ends_with(end), "{}", told(&error));
        assert_eq!(told(&QueryError::from(error)), {
            let edition = Edition::Statistics;
            told(&DbError::NotKept { path: "db/six".into(), edition, subspace })
        });
    }

    #[test]
    fn advice_follows_the_causes() {
        let path = PathBuf::from("db/three/3-3.merels");
        let full = DbError::DiskFull { path, source: io::Error::other("no room") };
        let words = "no room; make room and run the command again: finished files are kept";
        assert!(told(&full).ends_with(words), "{}", told(&full));
    }

    #[test]
    fn damage_is_repaired_from_a_copy_or_solved_again() {
        let path = || PathBuf::from("db/three/3-3.merels");
        let damaged = DbError::Damaged { path: path(), block: Some(17), reason: "no".into() };
        assert_eq!(
            told(&damaged),
            "db/three/3-3.merels is damaged in block 17: no; restore it from a copy, or delete it \
             and run `merels solve --ruleset three`"
        );
        let old = DbError::Version { path: path(), found: 4 };
        let end = "move db/three away or delete it, then run `merels solve --ruleset three`";
        assert!(told(&old).ends_with(end), "{}", told(&old));
        let ruleset = Ruleset::STANDARD;
        let none = DbError::NoFolder { path: "x/standard".into(), ruleset };
        let end = "does not exist; make them with `merels solve --db x`, or name the right folder \
                   with --db";
        assert!(told(&none).ends_with(end), "{}", told(&none));
    }
}
