//! `postgres://user:password@host:port,host:port/database?…`, the form of PostgreSQL's own clients.
//! Some of their parameters are known here.

use super::builder::PostgresBuilder;
use super::{PostgresDialectBuilder, PostgresDialectStore, PostgresStore, errors};
use crate::error::Result;
use crate::errors::url::parameter_also_in_address;
use crate::store::Others;
use crate::store::opened::Opened;
use crate::store::scheme::StoreScheme;
use crate::url::{Address, Parameters, invalid};

pub(crate) const SCHEME: StoreScheme = StoreScheme {
    name: "postgres",
    alias: Some("postgresql"),
    tls: false,
    example: "//user@host/database",
    parameters: |_| PostgresStore::builder().names(),
    open: |_, address, own| {
        static OPENED: Opened<PostgresBuilder, PostgresStore> = Opened::new();
        static OTHERS: Opened<PostgresDialectBuilder, PostgresDialectStore> = Opened::new();
        let builder = builder_of(address, own)?;
        let Some(others) = Others::take(own)? else {
            let key = builder.clone().create(false);
            return Ok(OPENED.one(builder, &key, PostgresStore::look, PostgresBuilder::open)?);
        };
        let builder = builder.others(others);
        let look = |store: &PostgresDialectStore, _| store.look();
        Ok(OTHERS.one(builder.clone(), &builder, look, PostgresDialectBuilder::open)?)
    },
    numbers: |_, address, own, column, wanted| {
        PostgresStore::numbers(builder_of(address, own)?, column, wanted)
    },
    fillings: |_, address, own, fills| PostgresStore::fillings(builder_of(address, own)?, fills),
    migrate: |_, address, own, is_dry| PostgresStore::migrate(builder_of(address, own)?, is_dry),
    examine: |_, address, own| {
        let others = Others::take(own)?;
        PostgresStore::examine(builder_of(address, own)?, others)
    },
};

/// Builds the store that a URL describes.
pub(crate) fn builder_of(
    address: &Address,
    parameters: &mut Parameters,
) -> Result<PostgresBuilder> {
    let machines = address.machines().ok_or_else(errors::server_missing)?;
    let mut builder = PostgresStore::builder();
    for host in &machines.hosts {
        builder = builder.host(&host.host, host.port);
    }
    builder = hosts(builder, parameters)?;
    parameters.log_in(&machines)?;
    let database = machines.path.trim_start_matches('/');
    let database = (!database.is_empty()).then(|| database.to_owned());
    parameters.add_of_address("dbname", database)?;
    builder.configured(parameters)
}

