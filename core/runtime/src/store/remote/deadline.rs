//! Up to when a call may wait.

use std::time::{Duration, Instant};

/// The time up to which a call may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

/// The deadline has passed.
#[derive(Debug)]
pub(crate) struct Late;

impl Deadline {
    /// The longest there is.
    const MAX: Duration = Duration::from_secs(3600);

    pub(crate) fn after(within: Duration) -> Deadline {
        Deadline(Instant::now() + within.min(Deadline::MAX))
    }

    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// A share of what is left, for one of several that may be waited for.
    pub(crate) fn share(self, of: u32) -> Deadline {
        Deadline(Instant::now() + self.left() / of.max(1))
    }

    pub(crate) fn at_most(self, within: Duration) -> Deadline {
        Deadline(self.0.min(Instant::now() + within.min(Deadline::MAX)))
    }
}
