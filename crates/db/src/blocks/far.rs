//! What a block says of far values: one more byte for each of them, in a frame before the block.
//!
//! The block itself has near codes (see [`Codes`]). A near code of the last loss or the last win
//! means "252 (253) plies, or more"; the byte says how many pairs of plies more. Values that are
//! not far take no room, and a reader that wants near codes alone skips the frame.
//!
//! [`Codes`]: merels_core::numbering::Codes

use std::io;

use merels_core::numbering::{FarCodes, ValueCode};

use super::frames::{self, Compression};
use super::sorted::LEFT_OUT;

/// Bytes of the length in front of the frame.
const PREFIX: usize = 4;

/// The far code of the first far loss: it has no ply more than its near code says.
const FIRST_LOSS: u8 = FarCodes::FILES.first_codes().0.byte();

/// The far code of the first far win.
const FIRST_WIN: u8 = FarCodes::FILES.first_codes().1.byte();

/// The greatest byte: losses in 500 plies, wins in 501.
const MOST: u8 = ValueCode::DRAW.byte() - 1 - FIRST_LOSS;

const LOSS: u8 = FarCodes::FILES.loss().byte();
const WIN: u8 = FarCodes::FILES.win().byte();

/// Appends length and frame: the bytes of the far values among `near`, in the order of the index.
/// Entries that the block leaves out are [`LEFT_OUT`] in `near`.
pub(super) fn append(
    near: &[u8],
    far: &[u8],
    compression: Compression,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let beyond = near.iter().zip(far).filter_map(|(&near, &far)| match near {
        LOSS => Some(far - FIRST_LOSS),
        WIN => Some(FIRST_WIN - far),
        _ => None,
    });
    let beyond: Vec<u8> = beyond.collect();
    let start = bytes.len();
    bytes.extend([0; PREFIX]);
    if !beyond.is_empty() {
        frames::append(&beyond, compression, bytes)?;
    }
    let length = (bytes.len() - start - PREFIX) as u32;
    bytes[start..start + PREFIX].copy_from_slice(&length.to_le_bytes());
    Ok(())
}

/// The frame in front of a block, and the block.
///
/// # Errors
/// If the bytes are too few.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let cut_off = || "it is cut off".to_owned();
    let (length, rest) = bytes.split_first_chunk::<PREFIX>().ok_or_else(cut_off)?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(cut_off)
}

/// Works out far codes from decoded near codes and the frame in front of their block.
///
/// # Errors
/// If the frame has other bytes than the near codes call for.
pub(super) fn decode(frame: &[u8], near: &[u8], far: &mut [u8]) -> Result<(), String> {
    let count = near.iter().filter(|&&near| near == LOSS || near == WIN).count();
    let mut beyond = vec![0; count];
    frames::fill(frame, &mut beyond)?;
    if beyond.iter().any(|&byte| byte > MOST) {
        return Err("a distance is longer than two codes can say".into());
    }
    fill(near, far);
    let mut beyond = beyond.into_iter();
    for (far, &near) in far.iter_mut().zip(near) {
        match near {
            LOSS => *far = FIRST_LOSS + beyond.next().unwrap_or(0),
            WIN => *far = FIRST_WIN - beyond.next().unwrap_or(0),
            _ => {}
        }
    }
    Ok(())
}

/// Fills `far` with the far codes of values that near codes say: of a subspace without far values.
pub fn fill(near: &[u8], far: &mut [u8]) {
    const FAR: [u8; 256] = FarCodes::FILES.far_bytes();
    far.iter_mut().zip(near).for_each(|(far, &near)| *far = FAR[usize::from(near)]);
}

/// Copies the far codes of the entries that `near` keeps; the others become [`LEFT_OUT`].
pub(super) fn keep(near: &[u8], values: &[u8], kept: &mut [u8]) {
    for ((kept, &near), &far) in kept.iter_mut().zip(near).zip(values) {
        *kept = if near == LEFT_OUT { LEFT_OUT } else { far };
    }
}

/// The most bytes that length and frame take before a block of this many entries.
pub(super) fn longest(entries: usize) -> usize {
    PREFIX + zstd::zstd_safe::compress_bound(entries)
}

#[cfg(test)]
mod tests {
    use merels_core::numbering::Codes;
    use merels_core::{Plies, Value};

    use super::*;

    #[test]
    fn far_codes_are_decoded_as_they_were_coded() {
        let values = [
            Some(Value::Loss(Plies(252))),
            Some(Value::Draw),
            None,
            Some(Value::Win(Plies(253))),
            Some(Value::Loss(Plies(500))),
            Some(Value::Win(Plies(501))),
            Some(Value::Win(Plies(251))),
            Some(Value::Loss(Plies(250))),
        ];
        let bytes_of =
            |value: Option<Value>| match value.map(|value| FarCodes::FILES.codes_of(value)) {
                Some(Some((near, far))) => (near.byte(), far.byte()),
                _ => (LEFT_OUT, LEFT_OUT),
            };
        let (near, far): (Vec<_>, Vec<_>) = values.into_iter().map(bytes_of).unzip();
        let mut bytes = Vec::new();
        append(&near, &far, Compression::Quick, &mut bytes).unwrap();
        bytes.extend(b"block");
        let (frame, block) = split(&bytes).unwrap();
        assert_eq!(block, b"block");
        let mut decoded = vec![0; near.len()];
        decode(frame, &near, &mut decoded).unwrap();
        assert_eq!(decoded, far);
        let codes = Codes { near: &near[..], far: Some(&decoded[..]) };
        assert_eq!(codes.at(4).map(Codes::value), Some(Value::Loss(Plies(500))));
        // Other near codes call for another number of bytes.
        assert!(decode(frame, &near[1..], &mut decoded[1..]).is_err());
        assert!(decode(&frame[..frame.len() - 1], &near, &mut decoded).is_err());
        for length in 0..bytes.len() - b"block".len() {
            assert!(split(&bytes[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn longer_distances_are_refused() {
        let mut bytes = Vec::new();
        frames::append(&[MOST], Compression::Quick, &mut bytes).unwrap();
        assert!(decode(&bytes, &[LOSS], &mut [0]).is_ok());
        bytes.clear();
        frames::append(&[MOST + 1], Compression::Quick, &mut bytes).unwrap();
        assert!(decode(&bytes, &[LOSS], &mut [0]).is_err());
    }
}
