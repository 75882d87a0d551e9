//! `mysql://user:password@host:port,host:port/database?…`, also `mariadb:`.

use super::builder::MysqlBuilder;
use super::{MysqlDialectBuilder, MysqlDialectStore, MysqlStore, errors};
use crate::error::Result;
use crate::store::Others;
use crate::store::opened::Opened;
use crate::store::scheme::StoreScheme;
use crate::url::{Address, Parameters};

pub(crate) const SCHEME: StoreScheme = StoreScheme {
    name: "mysql",
    alias: Some("mariadb"),
    tls: false,
    example: "//user@host/database",
    parameters: |_| MysqlStore::builder().names(),
    open: |_, address, own| {
        static OPENED: Opened<MysqlBuilder, MysqlStore> = Opened::new();
        static OTHERS: Opened<MysqlDialectBuilder, MysqlDialectStore> = Opened::new();
        let builder = builder_of(address, own)?;
        let Some(others) = Others::take(own)? else {
            let key = builder.clone().create(false);
            return Ok(OPENED.one(builder, &key, MysqlStore::look, MysqlBuilder::open)?);
        };
        let builder = builder.others(others);
        let look = |store: &MysqlDialectStore, _| store.look();
        Ok(OTHERS.one(builder.clone(), &builder, look, MysqlDialectBuilder::open)?)
    },
    numbers: |_, address, own, column, wanted| {
        MysqlStore::numbers(builder_of(address, own)?, column, wanted)
    },
    fillings: |_, address, own, fills| MysqlStore::fillings(builder_of(address, own)?, fills),
    migrate: |_, address, own, is_dry| MysqlStore::migrate(builder_of(address, own)?, is_dry),
    examine: |_, address, own| {
        let others = Others::take(own)?;
        MysqlStore::examine(builder_of(address, own)?, others)
    },
};

/// Builds the store that a URL describes.
pub(crate) fn builder_of(address: &Address, parameters: &mut Parameters) -> Result<MysqlBuilder> {
    // `mysql:///ids?socket=/run/mysqld/mysqld.sock`
    let machines = address.machines().ok_or_else(errors::address_missing)?;
    let mut builder = MysqlStore::builder();
    for host in &machines.hosts {
        builder = builder.host(&host.host, host.port);
    }
    if let Some(socket) = parameters.take("socket") {
        if !builder.hosts.is_empty() {
            return Err(errors::socket_and_host());
        }
        builder = builder.socket(socket);
    }
    let database = machines.path.trim_start_matches('/');
    builder.database = (!database.is_empty()).then(|| database.to_owned());
    parameters.log_in(&machines)?;
    builder.configured(parameters)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use snowmint_engine::Code;

    use super::super::tls::MysqlSslMode;
    use super::*;
    use crate::secrets::Secret;
    use crate::store::config::tests::{assert_refused, parsed};

    fn read(url: &str) -> Result<MysqlBuilder> {
        parsed(url, MysqlStore::builder().names(), builder_of)
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
            assert_eq!(read(url).unwrap(), meant, "{url}");
        }
    }

    #[test]
    fn a_wrong_url_is_refused_with_a_hint_and_shows_no_secret() {
        let urls = [
            ("mysql:ids", Code::InvalidUrl, "?socket=/run/mysqld/mysqld.sock"),
            ("mysql://db?socket=/s", Code::InvalidParameter, "one of them"),
            ("mysql://ann@db?user=bob", Code::InvalidParameter, "user stands"),
            ("mysql://a:S3CRET@db?password=S3CRET", Code::InvalidParameter, "password stands"),
            ("mysql://db?ssl-mode=allow", Code::InvalidParameter, "verify_ca or verify_identity"),
            ("mysql://db?ssl-mode=required&sslmode=require", Code::InvalidParameter, "one of"),
            ("mysql://db?connect_timeout=-1", Code::InvalidParameter, "seconds"),
            ("mysql://db?durability=none", Code::InvalidParameter, "checked or declared"),
            ("mysql://db?ssl-mod=disabled", Code::UnknownParameter, "did you mean ssl-mode?"),
        ];
        assert_refused(read, &urls);
    }

    #[test]
    fn a_builder_does_not_show_its_password() {
        let builder = MysqlStore::builder().host("db", None).password("S3CRET");
        assert!(!format!("{builder:?}").contains("S3CRET"));
        assert_eq!(builder.password, Some(Secret("S3CRET".to_owned())));
    }
}
