//! The URLs `zookeeper://user:password@host:port,host:port/path?…`, and `zookeepers:` under TLS.

use std::time::Duration;

use super::{LeafNodesBuilder, ZookeeperBuilder, ZookeeperStore, errors};
use crate::error::Result;
use crate::store::identity::KEY_SPACE;
use crate::store::remote::errors::certificate_without_key;
use crate::url::{Address, Parameters};

pub(crate) const PARAMETERS: &[&str] =
    &["create", "key_space", "user", "password", "connect_timeout", DIALECT, ADDRESS, CACHE];

/// The parameters under TLS, with the names that etcd's have.
pub(crate) const SECURED_PARAMETERS: &[&str] = &[
    "create",
    "key_space",
    "user",
    "password",
    "connect_timeout",
    DIALECT,
    ADDRESS,
    CACHE,
    CA_FILE,
    CERT_FILE,
    KEY_FILE,
];

const CA_FILE: &str = "cafile";
const CERT_FILE: &str = "certfile";
const KEY_FILE: &str = "keyfile";
const DIALECT: &str = "dialect";
const ADDRESS: &str = "address";
const CACHE: &str = "cache";
const LEAF: &str = "leaf";

pub(crate) enum Described {
    /// Our own rows.
    Rows(ZookeeperBuilder),
    /// The nodes of Leaf's servers.
    Leaf(LeafNodesBuilder),
}

impl Described {
    /// Returns our own rows. Refuses Leaf's nodes, which do not support the command.
    pub(crate) fn rows(self) -> Result<ZookeeperBuilder> {
        match self {
            Described::Rows(builder) => Ok(builder),
            Described::Leaf(_) => Err(errors::leaf_without_rows()),
        }
    }
}

