//! Published facts about mill games, recomputed from the databases.
//!
//! A [`Claim`] says what was published and how to find it here. Counts are made from the entries, not
//! taken from headers (but where the edition keeps no values); values of positions are looked up. Expected and found are compared as the
//! texts that people read, so what is printed is what was compared.

mod standard;
mod variants;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use merels_core::{Outcome, Plies, Position, Side, Stones, Subspace, Value, grouped};
use merels_db::{DbError, Folder, Statistics, Stored};
use rayon::prelude::*;

use crate::VerifyError;
use crate::coded::Coded;
use crate::count::Counts;
use crate::database::Database;
use crate::observer::{Observer, stopped};
use crate::plain::Values;
use crate::precision::Precision;
use crate::restore::RestoredOtherwise;

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

type Finder = Box<dyn Fn(&Evidence<'_>) -> Result<String, VerifyError>>;

/// Something that was published, and how to find it out.
struct Claim {
    claim: String,
    source: &'static str,
    needs: Vec<Subspace>,
    /// Whether it is about distances.
    exact: bool,
    expected: String,
    find: Finder,
}

impl Claim {
    fn new(
        source: &'static str,
        claim: impl Into<String>,
        expected: impl Into<String>,
        needs: Vec<Subspace>,
        find: impl Fn(&Evidence<'_>) -> Result<String, VerifyError> + 'static,
    ) -> Self {
        let (claim, expected, find) = (claim.into(), expected.into(), Box::new(find));
        Self { claim, source, needs, exact: false, expected, find }
    }

    /// The same claim, which is about distances.
    fn about_distances(self) -> Self {
        Self { exact: true, ..self }
    }
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
    if *ruleset == merels_core::Ruleset::STANDARD {
        standard::claims()
    } else {
        variants::claims(ruleset)
    }
}

/// Bytes of restored values that are kept for claims.
const ROOM: u64 = 1 << 30;

/// What the databases say.
struct Evidence<'a> {
    database: Database<'a>,
    /// Each subspace is counted once.
    counts: Mutex<HashMap<Subspace, Arc<Counts>>>,
    stop: &'a AtomicBool,
}

impl Evidence<'_> {
    /// How often each value occurs in a subspace.
    fn counts(&self, subspace: Subspace) -> Result<Arc<Counts>, VerifyError> {
        let known = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counts) = known.get(&subspace) {
            return Ok(Arc::clone(counts));
        }
        drop(known);
        let open = self.database.table(subspace)?;
        let counts = if self.database.folder().stored(subspace) == Stored::Whole {
            let counts = (0..open.table.blocks()).into_par_iter();
            let buffers = || Coded { near: Vec::new(), far: open.far.as_ref().map(|_| Vec::new()) };
            let counts = counts.map_init(buffers, |codes: &mut Coded<Vec<u8>>, block| {
                if self.stop.load(Ordering::Relaxed) {
                    return Ok::<_, DbError>(Counts::default());
                }
                let indices = open.table.indices_of(block);
                codes.map_mut(|codes| codes.resize((indices.end - indices.start) as usize, 0));
                open.decode_blocks(block..block + 1, codes.view_mut())?;
                Ok(Counts::of(&open.index, indices.start, codes.view()))
            });
            counts.try_reduce(Counts::default, |all, more| Ok(all.merge(&more)))?
        } else {
            self.database.folder().check_kept(subspace)?;
            let restored = self.database.restore(&open)?;
            if let Some(RestoredOtherwise { subspace, stated, found }) = restored.contradiction {
                return Err(VerifyError::Unrestorable { subspace, stated, found });
            }
            restored.counts
        };
        stopped(self.stop)?;
        let mut known = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(known.entry(subspace).or_insert(Arc::new(counts))))
    }

    /// Its counts. Where no values are kept, those of the header have to do.
    fn statistics(&self, subspace: Subspace) -> Result<Statistics, VerifyError> {
        if self.database.folder().check_kept(subspace).is_err() {
            return Ok(self.database.table(subspace)?.table.header().statistics);
        }
        Ok(self.counts(subspace)?.positions.statistics())
    }

    /// The value of a position.
    fn value(&self, position: &Position) -> Result<Value, VerifyError> {
        Ok(self.database.value(position)?)
    }
}

/// The stones on points of these names, with `hand` more in hand.
fn stones(database: merels_core::Board, names: &str, hand: u8) -> Stones {
    let geometry = database.geometry();
    let point = |name: &str| geometry.point_named(name).expect("a point of the board");
    Stones { board: names.split_whitespace().map(point).collect(), hand }
}

/// The position after a first stone on `point`.
fn after_first_stone(ruleset: &merels_core::Ruleset, point: merels_core::Point) -> Position {
    let placed = Stones { board: point.set(), hand: ruleset.stones - 1 };
    let waiting = Stones { board: merels_core::Points::EMPTY, hand: ruleset.stones };
    Position::new(placed, waiting, Side::Black)
}

/// The subspace of the empty board, and the one after the first stone.
fn opening(ruleset: &merels_core::Ruleset) -> (Subspace, Subspace) {
    let hand = ruleset.stones;
    (Subspace::placing(0, 0, hand, hand), Subspace::placing(0, 1, hand, hand - 1))
}

/// The outcome that the first player has from a first stone.
fn first_stone(
    evidence: &Evidence<'_>,
    ruleset: &merels_core::Ruleset,
    point: merels_core::Point,
) -> Result<Outcome, VerifyError> {
    Ok(evidence.value(&after_first_stone(ruleset, point))?.before().outcome())
}

/// Wins, draws, losses and the longest distances, as a line.
fn outcomes(wins: u64, draws: u64, losses: u64, win: Option<u16>, loss: Option<u16>) -> String {
    let longest = |plies: Option<u16>| plies.map_or_else(|| "-".into(), |plies| plies.to_string());
    format!(
        "{} won, {} drawn, {} lost; longest win {}, longest loss {}",
        grouped(wins),
        grouped(draws),
        grouped(losses),
        longest(win),
        longest(loss)
    )
}

fn outcomes_of(statistics: &Statistics) -> String {
    let plies = |longest: Option<Plies>| longest.map(|Plies(plies)| plies);
    let Statistics { wins, draws, losses, longest_win, longest_loss, .. } = *statistics;
    outcomes(wins, draws, losses, plies(longest_win), plies(longest_loss))
}
