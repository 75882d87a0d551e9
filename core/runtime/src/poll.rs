//! The answer of a call that never sleeps.

use std::time::Duration;

use crate::error::Error;

/// What a call came to whose caller sleeps itself: event loops, and languages whose threads must
/// not wait in foreign code.
#[derive(Clone, Debug)]
pub enum Poll<T> {
    /// What was asked for.
    Ready(T),
    /// Nothing yet; nothing was issued.
    Pending {
        /// How long to sleep before asking again.
        pause: Duration,
        /// What to tell those who have no time left.
        why: Error,
    },
}

impl<T> Poll<T> {
    pub(crate) fn map<U>(self, made: impl FnOnce(T) -> U) -> Poll<U> {
        match self {
            Poll::Ready(value) => Poll::Ready(made(value)),
            Poll::Pending { pause, why } => Poll::Pending { pause, why },
        }
    }
}
