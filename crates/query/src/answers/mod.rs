//! What an oracle answers beyond a position and its moves.

mod annotation;
mod line;
mod listing;
mod opening;
mod temptation;

pub use annotation::{AnnotatedPly, Annotation, Judgement, Verdict};
pub use line::{Line, LineEnd, LineStep};
pub use listing::Listed;
pub use opening::{FirstMove, Opening};
pub use temptation::{Temptation, pick};
