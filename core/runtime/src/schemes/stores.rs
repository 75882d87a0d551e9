//! Stores opened by URL: all uses of one URL in a process share one store.

use std::collections::HashMap;
#[cfg(feature = "sqlite")]
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::error::Result;
#[cfg(feature = "sqlite")]
use crate::errors;
#[cfg(any(feature = "redis", feature = "zookeeper"))]
use crate::findings::Finding;
use crate::host::process::PerProcess;
#[cfg(any(feature = "mysql", feature = "postgres"))]
use crate::store::Others;
#[cfg(any(
    feature = "sqlite",
    feature = "mysql",
    feature = "postgres",
    feature = "redis",
    feature = "zookeeper"
))]
use crate::store::Store;
#[cfg(feature = "etcd")]
use crate::store::{EtcdBuilder, EtcdStore};
#[cfg(feature = "zookeeper")]
use crate::store::{
    LeafNodes, LeafNodesBuilder, ZookeeperBuilder, ZookeeperDescribed, ZookeeperStore,
    zookeeper_described,
};
#[cfg(feature = "mysql")]
use crate::store::{
    MysqlBuilder, MysqlDialectBuilder, MysqlDialectStore, MysqlStore, mysql_builder,
};
#[cfg(feature = "postgres")]
use crate::store::{
    PostgresBuilder, PostgresDialectBuilder, PostgresDialectStore, PostgresStore, postgres_builder,
};
#[cfg(feature = "redis")]
use crate::store::{
    RedisBuilder, RedisCounters, RedisCountersBuilder, RedisDescribed, RedisStore, redis_builder,
    redis_described,
};
#[cfg(feature = "service")]
use crate::store::{ServiceBuilder, ServiceStore};
#[cfg(feature = "sqlite")]
use crate::store::{SqliteBuilder, SqliteStore};
#[cfg(feature = "sqlite")]
use crate::store_handle::StoreState;
#[cfg(any(
    feature = "sqlite",
    feature = "mysql",
    feature = "postgres",
    feature = "redis",
    feature = "zookeeper"
))]
use crate::url::{Address, Parameters};

#[cfg(feature = "sqlite")]
pub(super) fn open_sqlite(
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Arc<dyn Store>> {
    let (builder, path) = sqlite_file(address, parameters)?;
    Ok(shared(builder, path)?)
}

#[cfg(feature = "sqlite")]
pub(super) fn sqlite_file<'a>(
    address: &'a Address,
    parameters: &mut Parameters,
) -> Result<(SqliteBuilder, &'a str)> {
    let path = address.file("sqlite")?;
    if path.is_empty() {
        return Err(errors::schemes::file_missing());
    }
    Ok((SqliteStore::builder().configured(parameters)?, path))
}

/// Returns the store of a file, shared by all uses of its path in this process, with one scheduler
/// and one connection. If the path now leads to another file, that is opened, and gives nothing
/// that this process already had from the previous one.
#[cfg(feature = "sqlite")]
fn shared(sqlite: SqliteBuilder, path: &str) -> Result<Arc<SqliteStore>> {
    static OPENED: PerProcess<Opened<PathBuf, SqliteStore>> = PerProcess::new();
    let opened = OPENED.get_or_init(Opened::default);
    let key = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let (mut before, mut store) = (opened.find(&key), None);
    loop {
        if let Some(store) = &before
            && store.is_opened_by(sqlite)?
        {
            return Ok(Arc::clone(store));
        }
        // Without the lock, because other processes may lock the file for seconds.
        let fresh = match store.take() {
            Some(fresh) => fresh,
            None => Arc::new(sqlite.open(path)?),
        };
        if let Some(before) = &before {
            StoreState::hand_on(before, &fresh);
        }
        match opened.keep(&key, before.as_ref(), &fresh) {
            None => return Ok(fresh),
            meanwhile => (before, store) = (meanwhile, Some(fresh)),
        }
    }
}

