//! The bytes of header and manifest: the one place that knows bincode.
//!
//! The structures here are what is on disk, field by field: fixed-width integers, little endian,
//! no padding. They are private; the rest of the crate sees checked types. Closed sets are bytes
//! that convert by a table in both directions, so the numbers of the format stand in one place and
//! do not depend on the order in which the code lists its variants.

use std::num::NonZeroU16;
use std::path::Path;

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};
use merels_core::{
    Board, DoubleMill, Flying, FullBoard, Placing, Plies, Removal, Repetition, Ruleset, Subspace,
};

use crate::digest::Digest;
use crate::edition::{Edition, entries_of, has_subspace};
use crate::error::DbError;
use crate::header::{Encoding, FarDigests, Header, Metric};
use crate::manifest::{Companion, CompanionKind, Manifest, TableInfo};
use crate::statistics::Statistics;

/// The most bytes that decoding takes in or allocates: 1 MiB, enough for 10,800 manifest entries.
pub(crate) const LIMIT: usize = 1 << 20;

type Config = Configuration<LittleEndian, Fixint, Limit<LIMIT>>;

const fn config() -> Config {
    bincode::config::standard().with_fixed_int_encoding().with_limit::<LIMIT>()
}

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
const METRICS: &[(u8, Metric)] = &[(0, Metric::End), (1, Metric::Conversion)];
const EDITIONS: &[(u8, Edition)] =
    &[(0, Edition::Full), (1, Edition::Compact), (2, Edition::Outcome), (3, Edition::Statistics)];
const ENCODINGS: &[(u8, Encoding)] = &[(0, Encoding::Zstd), (1, Encoding::Sorted)];

fn number<T: PartialEq + std::fmt::Debug>(
    field: &str,
    value: &T,
    numbers: &[(u8, T)],
) -> Result<u8, CodecError> {
    let known = numbers.iter().find(|(_, known)| known == value).map(|&(number, _)| number);
    known.ok_or_else(|| {
        CodecError::Unencodable(format!("the format has no number for the {field} {value:?}"))
    })
}

