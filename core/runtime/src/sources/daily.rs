//! Numbers that begin with the date, from a tag for each day.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use jiff::tz::TimeZone;
#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{Error as EngineError, Prefetch};

use super::mint::{Mint, Sealed};
use super::segment::Segment;
use super::settings::wait_and_host;
use crate::error::Result;
use crate::errors;
use crate::host::restore::Live;
use crate::host::{Clock, Platform};
use crate::reports::Subject;
use crate::scheduler::{NOTHING_DUE, Scheduled, Scheduler, is_forsaken};
use crate::source_core::{Local, LocalState, SourceCore, lock};
use crate::stats::Stats;
use crate::store::{SegmentAdmin, Tag};
use crate::store_handle::StoreHandle;
use crate::waiting::{Attempt, DEFAULT_WAIT, POLL, ask_within, open_within};

mod calendar;
mod day;
mod limits;

use calendar::{Span, neighbours};
use day::{Day, Maker, largest};
pub(crate) use limits::{check, day_size};

/// The default number of digits after the date.
pub const DEFAULT_DIGITS: u32 = 6;
pub(crate) const DEFAULT_ZONE: &str = "UTC";

/// Mints numbers that begin with the date: `yyyymmdd` and a sequence of fixed width, in one
/// integer. With 6 digits the 42nd number of 21 August 2026 is `20260821000042`.
///
/// Each day has its own tag, `{tag}:{yyyymmdd}`, whose numbers begin with 1. The first use of the
/// day creates it. Instances with another zone share it. Another number of digits makes numbers of
/// another length.
///
/// - *Order*: numbers rise strictly in issue order, across threads, ranges and days. Other
///   processes on the same tag mint from their own ranges, so there is no order between processes
///   within a day.
/// - *Gaps*: numbers that were fetched and not minted when the day or the process ends are lost.
/// - *Overflow*: when a day's numbers are used up, calls fail with [`Code::TagExhausted`] until the
///   next day.
/// - *Clock*: it only decides which day to mint for. If it goes back over midnight, the later day
///   goes on until the process ends; a restart continues the earlier day's tag. If it leaps ahead,
///   numbers carry the date it leapt to until true time reaches that date or the process ends.
///   Nothing is ever issued twice.
/// - *Zone*: a day begins and ends at midnight of the zone, by default UTC. If the zone has no
///   midnight on a date, the day begins at the first moment after it.
/// - *Threads*: clone it or share it. Minting takes no lock while fetched numbers last.
/// - *Store*: it is called by [`open`](DailyBuilder::open) and by scheduler threads. If numbers are
///   minted in the last minute of a day, the next day's tag and first range are fetched then, so
///   that no call waits at midnight. If that failed, or the clock leapt, the first calls of the day
///   wait within their bound while a scheduler opens the tag.
/// - *Fork*: a child fetches its own ranges.
#[derive(Clone)]
pub struct Daily {
    days: Arc<Days>,
    wait: Duration,
}

impl Daily {
    /// Starts building a source of daily numbers over a store.
    pub fn builder(store: Arc<dyn SegmentAdmin>, tag: Tag) -> DailyBuilder {
        DailyBuilder {
            store,
            tag,
            zone: DEFAULT_ZONE.to_owned(),
            digits: DEFAULT_DIGITS,
            step: None,
            prefetch: Prefetch::DoubleBucket { used_percent: 50 },
            wait: DEFAULT_WAIT,
            host: Platform::System,
        }
    }
}

impl Sealed for Daily {}

impl Mint for Daily {
    #[inline]
    fn try_next_id(&self) -> Option<u64> {
        let day = self.days.today.load();
        if day.is_on(self.days.host.now_ms()) && day.check_left().is_ok() {
            return day.number(day.segment.try_next_id()?).ok();
        }
        None
    }

