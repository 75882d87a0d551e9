//! A sequence for each key, modelled on WeChat's seqsvr.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::Error as EngineError;

use super::settings::wait_and_host;
use crate::allocations::Requester;
use crate::error::Result;
use crate::errors;
use crate::host::Platform;
use crate::host::process::PerProcess;
use crate::host::restore::Live;
use crate::reports::Subject;
use crate::scheduler::{NOTHING_DUE, Scheduled, Scheduler, is_forsaken};
use crate::source_core::{SourceCore, lock};
use crate::stats::Stats;
use crate::store::{
    self, AllocationRequest, SegmentAdmin, Tag, TagOptions, check_step, ensure_tag,
};
use crate::store_handle::StoreHandle;
use crate::waiting::{Attempt, DEFAULT_WAIT, POLL, ask_in_task, ask_within, open_within};

mod keys;
mod record;
mod remembered;
mod section;

pub(crate) use record::check;
use record::check_record;
use remembered::Remembered;
use section::{LastError, Section, State};

/// The number of keys that share a persisted maximum, as in seqsvr.
pub(crate) const DEFAULT_KEYS_PER_SECTION: u64 = 100_000;
/// The step by which the maximum is raised, as in seqsvr.
const DEFAULT_STEP: u64 = 10_000;
/// The most keys of a section whose last numbers are remembered.
const MAX_KEYS: usize = 1 << 20;
/// The most sections that are remembered.
const MAX_SECTIONS: usize = 1 << 16;

/// Mints a sequence for each of many keys, and persists little: keys are grouped in sections, and
/// only a section's maximum is in the store. Use keys that are counted and so lie close together.
/// Keys that lie far apart, such as snowflakes, each need a separate section and row.
///
/// Key `k` belongs to section `k / keys_per_section`, which has the tag `{tag}:{section}`, created
/// at its first use. Each of the section's keys may use every number of its ranges: two keys can
/// have the same number, but one key never gets a number twice. The number of keys in a section is
/// recorded as the stride of the tag `{tag}:keys`. It can never be changed, because keys would move
/// to sections that know nothing of their numbers.
///
/// - *Order*: the numbers of a key rise strictly in issue order, across threads, ranges and
///   restarts. If several processes use a key at once, it gets no number twice, but there is no
///   order between the processes.
/// - *Gaps*: a restart begins at the section's maximum, so each of its keys skips up to two steps.
///   The same happens if another process took a range of the section in between.
/// - *Threads*: clone it or share it. A number costs a shared lock to find the section, and the
///   section's lock for a look into a hash map. Threads whose keys lie in different sections do not
///   wait for each other. No lock is held while the store is called.
/// - *Memory*: about 20 to 40 bytes for each key used since its section last skipped ahead. A
///   section forgets its keys when it skips, and when a key comes after 2^20 others: then all keys
///   go on above the largest number of any. At 65,536 sections, each new one makes snowmint forget
///   another, which later goes on at its maximum.
/// - *Store*: it is called by [`open`](SequencesBuilder::open) and by one scheduler thread. The
///   next range is fetched once a key has at most half a step left. The first number of a section
///   waits for its first range.
/// - *Store down*: numbers of fetched ranges are minted to the end. Then calls fail within their
///   bound, and succeed again by themselves once the store is back.
/// - *Store that went back*: a section stops until you open the sequences again, and then goes on
///   above everything that this process had from it. In a store with more than 2^18 sections, this
///   is noticed only for sections that are remembered or have stopped.
/// - *Fork*: a child fetches its own ranges, above its parent's.
/// - *Clock*: not used.
#[derive(Clone)]
pub struct Sequences {
    registry: Arc<Registry>,
    wait: Duration,
}

impl Sequences {
    /// Starts building sequences over a store.
    pub fn builder(store: Arc<dyn SegmentAdmin>, tag: Tag) -> SequencesBuilder {
        SequencesBuilder {
            store,
            tag,
            keys_per_section: DEFAULT_KEYS_PER_SECTION,
            step: DEFAULT_STEP,
            wait: DEFAULT_WAIT,
            max_sections: MAX_SECTIONS,
            host: Platform::System,
        }
    }
}

impl Sequences {
    /// Returns the next number of `key`, waiting up to the sequences' wait bound.
    ///
    /// # Errors
    /// [`Code::WaitTimeout`] or the store's error if none could be fetched in time;
    /// [`Code::InvalidKey`] for a key whose section's tag would be too long;
    /// [`Code::TagExhausted`], [`Code::RangeRegressed`], [`Code::Closed`].
    pub fn next(&self, key: u64) -> Result<u64> {
        self.next_within(key, self.wait)
    }

