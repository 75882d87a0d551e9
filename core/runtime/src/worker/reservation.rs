//! A worker ID, and the time that is reserved for it.

/// A worker ID and the time reserved for it: the holder may issue IDs whose time lies in
/// `[floor_ms, reserved_ms)`. By what it can prove that, is whoever reserved it's to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reservation {
    pub(crate) worker_id: u32,
    pub(crate) floor_ms: i64,
    pub(crate) reserved_ms: i64,
    /// How much was reserved ahead of the clock.
    pub(crate) reserve_ms: u32,
    /// The clock of the store that reserved it, then.
    pub(crate) store_ms: Option<i64>,
}
