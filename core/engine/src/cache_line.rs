//! Cache lines.

/// Keeps what different threads write off each other's cache lines. 128 bytes: Apple's and POWER's
/// line, and the pair of lines that x86 fetches at once.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct CacheLine<T>(pub(crate) T);
