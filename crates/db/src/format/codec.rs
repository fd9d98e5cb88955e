//! The bytes of header and manifest: the one place that knows bincode.
//!
//! The structures here are the bytes on disk, field by field: fixed-width integers, little endian,
//! no padding. They are private; the rest of the crate sees checked types.

use std::path::Path;

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};
use merels_core::{Ruleset, Subspace};

use crate::digest::Digest;
use crate::edition::{entries_of, has_subspace};
use crate::error::DbError;
use crate::format::raw::{
    CodecError, EDITIONS, ENCODINGS, METRICS, RawRuleset, RawStatistics, RawSubspace, meaning,
    number,
};
use crate::header::{FarDigests, Header, Metric};
use crate::manifest::{Companion, CompanionKind, Manifest, TableInfo};

/// The most bytes that decoding takes in or allocates: 1 MiB, enough for 10,800 manifest entries.
pub(crate) const LIMIT: usize = 1 << 20;

type Config = Configuration<LittleEndian, Fixint, Limit<LIMIT>>;

const fn config() -> Config {
    bincode::config::standard().with_fixed_int_encoding().with_limit::<LIMIT>()
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
    use merels_core::{Board, Plies};

    use super::*;
    use crate::edition::Edition;
    use crate::header::Encoding;
    use crate::statistics::Statistics;

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
