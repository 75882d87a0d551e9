//! The URLs `etcd://user:password@host:port,host:port/prefix?…`, and `etcds:` under TLS.

use std::time::Duration;

use super::{EtcdBuilder, EtcdStore, errors};
use crate::error::Result;
use crate::store::identity::KEY_SPACE;
use crate::store::remote::errors::certificate_without_key;
use crate::url::{Address, Parameters};

const CA_FILE: &str = "cafile";
const CERT_FILE: &str = "certfile";
const KEY_FILE: &str = "keyfile";

pub(crate) const PARAMETERS: &[&str] =
    &["create", "key_space", "user", "password", "connect_timeout"];
/// The parameters under TLS, with the names that Kubernetes gives them.
pub(crate) const SECURED_PARAMETERS: &[&str] =
    &["create", "key_space", "user", "password", "connect_timeout", CA_FILE, CERT_FILE, KEY_FILE];

pub(crate) fn builder_of(
    tls: bool,
    address: &Address,
    parameters: &mut Parameters,
) -> Result<EtcdBuilder> {
    let Address::Machines(machines) = address else { return Err(errors::address_missing()) };
    let mut builder = EtcdStore::builder().tls(tls);
    for host in &machines.hosts {
        builder = builder.member(&host.host, host.port);
    }
    let prefix = machines.path.trim_matches('/');
    if !prefix.is_empty() {
        builder = builder.prefix(prefix);
    }
    let user = parameters.take_once("user", machines.user.clone())?;
    builder = user.into_iter().fold(builder, EtcdBuilder::user);
    let password = machines.password.clone().map(|password| password.0);
    let password = parameters.take_once("password", password)?;
    builder = password.into_iter().fold(builder, EtcdBuilder::password);
    options(builder, parameters)
}

fn options(builder: EtcdBuilder, own: &mut Parameters) -> Result<EtcdBuilder> {
    let create = own.take_parsed("create", "true or false")?;
    let mut builder = builder.create(create.unwrap_or(false));
    let key_space = own.take_parsed("key_space", KEY_SPACE)?;
    builder = key_space.into_iter().fold(builder, EtcdBuilder::key_space);
    builder = own.take(CA_FILE).into_iter().fold(builder, EtcdBuilder::ca_file);
    builder = match (own.take(CERT_FILE), own.take(KEY_FILE)) {
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

    fn parsed(url: &str) -> Result<EtcdBuilder> {
        let text = UrlText::parse(url, "")?;
        let is_secured = text.scheme == "etcds";
        let names = if is_secured { SECURED_PARAMETERS } else { PARAMETERS };
        let [mut parameters] =
            text.parameters(&[Taker { called: "etcd", names: names.to_vec() }])?;
        let builder = builder_of(is_secured, &text.address()?, &mut parameters)?;
        assert!(parameters.is_empty(), "not taken: {parameters:?}");
        Ok(builder)
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
            (
                "etcds://a?certfile=/c.pem&keyfile=/k.pem&create=true&connect_timeout=2",
                plain()
                    .tls(true)
                    .certificate("/c.pem", "/k.pem")
                    .create(true)
                    .connect_within(Duration::from_secs(2)),
            ),
        ] {
            assert_eq!(parsed(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        for (url, code, hint) in [
            ("etcd:ids", Code::InvalidUrl, "etcd://host:2379"),
            ("etcd://ann@a?user=ann", Code::InvalidParameter, "user stands"),
            ("etcd://u:S3CRET@a?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("etcds://a?certfile=/c.pem", Code::InvalidParameter, "and keyfile"),
            ("etcd://a?cafile=/ca.pem", Code::UnknownParameter, "cafile"),
            ("etcd://a?connect_timeout=x", Code::InvalidParameter, "from 1 on"),
        ] {
            let error = parsed(url).unwrap_err();
            assert_eq!(error.code(), code, "{url}: {error}");
            let shown = format!("{error} {error:?}");
            assert!(shown.contains(hint) && !shown.contains("S3CRET"), "{url}: {shown}");
        }
    }
}
