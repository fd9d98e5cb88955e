//! Invents inputs for `merels_checks::table`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::table(bytes);
});
