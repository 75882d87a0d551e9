//! Tables of everything that a URL can open: kinds of sources, and schemes of stores. Dispatch,
//! lists of parameters and errors are derived from them.

use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::errors;
use crate::findings::Finding;
use crate::host::Platform;
use crate::secrets::redacted;
use crate::store::scheme::StoreScheme;
use crate::store::{self, Column, Filling, Fills, KeySpaceId, Migration, Store, Wanted};
use crate::url::{Address, Parameters, Taker, UrlText, meant};
use crate::waiting::open_within;

mod absent;
mod memory;
mod placed;
mod plan;
#[cfg(feature = "sqlite")]
mod sqlite;

use absent::{without_kind, without_store};
pub use placed::Placed;
pub(crate) use placed::{kind_by, placed_by};
pub(crate) use plan::{Described, Plan};

/// The schemes of stores, in the order in which errors suggest them.
pub(crate) static STORES: &[StoreScheme] = &[
    #[cfg(feature = "sqlite")]
    sqlite::SCHEME,
    #[cfg(feature = "postgres")]
    store::postgres::SCHEME,
    #[cfg(feature = "mysql")]
    store::mysql::SCHEME,
    #[cfg(feature = "redis")]
    store::redis::SCHEME,
    #[cfg(feature = "redis")]
    StoreScheme { name: "rediss", tls: true, ..store::redis::SCHEME },
    #[cfg(feature = "redis")]
    store::redis::SENTINEL,
    #[cfg(feature = "redis")]
    StoreScheme { name: "rediss+sentinel", tls: true, ..store::redis::SENTINEL },
    #[cfg(feature = "redis")]
    store::redis::CLUSTER,
    #[cfg(feature = "redis")]
    StoreScheme { name: "rediss+cluster", tls: true, ..store::redis::CLUSTER },
    #[cfg(feature = "etcd")]
    store::etcd::SCHEME,
    #[cfg(feature = "etcd")]
    StoreScheme { name: "etcds", tls: true, ..store::etcd::SCHEME },
    #[cfg(feature = "zookeeper")]
    store::zookeeper::SCHEME,
    #[cfg(feature = "zookeeper")]
    StoreScheme { name: "zookeepers", tls: true, ..store::zookeeper::SCHEME },
    #[cfg(feature = "service")]
    store::service::SCHEME,
    #[cfg(feature = "service")]
    StoreScheme { name: "https", tls: true, ..store::service::SCHEME },
    memory::SCHEME,
];

/// A finding for every store, because no store can detect it.
const COPIES: &str = "a backup that was put back in this same place may not be seen, nor an original \
                      that still runs elsewhere. Before anything mints from a copy, end whatever mints, \
                      wait for the longest lease, and run `snowmint recover URL --all`, which says what \
                      to look up";

pub(crate) struct SourceKind {
    pub(crate) name: &'static str,
    /// Its own parameters, without those of the store, in groups of words.
    pub(crate) parameters: &'static [&'static str],
    /// The part of a valid URL after the colon, without the path of a store.
    pub(crate) example: &'static str,
    pub(crate) plan: PlanSource,
}

pub(crate) enum PlanSource {
    /// `kind:?…`
    Alone(fn(&mut Parameters) -> Result<Plan>),
    /// `kind+scheme:…?…`
    OnStore(fn(&mut Parameters, StoreUrl) -> Result<Plan>),
}

impl SourceKind {
    pub(crate) fn is_on_store(&self) -> bool {
        matches!(self.plan, PlanSource::OnStore(_))
    }

    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static str> {
        self.parameters.iter().flat_map(|group| group.split(' '))
    }

    fn taker(&self) -> Taker<'_> {
        Taker { called: self.name, names: self.parameters().collect() }
    }

    fn url(&self) -> String {
        match STORES.first() {
            Some(scheme) if self.is_on_store() => {
                format!("{}+{}:{}{}", self.name, scheme.name, scheme.example, self.example)
            }
            _ => format!("{}:{}", self.name, self.example),
        }
    }
}

