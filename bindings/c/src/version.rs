//! The version of the library.

use std::ffi::{CStr, c_char};

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// Returns the library's version, such as `1.2.3`. The text is a constant; do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_version() -> *const c_char {
    VERSION.as_ptr()
}

/// Returns the number of the library's binary interface, which also ends the shared library's
/// SONAME. If you load the library by hand, compare it with SNOWMINT_ABI_VERSION, the header's
/// number.
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
