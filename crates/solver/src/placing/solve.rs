//! Placing a stone: the values of a whole row from the following rows.
//!
//! In a subspace with stones in hand the side to move (W) places a stone. W gets one more stone on
//! the board, and the stones of the other side (B) stay. So the position after the placing, with B
//! to move, is in the row of the same key B. There are no cycles, so one pass is enough. The value
//! of `w` is the least, for B, over all empty points `x` of the value of `w + x`, or of its removal
//! value if `x` closes a mill.
//!
//! `row_placer` computes rows. This module makes a subspace of them: it computes the rows of one
//! family after the other and stores each family as a whole (see `transpose`).

use std::cmp::Reverse;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use merels_core::Plies;
use merels_core::numbering::{FarCodes, ValueCode};
use merels_simd::{Cpu, Work};
use rayon::prelude::*;

use crate::placing::group_tables::GroupTables;
use crate::placing::inputs::PlacingInputs;
use crate::placing::key_family::KeyFamily;
use crate::placing::row_placer::RowPlacer;
use crate::placing::transpose::{TransposeScratch, Transposer};
use crate::rows::bytes::{Buffer, ByteTable, SLACK, as_atomic};
use crate::rows::lane_images::LaneImages;
use crate::rows::row::Rows;
use crate::rows::setup::Setup;

/// Scratch memory of each thread, used for one subspace after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    threads: Vec<Mutex<(Buffer, TransposeScratch)>>,
}

/// The slowest win of the side that moves next that has a code of its own.
#[derive(Clone, Copy)]
pub(crate) enum Slowest {
    /// By near codes: slower wins follow far losses, which all have one code.
    Near(FarCodes),
    /// By far codes: every win has a code of its own. A win of the longest distance becomes a draw.
    Far,
}

impl Slowest {
    fn code(self) -> u8 {
        let code = match self {
            Self::Near(codes) => ValueCode::at_distance(Plies(codes.first().0 - 1)),
            Self::Far => ValueCode::at_distance(ValueCode::MAX_PLIES),
        };
        code.expect("a distance of codes").byte()
    }
}

/// Solves a subspace with stones in hand, by near codes or by far codes. Returns the rows keyed by
/// the mover's stones, and their table.
///
/// # Errors
/// If the system does not grant the memory.
pub(crate) fn solve(
    setup: &Setup<'_>,
    inputs: &PlacingInputs,
    tables: &GroupTables,
    scratch: &mut Scratch,
    slowest: Slowest,
) -> io::Result<(Rows, ByteTable)> {
    let &Setup { ruleset, processor, ref pool, .. } = setup;
    let target = Rows::of(ruleset.board, inputs.subspace);
    let mut values = pool.table(target.table_len())?;
    let transposer = Transposer {
        tables,
        images: LaneImages::of(ruleset.board),
        source: &inputs.rows,
        rankings: &inputs.rankings,
        target: &target,
        values: as_atomic(&mut values),
    };
    let mut families = KeyFamily::all(&inputs.rows);
    // Families differ in size a thousandfold: each thread takes the largest one left.
    families.sort_by_key(|family| Reverse(family.classes.len()));
    let largest = families.iter().map(|family| transposer.columns_len(family)).max().unwrap_or(0);
    let next = AtomicUsize::new(0);
    scratch.threads.resize_with(rayon::current_num_threads(), Mutex::default);
    let threads = &scratch.threads;
    let slowest = slowest.code();
    let results = rayon::broadcast(|thread| {
        let mut scratch = threads[thread.index()].lock().unwrap_or_else(PoisonError::into_inner);
        let (buffer, scratch) = &mut *scratch;
        let columns = buffer.at_least(largest)?;
        let mut placer = RowPlacer::new(ruleset, inputs);
        let mut row = vec![0; transposer.row_len() + SLACK];
        while let Some(family) = families.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (placer, transposer) = (&mut placer, &transposer);
            let row = &mut row;
            processor.dispatch(FamilyPlacing {
                placer,
                transposer,
                family,
                slowest,
                row,
                columns,
                scratch,
            });
        }
        Ok(())
    });
    results.into_iter().collect::<io::Result<()>>()?;
    Ok((target, values))
}

/// Whether a table of `rows` holds near codes of far values.
pub(crate) fn holds_far_values(codes: FarCodes, rows: &Rows, values: &[u8]) -> bool {
    let (loss, win) = (codes.loss().byte(), codes.win().byte());
    values.par_chunks(rows.stride()).any(|row| {
        let row = &row[..rows.row_len()];
        row.iter().fold(false, |found, &byte| found | (byte == loss) | (byte == win))
    })
}

