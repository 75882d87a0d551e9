//! libFuzzer looks for bytes that break a law of `snowmint_fuzz::store_rows`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snowmint_fuzz::store_rows::run(data));