    fn next_block_within(&self, out: &mut [u64], wait: Duration) -> Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let asked_ms = self.days.host.boot_ms();
        let day = self.days.day(wait)?;
        day.check_left()?;
        let waited_ms = self.days.host.boot_ms().saturating_sub(asked_ms).max(0);
        let left = wait.saturating_sub(Duration::from_millis(waited_ms.unsigned_abs()));
        let filled = day.segment.next_block_within(out, left)?;
        day.complete(&mut out[..filled])
    }

    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        if out.is_empty() {
            return Ok(Attempt::Done(0));
        }
        let day = match self.days.day_or_ask()? {
            Attempt::Done(day) => day,
            Attempt::Later { pause, why } => return Ok(Attempt::Later { pause, why }),
        };
        day.check_left()?;
        match day.segment.poll_block(out)? {
            Attempt::Done(filled) => day.complete(&mut out[..filled]).map(Attempt::Done),
            later @ Attempt::Later { .. } => Ok(later),
        }
    }

    fn wait(&self) -> Duration {
        self.wait
    }

    fn with_wait(&self, wait: Duration) -> Daily {
        Daily { wait, ..self.clone() }
    }

    fn stats(&self) -> Stats {
        let days = &self.days;
        let is_closed = days.core.is_closed();
        let own = Stats::new("daily", is_closed, Some(&lock(&days.local()).retry));
        let day = days.today.load();
        let mut today = day.segment.stats();
        if days.host.now_ms() >= day.until_ms {
            // The numbers left of a day that is over are useless.
            (today.buckets, today.rate, today.runway_ms) = (Vec::new(), None, None);
        }
        let failures = [own.last_failure, today.last_failure].into_iter().flatten();
        Stats {
            kind: own.kind,
            is_closed,
            last_failure: failures.max_by_key(|it| (!it.is_over, it.unix_ms)),
            ..today
        }
    }

    /// Fetched numbers are lost. The store is not told.
    fn close_within(&self, _wait: Duration) -> Result<()> {
        self.days.close();
        Ok(())
    }

    fn day_size(&self) -> Option<u64> {
        Some(day_size(self.days.digits))
    }

    /// All numbers are of the day on which the call began.
    fn fill(&self, out: &mut [u64]) -> Result<()> {
        let (count, max) = (out.len() as u64, largest(self.days.digits));
        if count > max {
            return Err(EngineError::CountOutOfRange { count, max }.into());
        }
        let day = self.days.day(self.wait)?;
        day.check_left()?;
        day.segment.with_wait(self.wait).fill(out)?;
        // The numbers rise, so checking the last one is enough.
        if let Some(&last) = out.last() {
            day.number(last)?;
        }
        for number in out {
            *number = day.first.saturating_add(*number);
        }
        Ok(())
    }
}

impl Daily {
    /// Returns yesterday, today and tomorrow in the source's zone, as `yyyymmdd`: the days that
    /// [`open_day`](Self::open_day) opens. Calls no store.
    ///
    /// # Errors
    /// [`Code::InvalidTime`] if the clock reads a year outside 1000 to 9999.
    pub fn days(&self) -> Result<[u32; 3]> {
        neighbours(self.days.host.now_ms(), &self.days.zone)
    }

    /// Opens the numbers of one of these days without the date, such as 1, 2 and 3. They come from
    /// the day's tag, so a number given here is never a sequence number of a source on the tag.
    /// [`digits`](DailyBuilder::digits) does not limit them.
    ///
    /// Calls the store, except for the day that the source is minting. For that day it returns the
    /// source's own segment, which is [closed](Self::close) with the source. You have to close the
    /// others.
    ///
    /// # Errors
    /// [`Code::InvalidTime`] for another day; [`Code::UnknownTag`] for yesterday, if its tag is
    /// gone and the store lets tags expire; [`Code::Closed`]; or an error of the store.
    pub fn open_day(&self, date: u32) -> Result<Segment> {
        let days @ [yesterday, ..] = self.days()?;
        if !days.contains(&date) {
            return Err(errors::daily::date_out_of_reach(date, days));
        }
        let known = &*self.days;
        if known.core.is_closed() {
            return Err(EngineError::Closed.into());
        }
        let day = known.today.load();
        if day.date == date {
            return Ok(day.segment.with_wait(self.wait));
        }
        let open = || known.maker.open_segment(date, date != yesterday, &known.host);
        Ok(open_within(self.wait, &known.host, open)?.with_wait(self.wait))
    }

    /// The tag, without a date.
    pub fn tag(&self) -> &Tag {
        &self.days.tag
    }

    /// The number of digits after the date.
    pub fn digits(&self) -> u32 {
        self.days.digits
    }

    /// Makes the scheduler ask the store whether it answers.
    pub(crate) fn look(&self) {
        self.days.today.load().segment.look();
    }

