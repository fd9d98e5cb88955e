//! A list as Apache Parquet, for programs that compute with columns.
//!
//! Each row has the text of the position, and the same as numbers: the points with stones of each
//! side as a mask (docs/format.md, section 2.1), the stones in hand, and the side to move.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use merels_core::{Plies, Position, Ruleset, Side, Situation, Value};
use merels_json::{outcome_name, side_name};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use rayon::prelude::*;

use crate::commands::list::writer::Writer;

/// The columns, in the language of schemas.
const SCHEMA: &str = "message positions {
    required byte_array position (utf8);
    required int32 white;
    required int32 black;
    required int32 white_hand (integer(8, true));
    required int32 black_hand (integer(8, true));
    required byte_array turn (utf8);
    required byte_array outcome (utf8);
    optional int32 distance (integer(16, false));
}";

/// Positions that are kept together: some tens of megabytes in memory.
const GROUP: usize = 1 << 18;

/// Writes the list in groups of rows.
pub(super) struct Parquet<'a> {
    ruleset: &'a Ruleset,
    out: &'a mut dyn Write,
    /// Bytes wait here until they go to `out`. None before the beginning.
    file: Option<SerializedFileWriter<Vec<u8>>>,
    rows: Vec<(Position, Value)>,
}

impl<'a> Parquet<'a> {
    pub(super) fn new(ruleset: &'a Ruleset, out: &'a mut dyn Write) -> Self {
        Self { ruleset, out, file: None, rows: Vec::new() }
    }

    /// Writes the rows that wait as a group.
    fn write_group(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let columns = Columns::of(&self.rows, self.ruleset)?;
        let file = self.file.as_mut().expect("the list has begun");
        columns.write(file).map_err(io::Error::other)?;
        self.rows.clear();
        file.flush()?;
        self.out.write_all(&mem::take(file.inner_mut()))
    }
}

impl Writer for Parquet<'_> {
    fn begin(&mut self) -> io::Result<()> {
        let schema = parse_message_type(SCHEMA).map_err(io::Error::other)?;
        let compression = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties));
        self.file = Some(file.map_err(io::Error::other)?);
        Ok(())
    }

    fn write(&mut self, rows: &[(Position, Value)]) -> io::Result<()> {
        for piece in rows.chunks(GROUP) {
            self.rows.extend(piece);
            if self.rows.len() >= GROUP {
                self.write_group()?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write_group()?;
        let file = self.file.take().expect("the list has begun");
        self.out.write_all(&file.into_inner().map_err(io::Error::other)?)
    }
}

/// The columns of a group, in the order of the schema.
struct Columns {
    positions: Vec<ByteArray>,
    /// Points and stones in hand: White's points, Black's, White's hand, Black's.
    stones: [Vec<i32>; 4],
    turns: Vec<ByteArray>,
    outcomes: Vec<ByteArray>,
    /// Of positions that have one.
    distances: Vec<i32>,
    /// 1 where there is a distance, and 0 elsewhere.
    has_distance: Vec<i16>,
}

impl Columns {
    fn of(rows: &[(Position, Value)], ruleset: &Ruleset) -> io::Result<Self> {
        let text = |&(position, _): &(Position, Value)| {
            let situation = Situation::new(position, ruleset).map_err(io::Error::other)?;
            Ok(ByteArray::from(situation.text(ruleset).to_string().into_bytes()))
        };
        let positions = rows.par_iter().map(text).collect::<io::Result<_>>()?;
        let numbers = |number: fn(&Position) -> i32| -> Vec<i32> {
            rows.iter().map(|(position, _)| number(position)).collect()
        };
        let distances = rows.iter().map(|(_, value)| value.distance());
        Ok(Self {
            positions,
            stones: [
                numbers(|position| position.stones(Side::White).board.bits() as i32),
                numbers(|position| position.stones(Side::Black).board.bits() as i32),
                numbers(|position| position.stones(Side::White).hand.into()),
                numbers(|position| position.stones(Side::Black).hand.into()),
            ],
            turns: rows.iter().map(|(position, _)| side_name(position.side()).into()).collect(),
            outcomes: rows.iter().map(|(_, value)| outcome_name(value.outcome()).into()).collect(),
            distances: distances.clone().flatten().map(|Plies(plies)| plies.into()).collect(),
            has_distance: distances.map(|distance| distance.is_some().into()).collect(),
        })
    }

    fn write(&self, file: &mut SerializedFileWriter<Vec<u8>>) -> Result<()> {
        let [white, black, white_hand, black_hand] = &self.stones;
        let mut group = file.next_row_group()?;
        write_column::<ByteArrayType>(&mut group, &self.positions, None)?;
        for numbers in [white, black, white_hand, black_hand] {
            write_column::<Int32Type>(&mut group, numbers, None)?;
        }
        write_column::<ByteArrayType>(&mut group, &self.turns, None)?;
        write_column::<ByteArrayType>(&mut group, &self.outcomes, None)?;
        write_column::<Int32Type>(&mut group, &self.distances, Some(&self.has_distance))?;
        group.close()?;
        Ok(())
    }
}

/// Writes the next column. `is_there` has a 1 for each row with a value, and a 0 for the others.
fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
    is_there: Option<&[i16]>,
) -> Result<()> {
    let missing = || ParquetError::General("the schema has fewer columns".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, is_there, None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use merels_core::Arrangements;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    #[test]
    fn a_reader_finds_what_was_written() {
        let ruleset = Ruleset::STANDARD;
        let arrangements = Arrangements::of(&ruleset, "3-3".parse().unwrap()).unwrap();
        let position = |index| arrangements.position(merels_core::numbering::Index(index));
        let values = [Value::Draw, Value::Win(Plies(5)), Value::Loss(Plies(0))];
        let rows: Vec<_> = (0..3).map(|at| (position(at * 1000), values[at as usize])).collect();
        let mut out = Vec::new();
        let mut writer = Box::new(Parquet::new(&ruleset, &mut out));
        writer.begin().unwrap();
        rows.iter().for_each(|row| writer.write(&[*row]).unwrap());
        writer.finish().unwrap();

        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&out).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let found: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(found.len(), 3);
        for (row, (position, value)) in found.iter().zip(&rows) {
            let situation = Situation::new(*position, &ruleset).unwrap();
            assert_eq!(row.get_string(0).unwrap(), &situation.text(&ruleset).to_string());
            let white = position.stones(Side::White).board.bits();
            assert_eq!(row.get_int(1).unwrap(), white as i32);
            assert_eq!(row.get_string(5).unwrap(), "white");
            assert_eq!(row.get_string(6).unwrap(), outcome_name(value.outcome()));
            let distance = value.distance().map(|Plies(plies)| plies);
            assert_eq!(row.get_ushort(7).ok(), distance);
        }
    }
}
