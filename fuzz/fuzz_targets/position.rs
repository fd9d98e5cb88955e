//! Invents inputs for `merels_checks::position`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::position(bytes);
});
