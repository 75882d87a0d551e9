//! The health of sources: whether this server should receive requests for them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use snowmint::{Code, CodeGroup, Failure, Mint, Source, Stats};

use super::{NamedSource, Sources};
use crate::turns::{Turn, TurnHolder};

/// The reason shown for a source of leased worker IDs while the store's own failure is not known
/// yet.
const LAPSED: &str = "its store has not answered in time: what its lease reserved is used up";

/// The sources that may check whether their store answers.
#[derive(Default)]
struct Askers<'a> {
    well: Vec<&'a NamedSource>,
    /// Sources with a failure, which need to see that it is over.
    failing: Vec<&'a NamedSource>,
    /// Sources with a failure whose end no other source would see.
    failing_alone: Vec<&'a NamedSource>,
    is_another: bool,
}

/// The health of one source.
#[derive(Clone, Debug)]
pub(crate) struct Health {
    pub(crate) is_ready: bool,
    /// The statistics of an open source.
    pub(crate) stats: Option<Stats>,
    /// The time that it lasts without its store, if known.
    pub(crate) runway_ms: Option<u64>,
    /// The reason why it is not ready. It is also set at the end of a tag.
    pub(crate) why: Option<String>,
    /// The store's last failure that is not over, even if the source is ready.
    pub(crate) failure: Option<Code>,
    /// True if its tag has no number left, even if its store has failed since.
    pub(crate) is_at_end: bool,
    /// True if another source found that the store does not answer.
    pub(crate) is_store_down: bool,
}

impl Sources {
    /// Returns the health of each source. If one source finds its store down, all sources of that
    /// store that do not last without it are not ready.
    pub(crate) fn healths(&self) -> impl Iterator<Item = (&Arc<NamedSource>, Health)> {
        let own: Vec<_> = self.all.iter().map(|named| (named, self.health(named))).collect();
        let mut down: HashMap<&str, (Code, String)> = HashMap::new();
        for (named, health) in &own {
            let failure = health.failure.filter(|code| is_of_store(*code));
            if let (Some(store), Some(code)) = (named.store(), failure) {
                let why = || format!("another source of its store: {}", health.said());
                down.entry(store).or_insert_with(|| (code, why()));
            }
        }
        own.into_iter().map(move |(named, mut health)| {
            let other = named.store().and_then(|store| down.get(store));
            if let Some((code, why)) = other.filter(|_| health.needs_store()) {
                health.is_store_down = true;
                if health.is_ready && health.failure.is_none() {
                    health.failure = Some(*code);
                    if !self.lasts(health.runway_ms) {
                        (health.is_ready, health.why) = (false, Some(why.clone()));
                    }
                }
            }
            (named, health)
        })
    }

    /// Has each store checked, because a source that has numbers at hand does not call its store.
    /// One source checks for each store, in turn. A failure that may concern one source alone is
    /// checked by that source, and a store that was replaced by all of its sources.
    pub(crate) fn look_at_stores(&self, round: usize) {
        let mut askers: HashMap<&str, Askers<'_>> = HashMap::new();
        for named in &self.all {
            let Some(store) = named.store() else { continue };
            let health = self.health(named);
            if health.is_looking() {
                askers.entry(store).or_default().add(named, &health);
            }
        }
        for askers in askers.values() {
            askers.of_round(round).for_each(NamedSource::look_at_store);
        }
    }

    /// Notes how much each source has given by now. Call it about once a second.
    pub(crate) fn note_uses(&self) {
        for named in &self.all {
            let mut uses = named.uses.lock().unwrap_or_else(PoisonError::into_inner);
            uses.note(Instant::now(), named.issued.count());
        }
    }

    /// Returns true if a source that lasts this long without its store counts as ready.
    fn lasts(&self, runway_ms: Option<u64>) -> bool {
        runway_ms.is_some_and(|runway_ms| runway_ms >= self.ready_runway_ms)
    }