    pub(crate) fn fences(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.days.maker.fences)
    }

    pub(crate) fn step(&self) -> u64 {
        self.days.maker.step
    }

    /// The time, in milliseconds, for which the day's numbers can still be given out; 0 if the day
    /// has ended.
    pub(crate) fn left_of_day_ms(&self, now_ms: i64) -> i64 {
        let today = self.days.today.load();
        // A date that comes twice goes on past its first end.
        let until_ms = today.until_ms.max(today.look_ms.load(Ordering::Relaxed));
        until_ms.saturating_sub(now_ms).max(0)
    }
}

impl std::fmt::Debug for Daily {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daily")
            .field("tag", self.tag())
            .field("digits", &self.days.digits)
            .finish_non_exhaustive()
    }
}

/// Builds a [`Daily`].
#[must_use]
pub struct DailyBuilder {
    store: Arc<dyn SegmentAdmin>,
    tag: Tag,
    zone: String,
    digits: u32,
    step: Option<u64>,
    prefetch: Prefetch,
    wait: Duration,
    host: Platform,
}

impl DailyBuilder {
    /// Sets the time zone of the days: `UTC` (default), an offset of up to 18 hours such as
    /// `+08:00`, or an IANA name such as `Asia/Shanghai` if the system has the zone database.
    pub fn zone(mut self, zone: &str) -> Self {
        zone.clone_into(&mut self.zone);
        self
    }

    /// Sets the digits after the date, 1 to 10 (default 6). A day has `10^digits - 1` numbers.
    pub fn digits(mut self, digits: u32) -> Self {
        self.digits = digits;
        self
    }

    /// Sets the numbers in a range. The default is a thousandth of the day's numbers, from 1 to
    /// 1000: each process loses up to two ranges a day.
    pub fn step(mut self, step: u64) -> Self {
        self.step = Some(step);
        self
    }

    /// Sets when the next range of a day is fetched. The default is once half of a range is used,
    /// because a day's numbers are few and hoarding wastes them.
    pub fn prefetch(mut self, prefetch: Prefetch) -> Self {
        self.prefetch = prefetch;
        self
    }

    wait_and_host! {
        /// Sets how long a call waits for a number, and opening waits for a store that is down or
        /// locked. The default is [`DEFAULT_WAIT`].
    }

    /// Opens the source and today's tag, which is created if it is missing. Calls the store. The
    /// first call that mints fetches the first range.
    ///
    /// # Errors
    /// [`Code::InvalidTime`] for an unknown zone or a clock outside the years 1000 to 9999.
    /// [`Code::InvalidParameter`] for digits and [`Code::InvalidStep`] for a step out of range.
    /// [`Code::InvalidTag`] for a tag that is too long to take a date; [`Code::Unsupported`] from a
    /// store that cannot create tags; or an error of the store.
    pub fn open(self) -> Result<Daily> {
        let (zone, step) = check(&self.tag, &self.zone, self.digits, self.step)?;
        self.store.check_creation()?;
        let (prefetch, tag, fences) = (self.prefetch, self.tag.clone(), Arc::default());
        let store = StoreHandle::new(self.store);
        let maker = Maker { store, tag, step, prefetch, fences };
        let span = Span::at(self.host.now_ms(), &zone)?;
        let open = || maker.open(span, self.digits, &self.host);
        let day = open_within(self.wait, &self.host, open)?;
        let days = Days {
            today: ArcSwap::from_pointee(day),
            core: SourceCore::new(),
            host: self.host,
            tag: self.tag,
            zone,
            digits: self.digits,
            maker,
        };
        Ok(Daily { days: Arc::new(days), wait: self.wait })
    }
}

/// The present day, and everything needed to go on to the next.
struct Days {
    today: ArcSwap<Day>,
    core: SourceCore<Work>,
    host: Platform,
    tag: Tag,
    zone: TimeZone,
    digits: u32,
    maker: Maker,
}

#[derive(Default)]
struct Work {
    /// A day that the scheduler has opened and that is not in use yet.
    next: Option<Day>,
    /// A moment whose day the scheduler should open, in Unix milliseconds.
    wanted_ms: Option<i64>,
}

impl Days {
    /// Returns the present day, waiting until the scheduler has opened it.
    fn day(self: &Arc<Self>, wait: Duration) -> Result<Arc<Day>> {
        ask_within(wait, &self.host, || self.day_or_ask())
    }

    /// Like [`day`](Self::day), without waiting.
    fn day_or_ask(self: &Arc<Self>) -> Result<Attempt<Arc<Day>>> {
        let (day, now_ms) = (self.today.load_full(), self.host.now_ms());
        if day.is_on(now_ms) { Ok(Attempt::Done(day)) } else { self.turn_or_ask(now_ms) }
    }