    /// Returns the next number of `key`, waiting up to `wait`; `Duration::ZERO` takes a fetched one
    /// or fails.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn next_within(&self, key: u64, wait: Duration) -> Result<u64> {
        ask_within(wait, &self.registry.host, || self.registry.take_or_ask(key))
    }

    /// Returns the next number of `key`, or how long to sleep before asking again, for callers that
    /// must sleep themselves. It takes a lock, but none that is held during a call of the store.
    ///
    /// # Errors
    /// The codes of [`next`](Self::next) that waiting does not mend.
    pub fn poll_next(&self, key: u64) -> Result<Attempt<u64>> {
        self.registry.take_or_ask(key)
    }

    /// Returns the next number of `key`, waiting as a task: see
    /// [`Mint::next_id_async`](crate::Mint::next_id_async).
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn next_async(&self, key: u64) -> Result<u64> {
        ask_in_task(self.wait(), || self.poll_next(key)).await
    }

    /// The tag, without a section.
    pub fn tag(&self) -> &Tag {
        &self.registry.tag
    }

    /// Returns the state of the sequences. Of single sections it has only the last failure, which
    /// is over once any section has a range.
    pub fn stats(&self) -> Stats {
        self.registry.last_error().stats(self.registry.core.is_closed())
    }

    /// Asks the store again for the range that failed last, unless a range has come since or the
    /// store must not be asked yet. Use it if you send your callers elsewhere until the store
    /// answers.
    pub fn ask_again(&self) {
        if let Some(section) = self.registry.last_error().section() {
            let mut state = section.lock();
            if !state.loading {
                // An error here means that they are closed, which the next call reports.
                drop(self.registry.ask(&section, &mut state));
            }
        }
    }

    /// The number of keys that share a persisted maximum.
    pub fn keys_per_section(&self) -> u64 {
        self.registry.keys_per_section
    }

    /// The wait bound of a call.
    pub fn wait(&self) -> Duration {
        self.wait
    }

    /// Returns the same sequences with another wait bound for their calls; `Duration::ZERO` never
    /// waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> Sequences {
        Sequences { wait, ..self.clone() }
    }

    /// Stops minting. The rest of the fetched ranges is lost. Closing twice is no error.
    pub fn close(&self) {
        let local = self.registry.core.local(Work::default);
        let mut local = lock(&local);
        self.registry.core.close(&mut local);
        self.registry.last_error().end();
        local.leave();
    }

    /// Makes the scheduler ask the store whether it answers.
    pub(crate) fn look(&self) {
        let registry = &self.registry;
        let local = registry.core.local(Work::default);
        let mut local = lock(&local);
        // Closed sequences need no store.
        if registry.core.attend(&mut local, registry, || registry.scheduler()).is_ok() {
            local.work.is_to_look = true;
            local.notify();
        }
    }
}

impl std::fmt::Debug for Sequences {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sequences")
            .field("tag", self.tag())
            .field("keys_per_section", &self.keys_per_section())
            .finish_non_exhaustive()
    }
}

/// Builds [`Sequences`].
#[must_use]
pub struct SequencesBuilder {
    store: Arc<dyn SegmentAdmin>,
    tag: Tag,
    keys_per_section: u64,
    step: u64,
    wait: Duration,
    max_sections: usize,
    host: Platform,
}

impl SequencesBuilder {
    /// Sets how many keys share a persisted maximum (default 100,000). It can never be changed for
    /// a tag.
    pub fn keys_per_section(mut self, keys: u64) -> Self {
        self.keys_per_section = keys;
        self
    }

    /// Sets by how much a section's maximum is raised at a time (default 10,000). It can be
    /// changed.
    pub fn step(mut self, step: u64) -> Self {
        self.step = step;
        self
    }

    wait_and_host! {
        /// Sets how long a call waits for a number, and opening waits for a store that is down or
        /// locked. The default is [`DEFAULT_WAIT`].
    }

    /// Opens the sequences, and records the number of keys in a section. Calls the store.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`] for 0 keys in a section, too many, or another number than
    /// recorded. [`Code::InvalidStep`]; [`Code::InvalidTag`] for a tag that is too long to take a
    /// section. [`Code::Unsupported`] from a store that cannot create tags, or [lets them
    /// expire](SegmentAdmin::lets_tags_go); or an error of the store.
    pub fn open(self) -> Result<Sequences> {
        check_step(self.step)?;
        let record = check(&self.tag, self.keys_per_section)?;
        self.store.check_creation()?;
        if self.store.lets_tags_go() {
            return Err(errors::sources::tags_expire());
        }
        let look = || check_record(&*self.store, &record, self.keys_per_section);
        open_within(self.wait, &self.host, look)?;
        let registry = Registry {
            core: SourceCore::new(),
            host: self.host,
            store: StoreHandle::new(self.store),
            tag: self.tag,
            keys_per_section: self.keys_per_section,
            step: self.step,
            max_sections: self.max_sections,
            sections: PerProcess::new(),
            last_error: PerProcess::new(),
        };
        Ok(Sequences { registry: Arc::new(registry), wait: self.wait })
    }
}

