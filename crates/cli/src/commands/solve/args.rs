//! The arguments of `merels solve`.

use anyhow::bail;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCandidates;
use merels_core::{Ruleset, Subspace};
use merels_db::{Edition, TableSpec};
use merels_solver::{Options, Plan, Processor, Selection};

use crate::commands::solve::timings;
use crate::shared::output::{Format, OutputArgs};
use crate::shared::{completers, memory};

/// Solve a game and write its databases
///
/// Solves the subspaces (positions with the same numbers of stones), each after those it depends
/// on. It skips finished subspaces, so you can stop it at any time; the next run resumes. Without
/// options it solves the whole game, from the last stones back to the empty board. The standard
/// game has 318 subspaces with 26.7 billion positions: that takes minutes on two cores, 8 GiB of
/// memory and 8 GB of free disk space.
///
/// Progress goes to standard error, results to standard output: a row for each subspace of the
/// moving phase and for each ply of the placing phase (for each number of stones placed, if stones
/// may move before all are placed). The columns are those of `merels stats`, and `solved`: whether
/// this run solved the subspace. If the game is solved to the empty board, its result follows: the
/// value of the empty board, the first moves (one for each class of points under the symmetries of
/// the board) with the number of replies that keep the outcome, and the longest win and loss. Time,
/// memory and size come last.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// Only subspaces of the moving phase with at most N stones, both sides together
    ///
    /// From 6 to twice the stones of a side. 8 takes a second; 18 is the whole moving phase of the
    /// standard game.
    #[arg(long, value_name = "N", conflicts_with = "only")]
    pub(crate) up_to: Option<u8>,
    /// Only this subspace and those it depends on; may be repeated
    ///
    /// 5-4 means that the side to move has 5 stones and the other side 4. Its mirror image 4-5 is
    /// solved with it, because each leads to the other. 5-4+2-3 has 2 and 3 stones in hand and
    /// depends on much of the game. If stones may move before all are placed, its mirror image
    /// 4-5+3-2 is solved with it.
    #[arg(long, value_name = "A-B", add = ArgValueCandidates::new(completers::subspaces))]
    pub(crate) only: Vec<Subspace>,
    /// Phase of the game to solve [default: all; moving with --up-to]
    #[arg(long, value_enum)]
    pub(crate) phase: Option<Phase>,
    /// What to keep: full, compact, outcome or statistics [default: that of the folder, or compact]
    ///
    /// full keeps every value: 10.5 GB for the standard game, and one look-up for a position.
    /// compact returns the same answers from less than half of that: it leaves out what a search of
    /// one ply restores. outcome keeps only win, draw and loss. statistics keeps counts (outcomes
    /// and longest distances), and values of small subspaces only; it deletes a file when no later
    /// subspace needs it, so a game of 100 billion positions needs about 10 GB of disk space during
    /// the run. A folder holds one edition.
    #[arg(long, value_name = "EDITION", add = ArgValueCandidates::new(completers::editions))]
    pub(crate) edition: Option<Edition>,
    /// Threads to compute with [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Memory limit, as in 6GiB or 800MB [default: 3/4 of the available memory, 7GiB at most]
    ///
    /// `solve` refuses to start a run that does not fit. The standard game needs at least 4.5GiB,
    /// and a little more with more than 16 threads. With more memory, fewer values are read from
    /// files again.
    #[arg(long, value_name = "SIZE", value_parser = memory::limit)]
    pub(crate) memory: Option<ByteSize>,
    /// Compression level of zstd, from 1 (fast) to 19 (smaller files, far slower)
    #[arg(long, value_name = "L", default_value_t = TableSpec::DEFAULT_LEVEL,
          value_parser = clap::value_parser!(i32).range(1..=19))]
    pub(crate) level: i32,
    /// Print the time of each stage, for each pair of subspaces
    #[arg(long, long_help = timings::HELP)]
    pub(crate) timings: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs<Format>,
    /// Form of the code to run instead of the best for this processor: portable, avx2, avx512
    #[arg(long, value_name = "FORM", hide = true)]
    pub(crate) processor: Option<String>,
}

/// A phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Phase {
    /// All stones are on the board
    Moving,
    /// Moving and placing: the whole game
    All,
}

impl SolveArgs {
    /// The plan of the run.
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
