//! `mysql://user:password@host:port,host:port/database?…`, also `mariadb:`.

use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::builder::MysqlBuilder;
use super::tls::{SSL_CA, SSL_MODES};
use super::{MysqlStore, errors};
use crate::error::Result;
use crate::store::identity::KEY_SPACE;
use crate::url::{Address, Parameters, invalid};

/// The parameters that a URL may have.
pub(crate) const PARAMETERS: &[&str] = &[
    "create",
    "key_space",
    "dialect",
    "table",
    "socket",
    "user",
    "password",
    "defaults-file",
    "ssl-mode",
    "sslmode",
    SSL_CA,
    "connect_timeout",
    "durability",
];

/// Builds the store that a URL describes.
pub(crate) fn builder_of(address: &Address, parameters: &mut Parameters) -> Result<MysqlBuilder> {
    let mut builder = MysqlStore::builder();
    let (user, password, path) = match address {
        Address::Machines(machines) => {
            for host in &machines.hosts {
                builder = builder.host(&host.host, host.port);
            }
            let password = machines.password.clone().map(|password| password.0);
            (machines.user.clone(), password, machines.path.clone())
        }
        // `mysql:///ids?socket=/run/mysqld/mysqld.sock`
        Address::Path(path) if path.is_empty() || path.starts_with('/') => {
            let path =
                percent_decode_str(path).decode_utf8().map_err(|_| errors::address_missing())?;
            (None, None, path.into_owned())
        }
        Address::Path(_) => return Err(errors::address_missing()),
    };
    if let Some(socket) = parameters.take("socket") {
        if !builder.hosts.is_empty() {
            return Err(errors::socket_and_host());
        }
        builder = builder.socket(socket);
    }
    let database = Some(path.trim_start_matches('/')).filter(|path| !path.is_empty());
    builder = database.into_iter().fold(builder, MysqlBuilder::database);
    let user = parameters.take_once("user", user)?;
    builder = user.into_iter().fold(builder, MysqlBuilder::user);
    let password = parameters.take_once("password", password)?;
    builder = password.into_iter().fold(builder, MysqlBuilder::password);
    options(builder, parameters)
}

fn options(builder: MysqlBuilder, own: &mut Parameters) -> Result<MysqlBuilder> {
    let create = own.take_parsed("create", "true or false")?;
    let mut builder = builder.create(create.unwrap_or(false));
    let key_space = own.take_parsed("key_space", KEY_SPACE)?;
    builder = key_space.into_iter().fold(builder, MysqlBuilder::key_space);
    let modes = [own.take_parsed("ssl-mode", SSL_MODES)?, own.take_parsed("sslmode", SSL_MODES)?];
    builder = match modes {
        [Some(_), Some(_)] => return Err(errors::ssl_mode_given_twice()),
        modes => modes.into_iter().flatten().fold(builder, MysqlBuilder::ssl_mode),
    };
    builder = own.take(SSL_CA).into_iter().fold(builder, MysqlBuilder::ssl_ca);
    builder = own.take("defaults-file").into_iter().fold(builder, MysqlBuilder::option_file);
    match own.take_parsed("connect_timeout", "seconds from 1 on, or 0 for no bound")? {
        None | Some(0) => {}
        Some(seconds) => builder = builder.connect_within(Duration::from_secs(seconds)),
    }
    match own.take("durability").as_deref() {
        None | Some("checked") => Ok(builder),
        Some("declared") => Ok(builder.durability_declared(true)),
        Some(other) => Err(invalid("durability", other, "checked or declared")),
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::super::tls::MysqlSslMode;
    use super::*;
    use crate::secrets::Secret;
    use crate::url::{Taker, UrlText};

    fn parsed(url: &str) -> Result<MysqlBuilder> {
        let text = UrlText::parse(url, "")?;
        let taker = Taker { called: "mysql", names: PARAMETERS.to_vec() };
        let [mut parameters] = text.parameters(&[taker])?;
        let builder = builder_of(&text.address()?, &mut parameters)?;
        assert!(parameters.is_empty(), "not taken: {parameters:?}");
        Ok(builder)
    }

    #[test]
    fn a_url_is_what_its_parts_say() {
        let plain = || MysqlStore::builder().host("db", None);
        let ann = || plain().user("ann").database("ids");
        let local = || MysqlStore::builder().socket("/run/my.sock").database("ids");
        for (url, meant) in [
            ("mysql://db", plain()),
            ("mariadb://ann@db/ids", ann()),
            ("mysql://ann:p%40ss@db/ids", ann().password("p@ss")),
            ("mysql://db/ids?user=ann&password=a%26b", ann().password("a&b")),
            (
                "mysql://a:1,[::1],c/",
                MysqlStore::builder().host("a", 1).host("::1", 3306).host("c", None),
            ),
            ("mysql:///ids?socket=/run/my.sock", local()),
            ("mysql://ann@/ids?socket=/run/my.sock", local().user("ann")),
            ("mysql:///ids", MysqlStore::builder().database("ids")),
            ("mysql://db?ssl-mode=VERIFY_CA", plain().ssl_mode(MysqlSslMode::VerifyCa)),
            (
                "mysql://db?sslmode=verify-full&ssl-ca=/ca.pem",
                plain().ssl_mode(MysqlSslMode::VerifyIdentity).ssl_ca("/ca.pem"),
            ),
            ("mysql://db?connect_timeout=2", plain().connect_within(Duration::from_secs(2))),
            (
                "mysql://db?create=true&durability=declared&defaults-file=/my.cnf",
                plain().create(true).durability_declared(true).option_file("/my.cnf"),
            ),
            ("mysql://db?durability=checked", plain()),
        ] {
            assert_eq!(parsed(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        for (url, code, hint) in [
            ("mysql:ids", Code::InvalidUrl, "?socket=/run/mysqld/mysqld.sock"),
            ("mysql://db?socket=/s", Code::InvalidParameter, "one of them"),
            ("mysql://ann@db?user=bob", Code::InvalidParameter, "user stands"),
            ("mysql://a:S3CRET@db?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("mysql://db?ssl-mode=allow", Code::InvalidParameter, "verify_ca or verify_identity"),
            ("mysql://db?ssl-mode=required&sslmode=require", Code::InvalidParameter, "one of"),
            ("mysql://db?connect_timeout=-1", Code::InvalidParameter, "seconds"),
            ("mysql://db?durability=none", Code::InvalidParameter, "checked or declared"),
            ("mysql://db?ssl-mod=disabled", Code::UnknownParameter, "did you mean ssl-mode?"),
        ] {
            let error = parsed(url).unwrap_err();
            assert_eq!(error.code(), code, "{url}: {error}");
            let shown = format!("{error} {error:?}");
            assert!(shown.contains(hint) && !shown.contains("S3CRET"), "{url}: {shown}");
        }
    }

    #[test]
    fn a_builder_does_not_show_its_password() {
        let builder = MysqlStore::builder().host("db", None).password("S3CRET");
        assert!(!format!("{builder:?}").contains("S3CRET"));
        assert_eq!(builder.password, Some(Secret("S3CRET".to_owned())));
    }
}