pub(crate) struct StoreUrl {
    scheme: &'static StoreScheme,
    address: Address,
    parameters: Parameters,
}

impl StoreUrl {
    pub(crate) fn parse(url: &str) -> Result<StoreUrl> {
        StoreUrl::parse_of(url, |_| true)
    }

    /// Like [`parse`](Self::parse), for maintenance of the store itself. An error suggests neither
    /// ID services nor `memory:`.
    pub(crate) fn parse_in_place(url: &str) -> Result<StoreUrl> {
        StoreUrl::parse_of(url, |scheme| scheme.name != "memory" && !scheme.is_short(scheme.name))
    }

    /// Parses a URL. The error for an unknown scheme suggests the schemes for which `is_meant` is
    /// true.
    fn parse_of(url: &str, is_meant: impl Fn(&StoreScheme) -> bool) -> Result<StoreUrl> {
        let text = UrlText::parse(url, "sqlite:ids.db")?;
        let Some(scheme) = STORES.iter().find(|known| known.is(text.scheme)) else {
            let meant: Vec<_> = STORES.iter().filter(|known| is_meant(known)).collect();
            return Err(no_store(text.scheme, &meant));
        };
        let address = text.address()?;
        let [parameters] = text.parameters(&[scheme.taker()])?;
        Ok(StoreUrl { scheme, address, parameters })
    }

    pub(crate) fn open(&self) -> Result<Arc<dyn Store>> {
        let mut parameters = self.parameters.clone();
        if self.is_with_create() {
            self.check_unpinned()?;
        }
        let store = (self.scheme.open)(self.scheme, &self.address, &mut parameters)?;
        debug_assert!(parameters.is_empty(), "not taken: {parameters:?}");
        Ok(store)
    }

    /// The location of the store, as messages may show it.
    pub(crate) fn place(&self) -> String {
        let scheme = self.scheme.name;
        match &self.address {
            Address::Path(path) => format!("{scheme}:{}", redacted(path)),
            Address::Machines(machines) => format!("{scheme}:{machines}"),
        }
    }

    /// Returns true if this is an application's file, with its own tables and none of snowmint's.
    pub(crate) fn is_of_an_application(&self) -> bool {
        #[cfg(feature = "sqlite")]
        if self.scheme.name == "sqlite" {
            return self.address.file("sqlite").is_ok_and(store::sqlite::is_of_an_application);
        }
        false
    }

    fn is_with_create(&self) -> bool {
        self.parameters.clone().take("create").is_some_and(|create| create == "true")
    }

    /// Returns true if opening creates what is missing. A store in memory is empty at first.
    pub(crate) fn creates(&self) -> bool {
        self.is_in_memory() || self.is_with_create()
    }

    /// Returns true if the store is empty whenever a process begins.
    fn is_in_memory(&self) -> bool {
        self.scheme.name == memory::SCHEME.name
    }

    /// Opens the store of a source, waiting while the store is down or locked.
    pub(crate) fn open_within(&self, wait: Duration) -> Result<Arc<dyn Store>> {
        if self.is_in_memory() && memory::name(&self.address)?.is_empty() {
            return Err(errors::schemes::memory_without_name());
        }
        open_within(wait, &Platform::System, || self.open())
    }

    pub(crate) fn numbers(&self, column: &Column, wanted: Wanted) -> Result<Vec<u64>> {
        let own = &mut self.parameters.clone();
        (self.scheme.numbers)(self.scheme, &self.address, own, column, wanted)
    }

    pub(crate) fn fillings(&self, fills: Fills<'_>) -> Result<Vec<Filling>> {
        let own = &mut self.parameters.clone();
        (self.scheme.fillings)(self.scheme, &self.address, own, fills)
    }

