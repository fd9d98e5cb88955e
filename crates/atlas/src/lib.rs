//! Pages about solved games: outcomes, distances, first moves, the longest wins and losses.
//!
//! An [`Atlas`] reads the headers of the databases of one or more rulesets, which hold all counts
//! ([`merels_db::Distribution`]). Where the edition can answer, it looks up the first moves and the
//! line of best play from a longest win. It writes the result as a page of Markdown with plots in
//! files of their own ([`Atlas::write_markdown`]) or as one page of HTML ([`Atlas::to_html`]). The
//! same databases give the same bytes: the page has no dates, times or paths. It names what a
//! folder lacks.
//!
//! The parts: `game` (the facts), `plots` (drawings), `sections` (the content), `document`,
//! `markdown` and `html` (the form), `atlas` (all together).
//!
//! ```no_run
//! use std::path::Path;
//!
//! use merels_atlas::{Atlas, rulesets_in};
//!
//! let db = Path::new("db");
//! let atlas = Atlas::read(db, &rulesets_in(db)?)?;
//! atlas.write_markdown(Path::new("docs"))?;
//! # Ok::<(), merels_atlas::AtlasError>(())
//! ```

mod atlas;
mod document;
mod error;
mod game;
mod html;
mod markdown;
mod plots;
mod sections;

pub use atlas::{Atlas, rulesets_in};
pub use error::AtlasError;
