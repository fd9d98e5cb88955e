//! Invents inputs for `merels_checks::situation`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    merels_checks::situation(bytes);
});
