//! Invents inputs for `merels_checks::record`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::record(bytes);
});
