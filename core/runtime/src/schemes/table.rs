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
use super::stores::{examine_redis, open_redis, open_redis_cluster};
#[cfg(feature = "zookeeper")]
use super::stores::{examine_zookeeper, migrate_zookeeper, open_zookeeper};
#[cfg(feature = "sqlite")]
use super::stores::{open_sqlite, sqlite_file};
use crate::errors;
use crate::store::MemoryStore;
#[cfg(any(feature = "mysql", feature = "postgres"))]
use crate::store::Others;
#[cfg(feature = "etcd")]
use crate::store::{ETCD_PARAMETERS, ETCDS_PARAMETERS, EtcdStore, etcd_builder};
#[cfg(feature = "sqlite")]
use crate::store::{Fills, sqlite_filling, sqlite_numbers};
#[cfg(feature = "service")]
use crate::store::{HTTP_PARAMETERS, HTTPS_PARAMETERS, service_builder};
#[cfg(feature = "mysql")]
use crate::store::{MYSQL_PARAMETERS, MysqlStore, mysql_builder};
#[cfg(feature = "postgres")]
use crate::store::{POSTGRES_PARAMETERS, PostgresStore, postgres_builder};
#[cfg(feature = "redis")]
use crate::store::{
    REDIS_CLUSTER_PARAMETERS, REDIS_PARAMETERS, REDISS_CLUSTER_PARAMETERS, REDISS_PARAMETERS,
    RedisStore, redis_builder, redis_cluster_builder,
};
#[cfg(feature = "zookeeper")]
use crate::store::{ZOOKEEPER_PARAMETERS, ZOOKEEPERS_PARAMETERS};

