//! Rulesets, subspaces and sums as header and manifest store them.
//!
//! These structures are the bytes on disk, field by field; they convert to checked types. Closed
//! sets are bytes that convert by a table in both directions, so the numbers of the format stand in
//! one place and do not depend on the order in which the code lists its variants.

use std::num::NonZeroU16;

use bincode::{Decode, Encode};
use merels_core::{
    Board, DoubleMill, Flying, FullBoard, Placing, Plies, Removal, Repetition, Ruleset, Subspace,
};

use crate::edition::Edition;
use crate::header::{Encoding, Metric};
use crate::statistics::Statistics;

/// Why bytes do not decode, or a value does not encode.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CodecError {
    /// Not the bytes of such a structure, or fields that contradict each other.
    Malformed(String),
    /// A number with no meaning known here.
    Unsupported { field: &'static str, number: u8 },
    /// A value that has no number in the format.
    Unencodable(String),
}

/// Numbers of the closed sets of this crate, as `docs/format.md` lists them. Rules and boards have
/// theirs in core.
pub(super) const METRICS: &[(u8, Metric)] = &[(0, Metric::End), (1, Metric::Conversion)];
pub(super) const EDITIONS: &[(u8, Edition)] =
    &[(0, Edition::Full), (1, Edition::Compact), (2, Edition::Outcome), (3, Edition::Statistics)];
pub(super) const ENCODINGS: &[(u8, Encoding)] = &[(0, Encoding::Zstd), (1, Encoding::Sorted)];

pub(super) fn number<T: PartialEq + std::fmt::Debug>(
    field: &str,
    value: &T,
    numbers: &[(u8, T)],
) -> Result<u8, CodecError> {
    let known = numbers.iter().find(|(_, known)| known == value).map(|&(number, _)| number);
    known.ok_or_else(|| {
        CodecError::Unencodable(format!("the format has no number for the {field} {value:?}"))
    })
}

pub(super) fn meaning<T: Copy>(
    field: &'static str,
    number: u8,
    numbers: &[(u8, T)],
) -> Result<T, CodecError> {
    let known = numbers.iter().find(|&&(known, _)| known == number).map(|&(_, value)| value);
    known.ok_or(CodecError::Unsupported { field, number })
}

/// The rule that `from_byte` knows by this number.
fn known<T>(
    field: &'static str,
    number: u8,
    from_byte: impl Fn(u8) -> Option<T>,
) -> Result<T, CodecError> {
    from_byte(number).ok_or(CodecError::Unsupported { field, number })
}

#[derive(Encode, Decode)]
pub(super) struct RawRuleset {
    board: u8,
    stones: u8,
    flying: u8,
    removal: u8,
    double_mill: u8,
    placing: u8,
    full_board: u8,
    repetition: u8,
    /// 0 for none.
    ply_limit: u16,
}

impl From<&Ruleset> for RawRuleset {
    fn from(rules: &Ruleset) -> Self {
        Self {
            board: rules.board.byte(),
            stones: rules.stones,
            flying: rules.flying.byte(),
            removal: rules.removal.byte(),
            double_mill: rules.double_mill.byte(),
            placing: rules.placing.byte(),
            full_board: rules.full_board.byte(),
            repetition: rules.repetition.byte(),
            ply_limit: rules.ply_limit.map_or(0, NonZeroU16::get),
        }
    }
}

impl TryFrom<RawRuleset> for Ruleset {
    type Error = CodecError;

    fn try_from(raw: RawRuleset) -> Result<Self, CodecError> {
        let rules = Self {
            board: known("board", raw.board, Board::from_byte)?,
            stones: raw.stones,
            flying: known("flying rule", raw.flying, Flying::from_byte)?,
            removal: known("removal rule", raw.removal, Removal::from_byte)?,
            double_mill: known("double-mill rule", raw.double_mill, DoubleMill::from_byte)?,
            placing: known("placing rule", raw.placing, Placing::from_byte)?,
            full_board: known("full-board rule", raw.full_board, FullBoard::from_byte)?,
            repetition: known("repetition rule", raw.repetition, Repetition::from_byte)?,
            ply_limit: NonZeroU16::new(raw.ply_limit),
        };
        rules.check().map_err(|error| CodecError::Malformed(error.to_string()))?;
        Ok(rules)
    }
}

#[derive(Encode, Decode)]
pub(super) struct RawSubspace {
    mover: u8,
    other: u8,
    mover_hand: u8,
    other_hand: u8,
}

impl From<Subspace> for RawSubspace {
    fn from(subspace: Subspace) -> Self {
        Self {
            mover: subspace.mover(),
            other: subspace.other(),
            mover_hand: subspace.mover_hand(),
            other_hand: subspace.other_hand(),
        }
    }
}

impl From<RawSubspace> for Subspace {
    fn from(raw: RawSubspace) -> Self {
        Self::placing(raw.mover, raw.other, raw.mover_hand, raw.other_hand)
    }
}

#[derive(Encode, Decode)]
pub(super) struct RawStatistics {
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// 0 if there is no win.
    longest_win: u16,
    /// 0 if there is no loss.
    longest_loss: u16,
}

impl From<&Statistics> for RawStatistics {
    fn from(statistics: &Statistics) -> Self {
        let plies = |longest: Option<Plies>| longest.map_or(0, |plies| plies.0);
        Self {
            positions: statistics.positions,
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            longest_win: plies(statistics.longest_win),
            longest_loss: plies(statistics.longest_loss),
        }
    }
}

impl TryFrom<RawStatistics> for Statistics {
    type Error = CodecError;

    fn try_from(raw: RawStatistics) -> Result<Self, CodecError> {
        let longest = |count: u64, plies: u16| match (count, plies) {
            (0, 0) => Ok(None),
            (0, _) => Err(CodecError::Malformed("the longest distance of no position".into())),
            (_, plies) => Ok(Some(Plies(plies))),
        };
        Ok(Self {
            positions: raw.positions,
            wins: raw.wins,
            draws: raw.draws,
            losses: raw.losses,
            longest_win: longest(raw.wins, raw.longest_win)?,
            longest_loss: longest(raw.losses, raw.longest_loss)?,
        })
    }
}
