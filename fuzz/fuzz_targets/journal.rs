//! Invents inputs for `merels_checks::journal`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::journal(bytes);
});
