//! A solved game over HTTP: an interface for programs, and a page for people.
//!
//! [`router`] answers requests from an [`Explorer`], which holds the databases of one ruleset; [`serve`]
//! runs it on a socket until it is told to stop. `docs/http-api.md` describes every address. The parts:
//!
//! - `api`: the addresses under `/api`, one module each. They read the request, look up, and describe the
//!   answer; the crate `merels-json` has the shapes that answers share.
//! - `assets`: the page. Its files are part of the program, so that there is nothing to install; it asks
//!   `/api` for everything, the legal moves too, and knows no rules itself.
//! - `explorer`: look-ups leave the threads that serve connections, for a page fault in a mapped file may take
//!   its time. How many run at once is bounded, and so are connections, bodies and waiting: memory is.
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
mod explorer;
mod limits;
mod router;
mod server;

pub use error::ApiError;
pub use explorer::Explorer;
pub use limits::Limits;
pub use router::{BadOrigin, Options, router};
pub use server::serve;
