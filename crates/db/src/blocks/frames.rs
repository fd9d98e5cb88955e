//! zstd frames, with a context for each thread that is used again and again.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{CParameter, ParamSwitch};

/// How to compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    /// Levels are 1 (fast) to 19 (small); others are brought into this range.
    Level(i32),
    /// Bytes by how frequent they are, without looking for repetitions. On values it takes a third of
    /// the time of level 1, and half the time when decompressed, for an eighth more bytes.
    Quick,
}

impl Compression {
    fn compressor(self) -> io::Result<Compressor<'static>> {
        match self {
            Self::Level(..=1) => {
                // Looking for longer repetitions only, in a table that stays in the nearest cache, finds
                // what there is in values in less time, and in hardly ever more bytes.
                let mut compressor = Compressor::new(1)?;
                compressor.set_parameter(CParameter::MinMatch(7))?;
                compressor.set_parameter(CParameter::HashLog(12))?;
                Ok(compressor)
            }
            Self::Level(level) => Compressor::new(level.min(19)),
            Self::Quick => {
                // The lowest level looks for repetitions nowhere, but does not code single bytes either
                // unless told to.
                let level = *zstd::compression_level_range().start();
                let mut compressor = Compressor::new(level)?;
                let literals = CParameter::LiteralCompressionMode(ParamSwitch::Enable);
                compressor.set_parameter(literals)?;
                Ok(compressor)
            }
        }
    }
}

/// Appends `content` to `bytes` as one frame.
pub(crate) fn append(
    content: &[u8],
    compression: Compression,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    thread_local! {
        // One for each way that was asked for: two or three in a run.
        static CONTEXTS: RefCell<Vec<(Compression, Compressor<'static>)>> =
            const { RefCell::new(Vec::new()) };
        static FRAME: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    CONTEXTS.with_borrow_mut(|contexts| {
        let place = match contexts.iter().position(|(kept, _)| *kept == compression) {
            Some(place) => place,
            None => {
                contexts.push((compression, compression.compressor()?));
                contexts.len() - 1
            }
        };
        let context = &mut contexts[place].1;
        FRAME.with_borrow_mut(|frame| {
            frame.clear();
            frame.reserve(zstd::zstd_safe::compress_bound(content.len()));
            context.compress_to_buffer(content, frame)?;
            bytes.extend_from_slice(frame);
            Ok(())
        })
    })
}

/// Decompresses a frame into `bytes`, and not beyond it; gives the number of bytes written.
pub(crate) fn decompress(frame: &[u8], bytes: &mut [u8]) -> io::Result<usize> {
    thread_local! {
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    CONTEXT.with_borrow_mut(|slot| {
        let context = match slot {
            Some(context) => context,
            None => slot.insert(Decompressor::new()?),
        };
        context.decompress_to_buffer(frame, bytes)
    })
}

/// Decompresses a frame that must fill `bytes`. No frame at all fills none.
///
/// # Errors
/// If it does not decompress, or to another number of bytes.
pub(crate) fn fill(frame: &[u8], bytes: &mut [u8]) -> Result<(), String> {
    let found = if frame.is_empty() {
        0
    } else {
        decompress(frame, bytes).map_err(|error| format!("it does not decompress: {error}"))?
    };
    if found == bytes.len() {
        Ok(())
    } else {
        Err(format!("a frame has {found} bytes instead of {}", bytes.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_compression_gives_back_its_bytes() {
        let skewed: Vec<u8> =
            (0..70_000_u32).map(|i| (i % 251 * (i % 251) % 251) as u8 / 50).collect();
        let contents = [&[][..], &[5], &[127; 70_000], &skewed];
        for compression in [Compression::Quick, Compression::Level(1), Compression::Level(99)] {
            for content in contents {
                let mut frame = vec![9];
                append(content, compression, &mut frame).unwrap();
                let mut bytes = vec![0; content.len()];
                assert_eq!(decompress(&frame[1..], &mut bytes).unwrap(), content.len());
                assert_eq!(bytes, content);
                assert!(frame.len() < 20 + content.len() * 3 / 8, "{compression:?}");
            }
        }
    }
}
