//! The URLs `etcd://user:password@host:port,host:port/prefix?…`, and `etcds:` under TLS.

use super::{EtcdBuilder, EtcdStore, errors};
use crate::error::Result;
use crate::store::opened::Opened;
use crate::store::scheme::{StoreScheme, no_fillings, no_numbers};
use crate::store::values::begun::Ground as _;
use crate::url::{Address, Parameters};

pub(crate) const SCHEME: StoreScheme = StoreScheme {
    name: "etcd",
    alias: None,
    tls: false,
    example: "//host:2379",
    parameters: |it| EtcdStore::builder().tls(it.tls).names(),
    open: |it, address, own| {
        static OPENED: Opened<EtcdBuilder, EtcdStore> = Opened::new();
        let builder = builder_of(it.tls, address, own)?;
        let key = builder.clone().create(false);
        Ok(OPENED.one(builder, &key, EtcdStore::look, EtcdBuilder::open)?)
    },
    numbers: no_numbers,
    fillings: no_fillings,
    migrate: |it, address, own, is_dry| {
        EtcdStore::migrate(builder_of(it.tls, address, own)?, is_dry)
    },
    examine: |it, address, own| EtcdStore::examine(builder_of(it.tls, address, own)?),
};

pub(crate) fn builder_of(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<EtcdBuilder> {
    let Address::Machines(machines) = address else { return Err(errors::address_missing()) };
    EtcdStore::builder().tls(tls).of_url(machines, parameters)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use snowmint_engine::Code;

    use super::*;
    use crate::store::config::tests::{assert_refused, parsed};

    fn read(url: &str) -> Result<EtcdBuilder> {
        let tls = url.starts_with("etcds:");
        parsed(url, EtcdStore::builder().tls(tls).names(), |address, own| {
            builder_of(tls, address, own)
        })
    }

    #[test]
    fn a_url_is_what_its_parts_say() {
        let plain = || EtcdStore::builder().member("a", None);
        for (url, meant) in [
            ("etcd://a", plain()),
            ("etcd://a:1,b:2,[::1]/", {
                EtcdStore::builder().member("a", 1).member("b", 2).member("::1", None)
            }),
            ("etcd://ann:p%40ss@a/shop", plain().user("ann").password("p@ss").prefix("shop")),
            ("etcd://a/shop/ids/?user=ann", plain().user("ann").prefix("shop/ids")),
            ("etcds://a?cafile=/ca.pem", plain().tls(true).ca_file("/ca.pem")),
            ("etcds://a?certfile=/c.pem&keyfile=/k.pem&create=true&connect_timeout=2", {
                let secured = plain().tls(true).certificate("/c.pem", "/k.pem");
                secured.create(true).connect_within(Duration::from_secs(2))
            }),
        ] {
            assert_eq!(read(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        let urls = [
            ("etcd:ids", Code::InvalidUrl, "etcd://host:2379"),
            ("etcd://ann@a?user=ann", Code::InvalidParameter, "user stands"),
            ("etcd://u:S3CRET@a?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("etcds://a?certfile=/c.pem", Code::InvalidParameter, "and keyfile"),
            ("etcd://a?cafile=/ca.pem", Code::UnknownParameter, "cafile"),
            ("etcd://a?connect_timeout=x", Code::InvalidParameter, "from 1 on"),
        ];
        assert_refused(read, &urls);
    }
}
