//! What an oracle answers beyond a position and its moves.

mod annotation;
mod line;
mod opening;
mod temptation;

pub use annotation::{AnnotatedPly, Annotation, Judgement, Verdict};
pub use line::{Line, LineEnd, LineStep};
pub use opening::{FirstMove, Opening};
pub use temptation::{Temptation, pick};
