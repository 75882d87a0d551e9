//! The URLs `http://host:port,host:port/path?…`, and `https:` under TLS.

use super::{ServerList, ServiceBuilder, ServiceStore, errors};
use crate::error::Result;
use crate::errors::schemes::store_behind_service;
use crate::store::opened::Opened;
use crate::store::scheme::{StoreScheme, no_fillings, no_numbers};
#[cfg(feature = "etcd")]
use crate::store::{EtcdStore, etcd};
use crate::url::{Address, Parameters};
#[cfg(feature = "etcd")]
use crate::url::{Taker, UrlText};

pub(crate) const SCHEME: StoreScheme = StoreScheme {
    name: "http",
    alias: None,
    tls: false,
    example: "//host:8064",
    parameters: |it| ServiceStore::builder().tls(it.tls).names(),
    open: |it, address, own| {
        static OPENED: Opened<ServiceBuilder, ServiceStore> = Opened::new();
        let builder = builder_of(it.tls, address, own)?;
        Ok(OPENED.one(builder.clone(), &builder, |_, _| Ok(()), ServiceBuilder::open)?)
    },
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |_, _, _, _| Err(store_behind_service()),
    examine: |_, _, _| Err(store_behind_service()),
};

pub(crate) fn builder_of(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<ServiceBuilder> {
    let Address::Machines(machines) = address else {
        return Err(errors::address_missing(if tls { "https" } else { "http" }));
    };
    if machines.user.is_some() || machines.password.is_some() {
        return Err(errors::user_needless());
    }
    let mut builder = ServiceStore::builder().tls(tls).base(&machines.path);
    // The default port of every URL with this scheme.
    let port = if tls { 443 } else { 80 };
    for host in &machines.hosts {
        builder = builder.server(&host.host, host.port.unwrap_or(port));
    }
    if let Some(list) = parameters.take("servers") {
        let has_port = machines.hosts.iter().any(|host| host.port.is_some());
        builder = builder.list(list_of(&list, has_port)?);
    }
    builder.configured(parameters)
}

/// Reads the value of `servers=`.
fn list_of(text: &str, has_port: bool) -> Result<ServerList> {
    match text.split_once(':').unwrap_or((text, "")) {
        ("file", "") => Err(errors::list_file_unnamed()),
        ("file", file) => Ok(ServerList::File(file.into())),
        ("dns", "") => Ok(ServerList::Addresses),
        ("srv", "") if has_port => Err(errors::ports_needless()),
        ("srv", "") => Ok(ServerList::Services),
        ("etcd" | "etcds", _) => of_etcd(text),
        _ => Err(errors::list_unknown()),
    }
}

#[cfg(feature = "etcd")]
fn of_etcd(url: &str) -> Result<ServerList> {
    let url = UrlText::parse(url, "etcd://host:2379/prefix")?;
    let address = url.address()?;
    if let Address::Machines(machines) = &address
        && machines.path.trim_matches('/').is_empty()
    {
        return Err(errors::prefix_missing());
    }
    let tls = url.scheme == "etcds";
    let taker = Taker { called: url.scheme, names: EtcdStore::builder().tls(tls).names() };
    let [mut parameters] = url.parameters(&[taker])?;
    Ok(ServerList::Etcd(Box::new(etcd::builder_of(tls, &address, &mut parameters)?)))
}

#[cfg(not(feature = "etcd"))]
fn of_etcd(_: &str) -> Result<ServerList> {
    Err(errors::etcd_absent())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use snowmint_engine::Code;

    use super::*;
    use crate::store::config::tests::{assert_refused, parsed};

    fn read(url: &str) -> Result<ServiceBuilder> {
        let tls = url.starts_with("https:");
        parsed(url, ServiceStore::builder().tls(tls).names(), |address, own| {
            builder_of(tls, address, own)
        })
    }

    #[test]
    fn a_url_is_what_its_parts_say() {
        let plain = || ServiceStore::builder().server("a", 80);
        let secured = || ServiceStore::builder().server("a", 443).tls(true);
        for (url, meant) in [
            ("http://a", plain()),
            ("http://a:1,b:2,[::1]", {
                ServiceStore::builder().server("a", 1).server("b", 2).server("::1", 80)
            }),
            ("http://a/tenant?token=smt_a%26b", plain().base("/tenant").token("smt_a&b")),
            (
                "https://a?token_file=/t&cafile=/ca.pem",
                secured().token_file("/t").ca_file("/ca.pem"),
            ),
            (
                "https://a?certfile=/c.pem&keyfile=/k.pem&connect_timeout=2",
                secured().certificate("/c.pem", "/k.pem").connect_within(Duration::from_secs(2)),
            ),
        ] {
            assert_eq!(read(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        let opened = |url: &str| read(url).and_then(ServiceBuilder::open).map(drop);
        let urls = [
            ("http:ids", Code::InvalidUrl, "write http://host:8064"),
            ("https:ids", Code::InvalidUrl, "write https://host:8064"),
            ("http://S3CRET@a", Code::InvalidUrl, "write token="),
            ("http://u:S3CRET@a", Code::InvalidUrl, "write token="),
            ("http://a?token_file=/t&token=S3CRET", Code::InvalidParameter, "say one of them"),
            ("http://a?token=S3CRET%20x", Code::InvalidParameter, "no spaces"),
            ("http://a?cafile=/ca.pem", Code::UnknownParameter, "cafile"),
            ("https://a?certfile=/c.pem", Code::InvalidParameter, "and keyfile"),
            ("http://a?connect_timeout=x", Code::InvalidParameter, "from 1 on"),
            ("http://a:1,b:1,a:1", Code::InvalidParameter, "a:1 is named twice"),
            ("http://a/b%20c", Code::InvalidParameter, "the path"),
        ];
        assert_refused(opened, &urls);
    }
}