/// The sections in use, and the fetching of their ranges.
struct Registry {
    core: SourceCore<Work>,
    host: Platform,
    store: StoreHandle<dyn SegmentAdmin>,
    tag: Tag,
    keys_per_section: u64,
    step: u64,
    max_sections: usize,
    sections: PerProcess<Sections>,
    last_error: PerProcess<LastError>,
}

#[derive(Default)]
struct Work {
    /// Sections whose tag must be created.
    missing: Vec<Arc<Section>>,
    /// The scheduler should ask whether the store answers.
    is_to_look: bool,
}

impl Registry {
    /// Returns a number, or why there is none yet. An error is final.
    fn take_or_ask(self: &Arc<Self>, key: u64) -> Result<Attempt<u64>> {
        let sections = self.sections.get_or_init(RwLock::default);
        loop {
            if self.core.is_closed() {
                return Err(EngineError::Closed.into());
            }
            let section = self.section(&sections, key)?;
            if let Some(taken) = self.take_from(&section, key) {
                return taken;
            }
        }
    }

    /// Takes a number of a section; `None` if the section was forgotten after it was looked up.
    fn take_from(
        self: &Arc<Self>,
        section: &Arc<Section>,
        key: u64,
    ) -> Option<Result<Attempt<u64>>> {
        let mut state = section.lock();
        if state.forgotten {
            return None;
        }
        let number = state.keys.take(key, MAX_KEYS);
        if state.keys.is_short(number, self.step)
            && !state.loading
            && let Err(error) = self.ask(section, &mut state)
            && number.is_none()
        {
            return Some(Err(error));
        }
        Some(match (number, state.retry.lasting()) {
            (Some(number), _) => Ok(Attempt::Done(number)),
            (None, Some(failure)) => Err(failure.clone()),
            (None, None) => {
                let known = state.retry.known().cloned();
                let why =
                    known.unwrap_or_else(|| errors::sources::key_pending(key, self.tag.as_str()));
                Ok(Attempt::Later { pause: POLL, why })
            }
        })
    }

    fn section(&self, sections: &Sections, key: u64) -> Result<Arc<Section>> {
        let index = key / self.keys_per_section.max(1);
        let known = sections.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(section) = known.get(index) {
            return Ok(Arc::clone(section));
        }
        drop(known);
        let tag = Tag::of_row(&format!("{}:{index}", self.tag))
            .map_err(|_| errors::sources::key_too_large(key, self.tag.as_str(), index))?;
        let mut known = sections.write().unwrap_or_else(PoisonError::into_inner);
        let floor = self.scheduler().allocations.floor(&tag);
        let can_be_raised = self.store.tells_raises();
        let fresh =
            || Section::new(tag, can_be_raised, floor, self.host.clone(), self.last_error());
        Ok(known.get_or_add(index, self.max_sections, fresh))
    }

    /// Makes the scheduler fetch a range, unless fetching failed a moment ago.
    fn ask(self: &Arc<Self>, section: &Arc<Section>, state: &mut State) -> Result<()> {
        if state.is_fenced || state.retry.rest(&self.host).is_some() {
            return Ok(());
        }
        let local = self.core.local(Work::default);
        let mut local = lock(&local);
        self.core.attend(&mut local, self, || self.scheduler())?;
        if state.missing {
            local.work.missing.push(Arc::clone(section));
            local.notify();
        } else {
            local.want(self.request(section), Arc::<Section>::downgrade(section));
        }
        state.loading = true;
        // The scheduler is about to try again, so a failure from before must not answer the call.
        state.retry.hope();
        Ok(())
    }

    fn scheduler(&self) -> Arc<Scheduler> {
        self.store.scheduler(&self.host)
    }

    fn last_error(&self) -> Arc<LastError> {
        self.last_error.get_or_init(LastError::default)
    }

    fn request(&self, section: &Section) -> AllocationRequest {
        AllocationRequest::new(section.tag.clone(), self.step)
    }

