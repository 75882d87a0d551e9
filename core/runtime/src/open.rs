//! Opening any source of IDs by its URL.

use std::sync::Arc;
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{Layout, Prefetch, REFILL_BELOW_PERCENT, StepSize};

use crate::error::{Error, Result};
use crate::errors;
use crate::host::Platform;
use crate::lazy::LazySource;
use crate::names;
use crate::schemes::{
    Described, Placed, Plan, PlanSource, SourceKind, StoreUrl, kind_by, placed_by, plan_source,
};
#[cfg(feature = "uuid")]
use crate::sources::UuidSource;
#[cfg(feature = "daily")]
use crate::sources::{DEFAULT_DIGITS, DEFAULT_ZONE, Daily, DailyBuilder, check_daily, day_size};
use crate::sources::{
    DEFAULT_EVERY, DEFAULT_KEYS_PER_SECTION, LateStore, RingSource, Segment, SegmentBuilder,
    Sequences, SequencesBuilder, Snowflake, SnowflakeBuilder, Source, check_ring, check_segment,
    check_sequences,
};
use crate::store::{self, SegmentStore, Store, Tag, TagOptions, ensure_tag};
use crate::url::Parameters;
use crate::waiting::open_within;
use crate::worker::{WORKERS, WorkerId};

mod own;

#[cfg(feature = "uuid")]
use own::uuid_version;
use own::{layout, policy, prefetch, runway, step, tag, wait};

/// Opens a source.
///
/// All sources with equal URLs of a store share its connections and a scheduler. For a store of your
/// own there is no URL: implement [`TagAllocator`](crate::TagAllocator) for ranges, and
/// [`WorkerStore`](crate::WorkerStore) for worker IDs.
///
/// Opening calls the store, and takes as long as that does: SQLite waits up to 5 s for other
/// processes at each of a few steps. If the last holder of a fixed worker ID was killed and the
/// policy does not borrow, opening waits for the time which that holder had reserved: up to a
/// reservation, by default a second.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`], [`Code::UnknownLayout`]; [`Code::StoreMissing`] if the file is
/// missing; and the codes of the source. No message shows a password: URLs in it are
/// [`redacted`](crate::redacted), except for paths of files and names such as the tag's.
///
#[doc = include_str!("../URLS.md")]
pub fn open(url: &str) -> Result<Source> {
    plan_source(url, SOURCES)?.open()
}

/// Opens a source of a given kind. The URL's kind is checked before anything is opened.
///
/// ```
/// let refused = snowmint::open_as("segment", "snowflake:?worker_id=7").unwrap_err();
/// assert_eq!(refused.code(), snowmint::Code::InvalidParameter);
/// ```
///
/// # Errors
/// As [`open`]; [`Code::InvalidParameter`] if the URL is of another [kind](kind_of).
pub fn open_as(kind: &str, url: &str) -> Result<Source> {
    check_kind(kind, url)?;
    open(url)
}

/// Returns a source that opens at its first use. Calls no store and reads no file, so it suits a
/// `static` whose module is also loaded by tests and migrations.
///
/// ```
/// use std::sync::LazyLock;
/// use snowmint::{LazySource, Mint, Result};
///
/// # const URL: &str = "snowflake:?worker_id=7";
/// static IDS: LazyLock<LazySource> =
///     LazyLock::new(|| snowmint::lazy(URL).expect("the URL is one of ours"));
///
/// fn new_order() -> Result<u64> {
///     IDS.next_id()
/// }
/// ```
///
/// # Errors
/// The codes of [`open`] for a URL that cannot be read, has an unknown scheme or parameter, or a
/// value of the source that is not possible. A store's own values are read when it is opened.
pub fn lazy(url: &str) -> Result<LazySource> {
    let plan = plan_source(url, SOURCES)?;
    // UUIDs have nothing to open, and no call of theirs waits.
    if plan.described.kind == "uuid" {
        plan.open().map(LazySource::from)
    } else {
        Ok(LazySource::new(plan))
    }
}

/// Returns a source of a given kind that opens at its first use, like [`lazy`].
///
/// # Errors
/// As [`lazy`]; [`Code::InvalidParameter`] if the URL is of another [kind](kind_of).
pub fn lazy_as(kind: &str, url: &str) -> Result<LazySource> {
    check_kind(kind, url)?;
    lazy(url)
}

fn check_kind(kind: &str, url: &str) -> Result<()> {
    match kind_of(url)? {
        found if found == kind => Ok(()),
        found => Err(errors::schemes::kind_differs(found, kind)),
    }
}