    /// Returns the present day, or why there is none yet. An error is final.
    fn turn_or_ask(self: &Arc<Self>, now_ms: i64) -> Result<Attempt<Arc<Day>>> {
        let local = self.local();
        let mut local = lock(&local);
        self.core.attend(&mut local, self, || self.scheduler())?;
        let today = self.today.load_full();
        if now_ms < today.until_ms {
            if !today.is_on(now_ms) {
                today.look_ms.store(today.until_ms, Ordering::Relaxed);
                self.ask(&mut local, today.until_ms);
            }
            return Ok(Attempt::Done(today));
        }
        let span = Span::at(now_ms, &self.zone)?;
        if span.date <= today.date {
            today.look_ms.store(span.until_ms, Ordering::Relaxed);
            return Ok(Attempt::Done(today));
        }
        if let Some(next) = local.work.next.take_if(|next| next.date <= span.date)
            && next.date == span.date
        {
            // Calls that began before this line keep the old day alive.
            let next = Arc::new(next);
            self.today.store(Arc::clone(&next));
            return Ok(Attempt::Done(next));
        }
        self.ask(&mut local, now_ms);
        match local.retry.lasting() {
            Some(failure) => Err(failure.clone()),
            None => {
                let known = local.retry.known().cloned();
                let why = known.unwrap_or_else(|| errors::daily::day_pending(self.tag.as_str()));
                Ok(Attempt::Later { pause: POLL, why })
            }
        }
    }

    fn ask(&self, local: &mut LocalState<Work>, at_ms: i64) {
        if local.retry.rest(&self.host).is_none() {
            // The scheduler is about to try again, so a failure from before must not answer the
            // call.
            local.retry.hope();
        }
        local.work.wanted_ms = Some(at_ms);
        local.notify();
    }

    /// Returns true if that day must still be opened.
    fn lacks(&self, work: &Work, span: Span) -> bool {
        let has_next = work.next.as_ref().is_some_and(|next| next.date == span.date);
        !has_next && self.today.load().date < span.date
    }

    fn note(&self, local: &mut LocalState<Work>, at_ms: i64, opened: Result<Day>) {
        match opened {
            Ok(day) if self.core.is_closed() => day.segment.stop(),
            Ok(day) => {
                local.work.next = Some(day);
                local.retry.clear();
            }
            Err(failure) => {
                if failure.is_transient() {
                    local.work.wanted_ms = local.work.wanted_ms.or(Some(at_ms));
                }
                local.retry.note(failure, &self.host);
            }
        }
    }

    fn close(&self) {
        let local = self.local();
        let mut local = lock(&local);
        self.core.close(&mut local);
        self.today.load().segment.stop();
        local.work.next = None;
        local.leave();
    }

    fn local(&self) -> Local<Work> {
        self.core.local(Work::default)
    }

    fn scheduler(&self) -> Arc<Scheduler> {
        self.maker.store.scheduler(&self.host)
    }
}

impl Scheduled for Days {
    fn run_due(self: Arc<Self>) -> Duration {
        let local = self.local();
        let (span, at_ms) = {
            let mut local = lock(&local);
            if self.core.is_closed() {
                return NOTHING_DUE;
            }
            if let Some(rest) = local.retry.rest(&self.host) {
                return rest;
            }
            let Some(at_ms) = local.work.wanted_ms.take() else {
                return NOTHING_DUE;
            };
            let span = Span::at(at_ms, &self.zone);
            if span.as_ref().is_ok_and(|span| !self.lacks(&local.work, *span)) {
                return Duration::ZERO;
            }
            (span, at_ms)
        };
        let opened = span.and_then(|span| self.maker.open(span, self.digits, &self.host));
        if self.core.is_closed() || is_forsaken(&self) {
            // The outcome no longer matters to any caller.
            return NOTHING_DUE;
        }
        let left = self.today.load().segment.stats().at_hand();
        let subject = Subject::of_tag("daily", &self.tag, left > 0);
        self.scheduler().allocations.reports.judge(&subject, &opened, &self.host);
        if let Ok(day) = &opened {
            // Makes the scheduler fetch the first range, without waiting for it.
            drop(day.segment.next_id_within(Duration::ZERO));
        }
        self.note(&mut lock(&local), at_ms, opened);
        Duration::ZERO
    }
}

impl Live for Days {
    /// The segments of the days forget by themselves.
    fn forget(&self) {}
}