/// Completes the far codes of a subspace that was solved by both codes. Returns the longest
/// distance of far values; none if a value has no far code.
///
/// Going a ply back from a far code is right if the value is far, or nearly so. Nearer values
/// follow from their near codes.
pub(crate) fn complete_far_codes(
    codes: FarCodes,
    rows: &Rows,
    near: &[u8],
    far: &mut [u8],
) -> Option<Plies> {
    let bytes = codes.far_bytes();
    let (loss, win) = (codes.loss().byte(), codes.win().byte());
    let complete_row = |(near, far): (&[u8], &mut [u8])| {
        let (near, far) = (&near[..rows.row_len()], &mut far[..rows.row_len()]);
        // Losses have the codes up to the last one, wins those from the first one on.
        let (mut last_loss, mut first_win) = (0, u8::MAX);
        for (&near, far) in near.iter().zip(far) {
            if near == loss {
                last_loss = last_loss.max(*far);
            } else if near == win {
                first_win = first_win.min(*far);
            } else {
                *far = bytes[usize::from(near)];
            }
        }
        (last_loss, first_win)
    };
    let both = near.par_chunks(rows.stride()).zip(far.par_chunks_mut(rows.stride()));
    let worse = |one: (u8, u8), other: (u8, u8)| (one.0.max(other.0), one.1.min(other.1));
    let (last_loss, first_win) = both.map(complete_row).reduce(|| (0, u8::MAX), worse);
    let distance = |byte| {
        let code = ValueCode::from_byte(byte)?;
        codes.value_of_far(code).distance()
    };
    Some(distance(last_loss)?.max(distance(first_win)?))
}

/// Computes and stores the rows of a family.
struct FamilyPlacing<'a, 'b> {
    placer: &'a mut RowPlacer<'b>,
    transposer: &'a Transposer<'a>,
    family: &'a KeyFamily,
    /// The code of the slowest win of the other side that has a code of its own.
    slowest: u8,
    /// A buffer for a row.
    row: &'a mut [u8],
    columns: &'a mut [u8],
    scratch: &'a mut TransposeScratch,
}

