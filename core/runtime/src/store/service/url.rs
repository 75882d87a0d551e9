//! The URLs `http://host:port,host:port/path?…`, and `https:` under TLS.

use std::time::Duration;

use super::{ServerList, ServiceBuilder, ServiceStore, errors};
use crate::error::Result;
use crate::store::identity::KEY_SPACE;
use crate::store::remote::errors::certificate_without_key;
#[cfg(feature = "etcd")]
use crate::store::{EtcdStore, etcd_builder};
use crate::url::{Address, Parameters};
#[cfg(feature = "etcd")]
use crate::url::{Taker, UrlText};

const CA_FILE: &str = "cafile";
const CERT_FILE: &str = "certfile";
const KEY_FILE: &str = "keyfile";
const SERVERS: &str = "servers";
const NAME_SERVER: &str = "name_server";

pub(crate) const PARAMETERS: &[&str] =
    &["key_space", "token", "token_file", "connect_timeout", SERVERS, NAME_SERVER];
/// The parameters under TLS.
pub(crate) const SECURED_PARAMETERS: &[&str] = &[
    "key_space",
    "token",
    "token_file",
    "connect_timeout",
    SERVERS,
    NAME_SERVER,
    CA_FILE,
    CERT_FILE,
    KEY_FILE,
];

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
    if let Some(list) = parameters.take(SERVERS) {
        let has_port = machines.hosts.iter().any(|host| host.port.is_some());
        builder = builder.list(list_of(&list, has_port)?);
    }
    let key_space = parameters.take_parsed("key_space", KEY_SPACE)?;
    builder = key_space.into_iter().fold(builder, ServiceBuilder::key_space);
    let expected = "an address with its port: 127.0.0.1:8600";
    let name_server = parameters.take_parsed(NAME_SERVER, expected)?;
    builder = name_server.into_iter().fold(builder, ServiceBuilder::name_server);
    options(builder, parameters)
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
    let is_secured = url.scheme == "etcds";
    let names = EtcdStore::builder().tls(is_secured).names();
    let address = url.address()?;
    if let Address::Machines(machines) = &address
        && machines.path.trim_matches('/').is_empty()
    {
        return Err(errors::prefix_missing());
    }
    let [mut parameters] = url.parameters(&[Taker { called: url.scheme, names }])?;
    Ok(ServerList::Etcd(Box::new(etcd_builder(is_secured, &address, &mut parameters)?)))
}

#[cfg(not(feature = "etcd"))]
fn of_etcd(_: &str) -> Result<ServerList> {
    Err(errors::etcd_absent())
}

fn options(builder: ServiceBuilder, own: &mut Parameters) -> Result<ServiceBuilder> {
    let builder = match (own.take("token"), own.take("token_file")) {
        (None, None) => builder,
        (Some(token), None) => builder.token(token),
        (None, Some(file)) => builder.token_file(file),
        (Some(_), Some(_)) => return Err(errors::token_beside_file()),
    };
    let builder = own.take(CA_FILE).into_iter().fold(builder, ServiceBuilder::ca_file);
    let builder = match (own.take(CERT_FILE), own.take(KEY_FILE)) {
        (None, None) => builder,
        (Some(certificate), Some(key)) => builder.certificate(certificate, key),
        _ => return Err(certificate_without_key(CERT_FILE, KEY_FILE)),
    };
    match own.take_parsed("connect_timeout", "seconds from 1 on, or 0 for no bound")? {
        None | Some(0) => Ok(builder),
        Some(seconds) => Ok(builder.connect_within(Duration::from_secs(seconds))),
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;
    use crate::url::{Taker, UrlText};

    fn parsed(url: &str) -> Result<ServiceBuilder> {
        let text = UrlText::parse(url, "")?;
        let is_secured = text.scheme == "https";
        let names = if is_secured { SECURED_PARAMETERS } else { PARAMETERS };
        let [mut parameters] =
            text.parameters(&[Taker { called: text.scheme, names: names.to_vec() }])?;
        let builder = builder_of(is_secured, &text.address()?, &mut parameters)?;
        assert!(parameters.is_empty(), "not taken: {parameters:?}");
        Ok(builder)
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
            assert_eq!(parsed(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        let opened = |url: &str| parsed(url).and_then(ServiceBuilder::open).map(drop);
        for (url, code, hint) in [
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
        ] {
            let error = opened(url).unwrap_err();
            assert_eq!(error.code(), code, "{url}: {error}");
            let shown = format!("{error} {error:?}");
            assert!(shown.contains(hint) && !shown.contains("S3CRET"), "{url}: {shown}");
        }
    }
}
