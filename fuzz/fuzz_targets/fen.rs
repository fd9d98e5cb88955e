//! Invents inputs for `merels_checks::fen`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::fen(bytes);
});
