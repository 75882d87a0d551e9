//! The URLs `redis://user:password@host:port/0?…`, `rediss:` under TLS,
//! `redis+sentinel://host:port,host:port/master/0?…` and `redis+cluster://host:port,host:port?…`.

use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::{RedisBuilder, RedisCountersBuilder, RedisStore, errors};
use crate::error::Result;
use crate::store::identity::KEY_SPACE;
use crate::url::{Address, Parameters, invalid};

const SENTINEL_USER: &str = "sentinel_user";
const SENTINEL_PASSWORD: &str = "sentinel_password";
const CA_CERTS: &str = "ssl_ca_certs";
const CHECK_HOSTNAME: &str = "ssl_check_hostname";

pub(crate) const PARAMETERS: &[&str] = &[
    "create",
    "key_space",
    "socket",
    "user",
    "password",
    SENTINEL_USER,
    SENTINEL_PASSWORD,
    "db",
    "connect_timeout",
    "durability",
    "restarts",
    "dialect",
    "stride",
    "expire",
];
/// The parameters under TLS.
pub(crate) const SECURED_PARAMETERS: &[&str] = &[
    "create",
    "key_space",
    "user",
    "password",
    SENTINEL_USER,
    SENTINEL_PASSWORD,
    "db",
    "connect_timeout",
    "durability",
    "restarts",
    "dialect",
    "stride",
    "expire",
    CA_CERTS,
    CHECK_HOSTNAME,
];

/// The parameters of a cluster, which has no numbered databases.
pub(crate) const CLUSTER_PARAMETERS: &[&str] =
    &["create", "key_space", "user", "password", "connect_timeout", "durability", "restarts"];
/// The parameters of a cluster under TLS.
pub(crate) const SECURED_CLUSTER_PARAMETERS: &[&str] = &[
    "create",
    "key_space",
    "user",
    "password",
    "connect_timeout",
    "durability",
    "restarts",
    CA_CERTS,
    CHECK_HOSTNAME,
];

