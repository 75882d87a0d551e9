//! The configuration of a store in PostgreSQL.

use std::path::PathBuf;
use std::time::Duration;

use super::PostgresStore;
use super::dialects::PostgresDialectBuilder;
use super::tls::{SSL_MODES, SslMode};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::config::{Value, config};
use crate::store::{Dialect, KeySpaceId, Others};

/// The port of a server for which none is given.
const PORT: u16 = 5432;

config! {
    /// Describes where a database is and how to open it: see [`PostgresStore::builder`].
    ///
    /// ```no_run
    /// # fn main() -> snowmint::Result<()> {
    /// let store = snowmint::PostgresStore::builder()
    ///     .host("db-1", 5432)
    ///     .host("db-2", 5432)
    ///     .read_write(true) // whichever of them is the primary
    ///     .user("ann")
    ///     .database("ids")
    ///     .ssl_mode(snowmint::SslMode::VerifyFull)
    ///     .open()?;
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct PostgresBuilder with connection, key_space {
        hosts: Vec<Host>,
        /// Sets the user. Default: `PGUSER` of the environment, or else the operating system's user.
        user: Option<String> => "user",
        /// Sets the password. Default: `PGPASSWORD` of the environment, or else the password file's
        /// entry for the host, port, database and user. Both are read anew for each connection.
        password: Option<Secret> => "password",
        /// Sets the password file. On Unix it is read only if no other user has access to it.
        /// Default: `PGPASSFILE` of the environment, or else `~/.pgpass`
        /// (`%APPDATA%\postgresql\pgpass.conf` on Windows).
        password_file: Option<PathBuf> => "passfile",
        /// Sets the database. Default: the one with the user's name.
        database: Option<String> => "dbname",
        /// Sets the schema with snowmint's tables. Default: `snowmint`, whatever the `search_path`
        /// is. A second schema is a second key space, which repeats the IDs of the first.
        schema: Option<String> => "schema",
        /// Sets how connections are secured. Default: [`SslMode::Prefer`], or
        /// [`SslMode::VerifyFull`] with the system's authorities.
        ssl_mode: Option<SslMode> => "sslmode",
        /// Sets the file of the authorities that sign servers' certificates, in PEM. Default:
        /// `~/.postgresql/root.crt` (`%APPDATA%\postgresql\root.crt` on Windows). If there is no
        /// such file, [`SslMode::VerifyFull`] trusts the system's authorities, and
        /// [`SslMode::VerifyCa`] is refused.
        ///
        /// The word `system` names the system's authorities. They sign for anybody, so `system`
        /// works only with [`SslMode::VerifyFull`].
        ssl_root_certificates: Option<String> => "sslrootcert",
        /// Set this to true to pass over servers that take no changes. Default: false.
        read_write: bool => "target_session_attrs" {
            "any" => false, "read-write" => true, "primary" => true
        },
        /// Sets the name that the server shows for its connections. Default: `snowmint`.
        application_name: Option<String> => "application_name",
        /// Set this to true to state that each standby that may be promoted confirms each commit,
        /// for example by `synchronous_standby_names = '2 (a, b)'`. A standby that takes over then
        /// goes on by itself. snowmint does not check this: numbers that the standby lacks are given
        /// again.
        ///
        /// Default: false. A standby that takes over gives no range of a tag until an operator has
        /// vouched for it ([`vouch`](crate::SegmentAdmin::vouch)). Another cluster is refused either
        /// way.
        synchronous_replication: bool => "replication" { "none" => false, "synchronous" => true },
        /// Set this to true to vouch that the server loses nothing that it acknowledged, whatever
        /// its settings say. For example, its storage keeps what was written, and never half a page.
        ///
        /// Default: false. A server without `fsync` or `full_page_writes` is then refused. This
        /// changes nothing about failovers.
        durability_declared: bool => "durability" { "checked" => false, "declared" => true },
        _ => "host" & "port",
        _ => "dialect" & "table",
    }
}

/// A server: another machine, or the directory of a Unix socket of this machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Host {
    pub(super) name: String,
    pub(super) port: u16,
}

impl Value for SslMode {
    const EXPECTED: &'static str = SSL_MODES;

    fn parse(text: &str) -> Option<SslMode> {
        text.parse().ok()
    }
}

impl PostgresBuilder {
    /// Adds a server by its name or address. A name that begins with a slash is the directory of a
    /// Unix socket. Servers are tried in the order in which you add them.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.hosts.push(Host { name: name.into(), port: port.into().unwrap_or(PORT) });
        self
    }

    /// Uses the tables of another generator in that database, in place of snowmint's.
    ///
    /// ```no_run
    /// # fn main() -> snowmint::Result<()> {
    /// use snowmint::{Dialect, PostgresStore};
    ///
    /// let database = PostgresStore::builder().host("db", None).user("ann").database("ids");
    /// let store = database.dialect(Dialect::Leaf).open()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> PostgresDialectBuilder {
        self.others(Others { dialect, table: None })
    }

    pub(crate) fn others(self, others: Others) -> PostgresDialectBuilder {
        PostgresDialectBuilder::new(self, others)
    }

    /// Opens the store, which calls the server.
    ///
    /// # Errors
    /// - [`InvalidParameter`](crate::Code::InvalidParameter) without a host or a user, for a schema
    ///   with an impossible name, or with root certificates that cannot be read. Also with the
    ///   system's root certificates in a mode that compares no host name.
    /// - [`StoreUnavailable`](crate::Code::StoreUnavailable) if no host answers in time.
    /// - [`StoreDenied`](crate::Code::StoreDenied) for a wrong user or password, or a user without
    ///   rights to the tables.
    /// - [`StoreMissing`](crate::Code::StoreMissing) without the database or its tables.
    /// - [`StoreSchema`](crate::Code::StoreSchema) for tables of another version, or tables in
    ///   another schema while you named none.
    /// - [`StoreReadOnly`](crate::Code::StoreReadOnly) if every host is a standby and you asked for
    ///   the primary.
    /// - [`UnsafeSetting`](crate::Code::UnsafeSetting) if tables have to be made on a server that
    ///   could lose what it acknowledged. Later calls to the store fail in the same way.
    pub fn open(self) -> Result<PostgresStore> {
        PostgresStore::open(self)
    }
}
