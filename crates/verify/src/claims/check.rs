//! Published facts about mill games, recomputed from the databases.
//!
//! A [`Claim`] says what was published and how to find it here. Counts are made from the entries, not
//! taken from headers (but where the edition keeps no values); values of positions are looked up. Expected and found are compared as the
//! texts that people read, so what is printed is what was compared.

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

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReport {
    /// What is claimed.
    pub claim: String,
    /// Who published it.
    pub source: &'static str,
    /// What was published.
    pub expected: String,
    /// What the databases say.
    pub answer: Answer,
}

/// What the databases say to a claim.
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
    /// Nothing: it is about distances, which the folder does not keep.
    NeedsDistances,
    /// Nothing: it is about values of this subspace, of which the folder keeps only the counts.
    NeedsValues(Subspace),
}

/// Recomputes the published facts about the folder's ruleset, on the current rayon pool.
///
/// # Errors
/// See [`VerifyError`]. A claim that does not hold is no error, but told in the reports.
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
    let tells = |claim: &Claim| !claim.exact || database.precision() == Precision::Exact;
    let answerable =
        claims.iter().filter(|claim| missing(claim).is_empty() && tells(claim)).count();
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

/// All that was published about a ruleset, as far as it is known here.
fn claims_about(database: &Database<'_>) -> Vec<Claim> {
    let ruleset = database.ruleset();
    if *ruleset == Ruleset::STANDARD { standard::claims() } else { variants::claims(ruleset) }
}

/// Bytes of restored values that are kept for claims.
const ROOM: u64 = 1 << 30;