    /// Opens another generator's tables at the same address; `None` if the scheme has no dialects.
    pub(crate) fn open_dialect(&self, dialect: &str) -> Option<Result<Arc<dyn Store>>> {
        if !self.scheme.parameters().contains(&"dialect") {
            return None;
        }
        let mut parameters = self.parameters.clone();
        parameters.take("create");
        Some(
            parameters
                .add("dialect", dialect)
                .and_then(|()| (self.scheme.open)(self.scheme, &self.address, &mut parameters)),
        )
    }

    pub(crate) fn dialect(&self) -> Option<String> {
        self.parameters.clone().take("dialect")
    }

    pub(crate) fn examine(mut self) -> Result<Vec<Finding>> {
        let mut findings = (self.scheme.examine)(self.scheme, &self.address, &mut self.parameters)?;
        findings.push(Finding::hidden("copies", COPIES));
        Ok(findings)
    }

    /// Refuses a `key_space` parameter if a new key space may begin, because that would be another
    /// one.
    fn check_unpinned(&self) -> Result<()> {
        match self.parameters.clone().take("key_space") {
            None => Ok(()),
            Some(_) => Err(errors::schemes::key_space_named()),
        }
    }

    /// Creates missing tables, or returns the statements.
    pub(crate) fn migrate(mut self, is_dry: bool) -> Result<Migration> {
        if let Some(dialect) = self.parameters.take("dialect") {
            return Err(errors::schemes::dialect_of_another_generator(&dialect));
        }
        self.parameters.take("create");
        let mut own = self.parameters.clone();
        let pinned = own.take("key_space");
        let is_look = is_dry || pinned.is_some();
        let mut done = (self.scheme.migrate)(self.scheme, &self.address, &mut own, is_look)?;
        if is_look && !done.statements.is_empty() {
            return match pinned {
                Some(id) => Err(errors::schemes::key_space_missing(&done.place, &id)),
                None => Ok(done),
            };
        }
        // A look without a pin opens nothing, because opening a file may put its journal right.
        if !is_dry || pinned.is_some() {
            done.key_space = self.key_space(pinned.is_some())?;
        }
        Ok(done)
    }

    /// Returns the identity of the key space. Fails if the URL names another one.
    fn key_space(&self, is_pinned: bool) -> Result<Option<KeySpaceId>> {
        match self.open()?.key_space() {
            // A copy tells it once an operator has confirmed it.
            Err(error) if error.code() == Code::IncarnationChanged && !is_pinned => Ok(None),
            key_space => key_space,
        }
    }
}

/// Reads all that a source's URL says of the source. Nothing is opened.
pub(crate) fn plan_source(url: &str, kinds: &'static [SourceKind]) -> Result<Plan> {
    let text = UrlText::parse(url, "snowflake+sqlite:ids.db?layout=twitter")?;
    if let Some(scheme) = STORES.iter().find(|scheme| scheme.is_short(text.scheme)) {
        return plan_short(&text, scheme, kinds);
    }
    let (name, store) = text.kind_and_store();
    let kind = kinds.iter().find(|kind| kind.name == name && kind.is_on_store() == store.is_some());
    let Some(kind) = kind else { return Err(no_source(&text, kinds)) };
    let taker = kind.taker();
    match (&kind.plan, store) {
        (PlanSource::OnStore(plan), Some(store)) => {
            let scheme = STORES.iter().find(|scheme| scheme.is(store));
            let scheme = scheme.ok_or_else(|| no_source(&text, kinds))?;
            let address = text.address()?;
            let [mut own, parameters] = text.parameters(&[taker, scheme.taker()])?;
            let plan = plan(&mut own, StoreUrl { scheme, address, parameters })?;
            debug_assert!(own.is_empty(), "not taken: {own:?}");
            Ok(plan)
        }
        (PlanSource::Alone(plan), _) => {
            text.no_address(kind.name)?;
            let [mut own] = text.parameters(&[taker])?;
            let plan = plan(&mut own)?;
            debug_assert!(own.is_empty(), "not taken: {own:?}");
            Ok(plan)
        }
        (PlanSource::OnStore(_), None) => Err(no_source(&text, kinds)),
    }
}

