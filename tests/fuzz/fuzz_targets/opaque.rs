//! libFuzzer looks for bytes that break a law of `snowmint_fuzz::opaque`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| snowmint_fuzz::opaque::run(data));
