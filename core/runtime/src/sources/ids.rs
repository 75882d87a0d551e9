//! Calls that every source of 64-bit IDs shares: awaiting an ID and iterating over IDs.

use std::iter::repeat_with;

#[cfg(feature = "daily")]
use super::Daily;
use super::{RingSource, Segment, Sequences, Snowflake, Source};
use crate::error::Result;
use crate::waiting::ask_in_task;

macro_rules! of_ids {
    ($($source:ty),*) => {$(
        impl $source {
            /// Returns the next ID, waiting up to the source's wait bound as a task, on any
            /// executor. One thread of the process wakes all waiting tasks. A future that is
            /// dropped has taken no ID. It works in a forked child too.
            ///
            /// # Errors
            /// As [`next_id`](Self::next_id); [`Code::NoResource`](crate::Code::NoResource) if that
            /// thread cannot be started.
            pub async fn next_id_async(&self) -> Result<u64> {
                match self.try_next_id() {
                    Some(id) => Ok(id),
                    None => ask_in_task(self.wait(), || self.poll_id()).await,
                }
            }

            /// Returns an endless iterator over IDs. Each step waits like
            /// [`next_id`](Self::next_id). You can go on after an error.
            pub fn iter(&self) -> impl Iterator<Item = Result<u64>> + '_ {
                repeat_with(|| self.next_id())
            }
        }
    )*};
}

of_ids!(Snowflake, Segment, RingSource, Source);
#[cfg(feature = "daily")]
of_ids!(Daily);

impl Sequences {
    /// Returns the next number of `key`, waiting as a task: see [`Snowflake::next_id_async`].
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn next_async(&self, key: u64) -> Result<u64> {
        ask_in_task(self.wait(), || self.poll_next(key)).await
    }
}

impl Source {
    /// Returns the next number of `key`, waiting as a task: see
    /// [`next_id_async`](Self::next_id_async).
    ///
    /// # Errors
    /// As [`next_of`](Self::next_of).
    pub async fn next_of_async(&self, key: u64) -> Result<u64> {
        ask_in_task(self.wait(), || self.poll_of(key)).await
    }
}
