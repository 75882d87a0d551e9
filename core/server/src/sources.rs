//! The sources that clients ask for by name. They are opened before clients may ask, and closed
//! when no client may ask any more.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use snowmint::{Code, Error, Layout, Mint, Placed, Result, Source, Stats, TagNext, redacted};

use super::config::Config;
use super::counters::Issued;
use super::errors;
use super::state::SourceOf;
use super::template::Template;
use super::turns::{OrderedSource, Turn};

pub(crate) mod days;
mod health;
mod uses;

use days::Days;
pub(crate) use health::Health;
use uses::Uses;

/// The number of sources that are opened or closed at a time: each may wait for its store.
const TOGETHER: usize = 4;

/// All sources of a configuration, by name.
#[derive(Debug)]
pub(crate) struct Sources {
    all: Vec<Arc<NamedSource>>,
    places: HashMap<String, usize>,
    optional: HashSet<String>,
    day_keys: Vec<Template>,
    ready_runway_ms: u64,
}

/// A configured source, opened or not.
#[derive(Debug)]
pub(crate) struct NamedSource {
    pub(crate) name: String,
    pub(crate) issued: Arc<Issued>,
    /// The counters of the daily source as a whole, if this is one of its days.
    pub(crate) whole: Option<Arc<Issued>>,
    pub(crate) days: Days,
    /// The name, shared with states and counters.
    pub(crate) shown: Arc<str>,
    url: String,
    /// The store and tag, if the URL names them.
    placed: Option<Placed>,
    /// The description for operators, kept once the source is open and cannot change.
    described: OnceLock<Arc<SourceOf>>,
    /// The turn of an ordered source. Such a source is opened for each turn.
    turn: Option<Arc<Turn>>,
    opened: OnceLock<Source>,
    failure: Mutex<Option<Error>>,
    uses: Mutex<Uses>,
}

impl Sources {
    /// Builds the sources of a configuration. A source with the same name and URL as in `others` is
    /// kept.
    pub(crate) fn new(config: &Config, others: Option<&Sources>) -> Sources {
        let all = config.sources.iter().map(|(name, url)| {
            let other = others.and_then(|others| others.found(name));
            match other.filter(|named| named.url == *url) {
                Some(named) => Arc::clone(named),
                None => Arc::new(NamedSource::new(config, name, url)),
            }
        });
        let all: Vec<_> = all.collect();
        let places = all.iter().enumerate().map(|(place, named)| (named.name.clone(), place));
        Sources {
            places: places.collect(),
            all,
            optional: config.ready.optional.iter().cloned().collect(),
            day_keys: config.daily.keys.clone(),
            ready_runway_ms: config.ready.runway_ms.into(),
        }
    }

    pub(crate) fn all(&self) -> &[Arc<NamedSource>] {
        &self.all
    }

    /// Returns the sources that `others` lacks.
    pub(crate) fn beyond(&self, others: &Sources) -> Vec<Arc<NamedSource>> {
        let have =
            |named: &Arc<NamedSource>| others.all.iter().any(|other| Arc::ptr_eq(other, named));
        self.all.iter().filter(|named| !have(named)).cloned().collect()
    }

    /// Returns true if the service is ready only when this source is.
    pub(crate) fn requires(&self, named: &NamedSource) -> bool {
        !self.optional.contains(&named.name)
    }

    #[inline]
    fn found(&self, name: &str) -> Option<&Arc<NamedSource>> {
        self.places.get(name).and_then(|place| self.all.get(*place))
    }

    /// Returns the source with this name.
    ///
    /// # Errors
    /// [`Code::UnknownTag`].
    #[inline]
    pub(crate) fn named(&self, name: &str) -> Result<&NamedSource> {
        self.found(name).map(Arc::as_ref).ok_or_else(|| errors::sources::source_unknown(name))
    }

    /// Returns the source with this name, or the daily source and date that the name stands for.
    ///
    /// # Errors
    /// [`Code::UnknownTag`].
    #[inline]
    pub(crate) fn meant(&self, name: &str) -> Result<(&NamedSource, Option<u32>)> {
        // A source that is configured under the name of a day comes first.
        if let Some(named) = self.found(name) {
            return Ok((named, None));
        }
        let (source, date) =
            self.day_of(name).ok_or_else(|| errors::sources::source_unknown(name))?;
        Ok((self.named(source)?, Some(date)))
    }

