//! A worker ID, and the time that is reserved for it.

/// A worker ID and the time reserved for it. The holder may issue IDs whose time lies in
/// `[floor_ms, reserved_ms)`. The code that reserved it also keeps the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reservation {
    pub(crate) worker_id: u32,
    pub(crate) floor_ms: i64,
    pub(crate) reserved_ms: i64,
    /// The time that was reserved ahead of the clock, in milliseconds.
    pub(crate) reserve_ms: u32,
    /// The time of the store's clock when it reserved.
    pub(crate) store_ms: Option<i64>,
}