fn meaning<T: Copy>(field: &'static str, number: u8, numbers: &[(u8, T)]) -> Result<T, CodecError> {
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
struct RawRuleset {
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
struct RawSubspace {
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
struct RawStatistics {
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

#[derive(Encode, Decode)]
struct RawHeader {
    ruleset: RawRuleset,
    subspace: RawSubspace,
    metric: u8,
    edition: u8,
    encoding: u8,
    entries: u64,
    entries_per_block: u32,
    blocks: u32,
    statistics: RawStatistics,
    digest: [u8; 32],
    kept: [u8; 32],
    /// How many values occur, in the counts at the end of the file.
    values: u16,
    /// Of all far codes, and of those that the blocks decode to.
    far: Option<[[u8; 32]; 2]>,
    generator: String,
}

#[derive(Encode, Decode)]
struct RawManifest {
    ruleset: RawRuleset,
    metric: u8,
    edition: u8,
    tables: Vec<RawTableInfo>,
}

#[derive(Encode, Decode)]
struct RawTableInfo {
    subspace: RawSubspace,
    size: u64,
    entries: u64,
    digest: [u8; 32],
    statistics: RawStatistics,
    far: Option<[u8; 32]>,
    companions: Vec<RawCompanion>,
}

#[derive(Encode, Decode)]
struct RawCompanion {
    kind: String,
    size: u64,
    digest: [u8; 32],
}

fn encode(raw: impl Encode) -> Result<Vec<u8>, CodecError> {
    bincode::encode_to_vec(raw, config())
        .map_err(|error| CodecError::Unencodable(error.to_string()))
}

fn decode<T: Decode<()>>(bytes: &[u8]) -> Result<T, CodecError> {
    let (raw, used) = bincode::decode_from_slice(bytes, config())
        .map_err(|error| CodecError::Malformed(error.to_string()))?;
    if used == bytes.len() {
        Ok(raw)
    } else {
        Err(CodecError::Malformed(format!("{used} of {} bytes have a meaning", bytes.len())))
    }
}

/// The payload of a table's header.
pub(crate) fn encode_header(header: &Header) -> Result<Vec<u8>, CodecError> {
    encode(RawHeader {
        ruleset: (&header.ruleset).into(),
        subspace: header.subspace.into(),
        metric: number("metric", &header.metric, METRICS)?,
        edition: number("edition", &header.edition, EDITIONS)?,
        encoding: number("block encoding", &header.encoding, ENCODINGS)?,
        entries: header.entries,
        entries_per_block: header.entries_per_block,
        blocks: header.blocks,
        statistics: (&header.statistics).into(),
        digest: header.digest.0,
        kept: header.kept.0,
        values: header.distribution.values(),
        far: header.far.map(|far| [far.digest.0, far.kept.0]),
        generator: header.generator.clone(),
    })
}

/// The header in a payload, and how many values occur. The distribution of the values is not in the
/// payload: it is empty. Fields that contradict each other are not looked for.
pub(crate) fn decode_header(bytes: &[u8]) -> Result<(Header, u16), CodecError> {
    let raw: RawHeader = decode(bytes)?;
    let header = Header {
        ruleset: raw.ruleset.try_into()?,
        subspace: raw.subspace.into(),
        metric: meaning("metric", raw.metric, METRICS)?,
        edition: meaning("edition", raw.edition, EDITIONS)?,
        encoding: meaning("block encoding", raw.encoding, ENCODINGS)?,
        entries: raw.entries,
        entries_per_block: raw.entries_per_block,
        blocks: raw.blocks,
        statistics: raw.statistics.try_into()?,
        digest: Digest(raw.digest),
        kept: Digest(raw.kept),
        generator: raw.generator,
        far: raw
            .far
            .map(|[digest, kept]| FarDigests { digest: Digest(digest), kept: Digest(kept) }),
        distribution: Box::default(),
    };
    Ok((header, raw.values))
}

/// The payload of a manifest.
pub(crate) fn encode_manifest(manifest: &Manifest) -> Result<Vec<u8>, CodecError> {
    let tables = manifest.iter().map(|table| RawTableInfo {
        subspace: table.subspace.into(),
        size: table.size,
        entries: table.entries,
        digest: table.digest.0,
        statistics: (&table.statistics).into(),
        far: table.far.map(|digest| digest.0),
        companions: table.companions.iter().map(RawCompanion::from).collect(),
    });
    encode(RawManifest {
        ruleset: manifest.ruleset().into(),
        metric: number("metric", &Metric::of(manifest.ruleset()), METRICS)?,
        edition: number("edition", &manifest.edition(), EDITIONS)?,
        tables: tables.collect(),
    })
}

impl From<&Companion> for RawCompanion {
    fn from(companion: &Companion) -> Self {
        let Companion { kind, size, digest } = companion;
        Self { kind: kind.as_str().to_owned(), size: *size, digest: digest.0 }
    }
}

/// The manifest in a payload.
pub(crate) fn decode_manifest(bytes: &[u8]) -> Result<Manifest, CodecError> {
    let raw: RawManifest = decode(bytes)?;
    let ruleset: Ruleset = raw.ruleset.try_into()?;
    if meaning("metric", raw.metric, METRICS)? != Metric::of(&ruleset) {
        return Err(CodecError::Malformed("its metric is not that of its ruleset".into()));
    }
    let mut manifest = Manifest::new(ruleset, meaning("edition", raw.edition, EDITIONS)?);
    for table in raw.tables {
        let info = TableInfo {
            subspace: table.subspace.into(),
            size: table.size,
            entries: table.entries,
            digest: Digest(table.digest),
            statistics: table.statistics.try_into()?,
            far: table.far.map(Digest),
            companions: companions(table.companions)?,
        };
        let subspace = info.subspace;
        if let Some(reason) = misfit(&ruleset, subspace, info.entries) {
            return Err(CodecError::Malformed(reason));
        }
        if let Some(reason) = info.statistics.contradiction(info.entries, info.far.is_some()) {
            return Err(CodecError::Malformed(format!("entry {subspace}: {reason}")));
        }
        if manifest.insert(info).is_some() {
            return Err(CodecError::Malformed(format!("{subspace} is listed twice")));
        }
    }
    Ok(manifest)
}

fn companions(raw: Vec<RawCompanion>) -> Result<Vec<Companion>, CodecError> {
    let companion = |raw: RawCompanion| {
        let kind = CompanionKind::new(&raw.kind).ok_or_else(|| {
            let kind = raw.kind.escape_debug();
            CodecError::Malformed(format!("'{kind}' is no name of a companion file"))
        })?;
        Ok(Companion { kind, size: raw.size, digest: Digest(raw.digest) })
    };
    let companions = raw.into_iter().map(companion).collect::<Result<Vec<_>, CodecError>>()?;
    if companions
        .iter()
        .enumerate()
        .any(|(i, one)| companions[..i].iter().any(|other| other.kind == one.kind))
    {
        return Err(CodecError::Malformed("a companion file is listed twice".into()));
    }
    Ok(companions)
}

/// Says which file a codec's error is about.
pub(crate) fn codec_error(path: &Path) -> impl FnOnce(CodecError) -> DbError {
    move |error| match error {
        CodecError::Malformed(reason) => DbError::damaged(path, reason),
        CodecError::Unsupported { field, number } => {
            DbError::Unsupported { path: path.to_owned(), field, number }
        }
        CodecError::Unencodable(reason) => DbError::Unwritable { path: path.to_owned(), reason },
    }
}

/// Why the games of a ruleset have no such subspace, or not with this many entries; none if they do.
pub(crate) fn misfit(ruleset: &Ruleset, subspace: Subspace, entries: u64) -> Option<String> {
    if !has_subspace(ruleset, subspace) {
        return Some(format!("the ruleset '{ruleset}' has no subspace {subspace}"));
    }
    let expected = entries_of(ruleset.board, subspace);
    (entries != expected).then(|| format!("{entries} entries, but {subspace} has {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(ruleset: Ruleset) -> Header {
        Header {
            ruleset,
            subspace: Subspace::placing(5, 4, 2, 3),
            metric: Metric::End,
            edition: Edition::Full,
            encoding: Encoding::Zstd,
            entries: 65_537,
            entries_per_block: 65_536,
            blocks: 2,
            statistics: Statistics {
                positions: 60_000,
                wins: 2,
                draws: 59_997,
                losses: 1,
                longest_win: Some(Plies(3)),
                longest_loss: Some(Plies(0)),
            },
            digest: Digest([9; 32]),
            kept: Digest([9; 32]),
            generator: "merels".into(),
            far: None,
            distribution: Box::default(),
        }
    }

    #[test]
    fn headers_are_read_as_they_were_written() {
        let presets = Ruleset::PRESETS.iter().map(|preset| preset.ruleset);
        let odd = [
            "standard,repetition=threefold,ply-limit=100",
            "six,stones=8,full-board=draw,removal=free",
        ];
        for ruleset in presets.chain(odd.map(|text| text.parse().unwrap())) {
            let header = header(ruleset);
            let bytes = encode_header(&header).unwrap();
            assert_eq!(bytes.len(), 144 + header.generator.len());
            assert_eq!(decode_header(&bytes), Ok((header, 0)));
        }
    }

    #[test]
    fn two_rulesets_never_have_the_same_bytes() {
        let presets = Ruleset::PRESETS.iter().map(|preset| preset.ruleset);
        let all: Vec<_> = presets.map(|rules| encode_header(&header(rules)).unwrap()).collect();
        for (i, bytes) in all.iter().enumerate() {
            assert!(!all[..i].contains(bytes), "{}", Ruleset::PRESETS[i].name);
        }
    }

    #[test]
    fn too_few_and_too_many_bytes_are_refused() {
        let bytes = encode_header(&header(Ruleset::STANDARD)).unwrap();
        for length in 0..bytes.len() {
            assert!(decode_header(&bytes[..length]).is_err(), "{length} bytes");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(matches!(decode_header(&longer), Err(CodecError::Malformed(_))));
    }

    #[test]
    fn a_count_of_tables_takes_no_memory_before_the_tables_are_there() {
        let empty = Manifest::new(Ruleset::STANDARD, Edition::Compact);
        let mut bytes = encode_manifest(&empty).unwrap();
        assert_eq!(decode_manifest(&bytes), Ok(empty));
        for count in [1, 1 << 20, 1 << 40, u64::MAX] {
            bytes[12..].copy_from_slice(&u64::to_le_bytes(count));
            assert!(matches!(decode_manifest(&bytes), Err(CodecError::Malformed(_))), "{count}");
        }
    }

    fn drawn(subspace: Subspace) -> TableInfo {
        let entries = entries_of(Board::Nine, subspace);
        let statistics = Statistics { positions: entries, draws: entries, ..Statistics::default() };
        let digest = Digest([7; 32]);
        let kind = CompanionKind::new("grades").unwrap();
        let companions = vec![Companion { kind, size: 5, digest }];
        TableInfo { subspace, size: 1, entries, digest, statistics, far: None, companions }
    }

    fn listed(table: TableInfo) -> Result<Manifest, CodecError> {
        let mut manifest = Manifest::new(Ruleset::STANDARD, Edition::Full);
        manifest.insert(table);
        let decoded = decode_manifest(&encode_manifest(&manifest).unwrap())?;
        assert_eq!(decoded, manifest);
        Ok(decoded)
    }

    #[test]
    fn a_manifest_lists_only_subspaces_that_the_game_has() {
        assert!(listed(drawn(Subspace::moving(9, 9))).is_ok());
        for subspace in [
            Subspace::moving(200, 100),
            Subspace::moving(12, 12),
            Subspace::placing(3, 3, 0, 13),
            Subspace::placing(3, 3, 0, 7),
        ] {
            let table = TableInfo { subspace, ..drawn(Subspace::moving(3, 3)) };
            let expected = format!("the ruleset 'standard' has no subspace {subspace}");
            assert_eq!(listed(table), Err(CodecError::Malformed(expected)));
        }
        let more = TableInfo { entries: 63_000_000_000, ..drawn(Subspace::moving(3, 3)) };
        let expected = "63000000000 entries, but 3-3 has 210140".to_owned();
        assert_eq!(listed(more), Err(CodecError::Malformed(expected)));
    }

    #[test]
    fn companion_files_have_plain_names() {
        for name in ["", "Grades", "a/b", "..", "far codes", "ninety-characters"] {
            assert_eq!(CompanionKind::new(name), None, "{name}");
        }
        let mut table = drawn(Subspace::moving(3, 3));
        table.companions.extend(table.companions.clone());
        let expected = "a companion file is listed twice".to_owned();
        assert_eq!(listed(table), Err(CodecError::Malformed(expected)));
    }

    #[test]
    fn a_manifest_holds_every_subspace_of_the_largest_game() {
        let ruleset: Ruleset = "morabaraba,placing=mixed".parse().unwrap();
        let mut manifest = Manifest::new(ruleset, Edition::Full);
        let layers = Subspace::placing_layers(&ruleset).concat();
        for subspace in layers.into_iter().chain(Subspace::all_moving(&ruleset)) {
            manifest.insert(drawn(subspace));
        }
        let bytes = encode_manifest(&manifest).unwrap();
        assert_eq!(decode_manifest(&bytes).unwrap().len(), manifest.len());
    }
}