    /// Returns the health of a source as far as the source itself knows.
    fn health(&self, named: &NamedSource) -> Health {
        if let Some(turn) = named.turn() {
            let place = turn.holder();
            return match &*place {
                TurnHolder::ThisServer { source, .. } => self.health_of(named, source),
                elsewhere => health_elsewhere(turn, elsewhere),
            };
        }
        match named.opened.get() {
            Some(source) => self.health_of(named, source),
            None => {
                let failure = named.failure();
                let why = failure.as_ref().map(ToString::to_string);
                let why = why.unwrap_or_else(|| "it is being opened".to_owned());
                let failure = failure.map(|failure| failure.code());
                Health { why: Some(why), failure, ..Health::unknown() }
            }
        }
    }

    fn health_of(&self, named: &NamedSource, source: &Source) -> Health {
        let stats = source.stats();
        let runway_ms = named.runway_ms(&stats);
        let failure = stats.last_failure.as_ref().filter(|failure| !failure.is_over);
        // While the store answers, it refills as fast as numbers are used. A short supply is then
        // no reason to send clients to another server, where they would use as much.
        let lasts = self.lasts(runway_ms);
        let why = match failure {
            Some(failure) if !lasts => Some(failure.message.clone()),
            _ if stats.is_closed => Some("it is closed".to_owned()),
            None if is_lapsed(&stats) => Some(LAPSED.to_owned()),
            _ if named.is_unasked(&stats) => Some("its servers have not answered yet".to_owned()),
            _ => None,
        };
        // A tag at its end is at its end on every server. Sending clients elsewhere would not help
        // them, and would move the clients of the other sources too.
        let is_at_end = failure.is_some_and(|failure| failure.is_at_end);
        let is_ready = why.is_none() || (is_at_end && !stats.is_closed);
        let lapsed = is_lapsed(&stats).then_some(Code::StoreUnavailable);
        let failure = failure.map(|failure| failure.code).or(lapsed);
        let stats = Some(stats);
        Health { is_ready, stats, runway_ms, why, failure, is_at_end, is_store_down: false }
    }
}

impl<'a> Askers<'a> {
    fn add(&mut self, named: &'a NamedSource, health: &Health) {
        match health.failure {
            // No other source can see that this tag's `max` was raised.
            _ if health.is_at_end => self.failing_alone.push(named),
            Some(code) if is_of_store(code) => self.failing.push(named),
            Some(code) if !health.is_ready || code == Code::IncarnationChanged => {
                self.is_another |= code == Code::IncarnationChanged;
                self.failing_alone.push(named);
            }
            _ if health.is_ready => self.well.push(named),
            _ => return,
        }
        health.mend(named);
    }

    /// Returns the sources that check the store in this round.
    fn of_round(&self, round: usize) -> impl Iterator<Item = &'a NamedSource> {
        let askers = if self.failing.is_empty() { &self.well } else { &self.failing };
        let others = if self.failing.is_empty() { &self.failing } else { &self.well };
        let is_due = move |place| self.is_another || Some(place) == round.checked_rem(askers.len());
        let due = askers.iter().enumerate().filter(move |(place, _)| is_due(*place));
        let all = others.iter().filter(|_| self.is_another);
        due.map(|(_, named)| *named).chain(all.copied()).chain(self.failing_alone.iter().copied())
    }
}

impl Health {
    /// The health of a source that is not open here.
    fn unknown() -> Health {
        Health {
            is_ready: false,
            stats: None,
            runway_ms: None,
            why: None,
            failure: None,
            is_at_end: false,
            is_store_down: false,
        }
    }

    /// Returns the code that operators are shown. The end of a tag comes first, because the store's
    /// own failure is shown with the store.
    pub(crate) fn told(&self) -> Option<Code> {
        if self.is_at_end { Some(Code::TagExhausted) } else { self.failure }
    }

    /// Returns true if the source stops without its store sooner or later.
    fn needs_store(&self) -> bool {
        !self.stats.as_ref().is_some_and(needs_no_store)
    }

    /// Returns true if the source needs its store checked. Snowflakes renew their leases often
    /// enough.
    fn is_looking(&self) -> bool {
        let looks = |stats: &Stats| stats.kind != "snowflake" && !stats.is_closed;
        self.stats.as_ref().is_some_and(looks)
    }

