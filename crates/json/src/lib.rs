//! The JSON of answers, as the command `merels` and its server write it.
//!
//! Each type is the shape of one part of an answer and is made from the answer itself. Fields that
//! only one address or one command has are defined there. `docs/json.md` and `docs/http-api.md`
//! explain every field. The comments of the fields are also the descriptions in the server's
//! OpenAPI document, so they speak of JSON: `null`.

mod counts;
mod game;
mod line;
mod moves;
mod names;
mod position;
mod rules;
mod value;
mod write;

pub use counts::Counts;
pub use game::{AnnotatedGame, BetterMove, GamePly, Judged, MissingDatabase, Over};
pub use line::{After, LinePly, Principal};
pub use moves::MoveParts;
pub use names::{OUTCOMES, SIDES, outcome_name, point_names, side_name};
pub use position::{Forms, PositionParts, SideStones};
pub use rules::{Rules, Section};
pub use value::Worth;
pub use write::write_pretty;
