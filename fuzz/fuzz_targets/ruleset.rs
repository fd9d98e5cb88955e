//! Invents inputs for `merels_checks::ruleset`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::ruleset(bytes);
});