/// Defines an `open` that returns the source's own type.
macro_rules! opens {
    ($($source:ident as $variant:ident, $kind:literal $(, $feature:literal)?;)*) => {$(
        $(#[cfg(feature = $feature)])?
        impl $source {
            /// Opens a source of this type by its URL, as [`open`](crate::open()) does.
            ///
            /// # Errors
            /// As [`open_as`](crate::open_as).
            pub fn open(url: &str) -> Result<$source> {
                match open_as($kind, url)? {
                    Source::$variant(source) => Ok(source),
                    _ => unreachable!("the URL is of that kind"),
                }
            }
        }
    )*};
}

opens! {
    Snowflake as Snowflake, "snowflake";
    Segment as Segment, "segment";
    Daily as Daily, "daily", "daily";
    Sequences as Sequences, "sequences";
    RingSource as Ring, "ring";
    UuidSource as Uuid, "uuid", "uuid";
}

/// Opens a store, for example `sqlite:ids.db`, `postgres://user@host/database`,
/// `mysql://user@host/database`, `redis://host:6379/0`, `etcd://host:2379` or
/// `zookeeper://host:2181`. With `create=true` it is created if it is missing. For tests,
/// `memory:NAME` is the store of that name in this process, and `memory:` another one each time.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`]; [`Code::StoreMissing`] if the file is missing; and the codes of the
/// store.
pub fn open_store(url: &str) -> Result<Arc<dyn Store>> {
    StoreUrl::parse(url)?.open()
}

/// Returns the store and the tag of a source's URL without opening anything, or `None` for a source
/// without a store.
///
/// ```
/// let placed = snowmint::placed("segment+sqlite:ids.db?create=true&step=100&tag=orders")?;
/// let placed = placed.ok_or("it is on a store")?;
/// assert_eq!((placed.store.as_str(), placed.tag.as_deref()), ("sqlite:ids.db?create=true", Some("orders")));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The codes of [`open`] that concern the URL.
pub fn placed(url: &str) -> Result<Option<Placed>> {
    placed_by(url, SOURCES)
}

/// Returns the kind of source that a URL opens, without opening anything: `snowflake`, `segment`,
/// `daily`, `sequences`, `uuid`, or a `ring` of one of them.
///
/// ```
/// assert_eq!(snowmint::kind_of("segment+sqlite:ids.db?tag=orders")?, "segment");
/// # Ok::<_, snowmint::Error>(())
/// ```
///
/// # Errors
/// The codes of [`open`] that concern the URL's form, its scheme and the names of its parameters.
pub fn kind_of(url: &str) -> Result<&'static str> {
    kind_by(url, SOURCES)
}

/// The parameters of snowflakes, of tags, and of rings.
const SNOWFLAKE: &str = "layout epoch_ms tick_ms policy max_ahead_ms start reserve_ms wait_ms";
const TAG: &str = "tag namespace";
const RING: &str = "ring ring_refill ring_every_ms";

static SOURCES: &[SourceKind] = &[
    SourceKind {
        name: "snowflake",
        parameters: &["worker_id state require_state", SNOWFLAKE, RING],
        example: "?worker_id=7",
        plan: PlanSource::Alone(|own| behind_ring(own, fixed)),
    },
    SourceKind {
        name: "snowflake",
        parameters: &[SNOWFLAKE, RING],
        example: "",
        plan: PlanSource::OnStore(|own, store| behind_ring(own, |own| leased(own, store))),
    },
    SourceKind {
        name: "segment",
        parameters: &[TAG, "step runway prefetch at key wait_ms", RING],
        example: "?tag=orders",
        plan: PlanSource::OnStore(|own, store| behind_ring(own, |own| segment(own, store))),
    },
    #[cfg(feature = "daily")]
    SourceKind {
        name: "daily",
        parameters: &[TAG, "step prefetch zone digits wait_ms", RING],
        example: "?tag=orders",
        plan: PlanSource::OnStore(|own, store| behind_ring(own, |own| daily(own, store))),
    },
    SourceKind {
        name: "sequences",
        parameters: &[TAG, "keys_per_section step wait_ms"],
        example: "?tag=chat",
        plan: PlanSource::OnStore(sequences),
    },
    #[cfg(feature = "uuid")]
    SourceKind {
        name: "uuid",
        parameters: &["version"],
        example: "?version=7",
        plan: PlanSource::Alone(uuids),
    },
];

