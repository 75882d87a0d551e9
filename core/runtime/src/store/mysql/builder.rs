//! The configuration of a store in MySQL or MariaDB.

use std::path::PathBuf;
use std::time::Duration;

use super::dialects::MysqlDialectBuilder;
use super::tls::{MysqlSslMode, SSL_MODES};
use super::{MysqlStore, errors};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::config::{Pair, config};
use crate::store::{Dialect, KeySpaceId, Others};
use crate::url::Parameters;

/// The port of a server for which none is given.
const PORT: u16 = 3306;

config! {
    /// Describes where a database is and how to open it: see [`MysqlStore::builder`].
    ///
    /// ```no_run
    /// # fn main() -> snowmint::Result<()> {
    /// let store = snowmint::MysqlStore::builder()
    ///     .host("db-1", 3306)
    ///     .host("db-2", 3306) // whichever of them takes changes
    ///     .user("ann")
    ///     .database("ids")
    ///     .ssl_mode(snowmint::MysqlSslMode::VerifyIdentity)
    ///     .open()?;
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct MysqlBuilder with connection, key_space {
        hosts: Vec<Host>,
        /// Sets the user. Default: the user in the option file.
        user: Option<String> => "user",
        /// Sets the password. Default: the option file's, if it is for this user, or else
        /// `MYSQL_PWD` of the environment. Both are read for each connection.
        password: Option<Secret> => "password",
        /// Sets the option file, of which the section `[client]` is read. On Unix it is read only if
        /// no other user has access to it. Default: `~/.my.cnf`.
        option_file: Option<PathBuf> => "defaults-file",
        /// Sets the database.
        database: Option<String>,
        /// Sets how connections are secured.
        ssl_mode: Option<MysqlSslMode> => "ssl-mode" & "sslmode",
        /// Sets the file of the authorities that sign servers' certificates, in PEM. Default: the
        /// system's authorities, but only for [`VerifyIdentity`](MysqlSslMode::VerifyIdentity).
        ssl_ca: Option<PathBuf> => "ssl-ca",
        /// Set this to true to vouch that the server loses nothing that it acknowledged, whatever
        /// its settings say: for example because its disk keeps what was written. You also vouch
        /// that no process uses the server that it follows, if there is one.
        ///
        /// Default: false. A server whose settings allow a loss is then refused, and so is a MariaDB
        /// server that takes changes while it follows another. This changes nothing about failovers.
        durability_declared: bool => "durability" { "checked" => false, "declared" => true },
        _ => "socket",
        _ => "dialect" & "table",
    }
}

/// The two names of the parameter are MySQL's own, and that of other databases.
impl Pair for MysqlSslMode {
    fn take(own: &mut Parameters, names: [&'static str; 2]) -> Result<Option<MysqlSslMode>> {
        let [own_name, other_name] = names;
        match (own.take_parsed(own_name, SSL_MODES)?, own.take_parsed(other_name, SSL_MODES)?) {
            (Some(_), Some(_)) => Err(errors::ssl_mode_given_twice()),
            (mode, other) => Ok(mode.or(other)),
        }
    }
}

/// A server: another machine, or a Unix socket of this machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Host {
    Machine { name: String, port: u16 },
    Socket(String),
}

impl Host {
    pub(super) fn machine(name: impl Into<String>, port: Option<u16>) -> Host {
        Host::Machine { name: name.into(), port: port.unwrap_or(PORT) }
    }
}

impl MysqlBuilder {
    /// Adds a server by its name or address. Servers are tried in the order in which you add them.
    /// If there are several, those that take no changes are passed over. Without any, the option
    /// file names the server.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.hosts.push(Host::machine(name, port.into()));
        self
    }

    /// Adds a server of this machine by its Unix socket.
    #[must_use]
    pub fn socket(mut self, path: impl Into<String>) -> Self {
        self.hosts.push(Host::Socket(path.into()));
        self
    }

    /// Uses the tables of another generator in that database, in place of snowmint's.
    ///
    /// ```no_run
    /// # fn main() -> snowmint::Result<()> {
    /// use snowmint::{Dialect, MysqlStore};
    ///
    /// let database = MysqlStore::builder().host("db", None).user("ann").database("ids");
    /// let store = database.dialect(Dialect::Leaf).open()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> MysqlDialectBuilder {
        self.others(Others { dialect, table: None })
    }

    pub(crate) fn others(self, others: Others) -> MysqlDialectBuilder {
        MysqlDialectBuilder::new(self, others)
    }

    /// Opens the store, which calls the server.
    ///
    /// # Errors
    /// - [`InvalidParameter`](crate::Code::InvalidParameter) without a host, a user or a database,
    ///   or with authorities that cannot be read.
    /// - [`StoreUnavailable`](crate::Code::StoreUnavailable) if no host answers in time.
    /// - [`StoreDenied`](crate::Code::StoreDenied) for a wrong user or password, or a user without
    ///   rights to the tables.
    /// - [`StoreMissing`](crate::Code::StoreMissing) without the database or its tables.
    /// - [`StoreSchema`](crate::Code::StoreSchema) for tables of another version, or of an engine
    ///   without transactions.
    /// - [`StoreReadOnly`](crate::Code::StoreReadOnly) if every host is a replica.
    /// - [`UnsafeSetting`](crate::Code::UnsafeSetting) for a server that could lose what it
    ///   acknowledged.
    pub fn open(self) -> Result<MysqlStore> {
        MysqlStore::open(self)
    }
}