    /// Returns the message of its failure.
    fn said(&self) -> String {
        let failure = self.own_failure().map(|failure| failure.message.clone());
        failure.or_else(|| self.why.clone()).unwrap_or_default()
    }

    /// Returns the source's own failure, if it is not over.
    fn own_failure(&self) -> Option<&Failure> {
        self.stats.as_ref()?.last_failure.as_ref().filter(|failure| !failure.is_over)
    }

    /// Has a source with nothing left ask its store again. No request would do so, because clients
    /// of a server that is not ready go elsewhere.
    pub(crate) fn mend(&self, named: &NamedSource) {
        let is_used_up = |stats: &Stats| stats.at_hand() == 0 && stats.reserved_ms.is_none();
        let source = named.opened.get().filter(|_| self.stats.as_ref().is_some_and(is_used_up));
        // A failure that another source found, that source also finds to be over.
        let is_own = self.failure.is_none() || self.own_failure().is_some();
        match source.filter(|_| !self.is_ready && is_own) {
            Some(Source::Sequences(sequences)) => sequences.ask_again(),
            // The next look shows the result. A number that is taken here is a gap.
            Some(source) => drop(source.poll_id()),
            None => {}
        }
    }
}

impl NamedSource {
    /// Returns the store that it shares with other sources. Another service does not count: each of
    /// its sources may be on a store of its own.
    fn store(&self) -> Option<&str> {
        let store = self.placed()?.store.as_str();
        (!store.starts_with("http")).then_some(store)
    }

    /// Returns how long the source lasts without its store; `None` if unknown. Assumes the rate of
    /// the last ranges or of the last seconds, whichever is greater.
    fn runway_ms(&self, stats: &Stats) -> Option<u64> {
        if needs_no_store(stats) {
            return Some(u64::MAX);
        }
        let reserved = stats.reserved_ms.map(|ms| u64::try_from(ms).unwrap_or(0));
        let (own, at_hand) = (stats.runway_ms.or(reserved), stats.at_hand());
        if at_hand == 0 || stats.kind == "snowflake" {
            return own;
        }
        let (now, given) = (Instant::now(), self.issued.count());
        let uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        let rates = [stats.rate, uses.recent(now, given)].into_iter().flatten();
        let rate = rates.filter(|rate| *rate > 0.0).max_by(f64::total_cmp);
        let rate = rate.unwrap_or_else(|| uses.mean(now, given));
        // The conversion saturates, and stays below `u64::MAX`, which stands for ever.
        Some(((at_hand as f64 / rate * 1_000.0) as u64).min(u64::MAX - 1))
    }

    /// Has the source check whether its store answers.
    fn look_at_store(&self) {
        match self.turn().map(Turn::holder).as_deref() {
            None => self.opened.get().map_or((), Source::look_at_store),
            Some(TurnHolder::ThisServer { source, .. }) => source.look_at_store(),
            Some(_) => {}
        }
    }
}

/// Returns the health of an ordered source whose turn this server does not have.
fn health_elsewhere(turn: &Turn, place: &TurnHolder) -> Health {
    let stall = turn.stall(place);
    let failure = match place {
        TurnHolder::Unknown { why, .. } => Some(why.code()),
        TurnHolder::ThisServer { .. } | TurnHolder::OtherServer(_) => None,
    };
    let is_ready = stall.as_ref().is_none_or(|stall| stall.passes);
    Health { is_ready, why: stall.map(|stall| stall.why), failure, ..Health::unknown() }
}

/// Returns true if a failure concerns all tags and leases of a store.
fn is_of_store(code: Code) -> bool {
    let is_of_some = matches!(code, Code::IncarnationChanged | Code::InvalidAnswer);
    code.group() == CodeGroup::Store && !is_of_some
}

/// Returns true if the time that its lease reserved is over.
fn is_lapsed(stats: &Stats) -> bool {
    stats.reserve_ms.is_some()
        && stats.at_hand() == 0
        && stats.reserved_ms.is_some_and(|ms| ms <= 0)
}

/// Returns true if it mints under a worker ID of its own, without a store.
fn needs_no_store(stats: &Stats) -> bool {
    stats.worker_id.is_some() && stats.reserve_ms.is_none()
}
