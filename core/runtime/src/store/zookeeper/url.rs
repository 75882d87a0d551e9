//! The URLs `zookeeper://user:password@host:port,host:port/path?…`, and `zookeepers:` under TLS.

use super::{LeafNodes, LeafNodesBuilder, ZookeeperBuilder, ZookeeperStore, errors};
use crate::error::Result;
use crate::store::opened::Opened;
use crate::store::scheme::{StoreScheme, no_fillings, no_numbers};
use crate::store::values::begun::Ground as _;
use crate::url::{Address, Parameters};

pub(crate) const SCHEME: StoreScheme = StoreScheme {
    name: "zookeeper",
    alias: None,
    tls: false,
    example: "//host:2181",
    parameters: |it| ZookeeperStore::builder().tls(it.tls).names(),
    open: |it, address, own| {
        static OPENED: Opened<ZookeeperBuilder, ZookeeperStore> = Opened::new();
        static LEAF: Opened<LeafNodesBuilder, LeafNodes> = Opened::new();
        match described(it.tls, address, own)? {
            Described::Rows(builder) => {
                let key = builder.clone().create(false);
                Ok(OPENED.one(builder, &key, ZookeeperStore::look, ZookeeperBuilder::open)?)
            }
            Described::Leaf(builder) => {
                Ok(LEAF.one(builder.clone(), &builder, |_, _| Ok(()), LeafNodesBuilder::open)?)
            }
        }
    },
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |it, address, own, is_dry| {
        ZookeeperStore::migrate(described(it.tls, address, own)?.rows()?, is_dry)
    },
    examine: |it, address, own| match described(it.tls, address, own)? {
        Described::Rows(builder) => ZookeeperStore::examine(builder),
        Described::Leaf(builder) => builder.examine(),
    },
};

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
    let Address::Machines(machines) = address else { return Err(errors::address_missing()) };
    let prefix = machines.path.trim_matches('/');
    let is_odd = |name| matches!(name, "." | "..") || name.contains(char::is_control);
    if prefix.split('/').any(is_odd) || prefix.contains("//") {
        return Err(errors::path_unfit());
    }
    let builder = ZookeeperStore::builder().tls(tls).of_url(machines, parameters)?;
    let (server, cache) = (parameters.take("address"), parameters.take("cache"));
    match (parameters.take("dialect").as_deref(), server) {
        (None, None) if cache.is_none() => Ok(Described::Rows(builder)),
        (None, _) => Err(errors::dialect_missing()),
        (Some(LEAF), _) if builder.create => Err(errors::leaf_with_create()),
        (Some(LEAF), _) if builder.key_space.is_some() => Err(errors::leaf_with_key_space()),
        (Some(LEAF), Some(server)) => {
            let leaf = builder.leaf(server);
            Ok(Described::Leaf(cache.into_iter().fold(leaf, LeafNodesBuilder::cache)))
        }
        (Some(LEAF), None) => Err(errors::leaf_without_address()),
        (Some(other), _) => Err(errors::dialect_unknown(other)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use snowmint_engine::Code;

    use super::*;
    use crate::store::config::tests::{assert_refused, parsed};

    fn read(url: &str) -> Result<Described> {
        let tls = url.starts_with("zookeepers:");
        parsed(url, ZookeeperStore::builder().tls(tls).names(), |address, own| {
            described(tls, address, own)
        })
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
            assert_eq!(read(url).unwrap().rows().unwrap(), meant, "{url}");
        }
        let url = "zookeeper://a/snowflake/shop?dialect=leaf&address=10.0.0.7:8080&cache=/leafconf";
        let Described::Leaf(leaf) = read(url).unwrap() else { panic!("rows") };
        let meant = plain().prefix("snowflake/shop").leaf("10.0.0.7:8080").cache("/leafconf");
        assert_eq!(leaf, meant);
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        let urls = [
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
            (
                "zookeeper://a?dialect=leaf&key_space=00112233445566778899aabbccddeeff",
                Code::InvalidParameter,
                "drop key_space",
            ),
        ];
        assert_refused(read, &urls);
    }
}
