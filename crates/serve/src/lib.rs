//! Solved games over HTTP: an interface for programs, and a page for people.
//!
//! [`router`] answers requests from an [`Explorer`], which has the databases of one ruleset;
//! [`serve`] runs it on a socket until it is stopped. `docs/http-api.md` describes every address.
//! The parts:
//!
//! - `api`: the addresses under `/api`, one module each. They read a request, look positions up and
//!   describe the answer. The crate `merels-json` has the shapes that answers share. From the types
//!   of both comes the OpenAPI document.
//! - `assets`: the page. Its files are part of the program, so there is nothing to install. The
//!   page requests everything from `/api`, even legal moves, and knows no rules.
//! - `explorer`: look-ups run on threads of their own, because a page fault in a mapped file can
//!   take long. The numbers of look-ups and connections, the sizes of bodies and all times are
//!   bounded, and so is memory.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use merels_core::Ruleset;
//! use merels_serve::{Explorer, Limits, Options, router, serve};
//! use tokio::net::TcpListener;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let limits = Limits::default();
//! let explorer = Explorer::open(Path::new("db"), Ruleset::STANDARD, &limits)?;
//! let listener = TcpListener::bind("127.0.0.1:7878").await?;
//! let until = async { tokio::signal::ctrl_c().await.unwrap_or(()) };
//! serve(listener, router(explorer, &limits, &Options::default()), &limits, until).await;
//! # Ok(())
//! # }
//! ```

mod api;
mod assets;
mod error;
mod error_kinds;
mod explorer;
mod limits;
mod router;
mod server;

pub use error::ApiError;
pub use explorer::Explorer;
pub use limits::Limits;
pub use router::{BadOrigin, Options, router};
pub use server::serve;
