//! The arguments of `merels list`.

use std::str::FromStr;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCandidates;
use merels_core::{Outcome, Plies, Subspace, Value};

use crate::shared::completers;
use crate::shared::output::{OutputArgs, ResultFormat};

/// List the positions of a subspace with their values
///
/// Of positions that are images of each other under the symmetries of the board, the list has one;
/// with --all it has every arrangement of the stones. The positions are in the order of the
/// database, with White to move, unless only Black can be. A position in which the game is over
/// counts as a loss in 0 plies, as in `merels stats`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// The subspace: stones of the side to move, then of the other side, with stones in hand behind
    /// a plus sign (3-3, 5-4+2-3)
    #[arg(
        long,
        value_name = "SUBSPACE",
        add = ArgValueCandidates::new(completers::solved_subspaces)
    )]
    pub(super) subspace: Subspace,
    /// Only positions with this outcome for the side to move
    #[arg(long, value_name = "OUTCOME", value_enum)]
    pub(super) outcome: Option<OutcomeArg>,
    /// Only positions with this distance in plies, or between these, both included: 20, 20..,
    /// ..9, 20..30. A draw has no distance
    #[arg(long, value_name = "RANGE")]
    pub(super) distance: Option<DistanceRange>,
    /// Only the longest wins and the longest losses
    #[arg(long, conflicts_with = "distance")]
    pub(super) longest: bool,
    /// One position for each class under the symmetries of the board; this is the default
    #[arg(long, conflicts_with = "all")]
    pub(super) symmetric: bool,
    /// Every arrangement of the stones
    #[arg(long)]
    pub(super) all: bool,
    /// Only so many of these positions, chosen at random
    #[arg(long, value_name = "NUMBER", conflicts_with = "all")]
    pub(super) sample: Option<usize>,
    /// Choose the same positions each time
    #[arg(long, value_name = "NUMBER", requires = "sample")]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(super) output: OutputArgs<ListFormat>,
}

/// An outcome for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutcomeArg {
    Win,
    Draw,
    Loss,
}

/// A format of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    Text,
    /// An array of objects
    Json,
    /// An object in each line
    Jsonl,
    /// A heading, then a row for each position
    Csv,
    /// Apache Parquet, with stones as sets of bits (docs/query.md)
    Parquet,
}

impl ResultFormat for ListFormat {
    const USUAL: &'static str = "csv";
    const JSON: Self = Self::Json;
    const CSV: Self = Self::Csv;

    fn has_colours(self) -> bool {
        self == Self::Text
    }

    fn is_binary(self) -> bool {
        self == Self::Parquet
    }
}

/// Distances in plies, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DistanceRange {
    least: u16,
    most: u16,
}

impl From<OutcomeArg> for Outcome {
    fn from(outcome: OutcomeArg) -> Self {
        match outcome {
            OutcomeArg::Win => Self::Win,
            OutcomeArg::Draw => Self::Draw,
            OutcomeArg::Loss => Self::Loss,
        }
    }
}

impl FromStr for DistanceRange {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let number = |text: &str, absent: u16| match text {
            "" => Ok(absent),
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.parse().context("a distance is at most 65535")
            }
            _ => bail!("write a number of plies (20) or a range of them (20.., ..9, 20..30)"),
        };
        let (least, most) = match text.split_once("..") {
            Some((least, most)) => (number(least, 0)?, number(most, u16::MAX)?),
            None if text.is_empty() => bail!("write a number of plies, such as 20"),
            None => (number(text, 0)?, number(text, 0)?),
        };
        if least > most {
            bail!("{least} is more than {most}");
        }
        Ok(Self { least, most })
    }
}

/// Which values are listed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filter {
    outcome: Option<Outcome>,
    distance: Option<DistanceRange>,
}

impl Filter {
    pub(super) fn new(args: &ListArgs) -> anyhow::Result<Self> {
        let outcome = args.outcome.map(Outcome::from);
        if outcome == Some(Outcome::Draw) && (args.distance.is_some() || args.longest) {
            bail!("--outcome draw: a draw has no distance; omit --distance and --longest");
        }
        Ok(Self { outcome, distance: args.distance })
    }

    /// Whether all values are listed.
    pub(super) const fn is_open(&self) -> bool {
        self.outcome.is_none() && self.distance.is_none()
    }

    pub(super) fn includes(&self, value: Value) -> bool {
        let in_range = |range: DistanceRange| {
            let distance = value.distance().map(|Plies(plies)| plies);
            distance.is_some_and(|plies| (range.least..=range.most).contains(&plies))
        };
        self.outcome.is_none_or(|outcome| outcome == value.outcome())
            && self.distance.is_none_or(in_range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_distances() {
        for (text, least, most) in
            [("20", 20, 20), ("20..", 20, u16::MAX), ("..9", 0, 9), ("3..5", 3, 5), ("0..0", 0, 0)]
        {
            let range: DistanceRange = text.parse().unwrap();
            assert_eq!(range, DistanceRange { least, most }, "{text}");
        }
        for text in ["", "x", "-1", "5..3", "1...3", "1..=3", "70000", "3-5", " 3"] {
            assert!(text.parse::<DistanceRange>().is_err(), "{text}");
        }
    }
}
