//! A day's numbers, and the opening of the next day's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use snowmint_engine::{Code, Prefetch, StepSize};

use super::calendar::Span;
use crate::error::{Error, Result};
use crate::errors;
use crate::host::Platform;
use crate::sources::segment::Segment;
use crate::store::{SegmentAdmin, SegmentStore, Tag, TagOptions, ensure_tag};
use crate::store_handle::StoreHandle;

/// The time before a day at which its tag is opened, if numbers are minted then.
const PREPARE_MS: i64 = 60_000;

pub(super) struct Day {
    pub(super) date: u32,
    /// The number to add to a sequence number.
    pub(super) first: u64,
    pub(super) largest: u64,
    pub(super) until_ms: i64,
    /// The Unix millisecond from which minting needs a look at the day's end.
    pub(super) look_ms: AtomicI64,
    pub(super) used_up: AtomicBool,
    pub(super) segment: Segment,
}

impl Day {
    /// Returns true if the day can be minted from without a look. A clock that went back does not
    /// matter.
    #[inline]
    pub(super) fn is_on(&self, now_ms: i64) -> bool {
        now_ms < self.look_ms.load(Ordering::Relaxed)
    }

    /// Returns the number with this sequence number.
    #[inline]
    pub(super) fn number(&self, sequence: u64) -> Result<u64> {
        if sequence > self.largest {
            self.used_up.store(true, Ordering::Relaxed);
            return Err(self.exhausted());
        }
        Ok(self.first.saturating_add(sequence))
    }

    /// Turns sequence numbers into numbers, and returns the count of those that the day has. Fails
    /// if it has none of them.
    pub(super) fn complete(&self, sequences: &mut [u64]) -> Result<usize> {
        for (at, number) in sequences.iter_mut().enumerate() {
            match self.number(*number) {
                Ok(whole) => *number = whole,
                Err(used_up) if at == 0 => return Err(used_up),
                Err(_) => return Ok(at),
            }
        }
        Ok(sequences.len())
    }

    /// Fails once a sequence number was too large, because fetching more is useless.
    #[inline]
    pub(super) fn check_left(&self) -> Result<()> {
        if self.used_up.load(Ordering::Relaxed) { Err(self.exhausted()) } else { Ok(()) }
    }

    #[cold]
    fn exhausted(&self) -> Error {
        errors::daily::day_used_up(self.largest, self.segment.tag().as_str())
    }
}

pub(super) struct Maker {
    pub(super) store: StoreHandle<dyn SegmentAdmin>,
    pub(super) tag: Tag,
    pub(super) step: u64,
    pub(super) prefetch: Prefetch,
    /// The number of times that a day's segment was fenced.
    pub(super) fences: Arc<AtomicU64>,
}

impl Maker {
    /// Opens a day's tag, and creates it if it is missing. It does not wait; callers try again.
    pub(super) fn open(&self, span: Span, digits: u32, host: &Platform) -> Result<Day> {
        let (Span { date, until_ms }, largest) = (span, largest(digits));
        Ok(Day {
            date,
            first: u64::from(date).saturating_mul(largest.saturating_add(1)),
            largest,
            until_ms,
            look_ms: AtomicI64::new(until_ms.saturating_sub(PREPARE_MS)),
            used_up: AtomicBool::new(false),
            segment: self.open_segment(date, true, host)?,
        })
    }

    /// Opens the segment of a day. A missing tag is not created if the day is over and the store
    /// lets tags expire, because its numbers may have been given.
    pub(super) fn open_segment(
        &self,
        date: u32,
        may_begin: bool,
        host: &Platform,
    ) -> Result<Segment> {
        let tag = Tag::of_row(&format!("{}:{date:08}", self.tag))?;
        let step = StepSize::fixed(self.step)?;
        let open = || {
            let store: Arc<dyn SegmentStore> = Arc::<dyn SegmentAdmin>::clone(self.store.store());
            let builder = Segment::builder(store, tag.clone()).prefetch(self.prefetch).step(step);
            let builder = builder.wait(Duration::ZERO).counting(Arc::clone(&self.fences));
            builder.on(host.clone()).open()
        };
        match open() {
            Err(error) if error.code() == Code::UnknownTag => {
                if !may_begin && self.store.lets_tags_go() {
                    return Err(errors::daily::day_over(tag.as_str()));
                }
                self.create(&tag)?;
                open()
            }
            opened => opened,
        }
    }

    fn create(&self, tag: &Tag) -> Result<()> {
        let options = TagOptions::default().step(self.step);
        ensure_tag(&*self.store, tag, options)
    }
}

/// The largest sequence number with this many digits.
pub(super) fn largest(digits: u32) -> u64 {
    10_u64.saturating_pow(digits).saturating_sub(1)
}
