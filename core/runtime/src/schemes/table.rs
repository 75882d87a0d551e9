//! The table of schemes, which has everything that depends on a store's scheme.

use std::sync::Arc;

use super::StoreScheme;
#[cfg(feature = "mysql")]
use super::stores::open_mysql;
#[cfg(feature = "postgres")]
use super::stores::open_postgres;
#[cfg(feature = "etcd")]
use super::stores::shared_etcd;
#[cfg(feature = "service")]
use super::stores::shared_service;
#[cfg(feature = "redis")]
use super::stores::{examine_redis, open_redis};
#[cfg(feature = "zookeeper")]
use super::stores::{examine_zookeeper, open_zookeeper};
#[cfg(feature = "sqlite")]
use super::stores::{open_sqlite, sqlite_file};
use crate::error::Result;
use crate::errors;
#[cfg(any(feature = "mysql", feature = "postgres"))]
use crate::store::Others;
use crate::store::{Column, Filling, Fills, MemoryStore, Wanted};
#[cfg(feature = "etcd")]
use crate::store::{EtcdStore, etcd_builder};
#[cfg(feature = "mysql")]
use crate::store::{MysqlStore, mysql_builder};
#[cfg(feature = "postgres")]
use crate::store::{PostgresStore, postgres_builder};
#[cfg(feature = "redis")]
use crate::store::{RedisStore, redis_begun, redis_builder};
#[cfg(feature = "service")]
use crate::store::{ServiceStore, service_builder};
#[cfg(feature = "sqlite")]
use crate::store::{SqliteStore, sqlite_filling, sqlite_numbers};
#[cfg(feature = "zookeeper")]
use crate::store::{ZookeeperStore, zookeeper_described};
use crate::url::{Address, Parameters};

pub(crate) static STORES: &[StoreScheme] = &[
    #[cfg(feature = "sqlite")]
    SQLITE,
    #[cfg(feature = "postgres")]
    POSTGRES,
    #[cfg(feature = "mysql")]
    MYSQL,
    #[cfg(feature = "redis")]
    REDIS,
    #[cfg(feature = "redis")]
    StoreScheme { name: "rediss", alias: Some("rediss+sentinel"), tls: true, ..REDIS },
    #[cfg(feature = "redis")]
    REDIS_CLUSTER,
    #[cfg(feature = "redis")]
    StoreScheme { name: "rediss+cluster", tls: true, ..REDIS_CLUSTER },
    #[cfg(feature = "etcd")]
    ETCD,
    #[cfg(feature = "etcd")]
    StoreScheme { name: "etcds", tls: true, ..ETCD },
    #[cfg(feature = "zookeeper")]
    ZOOKEEPER,
    #[cfg(feature = "zookeeper")]
    StoreScheme { name: "zookeepers", tls: true, ..ZOOKEEPER },
    #[cfg(feature = "service")]
    HTTP,
    #[cfg(feature = "service")]
    StoreScheme { name: "https", tls: true, ..HTTP },
    MEMORY,
];

#[cfg(feature = "sqlite")]
const SQLITE: StoreScheme = StoreScheme {
    name: "sqlite",
    alias: None,
    tls: false,
    example: "ids.db",
    is_shared: true,
    parameters: |_| SqliteStore::builder().names(),
    open: |_, address, own| open_sqlite(address, own),
    numbers: |_, address, own, column, wanted| {
        sqlite_numbers(sqlite_file(address, own)?.1, column, wanted)
    },
    fillings: |_, address, own, fills| match fills {
        Fills::Column(column) => {
            let (_, path) = sqlite_file(address, own)?;
            Ok(sqlite_filling(path, column)?.into_iter().collect())
        }
        Fills::Sequence(_) => Ok(Vec::new()),
    },
    migrate: |_, address, own, is_dry| {
        let (builder, path) = sqlite_file(address, own)?;
        builder.migrate(path, is_dry)
    },
    examine: |_, address, own| {
        let (builder, path) = sqlite_file(address, own)?;
        builder.examine(path)
    },
};

#[cfg(feature = "postgres")]
const POSTGRES: StoreScheme = StoreScheme {
    name: "postgres",
    alias: Some("postgresql"),
    tls: false,
    example: "//user@host/database",
    is_shared: true,
    parameters: |_| PostgresStore::builder().names(),
    open: |_, address, own| open_postgres(address, own),
    numbers: |_, address, own, column, wanted| {
        PostgresStore::numbers(postgres_builder(address, own)?, column, wanted)
    },
    fillings: |_, address, own, fills| {
        PostgresStore::fillings(postgres_builder(address, own)?, fills)
    },
    migrate: |_, address, own, is_dry| {
        PostgresStore::migrate(postgres_builder(address, own)?, is_dry)
    },
    examine: |_, address, own| {
        let others = Others::take(own)?;
        PostgresStore::examine(postgres_builder(address, own)?, others)
    },
};

