//! What a user of the program `merels` can do about an error of the databases.
//!
//! The libraries state facts: which file, which subspace, which ruleset. They do not know that
//! there is a program. This crate knows its command lines. The program and its server put the two
//! together: [`told`] makes one line of an error, its causes and the advice.
//!
//! ```
//! use merels_advice::{SolveCommand, told};
//! use merels_core::Subspace;
//! use merels_db::DbError;
//!
//! let path = "db/standard/3-3.merels".into();
//! let error = DbError::NoTable { path, subspace: Subspace::moving(3, 3) };
//! assert_eq!(
//!     error.to_string(),
//!     "there is no database for 3-3: db/standard/3-3.merels does not exist"
//! );
//! assert!(told(&error).ends_with("does not exist; make it with `merels solve --only 3-3`"));
//! ```

mod database;
mod solve_command;

pub use database::{about, command_for, told};
pub use solve_command::SolveCommand;
