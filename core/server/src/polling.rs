//! Mints from a source on an event loop: polls it, and sleeps between polls instead of blocking.

use std::time::Duration;

use snowmint::{Attempt, Mint, NumberRange, Result, Segment, Source};
use tokio::time::{Instant, sleep};

use super::errors;

/// The longest pause between two polls, because a source looks at the clocks only when it is
/// polled.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause while a store has to answer, so that an old request finds an answer nearly as
/// soon as a new one.
const LONGEST_LOOK: Duration = Duration::from_millis(50);
/// The wait that stands in for one that overflows the clock.
const LONGEST_WAIT: Duration = Duration::from_secs(86_400);
/// The most ranges that a search for one contiguous block may use up.
const MAX_TRIES: u32 = 64;

/// Returns the next ID, within the source's wait.
///
/// # Errors
/// As [`Source::next_id`].
#[inline]
pub(crate) async fn one(source: &Source) -> Result<u64> {
    match source.try_next_id() {
        Some(id) => Ok(id),
        None => asked(until(source.wait()), || source.poll_id()).await,
    }
}

/// Returns `count` rising IDs, within the source's wait. At the end of a tag, or without its store,
/// it returns the fewer IDs it got, because they would be lost otherwise.
///
/// # Errors
/// As [`Source::next_ids`], if it got none.
pub(crate) async fn many(source: &Source, count: usize) -> Result<Vec<u64>> {
    let until = until(source.wait());
    let mut ids = vec![0; count];
    let mut filled = 0;
    while let Some(rest) = ids.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match asked(until, || source.poll_block(rest)).await {
            Err(_) if filled > 0 => break,
            more => filled += more?,
        }
    }
    ids.truncate(filled);
    Ok(ids)
}

/// Returns the next number of a key of sequences.
///
/// # Errors
/// As [`Source::next_of`].
pub(crate) async fn of_key(source: &Source, key: u64) -> Result<u64> {
    asked(until(source.wait()), || source.poll_of(key)).await
}

/// Returns one range of at most `most` numbers.
///
/// # Errors
/// As [`Segment::next_range`].
pub(crate) async fn range(segment: &Segment, most: u64) -> Result<NumberRange> {
    asked(until(segment.wait()), || segment.poll_range(most)).await
}

/// Returns ranges of `count` numbers in all, or of fewer if no more come in time.
///
/// # Errors
/// As [`Segment::next_range`], if it got none.
pub(crate) async fn ranges(segment: &Segment, count: u64) -> Result<Vec<NumberRange>> {
    let until = until(segment.wait());
    let (mut ranges, mut left) = (Vec::new(), count);
    while left > 0 {
        match asked(until, || segment.poll_range(left)).await {
            Err(_) if !ranges.is_empty() => break,
            range => ranges.push(range?),
        }
        left -= ranges.last().map_or(0, NumberRange::count);
    }
    Ok(ranges)
}

/// Returns the last of `count` consecutive numbers. Numbers that the next range does not continue
/// are lost, also at the end of a tag. While the store is known to be down, the call fails at once
/// and loses none.
///
/// # Errors
/// As [`Segment::next_range`]; [`snowmint::Code::Unsupported`] if the tag has a stride, for example
/// as one of several databases, or `count` is too large for the tag's ranges.
pub(crate) async fn block(segment: &Segment, count: u64) -> Result<u64> {
    let until = until(segment.wait());
    let mut together: Option<(u64, u64)> = None;
    outlasts(segment, count)?;
    for _ in 0..MAX_TRIES {
        let have = together.map_or(0, |(start, end)| end - start);
        let range = asked(until, || segment.poll_range(count - have)).await?;
        if range.stride() != 1 && count > 1 {
            return Err(errors::minting::block_with_stride());
        }
        let start = match together {
            Some((start, end)) if end == range.start() => start,
            _ => range.start(),
        };
        let end = range.start() + range.count();
        if end - start == count {
            return Ok(end - 1);
        }
        together = Some((start, end));
    }
    Err(errors::minting::block_too_long(count))
}