pub(crate) fn cluster_of(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<RedisBuilder> {
    let Address::Machines(machines) = address else { return Err(errors::no_cluster()) };
    if machines.hosts.is_empty() || !matches!(machines.path.trim_matches('/'), "" | "0") {
        return Err(errors::no_cluster());
    }
    let nodes = machines.hosts.iter().map(|host| (&*host.host, host.port));
    let builder = RedisStore::builder().tls(tls).cluster(nodes);
    let password = machines.password.clone().map(|password| password.0);
    options(log_in(builder, machines.user.clone(), password, parameters)?, parameters)
}

fn log_in(
    builder: RedisBuilder,
    user: Option<String>,
    password: Option<String>,
    parameters: &mut Parameters,
) -> Result<RedisBuilder> {
    let user = parameters.take_once("user", user.filter(|user| !user.is_empty()))?;
    let builder = user.into_iter().fold(builder, RedisBuilder::user);
    let password = parameters.take_once("password", password)?;
    Ok(password.into_iter().fold(builder, RedisBuilder::password))
}

pub(crate) fn builder_of(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<RedisBuilder> {
    let mut builder = RedisStore::builder().tls(tls);
    let (user, password, path) = match address {
        Address::Machines(machines) => {
            let path = machines.path.trim_matches('/');
            let (master, path) = match path.split_once('/') {
                Some((master, path)) => (Some(master), path),
                None => (None, path),
            };
            builder = match (master, machines.hosts.as_slice()) {
                (None, []) => builder,
                (None, [host]) => builder.host(&host.host, host.port),
                (Some(master), hosts @ [_, ..]) => {
                    builder.sentinels(master, hosts.iter().map(|host| (&*host.host, host.port)))
                }
                _ => return Err(errors::servers_without_cluster()),
            };
            let password = machines.password.clone().map(|password| password.0);
            (machines.user.clone(), password, path.to_owned())
        }
        // `redis:///0?socket=/run/redis/redis.sock`
        Address::Path(path) if path.is_empty() || path.starts_with('/') => {
            let path = percent_decode_str(path).decode_utf8();
            let path = path.map_err(|_| errors::address_missing())?;
            (None, None, path.into_owned())
        }
        Address::Path(_) => return Err(errors::address_missing()),
    };
    builder = watched(builder, parameters)?;
    if let Some(socket) = parameters.take("socket") {
        if builder.host.is_some() {
            return Err(errors::socket_beside_host());
        }
        builder = builder.socket(socket);
    }
    let number = path.trim_start_matches('/').to_owned();
    let number = Some(number).filter(|number| !number.is_empty());
    if let Some(number) = parameters.take_once("db", number)? {
        let expected = "the number of a database, from 0 on";
        builder = builder.database(number.parse().map_err(|_| invalid("db", &number, expected))?);
    }
    options(log_in(builder, user, password, parameters)?, parameters)
}

/// Takes the user and the password for sentinels, if there are any.
fn watched(builder: RedisBuilder, parameters: &mut Parameters) -> Result<RedisBuilder> {
    let (user, password) = (parameters.take(SENTINEL_USER), parameters.take(SENTINEL_PASSWORD));
    if !builder.is_watched() && (user.is_some() || password.is_some()) {
        return Err(errors::sentinels_missing(SENTINEL_USER, SENTINEL_PASSWORD));
    }
    let builder = user.into_iter().fold(builder, RedisBuilder::sentinel_user);
    Ok(password.into_iter().fold(builder, RedisBuilder::sentinel_password))
}

pub(crate) enum Described {
    Rows(RedisBuilder),
    Counters(RedisCountersBuilder),
}

/// Decides between rows of ours and existing counters (`dialect=counter`).
pub(crate) fn described(server: RedisBuilder, own: &mut Parameters) -> Result<Described> {
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

fn options(builder: RedisBuilder, own: &mut Parameters) -> Result<RedisBuilder> {
    let create = own.take_parsed("create", "true or false")?;
    let mut builder = builder.create(create.unwrap_or(false));
    let key_space = own.take_parsed("key_space", KEY_SPACE)?;
    builder = key_space.into_iter().fold(builder, RedisBuilder::key_space);
    builder = own.take(CA_CERTS).into_iter().fold(builder, RedisBuilder::ca_certs);
    let checks_name = own.take_parsed(CHECK_HOSTNAME, "true or false")?;
    builder = builder.any_name(!checks_name.unwrap_or(true));
    match own.take_parsed("connect_timeout", "seconds from 1 on, or 0 for no bound")? {
        None | Some(0) => {}
        Some(seconds) => builder = builder.connect_within(Duration::from_secs(seconds)),
    }
    builder = match own.take("restarts").as_deref() {
        None | Some("trusted") => builder,
        Some("vouched") => builder.restarts_vouched(true),
        Some(other) => return Err(invalid("restarts", other, "trusted or vouched")),
    };
    match own.take("durability").as_deref() {
        None | Some("checked") => Ok(builder),
        Some("declared") => Ok(builder.durability_declared(true)),
        Some(other) => Err(invalid("durability", other, "checked or declared")),
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;
    use crate::url::{Taker, UrlText};

    fn parsed(url: &str) -> Result<RedisBuilder> {
        let text = UrlText::parse(url, "")?;
        let is_secured = text.scheme == "rediss";
        let names = if is_secured { SECURED_PARAMETERS } else { PARAMETERS };
        let [mut parameters] =
            text.parameters(&[Taker { called: "redis", names: names.to_vec() }])?;
        let builder = builder_of(is_secured, &text.address()?, &mut parameters)?;
        assert!(parameters.is_empty(), "not taken: {parameters:?}");
        Ok(builder)
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
            assert_eq!(parsed(url).unwrap(), meant, "{url}");
        }
    }

    fn of_cluster(url: &str) -> Result<RedisBuilder> {
        let text = UrlText::parse(url, "")?;
        let names = SECURED_CLUSTER_PARAMETERS;
        let [mut parameters] =
            text.parameters(&[Taker { called: "redis+cluster", names: names.to_vec() }])?;
        let builder = cluster_of(false, &text.address()?, &mut parameters)?;
        assert!(parameters.is_empty(), "not taken: {parameters:?}");
        Ok(builder)
    }

    #[test]
    fn nodes_are_those_of_a_cluster() {
        let nodes = || RedisStore::builder().cluster([("a", None), ("b", Some(7))]);
        assert_eq!(of_cluster("redis+cluster://a,b:7").unwrap(), nodes());
        assert_eq!(of_cluster("redis+cluster://:s@a,b:7/0").unwrap(), nodes().password("s"));
        for wrong in ["redis+cluster:ids", "redis+cluster://a/1"] {
            let error = of_cluster(wrong).unwrap_err();
            assert!(error.to_string().contains("redis+cluster://host"), "{error}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        for (url, code, hint) in [
            ("redis:ids", Code::InvalidUrl, "redis://host:6379/0"),
            ("redis://a,b", Code::InvalidUrl, "by at="),
            ("redis://db/x", Code::InvalidParameter, "from 0 on"),
            ("redis://db/1?db=2", Code::InvalidParameter, "db stands"),
            ("redis://db?socket=/s", Code::InvalidParameter, "one of them"),
            ("redis://:S3CRET@db?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("redis://db?durability=none", Code::InvalidParameter, "checked or declared"),
            ("redis://db?sentinel_password=S3CRET", Code::InvalidParameter, "for sentinels"),
            ("redis://db?restarts=never", Code::InvalidParameter, "trusted or vouched"),
            ("redis://db?ssl_ca_certs=/ca.pem", Code::UnknownParameter, "ssl_ca_certs"),
        ] {
            let error = parsed(url).unwrap_err();
            assert_eq!(error.code(), code, "{url}: {error}");
            let shown = format!("{error} {error:?}");
            assert!(shown.contains(hint) && !shown.contains("S3CRET"), "{url}: {shown}");
        }
    }
}
