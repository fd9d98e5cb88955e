//! Invents inputs for `merels_checks::subspace`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::subspace(bytes);
});