#[cfg(feature = "mysql")]
const MYSQL: StoreScheme = StoreScheme {
    name: "mysql",
    alias: Some("mariadb"),
    tls: false,
    example: "//user@host/database",
    is_shared: true,
    parameters: |_| MysqlStore::builder().names(),
    open: |_, address, own| open_mysql(address, own),
    numbers: |_, address, own, column, wanted| {
        MysqlStore::numbers(mysql_builder(address, own)?, column, wanted)
    },
    fillings: |_, address, own, fills| MysqlStore::fillings(mysql_builder(address, own)?, fills),
    migrate: |_, address, own, is_dry| MysqlStore::migrate(mysql_builder(address, own)?, is_dry),
    examine: |_, address, own| {
        let others = Others::take(own)?;
        MysqlStore::examine(mysql_builder(address, own)?, others)
    },
};

#[cfg(feature = "redis")]
const REDIS: StoreScheme = StoreScheme {
    name: "redis",
    alias: Some("redis+sentinel"),
    tls: false,
    example: "//host/0",
    is_shared: true,
    parameters: |tls| redis_begun(tls, false).names(),
    open: |it, address, own| open_redis(redis_begun(it.tls, false), address, own),
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |it, address, own, is_dry| {
        RedisStore::migrate(redis_builder(redis_begun(it.tls, false), address, own)?, is_dry)
    },
    examine: |it, address, own| examine_redis(redis_begun(it.tls, false), address, own),
};

#[cfg(feature = "redis")]
const REDIS_CLUSTER: StoreScheme = StoreScheme {
    name: "redis+cluster",
    alias: None,
    example: "//host:6379,host:6379",
    parameters: |tls| redis_begun(tls, true).names(),
    open: |it, address, own| open_redis(redis_begun(it.tls, true), address, own),
    migrate: |it, address, own, is_dry| {
        RedisStore::migrate(redis_builder(redis_begun(it.tls, true), address, own)?, is_dry)
    },
    examine: |it, address, own| examine_redis(redis_begun(it.tls, true), address, own),
    ..REDIS
};

#[cfg(feature = "etcd")]
const ETCD: StoreScheme = StoreScheme {
    name: "etcd",
    alias: None,
    tls: false,
    example: "//host:2379",
    is_shared: true,
    parameters: |tls| EtcdStore::builder().tls(tls).names(),
    open: |it, address, own| Ok(shared_etcd(etcd_builder(it.tls, address, own)?)?),
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |it, address, own, is_dry| {
        EtcdStore::migrate(etcd_builder(it.tls, address, own)?, is_dry)
    },
    examine: |it, address, own| EtcdStore::examine(etcd_builder(it.tls, address, own)?),
};

#[cfg(feature = "zookeeper")]
const ZOOKEEPER: StoreScheme = StoreScheme {
    name: "zookeeper",
    alias: None,
    tls: false,
    example: "//host:2181",
    is_shared: true,
    parameters: |tls| ZookeeperStore::builder().tls(tls).names(),
    open: |it, address, own| open_zookeeper(it.tls, address, own),
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |it, address, own, is_dry| {
        ZookeeperStore::migrate(zookeeper_described(it.tls, address, own)?.rows()?, is_dry)
    },
    examine: |it, address, own| examine_zookeeper(it.tls, address, own),
};

#[cfg(feature = "service")]
const HTTP: StoreScheme = StoreScheme {
    name: "http",
    alias: None,
    tls: false,
    example: "//host:8064",
    is_shared: true,
    parameters: |tls| ServiceStore::builder().tls(tls).names(),
    open: |it, address, own| Ok(shared_service(service_builder(it.tls, address, own)?)?),
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |_, _, _, _| Err(errors::schemes::store_behind_service()),
    examine: |_, _, _| Err(errors::schemes::store_behind_service()),
};

const MEMORY: StoreScheme = StoreScheme {
    name: "memory",
    alias: None,
    tls: false,
    example: "",
    is_shared: false,
    parameters: |_| Vec::new(),
    open: |_, address, _| {
        address.none("memory")?;
        Ok(Arc::new(MemoryStore::new()))
    },
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |_, _, _, _| Err(errors::schemes::memory_without_tables()),
    examine: |_, _, _| Err(errors::schemes::memory_without_past()),
};

fn no_numbers(
    scheme: &StoreScheme,
    _: &Address,
    _: &mut Parameters,
    column: &Column,
    _: Wanted,
) -> Result<Vec<u64>> {
    Err(errors::schemes::store_without_columns(scheme.name, column))
}

fn no_fillings(
    _: &StoreScheme,
    _: &Address,
    _: &mut Parameters,
    _: Fills<'_>,
) -> Result<Vec<Filling>> {
    Ok(Vec::new())
}