/// Plans a source, behind a ring if the URL asks for one.
fn behind_ring(
    own: &mut Parameters,
    plan: impl FnOnce(&mut Parameters) -> Result<Plan>,
) -> Result<Plan> {
    let capacity = own.take_parsed("ring", "a power of two from 1 to 1048576")?;
    let refill = own.take_parsed("ring_refill", "a percentage from 1 to 100")?;
    let every_ms = own.take_parsed("ring_every_ms", "milliseconds from 1 to 3600000")?;
    let Some(capacity) = capacity else {
        if refill.is_some() || every_ms.is_some() {
            return Err(errors::schemes::ring_missing());
        }
        return plan(own);
    };
    let refill = refill.unwrap_or(REFILL_BELOW_PERCENT);
    let every = every_ms.map_or(DEFAULT_EVERY, Duration::from_millis);
    check_ring(capacity, refill, every)?;
    Ok(plan(own)?.behind_ring(move |source| {
        let ring = RingSource::builder(source).capacity(capacity).refill_below(refill);
        ring.every(every).open().map(Source::Ring)
    }))
}

fn fixed(own: &mut Parameters) -> Result<Plan> {
    let Some(text) = own.take("worker_id") else {
        return Err(errors::schemes::worker_id_missing(WORKERS));
    };
    let worker_id: WorkerId = text.parse()?;
    let (layout, builder, wait) = snowflake(own)?;
    let mut builder = builder.worker_id(worker_id);
    if let Some(directory) = own.take("state") {
        builder = builder.state_directory(directory);
    }
    if let Some(require_state) = own.take_parsed("require_state", "true or false")? {
        builder = builder.require_state(require_state);
    }
    let described = Described { layout: Some(layout), ..described("snowflake", wait) };
    Ok(Plan::new(described, move |patience| {
        builder.clone().wait(patience).open().map(Source::Snowflake)
    }))
}

fn leased(own: &mut Parameters, store: StoreUrl) -> Result<Plan> {
    let (layout, builder, wait) = snowflake(own)?;
    builder.check_time()?;
    let described = Described { layout: Some(layout), ..described("snowflake", wait) };
    Ok(Plan::new(described, move |patience| {
        let builder = builder.clone().wait(patience).lease_from(store.open_within(patience)?);
        builder.open().map(Source::Snowflake)
    }))
}

/// Reads the parameters that fixed and leased worker IDs share.
fn snowflake(own: &mut Parameters) -> Result<(Layout, SnowflakeBuilder, Duration)> {
    let layout = layout(own)?;
    let mut builder = Snowflake::builder().layout(layout).policy(policy(own)?);
    if let Some(start) = own.take("start") {
        builder = builder.sequence_start(names::sequence_start(&start)?);
    }
    if let Some(reserve_ms) = own.take_parsed("reserve_ms", "milliseconds from 100 to 3600000")? {
        builder = builder.reserve_ms(reserve_ms);
    }
    Ok((layout, builder, wait(own)?))
}

fn described(kind: &'static str, wait: Duration) -> Described {
    Described { kind, is_ring: false, wait, layout: None, tag: None, day_size: None }
}

fn segment(own: &mut Parameters, store: StoreUrl) -> Result<Plan> {
    let (tag, wait, step) = (tag(own, "segment")?, wait(own)?, step(own)?);
    let step = step.map(StepSize::fixed).transpose()?;
    let (prefetch, runway) = (prefetch(own)?, runway(own)?);
    let prefetch = prefetch.unwrap_or(Prefetch::LEAF);
    check_segment(step, runway, prefetch)?;
    let key = own.take_parsed("key", "a number from 0 to 18446744073709551615")?;
    let further = own.take_repeated();
    if further.is_empty() && key.is_some() {
        return Err(errors::schemes::key_without_shards());
    }
    let further = further.iter().map(|url| StoreUrl::parse(url));
    let urls = [Ok(store)].into_iter().chain(further).map(|url| url.map(Arc::new));
    let urls: Vec<_> = urls.collect::<Result<_>>()?;
    let described = Described { tag: Some(tag.clone()), ..described("segment", wait) };
    Ok(Plan::new(described, move |patience| {
        let builder = match &*urls {
            [only] => Segment::builder(open_with_tag(only, &tag, patience)?, tag.clone()),
            urls => open_shards(urls, tag.clone(), patience)?,
        };
        let builder = key.into_iter().fold(builder, SegmentBuilder::key);
        let builder = builder.wait(patience).prefetch(prefetch);
        let builder = step.into_iter().fold(builder, SegmentBuilder::step);
        runway.into_iter().fold(builder, SegmentBuilder::runway).open().map(Source::Segment)
    }))
}

