//! Solved games over HTTP: an interface for programs, and a page for people.
//!
//! [`serve`] answers requests on a socket from an [`Explorer`], which has the databases of one
//! ruleset, until it is stopped. `docs/http-api.md` describes every address. The parts:
//!
//! - `api`: the addresses under `/api`, one module each. They read a request, look positions up and
//!   describe the answer. The crate `merels-json` has the shapes that answers share. From the types
//!   of both comes the OpenAPI document.
//! - `assets`: the page. Its files are part of the program, so there is nothing to install. The
//!   page requests everything from `/api`, even legal moves, and knows no rules.
//! - `explorer`: look-ups run on threads of their own, because a page fault in a mapped file can
//!   take long. `turns` bounds their number; long ones have turns and threads of their own.
//! - `server` takes connections, which `connections` counts for each client. `admission` refuses
//!   requests to other hosts (`hosts`), and `router` leads the others to their address below `base`.
//!   The number of connections, the sizes of bodies and all times are bounded, and so is memory.
//! - `observer`: what the keeper of a server sees, in `metrics` and in the `access_log`.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use merels_core::Ruleset;
//! use merels_serve::{Explorer, Limits, Options, serve};
//! use tokio::net::TcpListener;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let limits = Limits::default();
//! let explorer = Explorer::open(Path::new("db"), Ruleset::STANDARD, &limits)?;
//! let listener = TcpListener::bind("127.0.0.1:7878").await?;
//! let until = async { tokio::signal::ctrl_c().await.unwrap_or(()) };
//! serve(listener, explorer, &limits, &Options::default(), until).await;
//! # Ok(())
//! # }
//! ```

mod access_log;
mod admission;
mod api;
mod assets;
mod base;
mod connections;
mod encoding;
mod error;
mod error_kinds;
mod explorer;
mod gauges;
mod hosts;
mod limits;
mod metrics;
mod observer;
mod options;
mod origins;
mod router;
mod server;
mod turns;

pub use error::ApiError;
pub use explorer::Explorer;
pub use limits::Limits;
pub use options::{BadOption, Options};
pub use server::serve;
