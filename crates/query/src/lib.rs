//! Perfect play, looked up.
//!
//! An [`Oracle`] answers for any position, from the empty board on, what it is worth and what each
//! legal move is worth. It takes its values from a [`Source`]; [`TableSource`] is the one that reads
//! database files. Positions in which the game is over, and the choice of a stone to remove after a
//! mill, need no entry of their own.
//!
//! An oracle is `Send + Sync` and keeps its state to itself: open tables, and a bounded number of
//! decoded blocks.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use merels_core::{Ruleset, Situation};
//! use merels_query::Oracle;
//!
//! let rules = Ruleset::STANDARD;
//! let oracle = Oracle::open(Path::new("db"), rules)?;
//! let text = "@*******/********/OO@O**@* b m s 3 0 3 0";
//! let situation = Situation::from_fen(text, &rules)?;
//! println!("{}", oracle.value(situation)?); // loss in 26
//! for ranked in oracle.analyse(situation)?.choices() {
//!     let name = ranked.choice.display(rules.board.geometry());
//!     println!("{name}: {}", ranked.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod error;
mod line;
mod on_the_spot;
mod oracle;
mod source;
mod temptation;

pub use analysis::{Analysis, RankedChoice};
pub use error::QueryError;
pub use line::{Line, LineEnd, LineStep};
pub use on_the_spot::OnTheSpot;
pub use oracle::Oracle;
pub use source::{Source, TableSource};
pub use temptation::{Temptation, pick};
