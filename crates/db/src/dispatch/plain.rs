//! Bytes moved one by one: for processors without a special form, and what the special forms are
//! compared with.

use merels_core::ValueCode;

const DRAW: u8 = ValueCode::DRAW.byte();

/// The operations of [`Cpu`](super::Cpu) in their plain form.
macro_rules! plain_moves {
    () => {
        #[inline(always)]
        fn sort_run(self, run: &[u8], words: &[u64], places: &mut [usize], sorted: &mut [u8]) {
            $crate::dispatch::plain::sort_run(run, words, places, sorted);
        }

        #[inline(always)]
        fn spread_run(
            self,
            sorted: &[u8],
            words: &[u64],
            places: &mut [usize],
            rest: u8,
            run: &mut [u8],
        ) {
            $crate::dispatch::plain::spread_run(sorted, words, places, rest, run);
        }

        #[inline(always)]
        fn split(self, codes: &[u8], wins: &mut [u8], losses: &mut [u8]) -> (usize, usize) {
            $crate::dispatch::plain::split(codes, wins, losses)
        }

        #[inline(always)]
        fn join(self, codes: &mut [u8], wins: &[u8], losses: &[u8]) {
            $crate::dispatch::plain::join(codes, wins, losses);
        }
    };
}

#[inline(always)]
pub(super) fn sort_run(run: &[u8], words: &[u64], places: &mut [usize], sorted: &mut [u8]) {
    for (place, &word) in places.iter_mut().zip(words) {
        let mut left = word;
        for sorted in &mut sorted[*place..][..word.count_ones() as usize] {
            *sorted = run[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        *place += word.count_ones() as usize;
    }
}

#[inline(always)]
pub(super) fn spread_run(
    sorted: &[u8],
    words: &[u64],
    places: &mut [usize],
    rest: u8,
    run: &mut [u8],
) {
    let named = words.iter().fold(0, |all, word| all | word);
    if (named.count_ones() as usize) < run.len() {
        run.fill(rest);
    }
    for (place, &word) in places.iter_mut().zip(words) {
        let mut left = word;
        for &sorted in &sorted[*place..][..word.count_ones() as usize] {
            run[left.trailing_zeros() as usize] = sorted;
            left &= left - 1;
        }
        *place += word.count_ones() as usize;
    }
}

/// Every code is written to both sides, and stays in one or none: no branch that could be
/// mispredicted.
#[inline(always)]
pub(super) fn split(codes: &[u8], wins: &mut [u8], losses: &mut [u8]) -> (usize, usize) {
    let (mut won, mut lost) = (0, 0);
    for &code in codes {
        wins[won] = !code;
        won += usize::from(code > DRAW);
        losses[lost] = code;
        lost += usize::from(code < DRAW);
    }
    (won, lost)
}

/// As in [`split`], both are read, whether needed or not.
#[inline(always)]
pub(super) fn join(codes: &mut [u8], wins: &[u8], losses: &[u8]) {
    let (mut won, mut lost) = (0, 0);
    for code in codes {
        let (is_won, is_lost) = (*code > DRAW, *code < DRAW);
        let (win, loss) = (!wins[won], losses[lost]);
        *code = if is_won { win } else { DRAW };
        *code = if is_lost { loss } else { *code };
        won += usize::from(is_won);
        lost += usize::from(is_lost);
    }
}
