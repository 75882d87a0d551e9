//! Numbers of a tag, from ranges that are reserved in a store and fetched ahead.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{Error as EngineError, NumberRange, Prefetch, SharedRange, StepSize};

use self::classes::Classes;
use self::ranges::RangeSource;
use self::shards::Shards;
use self::sizing::Sizing;
use super::mint::{Mint, Sealed};
use crate::error::Result;
use crate::errors;
#[cfg(feature = "embedding")]
use crate::host::Host;
use crate::host::Platform;
use crate::host::process::ForkGuard;
use crate::source_core::SourceCore;
use crate::stats::Stats;
use crate::store::{self, SegmentStore, Tag};
use crate::store_handle::StoreHandle;
use crate::waiting::{Attempt, DEFAULT_WAIT, ask_within, open_within};

mod classes;
mod ranges;
mod shards;
mod sizing;

pub(crate) use shards::LateStore;
pub(crate) use sizing::check;

/// Mints the numbers of a tag.
///
/// - *Order*: numbers rise strictly in issue order, across threads and ranges. Other processes on
///   the same tag mint from their own ranges, so there is no order between processes.
/// - *Gaps*: numbers that were fetched and not minted when a process ends are lost. Now and then a
///   number is lost when a thread is overtaken by the next range.
/// - *Threads*: clone it or share it. Minting takes no lock while fetched numbers last.
/// - *Fork*: a child fetches its own ranges.
/// - *Store down*: the fetched numbers are minted to the end. Then calls fail within their bound,
///   and succeed again by themselves once the store is back.
/// - *Several stores*: if the tag is in [more than one](SegmentBuilder::shard), numbers are unique
///   and do not rise: each comes from a store that has some, and each store has its own residue
///   class.
#[derive(Clone)]
pub struct Segment {
    /// The ranges of the first or only store.
    ranges: Arc<RangeSource>,
    shards: Option<Arc<Shards>>,
    wait: Duration,
}

impl Segment {
    /// Starts building a segment over a store's tag.
    pub fn builder(store: Arc<dyn SegmentStore>, tag: Tag) -> SegmentBuilder {
        let host = Platform::System;
        SegmentBuilder {
            store,
            tag,
            prefetch: Prefetch::LEAF,
            step: None,
            runway: None,
            wait: DEFAULT_WAIT,
            name: "the first store".to_owned(),
            shards: Vec::new(),
            key: None,
            fences: Arc::default(),
            host,
        }
    }
}

impl Sealed for Segment {}

impl Mint for Segment {
    #[inline]
    fn try_next_id(&self) -> Option<u64> {
        match &self.shards {
            None => self.ranges.try_take_one(),
            Some(shards) => shards.try_each(RangeSource::try_take_one),
        }
    }

    fn next_block_within(&self, out: &mut [u64], wait: Duration) -> Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        Ok(self.next_range(out.len() as u64, wait)?.numbers().fill(out))
    }

    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        if out.is_empty() {
            return Ok(Attempt::Done(0));
        }
        Ok(self.poll_range(out.len() as u64)?.map(|range| range.numbers().fill(out)))
    }

    fn wait(&self) -> Duration {
        self.wait
    }

    fn with_wait(&self, wait: Duration) -> Segment {
        Segment { wait, ..self.clone() }
    }

    fn stats(&self) -> Stats {
        match &self.shards {
            None => self.ranges.stats(),
            Some(shards) => shards.stats(),
        }
    }

    /// Fetched numbers are lost. The store is not told.
    fn close_within(&self, _wait: Duration) -> Result<()> {
        self.stop();
        Ok(())
    }
}