    /// Creates the missing tags, and then requests their ranges.
    fn create(self: &Arc<Self>, sections: Vec<Arc<Section>>) {
        let options = TagOptions::default().step(self.step);
        let scheduler = self.scheduler();
        for section in sections {
            let created = ensure_tag(&*self.store, &section.tag, options);
            if self.is_over() {
                return;
            }
            if let Err(error) = created {
                section.answer(Err(error), &scheduler.allocations);
                continue;
            }
            let requester = Arc::<Section>::downgrade(&section);
            scheduler.allocations.want(self.request(&section), requester);
        }
    }

    /// Asks for the row of the tag that records the keys in a section.
    pub(super) fn look_at_store(self: &Arc<Self>) {
        let looked = check(&self.tag, self.keys_per_section)
            .and_then(|record| store::tag(&*self.store, &record));
        if self.is_over() {
            return;
        }
        let sections = self.sections.get_or_init(RwLock::default);
        let has_sections = !sections.read().unwrap_or_else(PoisonError::into_inner).is_empty();
        let subject = Subject::of_tag("sequences", &self.tag, has_sections).looking();
        self.scheduler().allocations.reports.judge(&subject, &looked, &self.host);
        self.last_error().note_look(looked, &self.host);
    }

    /// Returns true if the sequences were closed or dropped while their scheduler waited for the
    /// store.
    fn is_over(self: &Arc<Self>) -> bool {
        self.core.is_closed() || is_forsaken(self)
    }
}

type Sections = RwLock<Remembered>;

impl Scheduled for Registry {
    fn run_due(self: Arc<Self>) -> Duration {
        let local = self.core.local(Work::default);
        let Work { missing, is_to_look } = std::mem::take(&mut lock(&local).work);
        if self.core.is_closed() {
            return NOTHING_DUE;
        }
        self.create(missing);
        if is_to_look {
            self.look_at_store();
        }
        let (scheduler, store, host) =
            (self.scheduler(), Arc::clone(self.store.store()), self.host.clone());
        // Dropped here, so that sequences released during the call are gone when the answer comes.
        drop(self);
        // A single call may not fetch all that was requested.
        if scheduler.allocations.fetch(&*store, &host) { Duration::ZERO } else { NOTHING_DUE }
    }
}

impl Live for Registry {
    fn forget(&self) {
        // Answers still on their way reach a section that no longer mints.
        if let Some(sections) = self.sections.get() {
            sections.write().unwrap_or_else(PoisonError::into_inner).forget_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::thread;

    use super::*;
    use crate::store::MemoryStore;

    /// Threads share many more sections than are remembered, so sections are forgotten all the
    /// time.
    #[test]
    fn forgotten_sections_go_on_at_their_maximum() {
        let store: Arc<dyn SegmentAdmin> = Arc::new(MemoryStore::default());
        let mut builder =
            Sequences::builder(store, Tag::new("chat").unwrap()).keys_per_section(2).step(5);
        builder.max_sections = 3;
        let chat = builder.open().unwrap();
        let mint = |chat: Sequences| {
            (0..600_u64).map(|n| (n % 14, chat.next(n % 14).unwrap())).collect::<Vec<_>>()
        };
        let minters = [0; 3].map(|_| {
            let chat = chat.clone();
            thread::spawn(move || mint(chat))
        });
        let mut all = HashSet::new();
        for minter in minters {
            let mut last = HashMap::new();
            for (key, number) in minter.join().unwrap() {
                assert!(all.insert((key, number)), "key {key} has {number} twice");
                assert!(last.insert(key, number) < Some(number), "key {key} falls to {number}");
            }
        }
        let sections = chat.registry.sections.get().unwrap();
        assert!(sections.read().unwrap().len() <= 3);
    }

    /// The section's successor may be minting already, so its old numbers must not come after that.
    #[test]
    fn a_forgotten_section_mints_no_more() {
        let store: Arc<dyn SegmentAdmin> = Arc::new(MemoryStore::default());
        let mut builder = Sequences::builder(store, Tag::new("chat").unwrap()).keys_per_section(1);
        builder.max_sections = 1;
        let chat = builder.open().unwrap();
        let registry = &chat.registry;
        assert_eq!((chat.next(0).unwrap(), chat.next(0).unwrap()), (1, 2));
        let sections = registry.sections.get().unwrap();
        let section = registry.section(&sections, 0).unwrap();
        assert!(registry.take_from(&section, 0).is_some());
        assert_eq!(chat.next(0).unwrap(), 4);
        assert_eq!(chat.next(2).unwrap(), 1);
        assert!(registry.take_from(&section, 0).is_none());
        assert_eq!(chat.next(0).unwrap(), 10_001);
    }
}
