//! Deadlines of calls.

use std::time::{Duration, Instant};

/// The time until which a call may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

/// The error of a deadline that has passed.
#[derive(Debug)]
pub(crate) struct Late;

impl Deadline {
    /// The longest time until a deadline.
    const MAX: Duration = Duration::from_secs(3600);

    pub(crate) fn after(within: Duration) -> Deadline {
        Deadline(Instant::now() + within.min(Deadline::MAX))
    }

    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Returns the deadline for one of `of` steps, which gets its share of the time that is left.
    pub(crate) fn share(self, of: u32) -> Deadline {
        Deadline(Instant::now() + self.left() / of.max(1))
    }

    pub(crate) fn at_most(self, within: Duration) -> Deadline {
        Deadline(self.0.min(Instant::now() + within.min(Deadline::MAX)))
    }
}
