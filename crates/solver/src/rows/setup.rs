//! The setup of a run, which all its jobs share.

use std::sync::Arc;

use merels_core::Ruleset;
use merels_core::numbering::FarCodes;

use crate::rows::bytes::Pool;
use merels_simd::Processor;

/// Rules, codes, form of the code, and memory of a run.
#[derive(Clone)]
pub(crate) struct Setup<'a> {
    pub(crate) ruleset: &'a Ruleset,
    /// Where near codes end and far codes begin.
    pub(crate) codes: FarCodes,
    pub(crate) processor: Processor,
    pub(crate) pool: Arc<Pool>,
}
