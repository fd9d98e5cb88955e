//! `merels solve`: makes the databases that are missing.

use std::num::NonZeroUsize;

use anyhow::bail;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use merels_core::Subspace;
use merels_db::TableSpec;

use crate::args::DatabaseArgs;
use crate::exit::Exit;

/// Solve what is missing and write it to databases
///
/// Solves subspaces (positions with the same numbers of stones) in an order in which everything a
/// subspace depends on comes first, skips those whose database is there and intact, and can be
/// stopped at any time: run it again to go on. The whole moving phase of the standard game (49
/// subspaces, 8.9 billion positions) takes some minutes on two cores and several GB of disk.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// Only subspaces with at most this many stones on the board, both sides together
    ///
    /// 7 takes seconds; for the standard game, 12 about a minute and 18 is everything.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(6..=24))]
    pub(crate) up_to: Option<u8>,
    /// Only this subspace and what it depends on; may be given several times
    ///
    /// Written as the stones of the side to move, then the other side's: 5-4. Its mirror image 4-5
    /// is solved with it, because each leads to the other.
    #[arg(long, value_name = "A-B")]
    pub(crate) only: Vec<Subspace>,
    /// Which phase of the game to solve
    #[arg(long, value_enum, default_value_t = Phase::Moving)]
    pub(crate) phase: Phase,
    /// Threads to compute with [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Most memory to use, as in 6GiB or 800MB [default: a safe share of what the machine has]
    ///
    /// A run that cannot fit is refused before it starts. More memory than a subspace pair needs
    /// does not make it faster.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,
    /// Compression level of zstd, 1 (fast) to 19 (10 % smaller, a hundred times slower)
    #[arg(long, value_name = "L", default_value_t = TableSpec::DEFAULT_LEVEL,
          value_parser = clap::value_parser!(i32).range(1..=19))]
    pub(crate) level: i32,
    /// Show no progress bars and no progress lines
    #[arg(long)]
    pub(crate) no_progress: bool,
}

/// A phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Phase {
    /// All stones are on the board
    Moving,
    /// The placing of stones too: the whole game
    All,
}

/// Runs the command.
pub(crate) fn run(_database: &DatabaseArgs, args: &SolveArgs) -> anyhow::Result<Exit> {
    bail!("`merels solve` is not part of this program yet (asked for {args:?})")
}
