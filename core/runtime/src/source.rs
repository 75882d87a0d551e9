//! Any source of IDs by its URL.

use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::{ClockPolicy, Code, Layout, Prefetch, Step};
use uuid::Uuid;

use crate::daily::{self, DEFAULT_DIGITS, DEFAULT_ZONE, Daily, DailyBuilder};
use crate::error::{Error, Result};
use crate::generator::{Snowflake, SnowflakeBuilder};
use crate::names::{self, WORKERS, invalid};
use crate::segments::Segment;
#[cfg(feature = "sqlite")]
use crate::store::SqliteStore;
use crate::store::{MemoryStore, Store, Tag, check_step};
use crate::url::SourceUrl;
use crate::uuids::{UuidSource, UuidVersion};
use crate::worker::Worker;

/// Opens a source.
///
/// | URL | source |
/// |---|---|
/// | `snowflake:?worker=7` | [`Snowflake`] with a fixed worker ID; also `worker=env`, `env:NAME`, `ordinal`, `ip` |
/// | `snowflake+sqlite:ids.db` | [`Snowflake`] with a worker ID leased from the file |
/// | `segment+sqlite:ids.db?tag=orders` | [`Segment`] |
/// | `daily+sqlite:ids.db?tag=orders&zone=UTC` | [`Daily`] |
/// | `uuid:?version=7` | [`UuidSource`]; version 4 or 7 |
///
/// | parameter | of | meaning |
/// |---|---|---|
/// | `layout` | snowflake | a preset's name (`twitter` unless set), or fields as `time:41,worker:10,sequence:12` |
/// | `epoch_ms`, `tick_ms` | snowflake | with fields: Unix milliseconds (0), milliseconds (1) |
/// | `policy` | snowflake | a [`ClockPolicy`]'s name, `snowmint` unless set |
/// | `max_ahead_ms` | snowflake | how far to borrow from the future, in place of the policy's |
/// | `start` | snowflake | `zero`, `vibrate:MAX`, `random:BELOW`, `rotate` (unless set) |
/// | `slab_ms` | snowflake | time reserved by each renewal |
/// | `state` | fixed worker IDs | directory of the state file |
/// | `tag` | segment, daily | the tag |
/// | `step` | segment, daily | numbers a range; unless set the tag's own, adapted, or a thousandth of a day's |
/// | `prefetch` | segment, daily | percent of a range used when the next is fetched: 10 unless set, daily 50 |
/// | `zone`, `digits` | daily | time zone (`UTC`, `+08:00`, `Asia/Shanghai`), digits after the date |
/// | `wait_ms` | all but uuid | how long a call waits: 5000 unless set |
///
/// A path is taken as it stands, up to the `?`; values may be percent-encoded.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`], [`Code::UnknownLayout`]; and those of the source.
pub fn open(url: &str) -> Result<Source> {
    let mut parts = SourceUrl::parse(url)?;
    match (parts.kind, parts.store) {
        ("snowflake", None) => open_fixed(parts).map(Source::Snowflake),
        ("snowflake", Some(_)) => open_leased(parts).map(Source::Snowflake),
        ("segment", Some(_)) => open_segment(parts).map(Source::Segment),
        ("daily", Some(_)) => open_daily(parts).map(Source::Daily),
        ("uuid", None) => {
            let version = uuid_version(&mut parts)?;
            no_path(&parts)?;
            parts.finish()?;
            Ok(Source::Uuid(UuidSource::new(version)))
        }
        _ => Err(unknown_scheme(&parts)),
    }
}

