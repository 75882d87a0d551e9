//! What a holder knows of its lease, in one process.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::clock::Timeline;
use crate::error::Error;
use crate::keepers::Bell;
use crate::store::{Lease, Token};

/// What a forked child must not share.
#[derive(Default)]
pub(super) struct Local {
    pub(super) bell: Arc<Bell>,
    pub(super) state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) timeline: Timeline,
    pub(super) lease: Option<Lease>,
    /// Somebody else has the worker ID, or will: take another.
    pub(super) lost: bool,
    /// The clock went back: take another worker ID and go on at the clock's time.
    pub(super) change: bool,
    pub(super) rollback: u32,
    /// The token of a renewal whose answer has not come yet.
    pub(super) next_token: Option<Token>,
    pub(super) failure: Option<Error>,
    pub(super) failures: u32,
    pub(super) retry_boot_ms: i64,
    /// No renewal before this.
    pub(super) rested_boot_ms: i64,
    pub(super) asked_boot_ms: i64,
    pub(super) has_keeper: bool,
}

impl State {
    pub(super) fn note_success(&mut self) {
        (self.failure, self.failures, self.retry_boot_ms) = (None, 0, 0);
    }

    /// As at the start, but for the keeper, which goes on.
    pub(super) fn forget(&mut self) {
        *self = State { has_keeper: self.has_keeper, ..State::default() };
    }
}

/// What the keeper has to do.
pub(super) enum Due {
    Nothing(Duration),
    Acquire { avoid: Option<u32> },
    Renew(Lease, Token),
}