/// Plans the segment of a URL whose path is its tag: `http://host:8064/orders`, or `…/shop/orders`.
fn plan_short(
    text: &UrlText<'_>,
    scheme: &'static StoreScheme,
    kinds: &'static [SourceKind],
) -> Result<Plan> {
    let kind = kinds.iter().find(|kind| kind.name == "segment" && kind.is_on_store());
    let Some(kind @ SourceKind { plan: PlanSource::OnStore(plan), .. }) = kind else {
        return Err(no_source(text, kinds));
    };
    let mut address = text.address()?;
    let [mut own, parameters] = text.parameters(&[kind.taker(), scheme.taker()])?;
    if let Address::Machines(machines) = &mut address {
        let path = std::mem::take(&mut machines.path);
        match path.trim_matches('/').rsplit_once('/') {
            Some((namespace, tag)) => {
                own.add("namespace", namespace)?;
                own.add("tag", tag)?;
            }
            None if path.len() > 1 => own.add("tag", path.trim_matches('/'))?,
            None => {
                return Err(errors::schemes::tag_missing_in_path(scheme.name, scheme.example));
            }
        }
    }
    let plan = plan(&mut own, StoreUrl { scheme, address, parameters })?;
    debug_assert!(own.is_empty(), "not taken: {own:?}");
    Ok(plan)
}

/// Builds the error that names the unknown half of a source's scheme.
fn no_source(text: &UrlText<'_>, kinds: &'static [SourceKind]) -> Error {
    let (name, store) = text.kind_and_store();
    let absent = || without_store(text.scheme, store.unwrap_or(name));
    if let Some(error) = without_kind(text.scheme, name, kinds).or_else(absent) {
        return error;
    }
    let known: Vec<_> = kinds.iter().filter(|kind| kind.name == name).collect();
    // The scheme of a store without a kind of source; it may have a plus of its own.
    let is_store = |name: &&str| STORES.iter().any(|scheme| scheme.is(name));
    let alone = [text.scheme, name].into_iter().find(is_store).filter(|_| known.is_empty());
    let right: Vec<_> = match (known.as_slice(), alone) {
        ([], Some(alone)) => kinds
            .iter()
            .filter(|kind| kind.is_on_store())
            .map(|kind| format!("{}+{alone}:…{}", kind.name, kind.example))
            .collect(),
        ([], None) => kinds.iter().map(SourceKind::url).collect(),
        (known, _) => known.iter().map(|kind| kind.url()).collect(),
    };
    let meant = match (known.as_slice(), store) {
        ([], _) => meant(name, kinds.iter().map(|kind| kind.name)),
        (_, Some(store)) => meant(store, STORES.iter().map(|scheme| scheme.name)),
        _ => String::new(),
    };
    let scheme = redacted(text.scheme);
    let error = errors::schemes::scheme_unknown("source", &scheme, &meant, &right);
    let is_on_store = known.is_empty() || known.iter().any(|kind| kind.is_on_store());
    let names: Vec<_> = STORES.iter().map(|scheme| scheme.name.to_owned()).collect();
    if !is_on_store || alone.is_some() {
        return error;
    }
    errors::schemes::with_stores(&error, &names)
}

fn no_store(scheme: &str, stores: &[&StoreScheme]) -> Error {
    if let Some(error) = without_store(scheme, scheme) {
        return error;
    }
    let right: Vec<_> =
        stores.iter().map(|known| format!("{}:{}", known.name, known.example)).collect();
    let meant = meant(scheme, stores.iter().map(|known| known.name));
    errors::schemes::scheme_unknown("store", &redacted(scheme), &meant, &right)
}
