//! The version of the library.

use std::ffi::{CStr, c_char};

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// The library's version, such as `1.2.3`. A constant; not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The number of the binary interface, also at the end of the shared library's SONAME. Compare it
/// with SNOWMINT_ABI_VERSION, that of the header, where a library is loaded by hand.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_abi_version() -> u32 {
    const NUMBER: u32 = digits(env!("SNOWMINT_ABI_VERSION").as_bytes());
    NUMBER
}

const fn digits(mut text: &[u8]) -> u32 {
    let mut number = 0;
    while let [digit, rest @ ..] = text {
        number = number * 10 + (*digit - b'0') as u32;
        text = rest;
    }
    number
}
