//! Published facts about mill games, recomputed from the databases.
//!
//! A [`Claim`] has the published fact and the way to recompute it. Counts come from the entries, or
//! from headers if the edition keeps no values. Values of positions come from look-ups. The check
//! compares the expected text with the found text; the program prints both.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use merels_core::{Ruleset, Subspace};
use merels_db::{DbError, Folder};

use crate::claims::claim::Claim;
use crate::claims::evidence::Evidence;
use crate::claims::{standard, variants};
use crate::error::VerifyError;
use crate::fast::precision::Precision;
use crate::observer::{Observer, stopped};
use crate::tables::database::Database;

/// The result for a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReport {
    /// The claim.
    pub claim: String,
    /// The publication.
    pub source: &'static str,
    /// The published text.
    pub expected: String,
    /// The answer of the databases.
    pub answer: Answer,
}

/// The answer of the databases to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The same.
    Holds,
    /// Something else.
    Differs {
        /// What was found instead.
        found: String,
    },
    /// Nothing: these subspaces are missing.
    Needs(Vec<Subspace>),
    /// Nothing: the folder does not keep distances.
    NeedsDistances,
    /// Nothing: the folder keeps only the counts of this subspace.
    NeedsValues(Subspace),
}

/// Recomputes the published facts about the folder's ruleset, on the current rayon pool.
///
/// # Errors
/// See [`VerifyError`]. A claim that fails is not an error: the reports list it.
pub fn verify_claims(
    folder: &Folder,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<ClaimReport>, VerifyError> {
    let database = Database::with_room(folder, ROOM);
    let present = folder.subspaces_present()?;
    let claims = claims_about(&database);
    let missing = |claim: &Claim| -> Vec<Subspace> {
        claim.needs.iter().copied().filter(|needs| !present.contains(needs)).collect()
    };
    let fits = |claim: &Claim| !claim.exact || database.precision() == Precision::Exact;
    let answerable = claims.iter().filter(|claim| missing(claim).is_empty() && fits(claim)).count();
    observer.begin(answerable, answerable as u64);
    let evidence = Evidence { database, counts: Mutex::default(), stop };
    let mut reports = Vec::new();
    for claim in claims {
        stopped(stop)?;
        let missing = missing(&claim);
        let answer = if !missing.is_empty() {
            Answer::Needs(missing)
        } else if claim.exact && evidence.database.precision() == Precision::Outcomes {
            Answer::NeedsDistances
        } else {
            let found = (claim.find)(&evidence);
            observer.advance(1);
            match found {
                Ok(found) if found == claim.expected => Answer::Holds,
                Ok(found) => Answer::Differs { found },
                Err(VerifyError::Db(DbError::NotKept { subspace, .. })) => {
                    Answer::NeedsValues(subspace)
                }
                Err(error) => return Err(error),
            }
        };
        let Claim { claim, source, expected, .. } = claim;
        reports.push(ClaimReport { claim, source, expected, answer });
    }
    Ok(reports)
}

/// The known published facts about a ruleset.
fn claims_about(database: &Database<'_>) -> Vec<Claim> {
    let ruleset = database.ruleset();
    if *ruleset == Ruleset::STANDARD { standard::claims() } else { variants::claims(ruleset) }
}

/// Bytes of restored values to keep for claims.
const ROOM: u64 = 1 << 30;
