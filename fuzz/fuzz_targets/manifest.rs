//! Invents inputs for `merels_checks::manifest`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::manifest(bytes);
});
