//! The URLs `redis://user:password@host:port/0?…`, `rediss:` under TLS,
//! `redis+sentinel://host:port,host:port/master/0?…` and `redis+cluster://host:port,host:port?…`.

use std::sync::Arc;
use std::time::Duration;

use super::builder::Host;
use super::{RedisBuilder, RedisCounters, RedisCountersBuilder, RedisStore, errors};
use crate::error::Result;
use crate::findings::Finding;
use crate::store::Store;
use crate::store::opened::Opened;
use crate::store::scheme::{StoreScheme, no_fillings, no_numbers};
use crate::store::values::begun::Ground as _;
use crate::url::{Address, Machines, Parameters};

pub(crate) const SCHEME: StoreScheme = StoreScheme {
    name: "redis",
    alias: None,
    tls: false,
    example: "//host/0",
    parameters: |it| begun(it.name, it.tls).names(),
    open: |it, address, own| open(begun(it.name, it.tls), address, own),
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |it, address, own, is_dry| {
        RedisStore::migrate(builder_of(begun(it.name, it.tls), address, own)?, is_dry)
    },
    examine: |it, address, own| examine(begun(it.name, it.tls), address, own),
};

pub(crate) const SENTINEL: StoreScheme =
    StoreScheme { name: "redis+sentinel", example: "//host:26379,host:26379/mymaster/0", ..SCHEME };

pub(crate) const CLUSTER: StoreScheme =
    StoreScheme { name: "redis+cluster", example: "//host:6379,host:6379", ..SCHEME };