    /// Returns the name of the source that `name` stands for, or `name` itself if there is none.
    pub(crate) fn name_of<'a>(&self, name: &'a str) -> &'a str {
        match self.found(name) {
            Some(_) => name,
            None => self.day_of(name).map_or(name, |(source, _)| source),
        }
    }

    fn day_of<'a>(&self, name: &'a str) -> Option<(&'a str, u32)> {
        let mut days = self.day_keys.iter().filter_map(|template| template.read(name));
        days.find(|(source, _)| self.found(source).is_some())
    }
}

/// Opens every source that is not open. A failure that may pass is noted with its source.
///
/// # Errors
/// The first failure that waiting cannot mend, with the source's name.
pub(crate) fn open(all: &[Arc<NamedSource>]) -> Result<()> {
    let pending: Vec<_> = all.iter().filter(|named| !named.is_open()).collect();
    beside_each_other(&pending, |named| named.open());
    let mut failures = all.iter().filter_map(|named| Some((&named.name, named.failure()?)));
    match failures.find(|(_, why)| !why.is_transient()) {
        Some((name, why)) => Err(errors::sources::source_unusable(name, why)),
        None => Ok(()),
    }
}

/// Closes all sources, and waits for their stores to release the leases, at most `wait`.
///
/// # Errors
/// The error of a source whose lease could not be released in time; it expires.
pub(crate) fn close(all: &[Arc<NamedSource>], wait: Duration) -> Result<()> {
    all.iter().for_each(|named| named.log_end());
    let deadline = Instant::now() + wait;
    let failure = Mutex::new(Ok(()));
    let opened: Vec<_> = all.iter().filter_map(|named| named.opened.get()).collect();
    beside_each_other(&opened, |source| {
        let left = deadline.saturating_duration_since(Instant::now());
        if let Err(error) = source.close_within(left) {
            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Closes all sources without waiting for their stores.
pub(crate) fn give_up(all: &[Arc<NamedSource>]) {
    all.iter().for_each(|named| named.log_end());
    for source in all.iter().filter_map(|named| named.opened.get()) {
        // A lease that is not released expires.
        let _ = source.close();
    }
}

/// Works on the items with a few threads, because each item may wait for a store.
fn beside_each_other<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work_on = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..items.len().min(TOGETHER) {
            // If the system gives no thread, the work only takes longer.
            drop(thread::Builder::new().spawn_scoped(scope, work_on));
        }
        work_on();
    });
}

impl NamedSource {
    fn new(config: &Config, name: &str, url: &str) -> NamedSource {
        let is_ordered = config.ordered.sources.iter().any(|ordered| ordered == name);
        NamedSource {
            name: name.to_owned(),
            issued: Arc::new(Issued::new(config.loops())),
            whole: None,
            days: Days::default(),
            shown: name.into(),
            url: url.to_owned(),
            placed: snowmint::placed(url).ok().flatten(),
            described: OnceLock::new(),
            turn: is_ordered.then(|| Arc::new(Turn::new(name, config.ordered.wait()))),
            opened: OnceLock::new(),
            failure: Mutex::new(None),
            uses: Mutex::new(Uses::new(Instant::now())),
        }
    }

    /// Returns one day of this source, not opened yet.
    pub(crate) fn of_day(&self, date: u32) -> NamedSource {
        NamedSource {
            name: format!("{}:{date:08}", self.name),
            issued: Arc::new(self.issued.anew()),
            whole: Some(Arc::clone(&self.issued)),
            days: Days::default(),
            shown: Arc::clone(&self.shown),
            url: self.url.clone(),
            placed: None,
            described: OnceLock::new(),
            turn: None,
            opened: OnceLock::new(),
            failure: Mutex::new(None),
            uses: Mutex::new(Uses::new(Instant::now())),
        }
    }

    /// Returns this day with its opened source.
    pub(crate) fn on(self, source: Source) -> NamedSource {
        NamedSource { opened: source.into(), ..self }
    }

    #[inline]
    pub(crate) fn turn(&self) -> Option<&Turn> {
        self.turn.as_deref()
    }

    /// Returns what the keeper needs to look after this source's turn.
    pub(crate) fn ordered_source(self: &Arc<Self>) -> Option<OrderedSource> {
        let (turn, named) = (Arc::clone(self.turn.as_ref()?), Arc::clone(self));
        let open = Box::new(move || named.opened_anew());
        Some(OrderedSource { turn, url: self.url.clone(), open })
    }

    /// Logs how far the tag was reserved. An operator who puts back a backup later may need it.
    fn log_end(&self) {
        let tag_next = self.opened.get().and_then(|source| source.stats().tag_next);
        if let Some(TagNext { tag, next, .. }) = tag_next {
            let (name, tag) = (&self.name, tag.as_str());
            tracing::info!(tag, next, "{name} ends: the tag's next number was {next}");
        }
    }

    pub(crate) fn wait(&self) -> Duration {
        match &self.turn {
            Some(turn) => turn.wait(),
            None => self.opened.get().map_or(Duration::ZERO, Source::wait),
        }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns true if the source needs a worker ID that is in use, and `others` has a source of
    /// its name.
    pub(crate) fn needs_held_worker(&self, others: &Sources) -> bool {
        let is_held = self.failure().is_some_and(|why| why.code() == Code::WorkerInUse);
        is_held && others.found(&self.name).is_some()
    }

    /// Returns true if one of the others has the same fixed worker ID. In another state directory,
    /// neither of them knows what the other one issues.
    pub(crate) fn shares_fixed_worker(&self, others: &[Arc<NamedSource>]) -> bool {
        let worker_id = self.fixed_worker();
        worker_id.is_some() && others.iter().any(|other| other.fixed_worker() == worker_id)
    }

    fn fixed_worker(&self) -> Option<u32> {
        match self.placed() {
            Some(_) => None,
            None => self.opened.get()?.stats().worker_id,
        }
    }

    /// Returns the store and tag; `None` without a store.
    pub(crate) fn placed(&self) -> Option<&Placed> {
        self.placed.as_ref()
    }

    /// Returns the value of a parameter as the URL has it.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let (_, parameters) = self.url.split_once('?')?;
        let mut pairs = parameters.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Returns true if the source's servers were never asked. A source on another service asks at
    /// its first call, not when it is opened.
    fn is_unasked(&self, stats: &Stats) -> bool {
        let is_of_servers = self.placed().is_some_and(|placed| placed.store.starts_with("http"));
        let is_new = stats.buckets.is_empty() && stats.last_failure.is_none();
        is_of_servers && stats.kind == "segment" && is_new && self.issued.count() == 0
    }

    /// Returns the description of the source.
    pub(crate) fn described(&self) -> Arc<SourceOf> {
        if !self.is_open() {
            return Arc::new(self.describe());
        }
        Arc::clone(self.described.get_or_init(|| Arc::new(self.describe())))
    }

    /// Builds the description from the URL and the opened source.
    fn describe(&self) -> SourceOf {
        let placed = self.placed();
        let layout = self.opened().and_then(|source| source.layout());
        let kind = self.url().split(['+', ':']).next().unwrap_or_default();
        SourceOf {
            // A URL that names a tag by its path is a segment.
            kind: if kind.starts_with("http") { "segment" } else { kind }.to_owned(),
            store: placed.map(|placed| redacted(&placed.store).into_owned()),
            tag: placed.and_then(|placed| placed.tag.clone()),
            ordered: self.turn().is_some(),
            layout: layout.map(|layout| layout.fields_text().to_string()),
            layout_ends_ms: layout.map(Layout::expires_ms),
            reserve_ms: self.parameter("reserve_ms").and_then(|reserve_ms| reserve_ms.parse().ok()),
        }
    }

    /// Returns true if nothing is left to open. An ordered source is opened turn by turn.
    pub(crate) fn is_open(&self) -> bool {
        self.opened.get().is_some() || self.turn.is_some()
    }

    /// Opens another source by the same URL, for a new turn.
    ///
    /// # Errors
    /// As [`snowmint::open`]; [`Code::Unsupported`] unless it is a segment.
    fn opened_anew(&self) -> Result<Source> {
        let source = snowmint::open(&self.url)?;
        if let Source::Segment(_) = source {
            return Ok(source);
        }
        Err(errors::sources::ordered_not_segment(&self.name))
    }

    fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn open(&self) {
        let failure = match snowmint::open(&self.url) {
            Ok(source) => {
                if self.is_unasked(&source.stats()) {
                    // Starts a fetch and takes no number: readiness is known once the servers
                    // answer.
                    let _ = source.poll_id();
                }
                self.opened.set(source).err().and(None)
            }
            Err(failure) => Some(failure),
        };
        let mut noted = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        match &failure {
            None if noted.is_some() => tracing::info!("{} is open", self.name),
            Some(why) if is_news(why, noted.as_ref()) => {
                let wont = if why.is_transient() { "is not open yet" } else { "cannot be opened" };
                tracing::warn!(code = why.code().name(), "{} {wont}: {why}", self.name);
            }
            _ => {}
        }
        *noted = failure;
    }

    /// Returns the source once it is open; always `None` for an ordered one.
    pub(crate) fn opened(&self) -> Option<&Source> {
        self.opened.get()
    }

    /// Returns the source.
    ///
    /// # Errors
    /// [`Code::StoreUnavailable`] before it is open, or the failure of opening it.
    #[inline]
    pub(crate) fn source(&self) -> Result<&Source> {
        self.opened.get().ok_or_else(|| self.not_open())
    }

    #[cold]
    fn not_open(&self) -> Error {
        self.failure().unwrap_or_else(|| errors::sources::source_not_open(&self.name))
    }
}

/// Returns true if a failure belongs in the log: once, not each time the store is asked again. A
/// first failure that waiting cannot mend is not logged, because starting or reloading the service
/// reports it.
fn is_news(why: &Error, before: Option<&Error>) -> bool {
    match before {
        None => why.is_transient(),
        Some(before) => !why.is_transient() && why.code() != before.code(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_once_and_again_when_waiting_does_not_mend_it() {
        let of = |code| Error::new(code, "why");
        let (away, locked) = (of(Code::StoreUnavailable), of(Code::StoreLocked));
        let (denied, schema) = (of(Code::StoreDenied), of(Code::StoreSchema));
        assert!(is_news(&away, None) && !is_news(&denied, None));
        assert!(!is_news(&away, Some(&away)) && !is_news(&locked, Some(&away)));
        assert!(is_news(&denied, Some(&away)) && is_news(&schema, Some(&denied)));
        assert!(!is_news(&denied, Some(&denied)) && !is_news(&away, Some(&denied)));
    }

    fn meant<'a>(sources: &'a Sources, name: &str) -> Option<(&'a str, Option<u32>)> {
        sources.meant(name).ok().map(|(named, date)| (named.name.as_str(), date))
    }

    #[test]
    fn a_source_of_that_name_comes_before_a_day_of_another() {
        let mut config = Config::default();
        for name in ["orders", "orders:20261122", "shop:orders"] {
            config.sources.insert(name.to_owned(), "uuid:".to_owned());
        }
        let sources = Sources::new(&config, None);
        assert_eq!(meant(&sources, "orders"), Some(("orders", None)));
        assert_eq!(meant(&sources, "orders:20261122"), Some(("orders:20261122", None)));
        assert_eq!(meant(&sources, "orders:20261123"), Some(("orders", Some(20_261_123))));
        assert_eq!(
            meant(&sources, "shop:orders:20261123"),
            Some(("shop:orders", Some(20_261_123)))
        );
        assert_eq!(sources.name_of("orders:20261123"), "orders");
        assert_eq!(sources.name_of("none:20261123"), "none:20261123");
        for name in ["none:20261123", "orders:2026112", ""] {
            let error = sources.meant(name).unwrap_err();
            assert_eq!(error.code(), Code::UnknownTag, "{name}");
        }
    }
}
