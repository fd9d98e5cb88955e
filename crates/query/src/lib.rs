//! Look-ups of perfect play.
//!
//! For any position, from the empty board on, an [`Oracle`] returns the value of the position and
//! of each legal move ([`Oracle::analyse`]), the line of best play ([`Oracle::line`]), the best
//! moves that are hardest to answer ([`Oracle::temptations`]), and judgements of the moves of a
//! game ([`Oracle::annotate`]). Positions in which the game is over have no entry, and neither has
//! the choice of a stone to remove after a mill.
//!
//! The values come from a [`Source`]:
//!
//! - [`TableSource`] reads the database files of a folder.
//! - [`OnTheSpot`] reads them too, and solves small subspaces in memory if their files are missing.
//!   Small games, and the last eight stones of the standard game, need no folder.
//!
//! An oracle is `Send + Sync` and has no global state. Its memory is bounded: tables stay open; a
//! [`TableSource`] caches a given number of decoded blocks of 64 KiB (1024 by
//! [default](TableSource::DEFAULT_BLOCKS)); an [`OnTheSpot`] keeps at most 12 MB of solved values.
//!
//! # Example
//!
//! Open a folder that `merels solve` made, and look a position up:
//!
//! ```no_run
//! use std::path::Path;
//!
//! use merels_core::{Ruleset, Situation};
//! use merels_query::Oracle;
//!
//! let rules = Ruleset::STANDARD;
//! let oracle = Oracle::open(Path::new("db"), rules)?;
//! let situation = Situation::parse("w:d7,g7,g1 b:a4,g4,d5 move:b", &rules)?;
//! println!("{}", oracle.value(situation)?); // loss in 26
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Solve Three Men's Morris on the spot, list the moves of the empty board, and follow the line of
//! best play:
//!
//! ```
//! use merels_core::{Plies, Position, Ruleset, Value};
//! use merels_query::{LineEnd, Oracle, pick};
//!
//! let rules: Ruleset = "three".parse()?;
//! let oracle = Oracle::without_folder(rules);
//! let start = Position::start(&rules);
//! assert_eq!(oracle.value(start)?, Value::Win(Plies(9)));
//!
//! let geometry = rules.board.geometry();
//! let analysis = oracle.analyse(start)?;
//! for (ranked, class) in analysis.choices().iter().zip(analysis.classes()) {
//!     println!("{} (class {class}): {}", ranked.choice.display(geometry), ranked.value);
//! }
//! assert_eq!(analysis.best()[0].choice.display(geometry).to_string(), "b2");
//!
//! let line = oracle.line(start, 0)?;
//! assert_eq!((line.steps.len(), line.end), (9, LineEnd::Over));
//! for step in &line.steps {
//!     println!("{}, then {}", step.choice.display(geometry), step.value);
//! }
//!
//! // The best choice after which most replies are mistakes.
//! let temptations = oracle.temptations(&analysis)?;
//! let hardest = pick(&temptations, &mut fastrand::Rng::with_seed(7)).expect("a best choice");
//! println!("{} of {} replies are mistakes", hardest.mistakes, hardest.replies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Speed
//!
//! A value in a cached block takes well under a microsecond, a list of moves some ten. Decoding a
//! block takes about 0.1 ms, and a value that a small edition leaves out needs a dozen blocks or
//! more. Look many positions up together ([`Oracle::values`]): then each block is decoded once.
//! `cargo bench -p merels-query` measures all of this.

mod analysis;
mod answers;
mod error;
mod on_the_spot;
mod oracle;
mod source;
mod survey;
mod tables;

pub use analysis::{Analysis, RankedChoice};
pub use answers::{
    AnnotatedPly, Annotation, FirstMove, Judgement, Line, LineEnd, LineStep, Listed, Opening,
    Temptation, Verdict, pick,
};
pub use error::{Missing, QueryError, WhyMissing};
pub use on_the_spot::OnTheSpot;
pub use oracle::Oracle;
pub use source::Source;
pub use survey::{Survey, UnvaluedChoice};
pub use tables::TableSource;

/// The example of the front page of the repository is tested, too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