impl Segment {
    /// Returns the next number of the store that a key belongs to, if the tag is in several stores.
    /// While that store has numbers, the residue class of a number tells its key's store.
    ///
    /// A key belongs to the same store in every process and release, by rendezvous hashing of the
    /// stores' classes. An added store takes over an equal share of the keys, and no other key
    /// moves. The call waits for the key's store up to half of its bound, or half a second if that
    /// is more. While that store fails or is silent, its keys get numbers of the next store in
    /// their order.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    pub fn next_id_of(&self, key: u64) -> Result<u64> {
        ask_within(self.wait, &self.ranges.host, || self.poll_id_of(key))
    }

    /// Like [`next_id_of`](Self::next_id_of), or returns how long to sleep, like
    /// [`poll_id`](Self::poll_id).
    ///
    /// # Errors
    /// As [`poll_id`](Self::poll_id).
    pub fn poll_id_of(&self, key: u64) -> Result<Attempt<u64>> {
        let Some(shards) = &self.shards else { return self.poll_id() };
        match shards.try_of(key, RangeSource::try_take_one) {
            Some(number) => Ok(Attempt::Done(number)),
            None => Ok(shards.take_or_ask_of(key, 1, self.wait)?.map(|range| range.start())),
        }
    }

    pub(crate) fn has_shards(&self) -> bool {
        self.shards.is_some()
    }

    /// Returns up to `at_most` numbers of one range, for a caller that counts through them itself,
    /// waiting up to `wait`. Numbers that you drop are a gap.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`] for 0, and the codes of [`next_id`](Self::next_id).
    pub fn next_range(&self, at_most: u64, wait: Duration) -> Result<NumberRange> {
        check_range(at_most)?;
        match self.try_next_range(at_most) {
            Some(range) => Ok(range),
            None => self.take(at_most, wait),
        }
    }

    /// Returns up to `at_most` numbers of one range if any are at hand, like
    /// [`try_next_id`](Self::try_next_id).
    pub fn try_next_range(&self, at_most: u64) -> Option<NumberRange> {
        match &self.shards {
            None => self.ranges.try_take(at_most),
            Some(shards) => shards.try_each(|ranges| ranges.try_take(at_most)),
        }
    }

    fn take(&self, n: u64, wait: Duration) -> Result<NumberRange> {
        ask_within(wait, &self.ranges.host, || self.take_or_ask(n, wait))
    }

    fn take_or_ask(&self, n: u64, wait: Duration) -> Result<Attempt<NumberRange>> {
        match &self.shards {
            None => self.ranges.take_or_ask(n),
            Some(shards) => shards.take_or_ask(n, wait),
        }
    }

    /// Returns up to `at_most` numbers of one range, or how long to sleep, like
    /// [`poll_id`](Self::poll_id). Numbers that you drop are a gap.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`] for 0, and the codes of [`poll_id`](Self::poll_id).
    pub fn poll_range(&self, at_most: u64) -> Result<Attempt<NumberRange>> {
        check_range(at_most)?;
        match self.try_next_range(at_most) {
            Some(range) => Ok(Attempt::Done(range)),
            None => self.take_or_ask(at_most, self.wait),
        }
    }

    /// Fetches the first range, for a store that only then tells whether it has the tag. A
    /// temporary failure is ignored, because no number is wanted yet.
    fn fetch_first(&self) -> Result<()> {
        match ask_within(self.wait, &self.ranges.host, || self.ranges.fetch_first()) {
            Err(error) if error.is_transient() => Ok(()),
            fetched => fetched,
        }
    }

    /// The tag.
    pub fn tag(&self) -> &Tag {
        &self.ranges.tag
    }

    pub(crate) fn stop(&self) {
        match &self.shards {
            None => self.ranges.close(),
            Some(shards) => shards.close(),
        }
    }

    /// Makes the scheduler ask the store whether it answers. If there are several stores, each
    /// store without numbers at hand is asked for some.
    pub(crate) fn look(&self) {
        match &self.shards {
            None => self.ranges.look(),
            Some(shards) => shards.stock_up(),
        }
    }

    pub(crate) fn fences(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.ranges.fences)
    }

    pub(crate) fn step(&self) -> u64 {
        self.ranges.step()
    }
}

fn check_range(at_most: u64) -> Result<()> {
    if at_most == 0 {
        return Err(EngineError::CountOutOfRange { count: 0, max: u64::MAX }.into());
    }
    Ok(())
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Segment").field("tag", self.tag()).finish_non_exhaustive()
    }
}

/// Builds a [`Segment`].
#[must_use]
pub struct SegmentBuilder {
    store: Arc<dyn SegmentStore>,
    /// The store's name in messages, if there are several.
    name: String,
    tag: Tag,
    prefetch: Prefetch,
    step: Option<StepSize>,
    runway: Option<Duration>,
    wait: Duration,
    shards: Vec<Shard>,
    key: Option<u64>,
    fences: Arc<AtomicU64>,
    host: Platform,
}

/// A further store of a tag.
struct Shard {
    /// Its name in messages.
    name: String,
    store: Arc<dyn SegmentStore>,
}

impl SegmentBuilder {
    /// Sets when the next range is fetched; the default is [`Prefetch::LEAF`].
    pub fn prefetch(mut self, prefetch: Prefetch) -> Self {
        self.prefetch = prefetch;
        self
    }

    /// Sets the size of ranges. The default is the tag's step, which doubles, up to a million,
    /// while ranges last less than 15 minutes.
    pub fn step(mut self, step: StepSize) -> Self {
        self.step = Some(step);
        self
    }

    /// Sets how long the numbers at hand should last while the store is away, up to a day, instead
    /// of a [`step`](Self::step). Beginning with the tag's step, each range has twice the numbers
    /// of the one before, up to [`MAX_STEP`](crate::engine::MAX_STEP), until it lasts that long at
    /// the pace of the last range. A range that lasts twice as long halves the next one. Numbers at
    /// hand when the process ends are lost.
    pub fn runway(mut self, runway: Duration) -> Self {
        self.runway = Some(runway);
        self
    }

