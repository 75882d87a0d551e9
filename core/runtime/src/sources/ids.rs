//! What every source of 64-bit IDs does by its other calls: be awaited, and be iterated over.

use std::iter::repeat_with;

#[cfg(feature = "daily")]
use super::Daily;
use super::{RingSource, Segment, Sequences, Snowflake, Source};
use crate::error::Result;
use crate::waiting::ask_in_task;

macro_rules! of_ids {
    ($($source:ty),*) => {$(
        impl $source {
            /// The next ID, waiting up to the source's bound as a task does, on any executor and
            /// without a thread of its own: one thread of the process wakes all that wait. A future
            /// that is dropped has taken no ID. In a child of a fork it goes on as everything else.
            ///
            /// # Errors
            /// As [`next_id`](Self::next_id); [`Code::NoResource`](crate::Code::NoResource) where that
            /// thread cannot be started.
            pub async fn next_id_async(&self) -> Result<u64> {
                match self.try_next_id() {
                    Some(id) => Ok(id),
                    None => ask_in_task(self.wait(), || self.poll_id()).await,
                }
            }

            /// IDs one after the other, without an end: each is asked for when it is taken, and waits
            /// as [`next_id`](Self::next_id). After an error it can be asked again.
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
    /// The next number of `key`, waiting as a task does: see [`Snowflake::next_id_async`].
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn next_async(&self, key: u64) -> Result<u64> {
        ask_in_task(self.wait(), || self.poll_next(key)).await
    }
}

impl Source {
    /// The next number of `key`, waiting as a task does: see
    /// [`next_id_async`](Self::next_id_async).
    ///
    /// # Errors
    /// As [`next_of`](Self::next_of).
    pub async fn next_of_async(&self, key: u64) -> Result<u64> {
        ask_in_task(self.wait(), || self.poll_of(key)).await
    }
}
