//! Outcomes as trits, five to a byte; the first of them counts least.

use merels_core::numbering::ValueCode;

/// Outcomes in a byte.
pub(super) const TRITS: usize = 5;

const DRAW: u8 = ValueCode::DRAW.byte();

/// Codes that stand for a loss, a draw and a win where distances are not kept.
const OUTCOMES: [u8; 3] = [ValueCode::LOST.byte(), DRAW, u8::MAX];

/// 0 for a loss, 1 for a draw, 2 for a win.
#[inline]
fn trit(code: u8) -> u8 {
    u8::from(code >= DRAW) + u8::from(code > DRAW)
}

/// The code that stands for the outcome.
#[inline]
pub(super) fn without_distance(code: u8) -> u8 {
    OUTCOMES[usize::from(trit(code))]
}

/// Every byte the same.
const fn bytes(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The trits of eight codes.
#[inline]
fn trits(codes: u64) -> u64 {
    const TOP: u64 = bytes(0x80);
    let wins = codes & TOP;
    // One more than a draw reaches the top bit, and nothing carries beyond it.
    let draws_and_wins = ((codes & !TOP) + bytes(1)) | codes;
    (draws_and_wins >> 7 & bytes(1)) + (wins >> 7)
}

/// The byte of the first five of eight trits.
#[inline]
fn packed(trits: u64) -> u8 {
    // Byte 4 of the product is the sum of what is asked for; the bytes below it stay below 256.
    const WEIGHTS: u64 = 81 | 27 << 8 | 9 << 16 | 3 << 24 | 1 << 32;
    (trits.wrapping_mul(WEIGHTS) >> 32) as u8
}

/// Packs the outcomes of codes into `outcomes`, in place of what was there.
pub(super) fn pack(codes: &[u8], outcomes: &mut Vec<u8>) {
    outcomes.clear();
    outcomes.reserve(codes.len().div_ceil(TRITS));
    outcomes.extend(codes.windows(8).step_by(TRITS).map(|eight| {
        let codes = eight.try_into().map_or(0, u64::from_le_bytes);
        packed(trits(codes))
    }));
    for rest in codes[outcomes.len() * TRITS..].chunks(TRITS) {
        outcomes.push(rest.iter().rev().fold(0, |byte, code| 3 * byte + trit(*code)));
    }
}

/// What a byte stands for: five codes without distances, the number of wins, that of losses, and
/// a bit that says that it is no five outcomes.
static UNPACKED: [[u8; 8]; 256] = {
    let mut table = [[0, 0, 0, 0, 0, 0, 0, 1]; 256];
    let mut byte = 0;
    while byte < 243 {
        table[byte][7] = 0;
        let (mut left, mut i) = (byte, 0);
        while i < TRITS {
            table[byte][i] = OUTCOMES[left % 3];
            table[byte][5] += (left % 3 == 2) as u8;
            table[byte][6] += (left % 3 == 0) as u8;
            left /= 3;
            i += 1;
        }
        byte += 1;
    }
    table
};

/// The reverse of [`pack`], for `total` codes: codes without distances; gives the numbers of wins and
/// losses. `codes` has at least eight bytes more than `outcomes` stand for; what it holds beyond
/// `total` means nothing.
///
/// # Errors
/// Why these are no such outcomes.
pub(super) fn unpack(
    outcomes: &[u8],
    total: usize,
    codes: &mut [u8],
) -> Result<(usize, usize), String> {
    let (mut won, mut lost, mut strange) = (0, 0, 0);
    for (i, &byte) in outcomes.iter().enumerate() {
        let unpacked = &UNPACKED[usize::from(byte)];
        // Three bytes too many, which the next ones overwrite.
        codes[i * TRITS..i * TRITS + 8].copy_from_slice(unpacked);
        won += usize::from(unpacked[5]);
        lost += usize::from(unpacked[6]);
        strange |= unpacked[7];
    }
    if strange != 0 {
        return Err("a byte is no five outcomes".into());
    }
    let padding = &codes[total..outcomes.len() * TRITS];
    if padding.iter().any(|&code| code != ValueCode::LOST.byte()) {
        return Err("there are outcomes beyond its entries".into());
    }
    Ok((won, lost - padding.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_packed_by_its_weight() {
        for byte in 0..243_u8 {
            let trits: Vec<u8> = (0..5).map(|i| byte / 3_u8.pow(i) % 3).collect();
            for variant in 0..3_u8 {
                let code = |&trit: &u8| match trit {
                    0 => [0, 126, 63][usize::from(variant)],
                    1 => DRAW,
                    _ => [255, 129, 200][usize::from(variant)],
                };
                let mut codes: Vec<u8> = trits.iter().map(code).collect();
                codes.extend([255; 4]);
                let mut outcomes = vec![1];
                pack(&codes, &mut outcomes);
                assert_eq!(outcomes, [byte, 2 * (1 + 3 + 9 + 27)]);
            }
        }
    }

    #[test]
    fn outcomes_are_unpacked_as_they_were_packed() {
        for total in 0..200_usize {
            let codes: Vec<u8> = (0..total).map(|i| (i * i * 97 % 256) as u8).collect();
            let mut outcomes = Vec::new();
            pack(&codes, &mut outcomes);
            assert_eq!(outcomes.len(), total.div_ceil(TRITS));
            let mut unpacked = vec![3; outcomes.len() * TRITS + 8];
            let (won, lost) = unpack(&outcomes, total, &mut unpacked).unwrap();
            let expected: Vec<u8> = codes.iter().map(|&code| without_distance(code)).collect();
            assert_eq!(unpacked[..total], expected);
            assert_eq!(won, codes.iter().filter(|&&code| code > DRAW).count());
            assert_eq!(lost, codes.iter().filter(|&&code| code < DRAW).count());
        }
    }

    #[test]
    fn what_is_no_outcomes_is_refused() {
        let mut codes = [0; 20];
        for (outcomes, total) in [([0, 243], 10), ([255, 0], 10), ([0, 81], 9), ([0, 3], 6)] {
            assert!(unpack(&outcomes, total, &mut codes).is_err(), "{outcomes:?}");
        }
        assert_eq!(unpack(&[0, 2], 6, &mut codes), Ok((1, 5)));
    }
}
