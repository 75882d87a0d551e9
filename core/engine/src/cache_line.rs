//! Cache lines.

/// Keeps data that different threads write on separate cache lines. 128 bytes is the line of
/// Apple's and POWER's processors, and the pair of lines that x86 fetches at once.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct CacheLine<T>(pub(crate) T);
