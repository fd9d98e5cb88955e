//! The arguments of `merels solve`.

use anyhow::bail;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use merels_core::{Ruleset, Subspace};
use merels_db::{Edition, TableSpec};
use merels_solver::{Options, Plan, Processor, Selection};

use crate::commands::solve::timings;
use crate::shared::memory;

/// Solve what is missing and write it to databases
///
/// Solves subspaces (positions with the same numbers of stones) in an order in which everything a
/// subspace depends on comes first, skips those whose database is there and intact, and can be
/// stopped at any time: run it again to go on. Without options that is the whole game, from the last
/// stones back to the empty board. The standard game has 318 subspaces with 26.7 billion positions: it
/// takes minutes on two cores and fits 8 GiB of memory; 8 GB of disk must be free.
///
/// Progress goes to standard error, the result to standard output: a row for each subspace of the
/// moving phase (as `merels stats` prints it, and whether it was solved now or before) and for each
/// ply of the placing phase (for each number of stones placed, if stones may move meanwhile); if that is complete, what the game comes to: the value of the empty
/// board, the first moves (one of each class under the symmetries of the board) with their values for
/// the side that moves first and the number of replies after which that outcome stands, the longest
/// win and loss; then time, memory and size.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// Only subspaces of the moving phase with at most this many stones, both sides together
    ///
    /// From 6 to twice the stones of a side; 8 takes a second, 18 is all of the standard game.
    #[arg(long, value_name = "N", conflicts_with = "only")]
    pub(crate) up_to: Option<u8>,
    /// Only this subspace and what it depends on; may be given several times
    ///
    /// Written as the stones of the side to move, then the other side's: 5-4. Its mirror image 4-5
    /// is solved with it, because each leads to the other. With stones in hand: 5-4+2-3; that depends
    /// on much of the game. (Where stones may move meanwhile, 4-5+3-2 is solved with it.)
    #[arg(long, value_name = "A-B")]
    pub(crate) only: Vec<Subspace>,
    /// Which phase of the game to solve [default: all; moving with --up-to]
    #[arg(long, value_enum)]
    pub(crate) phase: Option<Phase>,
    /// How much to keep: full, compact, outcome or statistics [default: as the folder is, or compact]
    ///
    /// full: every value, 10.5 GB for the standard game; a position is one look-up. compact: the same
    /// answers from under half of it; what one ply of search restores is left out. outcome: win, draw
    /// or loss only. statistics: of all but small subspaces only what is counted (outcomes, longest
    /// distances); files are removed as soon as nothing is solved from them any more, so that a game of 100
    /// billion positions takes some 10 GB of disk meanwhile. A folder holds one edition.
    #[arg(long, value_name = "EDITION")]
    pub(crate) edition: Option<Edition>,
    /// Threads to compute with [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Most memory to use, as in 6GiB or 800MB [default: 3/4 of what is available, 7GiB at most]
    ///
    /// A run that cannot fit is refused before it starts: the standard game needs at least 4.5GiB, and a little
    /// more with more than 16 threads. With more memory than that, fewer values are read from files again.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,
    /// Compression level of zstd, 1 (fast) to 19 (smaller files, far slower)
    #[arg(long, value_name = "L", default_value_t = TableSpec::DEFAULT_LEVEL,
          value_parser = clap::value_parser!(i32).range(1..=19))]
    pub(crate) level: i32,
    /// Show no progress bars and no progress lines
    #[arg(long)]
    pub(crate) no_progress: bool,
    /// Print at the end where the time went, for each pair of subspaces
    #[arg(long, long_help = timings::HELP)]
    pub(crate) timings: bool,
    /// Print the result as one JSON object (docs/json.md)
    #[arg(long)]
    pub(crate) json: bool,
    /// Form of the code to run, instead of the best for this processor: portable, avx2, avx512
    #[arg(long, value_name = "FORM", hide = true)]
    pub(crate) processor: Option<String>,
}

/// A phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Phase {
    /// All stones are on the board
    Moving,
    /// The placing of stones too: the whole game
    All,
}

impl SolveArgs {
    /// What is to be solved.
    pub(super) fn plan(&self, ruleset: &Ruleset) -> anyhow::Result<Plan> {
        if let Some(up_to) = self.up_to {
            let most = 2 * ruleset.stones;
            if !(6..=most).contains(&up_to) {
                bail!("--up-to {up_to}: with the ruleset '{ruleset}' it must be from 6 to {most}");
            }
            if self.phase == Some(Phase::All) {
                bail!("--up-to is for the moving phase: the whole game depends on all of it");
            }
            return Ok(Plan::moving(ruleset, &Selection::UpTo(up_to))?);
        }
        let selection = match self.only.as_slice() {
            [] => Selection::All,
            only => Selection::Only(only.to_vec()),
        };
        Ok(match self.phase {
            Some(Phase::Moving) => Plan::moving(ruleset, &selection)?,
            Some(Phase::All) | None => Plan::whole_game(ruleset, &selection)?,
        })
    }

    pub(super) fn options(&self) -> anyhow::Result<Options> {
        Ok(Options {
            memory: self.memory.unwrap_or_else(memory::safe_share).as_u64(),
            level: self.level,
            processor: self.processor()?,
        })
    }

    fn processor(&self) -> anyhow::Result<Processor> {
        let Some(wanted) = &self.processor else { return Ok(Processor::detect()) };
        let available = Processor::available();
        if let Some(&processor) = available.iter().find(|form| form.name() == wanted) {
            return Ok(processor);
        }
        let names: Vec<_> = available.iter().map(|form| form.name()).collect();
        bail!("--processor {wanted}: this processor runs {}", names.join(", "))
    }
}