/// Reads a URL: our own rows, or another generator's nodes.
pub(crate) fn described(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<Described> {
    let builder = secured(builder_of(address, parameters)?.tls(tls), parameters)?;
    let (server, cache) = (parameters.take(ADDRESS), parameters.take(CACHE));
    match (parameters.take(DIALECT).as_deref(), server) {
        (None, None) if cache.is_none() => Ok(Described::Rows(builder)),
        (None, _) => Err(errors::dialect_missing()),
        (Some(LEAF), _) if builder.create => Err(errors::leaf_with_create()),
        (Some(LEAF), Some(server)) => {
            let leaf = builder.leaf(server);
            Ok(Described::Leaf(cache.into_iter().fold(leaf, LeafNodesBuilder::cache)))
        }
        (Some(LEAF), None) => Err(errors::leaf_without_address()),
        (Some(other), _) => Err(errors::dialect_unknown(other)),
    }
}

/// Reads the parameters that both kinds have.
fn builder_of(address: &Address, parameters: &mut Parameters) -> Result<ZookeeperBuilder> {
    let Address::Machines(machines) = address else { return Err(errors::address_missing()) };
    let mut builder = ZookeeperStore::builder();
    for host in &machines.hosts {
        builder = builder.member(&host.host, host.port);
    }
    let prefix = machines.path.trim_matches('/');
    let is_odd = |name| matches!(name, "." | "..") || name.contains(char::is_control);
    if prefix.split('/').any(is_odd) || prefix.contains("//") {
        return Err(errors::path_unfit());
    }
    if !prefix.is_empty() {
        builder = builder.prefix(prefix);
    }
    let user = parameters.take_once("user", machines.user.clone())?;
    builder = user.into_iter().fold(builder, ZookeeperBuilder::user);
    let password = machines.password.clone().map(|password| password.0);
    let password = parameters.take_once("password", password)?;
    builder = password.into_iter().fold(builder, ZookeeperBuilder::password);
    let create = parameters.take_parsed("create", "true or false")?;
    let key_space = parameters.take_parsed("key_space", KEY_SPACE)?;
    builder = key_space.into_iter().fold(builder, ZookeeperBuilder::key_space);
    let builder = builder.create(create.unwrap_or(false));
    match parameters.take_parsed("connect_timeout", "seconds from 1 on, or 0 for no bound")? {
        None | Some(0) => Ok(builder),
        Some(seconds) => Ok(builder.connect_within(Duration::from_secs(seconds))),
    }
}

/// Takes the parameters for TLS, if there are any.
fn secured(builder: ZookeeperBuilder, own: &mut Parameters) -> Result<ZookeeperBuilder> {
    let builder = own.take(CA_FILE).into_iter().fold(builder, ZookeeperBuilder::ca_file);
    match (own.take(CERT_FILE), own.take(KEY_FILE)) {
        (None, None) => Ok(builder),
        (Some(certificate), Some(key)) => Ok(builder.certificate(certificate, key)),
        _ => Err(certificate_without_key(CERT_FILE, KEY_FILE)),
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;
    use crate::url::{Taker, UrlText};

    fn parsed(url: &str) -> Result<Described> {
        let text = UrlText::parse(url, "")?;
        let is_secured = text.scheme == "zookeepers";
        let names = if is_secured { SECURED_PARAMETERS } else { PARAMETERS };
        let [mut parameters] =
            text.parameters(&[Taker { called: "zookeeper", names: names.to_vec() }])?;
        let described = described(is_secured, &text.address()?, &mut parameters)?;
        assert!(parameters.is_empty(), "not taken: {parameters:?}");
        Ok(described)
    }

    #[test]
    fn a_url_is_what_its_parts_say() {
        let plain = || ZookeeperStore::builder().member("a", None);
        for (url, meant) in [
            ("zookeeper://a", plain()),
            ("zookeeper://a:1,[::1]/", {
                ZookeeperStore::builder().member("a", 1).member("::1", None)
            }),
            ("zookeeper://ann:p%40ss@a/shop/ids/", {
                plain().user("ann").password("p@ss").prefix("shop/ids")
            }),
            ("zookeepers://a?cafile=/ca.pem", plain().tls(true).ca_file("/ca.pem")),
            ("zookeepers://a?certfile=/c.pem&keyfile=/k.pem", {
                plain().tls(true).certificate("/c.pem", "/k.pem")
            }),
            ("zookeeper://a?create=true&connect_timeout=2&user=ann&password=x", {
                let builder = plain().create(true).connect_within(Duration::from_secs(2));
                builder.user("ann").password("x")
            }),
        ] {
            assert_eq!(parsed(url).unwrap().rows().unwrap(), meant, "{url}");
        }
        let url = "zookeeper://a/snowflake/shop?dialect=leaf&address=10.0.0.7:8080&cache=/leafconf";
        let Described::Leaf(leaf) = parsed(url).unwrap() else { panic!("rows") };
        let meant = plain().prefix("snowflake/shop").leaf("10.0.0.7:8080").cache("/leafconf");
        assert_eq!(leaf, meant);
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        for (url, code, hint) in [
            ("zookeeper:ids", Code::InvalidUrl, "zookeeper://host:2181"),
            ("zookeeper://a/b//c", Code::InvalidUrl, "empty names"),
            ("zookeeper://a/b/../c", Code::InvalidUrl, "dots"),
            ("zookeeper://u:S3CRET@a?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("zookeeper://a?cafile=/ca.pem", Code::UnknownParameter, "cafile"),
            ("zookeepers://a?keyfile=/k.pem", Code::InvalidParameter, "say certfile"),
            ("zookeeper://a?dialect=leaf", Code::InvalidParameter, "address=10.0.0.7:8080"),
            ("zookeeper://a?dialect=tinyid", Code::InvalidParameter, "say leaf"),
            ("zookeeper://a?address=a:1", Code::InvalidParameter, "of dialect=leaf"),
            ("zookeeper://a?dialect=leaf&create=true", Code::InvalidParameter, "leave out create"),
        ] {
            let error = parsed(url).map(drop).unwrap_err();
            assert_eq!(error.code(), code, "{url}: {error}");
            let shown = format!("{error} {error:?}");
            assert!(shown.contains(hint) && !shown.contains("S3CRET"), "{url}: {shown}");
        }
    }
}