/// Fails if the store is down and fewer than `count` numbers are at hand.
fn outlasts(segment: &Segment, count: u64) -> Result<()> {
    let stats = segment.stats();
    match &stats.last_failure {
        Some(failure) if !failure.is_over && !failure.is_at_end && stats.at_hand() < count => {
            Err(errors::minting::store_down(failure.code, &failure.message))
        }
        _ => Ok(()),
    }
}

/// Returns the end of a wait that begins now.
pub(crate) fn until(wait: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(wait).unwrap_or(now + LONGEST_WAIT)
}

/// Polls until there is an answer, or the time is up. If a store has to answer, it sleeps an
/// eighth of the wait so far, but at most [`LONGEST_LOOK`], so that many requests can wait.
pub(crate) async fn asked<T>(
    until: Instant,
    mut ask: impl FnMut() -> Result<Attempt<T>>,
) -> Result<T> {
    let begun = Instant::now();
    loop {
        let (pause, why) = match ask()? {
            Attempt::Done(answer) => return Ok(answer),
            Attempt::Later { pause, why } => (pause, why),
        };
        let now = Instant::now();
        let left = until.saturating_duration_since(now);
        if left.is_zero() || pause > left {
            return Err(why);
        }
        let pause = match why.ends_by_clock() {
            true => pause.min(LONGEST_PAUSE),
            false => pause.max(((now - begun) / 8).min(LONGEST_LOOK)),
        };
        sleep(pause.min(left)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use snowmint::{Code, MemoryStore, SegmentAdmin, StepSize, Tag, TagOptions};
    use tokio::runtime::Builder;

    use super::*;

    /// A tag with ranges of 10 numbers.
    fn segment(options: TagOptions) -> (Arc<MemoryStore>, Segment) {
        let (store, tag) = (Arc::new(MemoryStore::new()), Tag::new("orders").unwrap());
        store.create_tag(&tag, options).unwrap();
        let builder = Segment::builder(store.clone(), tag).step(StepSize::fixed(10).unwrap());
        (store, builder.open().unwrap())
    }

    fn run<T>(future: impl Future<Output = T>) -> T {
        Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
    }

    #[test]
    fn ids_and_ranges_are_as_many_as_asked_for_and_rise() {
        let (_store, segment) = segment(TagOptions::default());
        let source = Source::Segment(segment.clone());
        run(async {
            assert_eq!(one(&source).await.unwrap(), 1);
            let ids = many(&source, 25).await.unwrap();
            assert_eq!(ids, (2..27).collect::<Vec<_>>());
            let ranges = ranges(&segment, 30).await.unwrap();
            assert_eq!(ranges.iter().map(NumberRange::count).sum::<u64>(), 30);
            assert_eq!(ranges.first().map(NumberRange::start), Some(27));
        });
    }

    #[test]
    fn numbers_at_hand_are_given_where_there_are_no_more() {
        let (_store, segment) = segment(TagOptions::default().max(35));
        let source = Source::Segment(segment.clone());
        run(async {
            assert_eq!(many(&source, 12).await.unwrap().len(), 12);
            assert_eq!(many(&source, 100).await.unwrap(), (13..=35).collect::<Vec<_>>());
            assert_eq!(many(&source, 1).await.unwrap_err().code(), Code::TagExhausted);
        });
    }

    #[test]
    fn a_block_follows_without_a_gap() {
        let (store, segment) = segment(TagOptions::default());
        run(async {
            assert_eq!(block(&segment, 4).await.unwrap(), 4);
            // Across two ranges, the second of which continues the first.
            assert_eq!(block(&segment, 12).await.unwrap(), 16);
            // Another client has taken numbers in between, so 17 and the rest at hand are lost.
            let tag = Tag::new("orders").unwrap();
            snowmint::allocate_one(&*store, &tag, Some(1_000)).unwrap();
            let last = block(&segment, 60).await.unwrap();
            assert!(last >= 1_000, "{last}");
        });
    }

    #[test]
    fn numbers_with_a_stride_are_no_block() {
        let (_store, segment) = segment(TagOptions::default().stride(2));
        run(async {
            assert_eq!(block(&segment, 1).await.unwrap(), 1);
            assert_eq!(block(&segment, 2).await.unwrap_err().code(), Code::Unsupported);
        });
    }
}