/// Opens a store, and creates it where there is none: `sqlite:ids.db`, or `memory:` for one that
/// ends with the process.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`]; and those of the
/// store.
pub fn open_store(url: &str) -> Result<Arc<dyn Store>> {
    let parts = SourceUrl::parse(url)?;
    parts.finish()?;
    match (parts.kind, parts.store) {
        ("memory", None) => {
            no_path(&parts)?;
            Ok(Arc::new(MemoryStore::new()))
        }
        #[cfg(feature = "sqlite")]
        ("sqlite", None) => Ok(Arc::new(SqliteStore::open(parts.path)?)),
        _ => {
            let message = format!("no store is opened by {url:?}: but by sqlite:ids.db or memory:");
            Err(Error::new(Code::UnknownScheme, message))
        }
    }
}

/// An opened source of any kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// Snowflake IDs.
    Snowflake(Snowflake),
    /// A tag's numbers.
    Segment(Segment),
    /// Numbers that begin with the date.
    Daily(Daily),
    /// UUIDs.
    Uuid(UuidSource),
}

impl Source {
    /// The next 64-bit ID, waiting up to the source's bound.
    ///
    /// # Errors
    /// As the source's own `next_id`; [`Code::Unsupported`] for UUIDs, which have 128 bits.
    pub fn next_id(&self) -> Result<u64> {
        match self {
            Source::Snowflake(flake) => flake.next_id(),
            Source::Segment(segment) => segment.next_id(),
            Source::Daily(daily) => daily.next_id(),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// The next 64-bit ID if it can be had at once: takes no lock, calls nobody and never waits.
    /// `None` also for UUIDs.
    #[inline]
    pub fn try_next_id(&self) -> Option<u64> {
        match self {
            Source::Snowflake(flake) => flake.try_next_id(),
            Source::Segment(segment) => segment.try_next_id(),
            Source::Daily(daily) => daily.try_next_id(),
            Source::Uuid(_) => None,
        }
    }

    /// The next 64-bit ID, waiting up to `wait`.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    pub fn next_id_within(&self, wait: Duration) -> Result<u64> {
        match self {
            Source::Snowflake(flake) => flake.next_id_within(wait),
            Source::Segment(segment) => segment.next_id_within(wait),
            Source::Daily(daily) => daily.next_id_within(wait),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// Fills `out` with rising 64-bit IDs.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id). What `out` then holds is given up: a gap.
    pub fn fill(&self, out: &mut [u64]) -> Result<()> {
        match self {
            Source::Snowflake(flake) => flake.fill(out),
            Source::Segment(segment) => segment.fill(out),
            Source::Daily(daily) => daily.fill(out),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// `count` rising 64-bit IDs.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`]; as [`next_id`](Self::next_id).
    pub fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        match self {
            Source::Snowflake(flake) => flake.next_ids(count),
            Source::Segment(segment) => segment.next_ids(count),
            Source::Daily(daily) => daily.next_ids(count),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// The next UUID.
    ///
    /// # Errors
    /// [`Code::Unsupported`] for sources of 64-bit IDs.
    pub fn next_uuid(&self) -> Result<Uuid> {
        match self {
            Source::Uuid(uuids) => Ok(uuids.next_uuid()),
            _ => {
                let message = "this source makes 64-bit IDs; open uuid:?version=7 for UUIDs";
                Err(Error::new(Code::Unsupported, message))
            }
        }
    }

    /// The layout, for snowflakes.
    pub fn layout(&self) -> Option<&Layout> {
        match self {
            Source::Snowflake(flake) => Some(flake.layout()),
            _ => None,
        }
    }

    /// How long a call waits; UUIDs never wait.
    pub fn wait(&self) -> Duration {
        match self {
            Source::Snowflake(flake) => flake.wait(),
            Source::Segment(segment) => segment.wait(),
            Source::Daily(daily) => daily.wait(),
            Source::Uuid(_) => Duration::ZERO,
        }
    }

    /// The same source with another bound for the calls on it; `Duration::ZERO` never waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> Source {
        match self {
            Source::Snowflake(flake) => Source::Snowflake(flake.with_wait(wait)),
            Source::Segment(segment) => Source::Segment(segment.with_wait(wait)),
            Source::Daily(daily) => Source::Daily(daily.with_wait(wait)),
            Source::Uuid(uuids) => Source::Uuid(*uuids),
        }
    }

    /// Stops minting and gives up what is reserved. Closing twice is no error.
    ///
    /// # Errors
    /// Of the store; the source is closed all the same.
    pub fn close(&self) -> Result<()> {
        match self {
            Source::Snowflake(flake) => flake.close()?,
            Source::Segment(segment) => segment.close(),
            Source::Daily(daily) => daily.close(),
            Source::Uuid(_) => {}
        }
        Ok(())
    }
}

fn open_fixed(mut url: SourceUrl<'_>) -> Result<Snowflake> {
    no_path(&url)?;
    let Some(text) = url.take("worker") else {
        let message = format!(
            "a snowflake needs a worker ID: add ?worker= with {WORKERS}, or lease one with \
             snowflake+sqlite:ids.db"
        );
        return Err(Error::new(Code::InvalidParameter, message));
    };
    let worker: Worker = text.parse()?;
    let mut builder = snowflake(&mut url)?.worker(worker);
    if let Some(directory) = url.take("state") {
        builder = builder.state_directory(directory);
    }
    url.finish()?;
    builder.open()
}

fn open_leased(mut url: SourceUrl<'_>) -> Result<Snowflake> {
    let builder = snowflake(&mut url)?;
    url.finish()?;
    builder.check_time()?;
    builder.lease_from(store(&url)?).open()
}

/// What fixed and leased worker IDs have in common.
fn snowflake(url: &mut SourceUrl<'_>) -> Result<SnowflakeBuilder> {
    let mut builder = Snowflake::builder().layout(layout(url)?).wait(wait(url)?);
    builder = builder.policy(policy(url)?);
    if let Some(start) = url.take("start") {
        builder = builder.sequence_start(names::sequence_start(&start)?);
    }
    if let Some(slab_ms) = url.take_parsed("slab_ms", "milliseconds from 100 to 3600000")? {
        builder = builder.slab_ms(slab_ms);
    }
    Ok(builder)
}

fn open_segment(mut url: SourceUrl<'_>) -> Result<Segment> {
    let (tag, wait, step) = (tag(&mut url)?, wait(&mut url)?, step(&mut url)?);
    let prefetch = prefetch(&mut url)?;
    url.finish()?;
    let mut builder = Segment::builder(store(&url)?, tag).wait(wait);
    if let Some(step) = step {
        builder = builder.step(Step::fixed(step)?);
    }
    if let Some(prefetch) = prefetch {
        builder = builder.prefetch(prefetch);
    }
    builder.open()
}

fn open_daily(mut url: SourceUrl<'_>) -> Result<Daily> {
    let (tag, wait, step) = (tag(&mut url)?, wait(&mut url)?, step(&mut url)?);
    let prefetch = prefetch(&mut url)?;
    let (zone, digits) = (url.take("zone"), url.take_parsed("digits", "a number from 1 to 10")?);
    let (zone, digits) =
        (zone.as_deref().unwrap_or(DEFAULT_ZONE), digits.unwrap_or(DEFAULT_DIGITS));
    url.finish()?;
    daily::check(&tag, zone, digits, step)?;
    let builder = Daily::builder(store(&url)?, tag).wait(wait).zone(zone).digits(digits);
    let builder = prefetch.into_iter().fold(builder, DailyBuilder::prefetch);
    step.into_iter().fold(builder, DailyBuilder::step).open()
}

fn layout(url: &mut SourceUrl<'_>) -> Result<Layout> {
    let name = url.take("layout").unwrap_or_else(|| "twitter".to_owned());
    let epoch_ms = url.take_parsed("epoch_ms", "Unix milliseconds")?;
    let tick_ms = url.take_parsed("tick_ms", "milliseconds from 1 on")?;
    if name.contains(':') {
        let fields = Layout::builder().fields(&name)?;
        return Ok(fields.epoch_ms(epoch_ms.unwrap_or(0)).tick_ms(tick_ms.unwrap_or(1)).build()?);
    }
    let preset = names::preset(&name)?;
    if epoch_ms.is_some() || tick_ms.is_some() {
        let message = format!(
            "epoch_ms and tick_ms belong to a layout given by its fields; the preset {name} has \
             its own: write layout={}&…",
            preset.layout
        );
        return Err(Error::new(Code::InvalidParameter, message));
    }
    Ok(preset.layout)
}

fn policy(url: &mut SourceUrl<'_>) -> Result<ClockPolicy> {
    let name = url.take("policy").unwrap_or_else(|| "snowmint".to_owned());
    let mut policy = names::policy(&name)?;
    if let Some(max_ahead_ms) = url.take_parsed("max_ahead_ms", "milliseconds from 0 on")? {
        policy.max_ahead_ms = max_ahead_ms;
    }
    Ok(policy)
}

fn tag(url: &mut SourceUrl<'_>) -> Result<Tag> {
    match url.take("tag") {
        Some(name) => Tag::new(&name),
        None => {
            let message = format!("a {} needs a tag: add ?tag=orders", url.kind);
            Err(Error::new(Code::InvalidTag, message))
        }
    }
}

fn step(url: &mut SourceUrl<'_>) -> Result<Option<u64>> {
    let step = url.take_parsed("step", "a number from 1 to 1073741824")?;
    step.map_or(Ok(()), check_step)?;
    Ok(step)
}

fn prefetch(url: &mut SourceUrl<'_>) -> Result<Option<Prefetch>> {
    let expected = "a percentage from 0 to 100";
    match url.take_parsed::<u8>("prefetch", expected)? {
        Some(percent) if percent > 100 => Err(invalid("prefetch", &percent.to_string(), expected)),
        percent => Ok(percent.map(|used_percent| Prefetch::DoubleBucket { used_percent })),
    }
}

fn wait(url: &mut SourceUrl<'_>) -> Result<Duration> {
    let wait_ms = url.take_parsed("wait_ms", "milliseconds from 0 on")?;
    Ok(wait_ms.map_or(crate::generator::DEFAULT_WAIT, Duration::from_millis))
}

fn uuid_version(url: &mut SourceUrl<'_>) -> Result<UuidVersion> {
    match url.take("version").as_deref() {
        Some("4") => Ok(UuidVersion::V4),
        Some("7") | None => Ok(UuidVersion::V7),
        Some(other) => Err(invalid("version", other, "4 or 7")),
    }
}

fn no_path(url: &SourceUrl<'_>) -> Result<()> {
    if url.path.is_empty() {
        return Ok(());
    }
    let message = format!("{}: takes no path, but {:?} stands there", url.kind, url.path);
    Err(Error::new(Code::InvalidUrl, message))
}

/// The store of a URL whose parameters are all in order.
fn store(url: &SourceUrl<'_>) -> Result<Arc<dyn Store>> {
    match (url.store, url.kind) {
        // A segment's tag must be there: a file that is not is a mistyped path.
        #[cfg(feature = "sqlite")]
        (Some("sqlite"), "segment") => Ok(Arc::new(SqliteStore::open_existing(url.path)?)),
        #[cfg(feature = "sqlite")]
        (Some("sqlite"), _) => Ok(Arc::new(SqliteStore::open(url.path)?)),
        _ => Err(unknown_scheme(url)),
    }
}

fn unknown_scheme(url: &SourceUrl<'_>) -> Error {
    let plus = url.store.map_or(String::new(), |store| format!("+{store}"));
    let message = format!(
        "no source is opened by {}{plus}: but by snowflake:, snowflake+sqlite:, segment+sqlite:, \
         daily+sqlite: and uuid:",
        url.kind
    );
    Error::new(Code::UnknownScheme, message)
}

fn not_64_bits() -> Error {
    Error::new(Code::Unsupported, "a UUID has 128 bits: take it with next_uuid")
}