#[cfg(feature = "postgres")]
pub(super) fn open_postgres(
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Arc<dyn Store>> {
    let builder = postgres_builder(address, parameters)?;
    match Others::take(parameters)? {
        Some(others) => Ok(shared_postgres_dialect(&builder.others(others))?),
        None => Ok(shared_postgres(builder)?),
    }
}

#[cfg(feature = "redis")]
pub(super) fn open_redis(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Arc<dyn Store>> {
    match redis_described(redis_builder(begun, address, parameters)?, parameters)? {
        RedisDescribed::Counters(counters) => Ok(shared_counters(&counters)?),
        RedisDescribed::Rows(redis) => Ok(shared_redis(redis)?),
    }
}

#[cfg(feature = "redis")]
pub(super) fn examine_redis(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Vec<Finding>> {
    match redis_described(redis_builder(begun, address, parameters)?, parameters)? {
        RedisDescribed::Counters(counters) => counters.examine(),
        RedisDescribed::Rows(redis) => RedisStore::examine(redis),
    }
}

#[cfg(feature = "zookeeper")]
pub(super) fn open_zookeeper(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Arc<dyn Store>> {
    match zookeeper_described(tls, address, parameters)? {
        ZookeeperDescribed::Rows(zookeeper) => Ok(shared_zookeeper(zookeeper)?),
        ZookeeperDescribed::Leaf(leaf) => Ok(shared_leaf(leaf)?),
    }
}

#[cfg(feature = "zookeeper")]
pub(super) fn examine_zookeeper(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Vec<Finding>> {
    match zookeeper_described(tls, address, parameters)? {
        ZookeeperDescribed::Rows(builder) => ZookeeperStore::examine(builder),
        ZookeeperDescribed::Leaf(builder) => builder.examine(),
    }
}

#[cfg(feature = "zookeeper")]
fn shared_leaf(leaf: LeafNodesBuilder) -> Result<Arc<LeafNodes>> {
    static OPENED: PerProcess<Opened<LeafNodesBuilder, LeafNodes>> = PerProcess::new();
    OPENED.get_or_init(Opened::default).one(&leaf.clone(), |_| Ok(()), || leaf.open())
}

#[cfg(feature = "service")]
pub(super) fn shared_service(service: ServiceBuilder) -> Result<Arc<ServiceStore>> {
    static OPENED: PerProcess<Opened<ServiceBuilder, ServiceStore>> = PerProcess::new();
    OPENED.get_or_init(Opened::default).one(&service.clone(), |_| Ok(()), || service.open())
}

#[cfg(feature = "mysql")]
pub(super) fn open_mysql(address: &Address, parameters: &mut Parameters) -> Result<Arc<dyn Store>> {
    let builder = mysql_builder(address, parameters)?;
    match Others::take(parameters)? {
        Some(others) => Ok(shared_mysql_dialect(&builder.others(others))?),
        None => Ok(shared_mysql(builder)?),
    }
}

/// Defines a function that opens a store, shared in this process by all equal URLs. `create` makes
/// no difference.
macro_rules! shared {
    ($(#[$when:meta])* $shared:ident: $builder:ty => $store:ty) => {
        $(#[$when])*
        pub(super) fn $shared(builder: $builder) -> Result<Arc<$store>> {
            static OPENED: PerProcess<Opened<$builder, $store>> = PerProcess::new();
            let key = builder.clone().create(false);
            let creates = builder != key;
            let look = |store: &$store| store.look(creates);
            OPENED.get_or_init(Opened::default).one(&key, look, || builder.open())
        }
    };
}

shared! { #[cfg(feature = "postgres")] shared_postgres: PostgresBuilder => PostgresStore }
shared! { #[cfg(feature = "mysql")] shared_mysql: MysqlBuilder => MysqlStore }
shared! { #[cfg(feature = "redis")] shared_redis: RedisBuilder => RedisStore }
shared! { #[cfg(feature = "etcd")] shared_etcd: EtcdBuilder => EtcdStore }
shared! { #[cfg(feature = "zookeeper")] shared_zookeeper: ZookeeperBuilder => ZookeeperStore }

/// Defines the same for tables or keys of other generators.
macro_rules! shared_of_others {
    ($(#[$when:meta])* $shared:ident: $builder:ty => $store:ty) => {
        $(#[$when])*
        fn $shared(builder: &$builder) -> Result<Arc<$store>> {
            static OPENED: PerProcess<Opened<$builder, $store>> = PerProcess::new();
            let open = || builder.clone().open();
            OPENED.get_or_init(Opened::default).one(builder, <$store>::look, open)
        }
    };
}

shared_of_others! {
    #[cfg(feature = "postgres")]
    shared_postgres_dialect: PostgresDialectBuilder => PostgresDialectStore
}
shared_of_others! {
    #[cfg(feature = "mysql")]
    shared_mysql_dialect: MysqlDialectBuilder => MysqlDialectStore
}
shared_of_others! {
    #[cfg(feature = "redis")]
    shared_counters: RedisCountersBuilder => RedisCounters
}

/// The stores that this process has opened by URL and still uses.
struct Opened<K, S>(Mutex<HashMap<K, Weak<S>>>);

impl<K, S> Default for Opened<K, S> {
    fn default() -> Opened<K, S> {
        Opened(Mutex::default())
    }
}

impl<K: Clone + Eq + std::hash::Hash, S> Opened<K, S> {
    /// Returns the present store after `look` has succeeded, or a new one.
    #[cfg(any(
        test,
        feature = "etcd",
        feature = "mysql",
        feature = "postgres",
        feature = "redis",
        feature = "service",
        feature = "zookeeper"
    ))]
    fn one(
        &self,
        key: &K,
        look: impl FnOnce(&S) -> Result<()>,
        open: impl FnOnce() -> Result<S>,
    ) -> Result<Arc<S>> {
        if let Some(store) = self.find(key) {
            look(&store)?;
            return Ok(store);
        }
        // Without the lock, because a server may take its time.
        let store = Arc::new(open()?);
        Ok(self.keep(key, None, &store).unwrap_or(store))
    }

    fn find(&self, key: &K) -> Option<Arc<S>> {
        self.lock().get(key).and_then(Weak::upgrade)
    }

    /// Replaces a store by another. If another thread has replaced it meanwhile, its store is kept
    /// and returned: two stores in one place would each know only a part of what the process had
    /// from it.
    fn keep(&self, key: &K, before: Option<&Arc<S>>, store: &Arc<S>) -> Option<Arc<S>> {
        let mut opened = self.lock();
        opened.retain(|_, store| store.strong_count() > 0);
        let present = opened.get(key).and_then(Weak::upgrade);
        let meanwhile = present.filter(|store| !before.is_some_and(|it| Arc::ptr_eq(it, store)));
        if meanwhile.is_none() {
            opened.insert(key.clone(), Arc::downgrade(store));
        }
        meanwhile
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Weak<S>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_that_open_a_store_at_once_all_get_the_first() {
        let (opened, place) = (Opened::<&str, &str>::default(), "place");
        let mut meanwhile = None;
        let open = || {
            meanwhile = Some(opened.one(&place, |_| Ok(()), || Ok("first"))?);
            Ok("second")
        };
        let store = opened.one(&place, |_| Ok(()), open);
        assert!(Arc::ptr_eq(&store.unwrap(), &meanwhile.unwrap()));
    }
}
