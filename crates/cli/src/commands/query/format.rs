//! The trait of an output format.

use std::fmt::Debug;
use std::io::{self, Write};

use merels_query::Missing;

use crate::commands::query::request::{Question, Refusal, Request};

/// An output format of `merels query`.
pub(super) trait Format: Debug + Sync {
    /// What surrounds answers.
    fn frame(&self) -> Frame {
        Frame::default()
    }

    /// Whether answers can show which moves are the same by a symmetry of the board.
    fn has_symmetries(&self) -> bool {
        true
    }

    /// Whether an answer needs the value of its position alone, so that many are looked up at once.
    fn needs_values_only(&self, _request: &Request) -> bool {
        false
    }

    /// Writes what precedes all answers, to one position or to many.
    fn write_heading(&self, _request: &Request, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Adds the answer to a question. Returns what is missing if it has values of moves, but not of
    /// the position itself.
    fn write_answer(
        &self,
        question: &Question<'_>,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<Option<Missing>>;

    /// Adds what takes the place of an answer. Standard error has the reason anyway, so this may be
    /// nothing.
    fn write_refusal(&self, refusal: &Refusal<'_>, out: &mut Vec<u8>) -> io::Result<()>;
}

/// What surrounds answers. All but `end` is for the lines of standard input only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// Before everything.
    pub(super) open: &'static str,
    /// Before the first answer.
    pub(super) first: &'static str,
    /// Between two answers.
    pub(super) between: &'static str,
    /// After the last answer.
    pub(super) end: &'static str,
    /// After everything.
    pub(super) close: &'static str,
}
