//! Operations on bytes and bits in a form for each kind of processor.
//!
//! Hot code is generic over [`Cpu`]: the few operations for which processors have instructions of
//! their own. [`Processor`] lists the forms, finds out which of them this processor can run, and
//! compiles a piece of [`Work`] for the chosen one, so that the instructions are inlined. All forms
//! return the same results; tests compare them.
//!
//! The crate knows nothing about the game. Its parts, from the inside:
//!
//! - `plain`: every operation in safe code for any processor, the reference for all other forms;
//! - [`prefetch`] and [`equal_bytes`], whose instructions every processor of an architecture has;
//! - [`Cpu`] and [`Work`];
//! - `forms`: [`Portable`], `Avx2`, `Avx512`, and the list of them, [`Processor`];
//! - [`bits`]: single operations that choose their form in each call.
//!
//! To add a form, write one file in `forms` and enter it in the list, `forms/mod.rs`.

mod baseline;
pub mod bits;
mod cpu;
mod forms;
mod plain;

pub use baseline::{equal_bytes, prefetch};
pub use cpu::{Cpu, MIDDLE, SLACK, Work};
pub use forms::{Portable, Processor};
#[cfg(target_arch = "x86_64")]
pub use forms::{avx2::Avx2, avx512::Avx512};
