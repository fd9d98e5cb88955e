//! Invents inputs for `merels_checks::choice`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::choice(bytes);
});