pub(crate) static STORES: &[StoreScheme] = &[
    #[cfg(feature = "sqlite")]
    StoreScheme {
        name: "sqlite",
        alias: None,
        parameters: &["create", "key_space", "shared_file"],
        example: "ids.db",
        is_shared: true,
        open: open_sqlite,
        numbers: |address, parameters, column, wanted| {
            let (_, path) = sqlite_file(address, parameters)?;
            sqlite_numbers(path, column, wanted)
        },
        fillings: |address, parameters, fills| match fills {
            Fills::Column(column) => {
                let (_, path) = sqlite_file(address, parameters)?;
                Ok(sqlite_filling(path, column)?.into_iter().collect())
            }
            Fills::Sequence(_) => Ok(Vec::new()),
        },
        migrate: |address, parameters, is_dry| {
            let (builder, path) = sqlite_file(address, parameters)?;
            builder.migrate(path, is_dry)
        },
        examine: |address, parameters| {
            let (builder, path) = sqlite_file(address, parameters)?;
            builder.examine(path)
        },
    },
    #[cfg(feature = "postgres")]
    StoreScheme {
        name: "postgres",
        alias: Some("postgresql"),
        parameters: POSTGRES_PARAMETERS,
        example: "//user@host/database",
        is_shared: true,
        open: open_postgres,
        numbers: |address, parameters, column, wanted| {
            PostgresStore::numbers(postgres_builder(address, parameters)?, column, wanted)
        },
        fillings: |address, parameters, fills| {
            PostgresStore::fillings(postgres_builder(address, parameters)?, fills)
        },
        migrate: |address, parameters, is_dry| {
            PostgresStore::migrate(postgres_builder(address, parameters)?, is_dry)
        },
        examine: |address, parameters| {
            let others = Others::take(parameters)?;
            PostgresStore::examine(postgres_builder(address, parameters)?, others)
        },
    },
    #[cfg(feature = "mysql")]
    StoreScheme {
        name: "mysql",
        alias: Some("mariadb"),
        parameters: MYSQL_PARAMETERS,
        example: "//user@host/database",
        is_shared: true,
        open: open_mysql,
        numbers: |address, parameters, column, wanted| {
            MysqlStore::numbers(mysql_builder(address, parameters)?, column, wanted)
        },
        fillings: |address, parameters, fills| {
            MysqlStore::fillings(mysql_builder(address, parameters)?, fills)
        },
        migrate: |address, parameters, is_dry| {
            MysqlStore::migrate(mysql_builder(address, parameters)?, is_dry)
        },
        examine: |address, parameters| {
            let others = Others::take(parameters)?;
            MysqlStore::examine(mysql_builder(address, parameters)?, others)
        },
    },
    #[cfg(feature = "redis")]
    StoreScheme {
        name: "redis",
        alias: Some("redis+sentinel"),
        parameters: REDIS_PARAMETERS,
        example: "//host/0",
        is_shared: true,
        open: |address, parameters| open_redis(false, address, parameters),
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("redis", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| {
            RedisStore::migrate(redis_builder(false, address, parameters)?, is_dry)
        },
        examine: |address, parameters| examine_redis(false, address, parameters),
    },
    #[cfg(feature = "redis")]
    StoreScheme {
        name: "rediss",
        alias: Some("rediss+sentinel"),
        parameters: REDISS_PARAMETERS,
        example: "//host/0",
        is_shared: true,
        open: |address, parameters| open_redis(true, address, parameters),
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("redis", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| {
            RedisStore::migrate(redis_builder(true, address, parameters)?, is_dry)
        },
        examine: |address, parameters| examine_redis(true, address, parameters),
    },
    #[cfg(feature = "redis")]
    StoreScheme {
        name: "redis+cluster",
        alias: None,
        parameters: REDIS_CLUSTER_PARAMETERS,
        example: "//host:6379,host:6379",
        is_shared: true,
        open: |address, parameters| open_redis_cluster(false, address, parameters),
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("redis", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| {
            RedisStore::migrate(redis_cluster_builder(false, address, parameters)?, is_dry)
        },
        examine: |address, parameters| {
            RedisStore::examine(redis_cluster_builder(false, address, parameters)?)
        },
    },
    #[cfg(feature = "redis")]
    StoreScheme {
        name: "rediss+cluster",
        alias: None,
        parameters: REDISS_CLUSTER_PARAMETERS,
        example: "//host:6379,host:6379",
        is_shared: true,
        open: |address, parameters| open_redis_cluster(true, address, parameters),
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("redis", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| {
            RedisStore::migrate(redis_cluster_builder(true, address, parameters)?, is_dry)
        },
        examine: |address, parameters| {
            RedisStore::examine(redis_cluster_builder(true, address, parameters)?)
        },
    },
    #[cfg(feature = "etcd")]
    StoreScheme {
        name: "etcd",
        alias: None,
        parameters: ETCD_PARAMETERS,
        example: "//host:2379",
        is_shared: true,
        open: |address, parameters| Ok(shared_etcd(etcd_builder(false, address, parameters)?)?),
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("etcd", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| {
            EtcdStore::migrate(etcd_builder(false, address, parameters)?, is_dry)
        },
        examine: |address, parameters| {
            EtcdStore::examine(etcd_builder(false, address, parameters)?)
        },
    },
    #[cfg(feature = "etcd")]
    StoreScheme {
        name: "etcds",
        alias: None,
        parameters: ETCDS_PARAMETERS,
        example: "//host:2379",
        is_shared: true,
        open: |address, parameters| Ok(shared_etcd(etcd_builder(true, address, parameters)?)?),
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("etcds", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| {
            EtcdStore::migrate(etcd_builder(true, address, parameters)?, is_dry)
        },
        examine: |address, parameters| EtcdStore::examine(etcd_builder(true, address, parameters)?),
    },
    #[cfg(feature = "zookeeper")]
    StoreScheme {
        name: "zookeeper",
        alias: None,
        parameters: ZOOKEEPER_PARAMETERS,
        example: "//host:2181",
        is_shared: true,
        open: |address, parameters| open_zookeeper(false, address, parameters),
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("zookeeper", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| {
            migrate_zookeeper(false, address, parameters, is_dry)
        },
        examine: |address, parameters| examine_zookeeper(false, address, parameters),
    },
    #[cfg(feature = "zookeeper")]
    StoreScheme {
        name: "zookeepers",
        alias: None,
        parameters: ZOOKEEPERS_PARAMETERS,
        example: "//host:2181",
        is_shared: true,
        open: |address, parameters| open_zookeeper(true, address, parameters),
        numbers: |_, _, column, _| {
            Err(errors::schemes::store_without_columns("zookeepers", column))
        },
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |address, parameters, is_dry| migrate_zookeeper(true, address, parameters, is_dry),
        examine: |address, parameters| examine_zookeeper(true, address, parameters),
    },
    #[cfg(feature = "service")]
    StoreScheme {
        name: "http",
        alias: None,
        parameters: HTTP_PARAMETERS,
        example: "//host:8064",
        is_shared: true,
        open: |address, parameters| {
            Ok(shared_service(service_builder(false, address, parameters)?)?)
        },
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("http", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |_, _, _| Err(errors::schemes::store_behind_service()),
        examine: |_, _| Err(errors::schemes::store_behind_service()),
    },
    #[cfg(feature = "service")]
    StoreScheme {
        name: "https",
        alias: None,
        parameters: HTTPS_PARAMETERS,
        example: "//host:8064",
        is_shared: true,
        open: |address, parameters| {
            Ok(shared_service(service_builder(true, address, parameters)?)?)
        },
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("https", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |_, _, _| Err(errors::schemes::store_behind_service()),
        examine: |_, _| Err(errors::schemes::store_behind_service()),
    },
    StoreScheme {
        name: "memory",
        alias: None,
        parameters: &[],
        example: "",
        is_shared: false,
        open: |address, _| {
            address.none("memory")?;
            Ok(Arc::new(MemoryStore::new()))
        },
        numbers: |_, _, column, _| Err(errors::schemes::store_without_columns("memory", column)),
        fillings: |_, _, _| Ok(Vec::new()),
        migrate: |_, _, _| Err(errors::schemes::memory_without_tables()),
        examine: |_, _| Err(errors::schemes::memory_without_past()),
    },
];
