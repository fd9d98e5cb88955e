//! Values that are ready to be printed, from methods such as [`Choice::display`] and
//! [`Situation::text`]. You rarely need their names.
//!
//! [`Choice::display`]: crate::Choice::display
//! [`Situation::text`]: crate::Situation::text

pub use crate::notation::fen::DisplayFen;
pub use crate::notation::letters::DisplayLetters;
pub use crate::notation::parse::DisplaySituation;
pub use crate::notation::plain::DisplayPlain;
pub use crate::play::moves::DisplayMove;
pub use crate::play::situation::DisplayChoice;