impl Work for FamilyPlacing<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { placer, transposer, family, slowest, row, columns, scratch } = self;
        for class in family.classes.clone() {
            placer.fill(cpu, class, slowest, row);
            transposer.put(cpu, family, class, row, columns);
        }
        transposer.store(cpu, family, columns, scratch);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;

    use merels_core::numbering::{Index, SubspaceIndex};
    use merels_core::{Board, Position, Ruleset, Subspace, Value};
    use merels_simd::Processor;

    use super::*;
    use crate::job::Removals;
    use crate::removing::double::AfterMills;
    use crate::removing::removals::tests::made_up_child;
    use crate::rows::bytes::Pool;
    use crate::rows::solved::Child;

    /// Compares every entry with plain moves into made-up values of the following subspaces.
    fn check(ruleset: &Ruleset, subspace: Subspace) {
        let board = ruleset.board;
        let next = subspace.after_placing();
        let placed = Arc::new(made_up_child(board, next.mover(), next.other()));
        let removals = Removals::by_placing(ruleset, next);
        let [one, second] = [removals.first, removals.second].map(|after| {
            let made_up = |child: Subspace| {
                Ok::<_, Infallible>(Arc::new(made_up_child(board, child.mover(), child.other())))
            };
            after.try_map(made_up).unwrap()
        });
        let setup_of = |processor| {
            let (codes, pool) = (FarCodes::FILES, Pool::new(0));
            Setup { ruleset, codes, processor, pool }
        };
        let after = AfterMills::new(&setup_of(Processor::detect()), one, second).unwrap();
        let inputs = PlacingInputs::new(ruleset, subspace, placed, after);
        let value_of = |position: &Position| {
            let (mover, other) = (position.mover(), position.other());
            if mover.total() < Ruleset::MIN_STONES {
                return Value::LOST;
            }
            let of_mover = |child: &&Child| child.index.subspace().mover() == mover.board.len();
            let child = inputs.after.children().find(of_mover).unwrap_or(&inputs.placed);
            let byte = child.values[child.index.index_of(mover.board, other.board).0 as usize];
            ValueCode::from_byte(byte).unwrap().value()
        };
        let index = SubspaceIndex::new(board, subspace);
        let expected: Vec<_> = (0..index.entries())
            .map(|i| {
                let (mover, other) = index.stones_at(Index(i));
                let position = Position::of_subspace(subspace, mover, other);
                let moves = ruleset.legal_moves(&position);
                let best = moves.iter().map(|mv| value_of(&mv.apply(&position)).before()).max();
                ValueCode::from_value(best.unwrap()).unwrap().byte()
            })
            .collect();
        let tables = GroupTables::new(board);
        for processor in Processor::available() {
            let mut scratch = Scratch::default();
            let (rows, values) =
                solve(&setup_of(processor), &inputs, &tables, &mut scratch, Slowest::Far).unwrap();
            let found: Vec<_> = values
                .chunks(rows.stride())
                .flat_map(|row| &row[..rows.row_len()])
                .copied()
                .collect();
            let wrong = found.iter().zip(&expected).position(|(found, expected)| found != expected);
            assert_eq!(wrong, None, "{board} {subspace} {}", processor.name());
        }
    }

    #[test]
    fn far_codes_are_completed_or_too_long() {
        let codes = FarCodes::new(Plies(12));
        let rows = Rows::new(Board::Three, 2, 2);
        let of = |value| codes.codes_of(value).map(|(near, far)| (near.byte(), far.byte()));
        let values = [0, 10, 12, 40].map(|plies| Value::Loss(Plies(plies)));
        let values =
            values.into_iter().chain([1, 11, 13, 31].map(|plies| Value::Win(Plies(plies))));
        let expected: Vec<_> = values.map(|value| of(value).unwrap()).collect();
        let mut near = vec![127; rows.table_len()];
        let mut far = near.clone();
        for (i, &(near_code, far_code)) in expected.iter().enumerate() {
            near[i] = near_code;
            let is_far = codes.is_far(ValueCode::from_byte(near_code).unwrap());
            far[i] = if is_far { far_code } else { 99 };
        }
        assert!(holds_far_values(codes, &rows, &near));
        assert_eq!(complete_far_codes(codes, &rows, &near, &mut far), Some(Plies(40)));
        assert!(expected.iter().zip(&far).all(|(&(_, expected), &far)| expected == far));
        // A value beyond the slowest win that has a far code becomes a draw.
        far[2] = 127;
        assert_eq!(complete_far_codes(codes, &rows, &near, &mut far), None);
    }

    #[test]
    fn rows_equal_plain_placings() {
        let six = Ruleset { board: Board::Six, stones: 6, ..Ruleset::STANDARD };
        let three = Ruleset { board: Board::Three, stones: 3, ..Ruleset::STANDARD };
        let twelve = Ruleset { board: Board::Twelve, ..Ruleset::STANDARD };
        let strict = Ruleset { removal: merels_core::Removal::Strict, ..Ruleset::STANDARD };
        let seven = Ruleset { board: Board::Seven, stones: 7, ..Ruleset::STANDARD };
        let double = |ruleset| Ruleset { double_mill: merels_core::DoubleMill::Two, ..ruleset };
        for (ruleset, subspace) in [
            (Ruleset::STANDARD, Subspace::placing(0, 0, 9, 9)),
            (Ruleset::STANDARD, Subspace::placing(3, 0, 4, 7)),
            (Ruleset::STANDARD, Subspace::placing(2, 3, 2, 1)),
            (Ruleset::STANDARD, Subspace::placing(3, 3, 1, 0)),
            (strict, Subspace::placing(3, 3, 1, 1)),
            (twelve, Subspace::placing(3, 3, 1, 1)),
            (six, Subspace::placing(4, 5, 1, 0)),
            (six, Subspace::placing(3, 3, 2, 2)),
            (seven, Subspace::placing(5, 3, 1, 1)),
            (three, Subspace::placing(2, 2, 1, 1)),
            (
                double(Ruleset { removal: merels_core::Removal::Free, ..six }),
                Subspace::placing(5, 4, 1, 1),
            ),
            (double(six), Subspace::placing(4, 1, 2, 3)),
            (double(six), Subspace::placing(4, 4, 1, 0)),
        ] {
            check(&ruleset, subspace);
        }
    }

    /// The rest of the subspaces, which take long.
    mod long {
        use super::*;

        #[test]
        #[ignore = "long: just test-long"]
        fn rows_equal_plain_placings() {
            let twelve = Ruleset { board: Board::Twelve, ..Ruleset::STANDARD };
            let strict = Ruleset { removal: merels_core::Removal::Strict, ..Ruleset::STANDARD };
            let double = |ruleset| Ruleset { double_mill: merels_core::DoubleMill::Two, ..ruleset };
            for (ruleset, subspace) in [
                (Ruleset::STANDARD, Subspace::placing(3, 4, 2, 2)),
                (Ruleset::STANDARD, Subspace::placing(6, 1, 1, 2)),
                (double(twelve), Subspace::placing(4, 2, 2, 3)),
                (double(strict), Subspace::placing(5, 2, 1, 2)),
                (double(Ruleset::STANDARD), Subspace::placing(4, 2, 1, 3)),
            ] {
                check(&ruleset, subspace);
            }
        }
    }
}