fn open(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Arc<dyn Store>> {
    static OPENED: Opened<RedisBuilder, RedisStore> = Opened::new();
    static COUNTERS: Opened<RedisCountersBuilder, RedisCounters> = Opened::new();
    match described(builder_of(begun, address, parameters)?, parameters)? {
        Described::Rows(builder) => {
            let key = builder.clone().create(false);
            Ok(OPENED.one(builder, &key, RedisStore::look, RedisBuilder::open)?)
        }
        Described::Counters(builder) => {
            let look = |counters: &RedisCounters, _| counters.look();
            Ok(COUNTERS.one(builder.clone(), &builder, look, RedisCountersBuilder::open)?)
        }
    }
}

fn examine(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Vec<Finding>> {
    match described(builder_of(begun, address, parameters)?, parameters)? {
        Described::Rows(builder) => RedisStore::examine(builder),
        Described::Counters(counters) => counters.examine(),
    }
}

/// Returns the builder that a scheme stands for.
fn begun(scheme: &str, tls: bool) -> RedisBuilder {
    let builder = RedisStore::builder().tls(tls);
    match scheme.split_once('+') {
        Some((_, "sentinel")) => builder.sentinels("", [("", None); 0]),
        Some((_, "cluster")) => builder.cluster([("", None); 0]),
        _ => builder,
    }
}

/// Reads the URL of a scheme that stands for this builder.
fn builder_of(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<RedisBuilder> {
    let builder = match begun.host {
        Some(Host::Cluster(_)) => clustered(begun, address, parameters)?,
        Some(Host::Watched { .. }) => watched(begun, address, parameters)?,
        _ => alone(begun, address, parameters)?,
    };
    builder.configured(parameters)
}

/// Reads the nodes and the log-in of a cluster.
fn clustered(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<RedisBuilder> {
    let Address::Machines(machines) = address else { return Err(errors::no_cluster()) };
    if machines.hosts.is_empty() || !matches!(machines.path.trim_matches('/'), "" | "0") {
        return Err(errors::no_cluster());
    }
    parameters.log_in(machines)?;
    Ok(begun.cluster(machines.hosts.iter().map(|host| (&*host.host, host.port))))
}

/// Reads the sentinels, their master, the log-in and the database.
fn watched(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<RedisBuilder> {
    let Address::Machines(machines) = address else { return Err(errors::no_master()) };
    let path = machines.path.trim_matches('/');
    let (master, number) = path.split_once('/').unwrap_or((path, ""));
    let is_number = path.bytes().all(|byte| byte.is_ascii_digit());
    if machines.hosts.is_empty() || master.is_empty() || is_number {
        return Err(errors::no_master());
    }
    log_in(machines, number, parameters)?;
    Ok(begun.sentinels(master, machines.hosts.iter().map(|host| (&*host.host, host.port))))
}

/// Reads the server, the log-in and the database.
fn alone(
    begun: RedisBuilder,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<RedisBuilder> {
    // `redis:///0?socket=/run/redis/redis.sock`
    let machines = address.machines().ok_or_else(errors::address_missing)?;
    let builder = match machines.hosts.as_slice() {
        [] => begun,
        [host] => begun.host(&host.host, host.port),
        _ => return Err(errors::servers_without_cluster()),
    };
    let number = machines.path.trim_matches('/');
    if number.contains('/') {
        return Err(errors::master_without_sentinels());
    }
    log_in(&machines, number, parameters)?;
    match (parameters.take("socket"), &builder.host) {
        (None, _) => Ok(builder),
        (Some(socket), None) => Ok(builder.socket(socket)),
        (Some(_), Some(_)) => Err(errors::socket_beside_host()),
    }
}

/// Adds what stands in the address to the parameters: the log-in, and the number of the database.
fn log_in(machines: &Machines, number: &str, parameters: &mut Parameters) -> Result<()> {
    parameters.log_in(machines)?;
    parameters.add_of_address("db", (!number.is_empty()).then(|| number.to_owned()))
}

enum Described {
    Rows(RedisBuilder),
    Counters(RedisCountersBuilder),
}

/// Decides between rows of ours and existing counters (`dialect=counter`).
fn described(server: RedisBuilder, own: &mut Parameters) -> Result<Described> {
    let stride = own.take_parsed("stride", "by how much each number is above the one before")?;
    let expire = own.take_parsed("expire", "seconds")?.map(Duration::from_secs);
    match own.take("dialect").as_deref() {
        Some("counter") => {
            let counters = server.counters().stride(stride.unwrap_or(1));
            let counters = expire.into_iter().fold(counters, RedisCountersBuilder::expire);
            Ok(Described::Counters(counters))
        }
        Some(other) => Err(errors::dialect_unknown(other)),
        None if stride.is_some() || expire.is_some() => Err(errors::counters_not_asked_for()),
        None => Ok(Described::Rows(server)),
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;
    use crate::store::config::tests::{assert_refused, parsed};

    fn read(url: &str) -> Result<RedisBuilder> {
        let name = url.split(':').next().unwrap_or_default();
        let begun = begun(name, name.starts_with("rediss"));
        parsed(url, begun.names(), |address, own| builder_of(begun, address, own))
    }

    #[test]
    fn a_url_is_what_its_parts_say() {
        let plain = || RedisStore::builder().host("db", None);
        for (url, meant) in [
            ("redis://db", plain()),
            ("redis://db:7000/3", RedisStore::builder().host("db", 7000).database(3)),
            ("redis://:p%40ss@db", plain().password("p@ss")),
            ("redis://ann:s@db?db=2", plain().user("ann").password("s").database(2)),
            (
                "redis:///1?socket=/run/r.sock",
                RedisStore::builder().socket("/run/r.sock").database(1),
            ),
            ("rediss://db", plain().tls(true)),
            (
                "redis+sentinel://:s@a,b:7/mymaster/2",
                RedisStore::builder()
                    .sentinels("mymaster", [("a", None), ("b", Some(7))])
                    .password("s")
                    .database(2),
            ),
            (
                "redis+sentinel://a/mymaster/0?sentinel_user=ann&sentinel_password=w",
                RedisStore::builder()
                    .sentinels("mymaster", [("a", None)])
                    .sentinel_user("ann")
                    .sentinel_password("w"),
            ),
            (
                "rediss://db?ssl_ca_certs=/ca.pem&ssl_check_hostname=false",
                plain().tls(true).ca_certs("/ca.pem").any_name(true),
            ),
            (
                "redis://db?create=true&durability=declared&connect_timeout=2",
                plain()
                    .create(true)
                    .durability_declared(true)
                    .connect_within(Duration::from_secs(2)),
            ),
        ] {
            assert_eq!(read(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn nodes_are_those_of_a_cluster() {
        let nodes = || RedisStore::builder().cluster([("a", None), ("b", Some(7))]);
        assert_eq!(read("redis+cluster://a,b:7").unwrap(), nodes());
        assert_eq!(read("redis+cluster://:s@a,b:7/0").unwrap(), nodes().password("s"));
        for wrong in ["redis+cluster:ids", "redis+cluster://a/1"] {
            let error = read(wrong).unwrap_err();
            assert!(error.to_string().contains("redis+cluster://host"), "{error}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        let urls = [
            ("redis:ids", Code::InvalidUrl, "redis://host:6379/0"),
            ("redis://a,b", Code::InvalidUrl, "by at="),
            ("redis://db/x", Code::InvalidParameter, "from 0 on"),
            ("redis://db/1?db=2", Code::InvalidParameter, "db stands"),
            ("redis://db?socket=/s", Code::InvalidParameter, "one of them"),
            ("redis://:S3CRET@db?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("redis://db?durability=none", Code::InvalidParameter, "checked or declared"),
            ("redis://db?sentinel_password=S3CRET", Code::UnknownParameter, "sentinel_password"),
            ("redis://db/mymaster/0", Code::InvalidUrl, "redis+sentinel://host"),
            ("redis+sentinel://a,b", Code::InvalidUrl, "/mymaster/0"),
            ("redis+sentinel://a/0", Code::InvalidUrl, "/mymaster/0"),
            ("redis+sentinel:///mymaster/0", Code::InvalidUrl, "/mymaster/0"),
            ("redis://db?restarts=never", Code::InvalidParameter, "trusted or vouched"),
            ("redis://db?ssl_ca_certs=/ca.pem", Code::UnknownParameter, "ssl_ca_certs"),
        ];
        assert_refused(read, &urls);
    }
}
