//! zstd frames, with a context for each thread that is used again and again.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

/// Appends `content` to `bytes` as one frame. Levels are 1 (fast) to 19 (small); others are brought
/// into this range.
pub(crate) fn append(content: &[u8], level: i32, bytes: &mut Vec<u8>) -> io::Result<()> {
    thread_local! {
        static CONTEXT: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
        static FRAME: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    let level = level.clamp(1, 19);
    CONTEXT.with_borrow_mut(|slot| {
        let context = match slot {
            Some((kept, context)) if *kept == level => context,
            _ => &mut slot.insert((level, Compressor::new(level)?)).1,
        };
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
