//! Invents inputs for `merels_checks::game`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::game(bytes);
});
