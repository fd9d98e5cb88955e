//! Perfect play, looked up.
//!
//! An [`Oracle`] answers for any position, from the empty board on, what it is worth and what each
//! legal move is worth ([`Oracle::analyse`]), what happens if both sides play perfectly
//! ([`Oracle::line`]), which of the best moves is the hardest to answer
//! ([`Oracle::temptations`]), and how good the moves of a game were ([`Oracle::annotate`]). Positions in which the game is over, and the choice of a stone to
//! remove after a mill, need no entry of their own.
//!
//! The values come from a [`Source`]:
//!
//! - [`TableSource`] reads the database files of a folder.
//! - [`OnTheSpot`] does so, too, and solves small subspaces in memory where no file is there. Small
//!   games, and the last eight stones of the standard game, need no folder at all.
//!
//! An oracle is `Send + Sync`, keeps its state to itself and bounds it: tables stay open; a
//! [`TableSource`] keeps as many decoded blocks of 64 KiB as it was told (1024 by
//! [default](TableSource::DEFAULT_BLOCKS)); an [`OnTheSpot`] keeps at most 12 MB of values that it
//! has solved.
//!
//! # Example
//!
//! A folder that `merels solve` has made is opened, a position looked up:
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
//! Three Men's Morris is solved on the spot. The moves of the empty board are listed, and the line of
//! perfect play is followed:
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
//! // Of the best choices the one after which most replies are mistakes.
//! let temptations = oracle.temptations(&analysis)?;
//! let hardest = pick(&temptations, &mut fastrand::Rng::with_seed(7)).expect("a best choice");
//! println!("{} of {} replies are mistakes", hardest.mistakes, hardest.replies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Speed
//!
//! A value whose block is decoded already takes well under a microsecond, a list of moves some ten;
//! a block that is not yet decoded takes about 0.1 ms, and a value that a small edition leaves out a dozen of them or
//! more. Whoever has many positions should ask for them together ([`Oracle::values`]): then each block is
//! decoded once. `cargo bench -p merels-query` measures all of this.

mod analysis;
mod answers;
mod error;
mod on_the_spot;
mod oracle;
mod source;
mod tables;

pub use analysis::{Analysis, RankedChoice};
pub use answers::{
    AnnotatedPly, Annotation, FirstMove, Judgement, Line, LineEnd, LineStep, Opening, Temptation,
    Verdict, pick,
};
pub use error::QueryError;
pub use on_the_spot::OnTheSpot;
pub use oracle::Oracle;
pub use source::Source;
pub use tables::TableSource;
