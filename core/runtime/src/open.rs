//! Any source of IDs by its URL.

#[cfg(feature = "sqlite")]
use std::collections::HashMap;
#[cfg(feature = "sqlite")]
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(feature = "sqlite")]
use std::sync::{Mutex, PoisonError, Weak};
use std::time::Duration;

use snowmint_engine::{ClockPolicy, Code, Layout, Prefetch, StepSize};

use crate::error::{Error, Result};
#[cfg(feature = "sqlite")]
use crate::host::process::PerProcess;
use crate::names::{self, WORKERS, invalid};
use crate::source::Source;
use crate::sources::{
    DEFAULT_DIGITS, DEFAULT_WAIT, DEFAULT_ZONE, Daily, DailyBuilder, Segment, Snowflake,
    SnowflakeBuilder, UuidSource, UuidVersion, check_daily,
};
use crate::store::{MemoryStore, Store, Tag, check_step};
#[cfg(feature = "sqlite")]
use crate::store::{SqliteBuilder, SqliteStore};
use crate::url::SourceUrl;
use crate::worker::Worker;

/// Opens a source.
///
/// | URL | source |
/// |---|---|
/// | `snowflake:?worker=7` | [`Snowflake`] with a fixed worker ID; also `worker=env`, `env:NAME`, `ordinal`, `ip` |
/// | `snowflake+sqlite:ids.db?create=true` | [`Snowflake`] with a worker ID leased from the file |
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
/// | `require_state` | fixed worker IDs | `true`: refused where the state file is missing |
/// | `tag` | segment, daily | the tag |
/// | `step` | segment, daily | numbers a range; unless set the tag's own, adapted, or a thousandth of a day's |
/// | `prefetch` | segment, daily | percent of a range used when the next is fetched: 10 unless set, daily 50 |
/// | `zone`, `digits` | daily | time zone (`UTC`, `+08:00`, `Asia/Shanghai`), digits after the date |
/// | `wait_ms` | all but uuid | how long a call waits: 5000 unless set |
/// | `create` | sqlite | `true` makes the file if it is not there; `false` unless set |
/// | `shared_file` | sqlite | `true` takes a file with tables of an application's own; `false` unless set |
///
/// One file is one key space, for one machine: two files repeat each other's IDs, so making one has
/// to be asked for. Several machines share a store.
///
/// A path is taken as it stands, up to the `?`; values may be percent-encoded. All that is opened on
/// one file shares a connection and a keeper.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`], [`Code::UnknownLayout`]; [`Code::StoreMissing`] for a file that is
/// not there; and those of the source.
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

/// Opens a store: `sqlite:ids.db`, made where there is none by `sqlite:ids.db?create=true`, or
/// `memory:` for one that ends with the process.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`]; [`Code::StoreMissing`] for a file that is not there; and those of
/// the store.
pub fn open_store(url: &str) -> Result<Arc<dyn Store>> {
    let parts = SourceUrl::parse(url)?;
    match (parts.kind, parts.store) {
        ("memory", None) => {
            parts.finish()?;
            no_path(&parts)?;
            Ok(Arc::new(MemoryStore::new()))
        }
        #[cfg(feature = "sqlite")]
        ("sqlite", None) => {
            let mut parts = parts;
            let sqlite = sqlite(&mut parts)?;
            parts.finish()?;
            Ok(shared(sqlite, parts.path)?)
        }
        _ => {
            let message = format!("no store is opened by {url:?}: but by sqlite:ids.db or memory:");
            Err(Error::new(Code::UnknownScheme, message))
        }
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
    if let Some(require_state) = url.take_parsed("require_state", "true or false")? {
        builder = builder.require_state(require_state);
    }
    url.finish()?;
    builder.open()
}

fn open_leased(mut url: SourceUrl<'_>) -> Result<Snowflake> {
    let (builder, store) = (snowflake(&mut url)?, store(&mut url)?);
    url.finish()?;
    builder.check_time()?;
    builder.lease_from(store()?).open()
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
    let (prefetch, store) = (prefetch(&mut url)?, store(&mut url)?);
    url.finish()?;
    let mut builder = Segment::builder(store()?, tag).wait(wait);
    if let Some(step) = step {
        builder = builder.step(StepSize::fixed(step)?);
    }
    if let Some(prefetch) = prefetch {
        builder = builder.prefetch(prefetch);
    }
    builder.open()
}

fn open_daily(mut url: SourceUrl<'_>) -> Result<Daily> {
    let (tag, wait, step) = (tag(&mut url)?, wait(&mut url)?, step(&mut url)?);
    let (prefetch, store) = (prefetch(&mut url)?, store(&mut url)?);
    let (zone, digits) = (url.take("zone"), url.take_parsed("digits", "a number from 1 to 10")?);
    let (zone, digits) =
        (zone.as_deref().unwrap_or(DEFAULT_ZONE), digits.unwrap_or(DEFAULT_DIGITS));
    url.finish()?;
    check_daily(&tag, zone, digits, step)?;
    let builder = Daily::builder(store()?, tag).wait(wait).zone(zone).digits(digits);
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
    Ok(wait_ms.map_or(DEFAULT_WAIT, Duration::from_millis))
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

/// What opens the store, once all parameters are in order.
#[cfg(feature = "sqlite")]
fn store<'a>(url: &mut SourceUrl<'a>) -> Result<impl FnOnce() -> Result<Arc<dyn Store>> + use<'a>> {
    if url.store != Some("sqlite") {
        return Err(unknown_scheme(url));
    }
    let (sqlite, path) = (sqlite(url)?, url.path);
    Ok(move || Ok(shared(sqlite, path)? as Arc<dyn Store>))
}

#[cfg(not(feature = "sqlite"))]
type OpenStore = fn() -> Result<Arc<dyn Store>>;

/// No store is compiled in that a URL could name.
#[cfg(not(feature = "sqlite"))]
fn store(url: &mut SourceUrl<'_>) -> Result<OpenStore> {
    Err(unknown_scheme(url))
}

/// The store of a file: one for all that this process opens by URL, so that they share its keeper and
/// its connection. A file that is not the one it was is opened anew.
#[cfg(feature = "sqlite")]
fn shared(sqlite: SqliteBuilder, path: &str) -> Result<Arc<SqliteStore>> {
    type Opened = Mutex<HashMap<PathBuf, Weak<SqliteStore>>>;
    static OPENED: PerProcess<Opened> = PerProcess::new();
    let opened = OPENED.get_or_init(Opened::default);
    let key = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let lock = || opened.lock().unwrap_or_else(PoisonError::into_inner);
    let present = lock().get(&key).and_then(Weak::upgrade);
    if let Some(store) = present.filter(|store| store.is_opened_by(sqlite)) {
        return Ok(store);
    }
    // Not under the lock: a file may be locked by others for seconds.
    let store = Arc::new(sqlite.open(path)?);
    let mut opened = lock();
    opened.retain(|_, store| store.strong_count() > 0);
    opened.insert(key, Arc::downgrade(&store));
    Ok(store)
}

/// How the file is to be opened.
#[cfg(feature = "sqlite")]
fn sqlite(url: &mut SourceUrl<'_>) -> Result<SqliteBuilder> {
    let create = url.take_parsed("create", "true or false")?;
    let shared_file = url.take_parsed("shared_file", "true or false")?;
    let builder = SqliteStore::builder().create(create.unwrap_or(false));
    Ok(builder.shared_file(shared_file.unwrap_or(false)))
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