/// Opens the store of a segment, and creates its tag if the URL creates what is missing.
fn open_with_tag(url: &StoreUrl, tag: &Tag, wait: Duration) -> Result<Arc<dyn Store>> {
    let store = url.open_within(wait)?;
    if url.creates() && store::tag(&*store, tag)?.is_none() {
        ensure_tag(&*store, tag, TagOptions::default())?;
    }
    Ok(store)
}

/// Opens stores in parallel, so that a store which does not answer delays no other.
fn opened_at_once(urls: &[Arc<StoreUrl>]) -> Vec<Result<Arc<dyn Store>>> {
    std::thread::scope(|scope| {
        let opening = urls.iter().map(|url| {
            let open = || url.open();
            (url, std::thread::Builder::new().spawn_scoped(scope, open))
        });
        let opening: Vec<_> = opening.collect();
        let opened = opening.into_iter().map(|(url, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => url.open(),
        });
        opened.collect()
    })
}

/// Opens a segment whose tag is in several databases. One of them must answer; the others may be
/// down.
fn open_shards(urls: &[Arc<StoreUrl>], tag: Tag, wait: Duration) -> Result<SegmentBuilder> {
    let opened = open_within(wait, &Platform::System, || {
        let opened = opened_at_once(urls);
        let down = |opened: &Result<_>| opened.as_ref().is_err_and(Error::is_transient);
        // A failure that waiting cannot mend ends the wait. If all stores are down, the first
        // failure counts.
        let failed = opened.iter().find(|it| it.is_err() && !down(it));
        match failed.or_else(|| opened.iter().find(|_| opened.iter().all(down))) {
            Some(Err(error)) => Err(error.clone()),
            _ => Ok(opened),
        }
    })?;
    let mut shards = urls.iter().zip(opened).map(|(url, opened)| {
        let (place, url) = (url.place(), Arc::clone(url));
        match opened {
            Ok(store) => (place, store as Arc<dyn SegmentStore>),
            Err(why) => (place, Arc::new(LateStore::new(why, move || url.open())) as _),
        }
    });
    let Some((place, first)) = shards.next() else { unreachable!("the first is the source's own") };
    let builder = Segment::builder(first, tag).called(place);
    Ok(shards.fold(builder, |builder, (place, store)| builder.shard_called(place, store)))
}

#[cfg(feature = "daily")]
fn daily(own: &mut Parameters, store: StoreUrl) -> Result<Plan> {
    let (tag, wait, step) = (tag(own, "daily source")?, wait(own)?, step(own)?);
    let prefetch = prefetch(own)?;
    let (zone, digits) = (own.take("zone"), own.take_parsed("digits", "a number from 1 to 10")?);
    let (zone, digits) =
        (zone.unwrap_or_else(|| DEFAULT_ZONE.to_owned()), digits.unwrap_or(DEFAULT_DIGITS));
    check_daily(&tag, &zone, digits, step)?;
    let described = Described {
        tag: Some(tag.clone()),
        day_size: Some(day_size(digits)),
        ..described("daily", wait)
    };
    Ok(Plan::new(described, move |patience| {
        let builder = Daily::builder(store.open_within(patience)?, tag.clone());
        let builder = builder.wait(patience).zone(&zone).digits(digits);
        let builder = prefetch.into_iter().fold(builder, DailyBuilder::prefetch);
        step.into_iter().fold(builder, DailyBuilder::step).open().map(Source::Daily)
    }))
}

fn sequences(own: &mut Parameters, store: StoreUrl) -> Result<Plan> {
    let (tag, wait, step) = (tag(own, "sequence")?, wait(own)?, step(own)?);
    let keys = own.take_parsed("keys_per_section", "a number from 1 on")?;
    let keys = keys.unwrap_or(DEFAULT_KEYS_PER_SECTION);
    check_sequences(&tag, keys)?;
    let described = Described { tag: Some(tag.clone()), ..described("sequences", wait) };
    Ok(Plan::new(described, move |patience| {
        let builder = Sequences::builder(store.open_within(patience)?, tag.clone());
        let builder = builder.wait(patience).keys_per_section(keys);
        step.into_iter().fold(builder, SequencesBuilder::step).open().map(Source::Sequences)
    }))
}

#[cfg(feature = "uuid")]
fn uuids(own: &mut Parameters) -> Result<Plan> {
    let version = uuid_version(own)?;
    let described = described("uuid", Duration::ZERO);
    Ok(Plan::new(described, move |_| Ok(Source::Uuid(UuidSource::new(version)))))
}

#[cfg(test)]
mod tests;