    /// Sets how long a call waits for a number, and opening waits for a store that is down or
    /// locked. The default is [`DEFAULT_WAIT`].
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Adds a store of the tag, which must give numbers of another residue class there. The tags
    /// have one stride, at least the number of stores. Each begins with another number, for example
    /// 1, 2 and 3 with three stores. While a store is down, the others go on; for opening, one has
    /// to answer. If the stride is larger than the number of stores, you can later add a store with
    /// an unused class, and update the processes in any order.
    pub fn shard(self, store: Arc<dyn SegmentStore>) -> Self {
        let name = format!("store {}", self.shards.len() + 2);
        self.shard_called(name, store)
    }

    pub(crate) fn called(mut self, name: String) -> Self {
        self.name = name;
        self
    }

    pub(crate) fn shard_called(mut self, name: String, store: Arc<dyn SegmentStore>) -> Self {
        self.shards.push(Shard { name, store });
        self
    }

    /// Sets the key of all calls without a key. With several stores, such a call then begins with
    /// the store of [`Segment::next_id_of`], instead of each store in turn.
    pub fn key(mut self, key: u64) -> Self {
        self.key = Some(key);
        self
    }

    /// Sets another host than the operating system, for simulation.
    #[cfg(feature = "embedding")]
    pub fn host(self, host: impl Host) -> Self {
        self.on(Platform::Brought(Arc::new(host)))
    }

    /// Counts the segment's fences in `fences`.
    #[cfg(feature = "daily")]
    pub(crate) fn counting(mut self, fences: Arc<AtomicU64>) -> Self {
        self.fences = fences;
        self
    }

    #[cfg(any(feature = "daily", feature = "embedding"))]
    pub(crate) fn on(mut self, host: Platform) -> Self {
        self.host = host;
        self
    }

    /// Looks up the tag and opens the segment. Calls the store. The first range is fetched by the
    /// first call that mints; it is fetched here if the store only then
    /// [tells](SegmentStore::tells_tags) whether it has the tag.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`] for a runway that cannot be kept, and for stores that can give
    /// the same numbers; [`Code::UnknownTag`]; or an error of the store. With several stores, a
    /// temporary error counts only if no store answers.
    pub fn open(self) -> Result<Segment> {
        let sizing = Sizing::new(self.step, self.runway, self.prefetch)?;
        let mut stores = vec![Shard { name: self.name, store: self.store }];
        stores.extend(self.shards);
        let names = stores.iter().map(|shard| shard.name.clone()).collect();
        let classes = Classes::new(self.tag.clone(), names);
        let is_alone = stores.len() == 1;
        let look = || steps(&stores, &self.tag, (!is_alone).then_some(&classes));
        let steps = open_within(self.wait, &self.host, look)?;
        let mut all = Vec::new();
        for (at, (shard, step)) in stores.into_iter().zip(steps).enumerate() {
            let guard = ForkGuard::new();
            all.push(Arc::new(RangeSource {
                range: SharedRange::new().in_image(guard.word()),
                guard,
                opened_in: AtomicU64::new(0),
                fences: Arc::clone(&self.fences),
                core: SourceCore::new(),
                host: self.host.clone(),
                store: StoreHandle::new(shard.store),
                tag: self.tag.clone(),
                prefetch: self.prefetch,
                sizing,
                step: sizing.step(step)?,
                class: (!is_alone).then(|| classes.class(at)),
            }));
        }
        let shards = (!is_alone).then(|| Arc::new(Shards::new(&all, self.key)));
        let ranges = all.swap_remove(0);
        let segment = Segment { ranges, shards, wait: self.wait };
        if is_alone && !segment.ranges.store.tells_tags() {
            segment.fetch_first()?;
        }
        Ok(segment)
    }
}

/// Returns the step of the tag in each store. A store that does not answer gets the step of
/// another.
fn steps(stores: &[Shard], tag: &Tag, classes: Option<&Arc<Classes>>) -> Result<Vec<u64>> {
    let (mut steps, mut silent) = (Vec::new(), None);
    for (at, shard) in stores.iter().enumerate() {
        match store::tag(&*shard.store, tag) {
            Ok(Some(row)) => {
                classes.map_or(Ok(()), |classes| classes.class(at).admit_row(&row))?;
                steps.push(Some(row.step));
            }
            Ok(None) if classes.is_some() => {
                return Err(errors::sources::tag_missing_in(&shard.name, tag.as_str()));
            }
            Ok(None) => return Err(errors::sources::tag_missing(tag.as_str())),
            Err(error) if error.is_transient() => {
                silent.get_or_insert(error);
                steps.push(None);
            }
            Err(error) => return Err(error),
        }
    }
    match (steps.iter().flatten().next().copied(), silent) {
        (Some(usual), _) => Ok(steps.into_iter().map(|step| step.unwrap_or(usual)).collect()),
        (None, Some(error)) => Err(error),
        (None, None) => Err(errors::sources::tag_missing(tag.as_str())),
    }
}