/// Takes the hosts from parameters. Directories would need escapes in the address.
fn hosts(mut builder: PostgresBuilder, parameters: &mut Parameters) -> Result<PostgresBuilder> {
    let ports = parameters.take("port");
    let Some(hosts) = parameters.take("host") else {
        return match (ports, builder.hosts.is_empty()) {
            (None, false) => Ok(builder),
            (Some(_), false) => Err(parameter_also_in_address("port")),
            (_, true) => Err(errors::server_missing()),
        };
    };
    if !builder.hosts.is_empty() {
        return Err(parameter_also_in_address("host"));
    }
    let ports: Vec<_> = ports.iter().flat_map(|ports| ports.split(',')).collect();
    let hosts: Vec<_> = hosts.split(',').collect();
    if ports.len() > 1 && ports.len() != hosts.len() {
        return Err(errors::ports_unlike_hosts(ports.len(), hosts.len()));
    }
    for (at, host) in hosts.into_iter().enumerate() {
        let port = ports.get(at).or(ports.first());
        let parsed = port.map(|port| port.parse::<u16>().ok().filter(|port| *port > 0));
        let port = match parsed {
            Some(None) => {
                return Err(invalid("port", port.unwrap_or(&""), "a number from 1 to 65535"));
            }
            given => given.flatten(),
        };
        if host.is_empty() {
            return Err(invalid("host", host, "a name, an address, or a directory"));
        }
        builder = builder.host(host, port);
    }
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use snowmint_engine::Code;

    use super::super::builder::Host;
    use super::super::tls::SslMode;
    use super::*;
    use crate::secrets::Secret;
    use crate::store::config::tests::{assert_refused, parsed};
    use crate::url::{Taker, UrlText};

    fn read(url: &str) -> Result<PostgresBuilder> {
        parsed(url, PostgresStore::builder().names(), builder_of)
    }

    fn host(name: &str, port: u16) -> Host {
        Host { name: name.to_owned(), port }
    }

    #[test]
    fn a_url_is_what_its_parts_say() {
        let plain = || PostgresStore::builder().host("db", None);
        let ann = || plain().user("ann").database("ids");
        let local = || PostgresStore::builder().host("/run/pg", None).database("ids");
        for (url, meant) in [
            ("postgres://db", plain()),
            ("postgres://db/", plain()),
            ("postgresql://ann@db/ids", ann()),
            ("postgres://ann:p%40ss@db/ids", ann().password("p@ss")),
            ("postgres://db/ids?user=ann&password=a%26b", ann().password("a&b")),
            ("postgres://db?user=ann&dbname=ids", ann()),
            (
                "postgres://a:1,[::1],c/",
                PostgresStore::builder().host("a", 1).host("::1", None).host("c", None),
            ),
            ("postgres:///ids?host=/run/pg", local()),
            ("postgres://ann@/ids?host=/run/pg", local().user("ann")),
            ("postgres://%2Frun%2Fpg/ids", local()),
            ("postgres:///a%20b?host=/run/pg", local().database("a b")),
            ("postgres:?host=a,b&port=7", PostgresStore::builder().host("a", 7).host("b", 7)),
            ("postgres:?host=a,b&port=7,8", PostgresStore::builder().host("a", 7).host("b", 8)),
            (
                "postgres://db?sslmode=verify-full&sslrootcert=system",
                plain().ssl_mode(SslMode::VerifyFull).ssl_root_certificates("system"),
            ),
            ("postgres://db?target_session_attrs=read-write", plain().read_write(true)),
            ("postgres://db?replication=synchronous", plain().synchronous_replication(true)),
            ("postgres://db?replication=none&schema=Ids", plain().schema("Ids")),
            ("postgres://db?durability=checked", plain()),
            ("postgres://db?durability=declared", plain().durability_declared(true)),
            ("postgres://db?connect_timeout=2", plain().connect_within(Duration::from_secs(2))),
            (
                "postgres://db?create=true&application_name=a&passfile=/p",
                plain().create(true).application_name("a").password_file("/p"),
            ),
        ] {
            assert_eq!(read(url).unwrap(), meant, "{url}");
        }
        assert_eq!(read("postgres://db").unwrap().hosts, [host("db", 5432)]);
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        let urls = [
            ("postgres:", Code::InvalidUrl, "names no server"),
            ("postgres:ids", Code::InvalidUrl, "names no server"),
            ("postgres:///ids", Code::InvalidUrl, "?host=/run/postgresql"),
            ("postgres://db?host=a", Code::InvalidParameter, "host stands"),
            ("postgres://db?port=1", Code::InvalidParameter, "port stands"),
            ("postgres://ann@db?user=bob", Code::InvalidParameter, "user stands"),
            ("postgres://a:S3CRET@db?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("postgres:?host=a,b,c&port=1,2", Code::InvalidParameter, "2 ports of 3 hosts"),
            ("postgres:?host=a&port=0", Code::InvalidParameter, "1 to 65535"),
            ("postgres:?host=a,", Code::InvalidParameter, "a directory"),
            ("postgres://db?sslmode=allow", Code::InvalidParameter, "verify-ca or verify-full"),
            ("postgres://db?target_session_attrs=standby", Code::InvalidParameter, "read-write"),
            ("postgres://db?replication=all", Code::InvalidParameter, "none or synchronous"),
            ("postgres://db?durability=none", Code::InvalidParameter, "checked or declared"),
            ("postgres://db?connect_timeout=-1", Code::InvalidParameter, "seconds"),
            ("postgres://db?sslmod=disable", Code::UnknownParameter, "did you mean sslmode?"),
        ];
        assert_refused(read, &urls);
    }

    #[test]
    fn the_parts_of_a_url_show_no_password() {
        for url in ["postgres://ann:S3CRET@db/ids", "postgres://ann@db/ids?password=S3CRET"] {
            let text = UrlText::parse(url, "").unwrap();
            let taker = Taker { called: "postgres", names: PostgresStore::builder().names() };
            let [mut parameters] = text.parameters(&[taker]).unwrap();
            let address = text.address().unwrap();
            let apart = format!("{address:?} {parameters:?}");
            let builder = builder_of(&address, &mut parameters).unwrap();
            assert_eq!(builder.password, Some(Secret("S3CRET".to_owned())));
            let shown = format!("{apart} {builder:?}");
            assert!(shown.contains("ann") && !shown.contains("S3CRET"), "{shown}");
        }
    }
}
