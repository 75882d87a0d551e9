//! What a store in PostgreSQL is opened with.

use std::path::PathBuf;
use std::time::Duration;

use super::PostgresStore;
use super::dialects::PostgresDialectBuilder;
use super::tls::SslMode;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::{Dialect, KeySpaceId, Others};

/// Where servers listen unless told otherwise.
const PORT: u16 = 5432;

/// Where a database is and how it is to be opened: see [`PostgresStore::builder`].
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
pub struct PostgresBuilder {
    pub(super) hosts: Vec<Host>,
    pub(super) user: Option<String>,
    pub(super) password: Option<Secret>,
    pub(super) password_file: Option<PathBuf>,
    pub(super) database: Option<String>,
    pub(super) ssl_mode: Option<SslMode>,
    pub(super) ssl_root_certificates: Option<String>,
    pub(super) read_write: bool,
    pub(super) connect_within: Option<Duration>,
    pub(super) application_name: Option<String>,
    pub(super) schema: Option<String>,
    pub(super) create: bool,
    pub(super) key_space: Option<KeySpaceId>,
    pub(super) synchronous_replication: bool,
    pub(super) durability_declared: bool,
}

/// A server: a machine, or a socket of this one in a directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Host {
    pub(super) name: String,
    pub(super) port: u16,
}

impl PostgresBuilder {
    /// Adds a server, by its name or address; the directory of its Unix socket if that begins with
    /// a slash. They are tried in their order.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.hosts.push(Host { name: name.into(), port: port.into().unwrap_or(PORT) });
        self
    }

    /// Who logs in: unless set, `PGUSER` of the environment, or the operating system's user.
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        PostgresBuilder { user: Some(user.into()), ..self }
    }

    /// With which password: unless set, `PGPASSWORD` of the environment, or what the password file
    /// has for host, port, database and user. Both are read anew for each connection.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        PostgresBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// The file with passwords, which is read only if nobody else can read it: `PGPASSFILE` of the
    /// environment or `~/.pgpass` unless set, on Windows `%APPDATA%\postgresql\pgpass.conf`.
    #[must_use]
    pub fn password_file(self, file: impl Into<PathBuf>) -> Self {
        PostgresBuilder { password_file: Some(file.into()), ..self }
    }

    /// The database: one with the user's name unless set.
    #[must_use]
    pub fn database(self, name: impl Into<String>) -> Self {
        PostgresBuilder { database: Some(name.into()), ..self }
    }

    /// The schema with our tables: `snowmint` unless set. No `search_path` changes that. A second one
    /// is a second key space, which repeats the IDs of the first.
    #[must_use]
    pub fn schema(self, name: impl Into<String>) -> Self {
        PostgresBuilder { schema: Some(name.into()), ..self }
    }

    /// How connections are secured: [`SslMode::Prefer`] unless set, or [`SslMode::VerifyFull`] with
    /// the system's authorities.
    #[must_use]
    pub fn ssl_mode(self, mode: SslMode) -> Self {
        PostgresBuilder { ssl_mode: Some(mode), ..self }
    }

    /// A file of the authorities that vouch for servers, in PEM: `~/.postgresql/root.crt` unless
    /// set, on Windows `%APPDATA%\postgresql\root.crt`. Where that is not there,
    /// [`SslMode::VerifyFull`] trusts the system's, and [`SslMode::VerifyCa`] is refused.
    ///
    /// `system` for those of the system, which goes with [`SslMode::VerifyFull`] alone: they sign
    /// for anybody.
    #[must_use]
    pub fn ssl_root_certificates(self, file: impl Into<String>) -> Self {
        PostgresBuilder { ssl_root_certificates: Some(file.into()), ..self }
    }

    /// Whether a server that takes no changes is passed over for the next host. Not unless set.
    #[must_use]
    pub fn read_write(self, read_write: bool) -> Self {
        PostgresBuilder { read_write, ..self }
    }

    /// How long one host is tried at most; unless set, as long as the call that needs it may take.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        PostgresBuilder { connect_within: Some(within), ..self }
    }

    /// What the server shows of its connections: `snowmint` unless set.
    #[must_use]
    pub fn application_name(self, name: impl Into<String>) -> Self {
        PostgresBuilder { application_name: Some(name.into()), ..self }
    }

    /// Whether the caller vouches that the server loses nothing that it acknowledged, whatever its
    /// settings say: by storage that keeps what was written, and writes no half of a page. Not unless
    /// set: then a server without `fsync` or `full_page_writes` is refused. One that takes another's
    /// place is refused what it may lack either way.
    #[must_use]
    pub fn durability_declared(self, declared: bool) -> Self {
        PostgresBuilder { durability_declared: declared, ..self }
    }

    /// Which key space it has to be, where that is known: another one is refused. The one that is seen
    /// first unless set.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        PostgresBuilder { key_space: Some(id), ..self }
    }

    /// Whether to make the tables, and their schema, if they are not there: a new key space. Not
    /// unless set.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        PostgresBuilder { create, ..self }
    }

    /// Whether the operator states that each standby that may be promoted confirms each commit, as
    /// `synchronous_standby_names = '2 (a, b)'` has both do. Not unless set: then a standby that takes
    /// over gives no range of a tag until an operator has vouched for it
    /// ([`vouch`](crate::SegmentAdmin::vouch)). With it such a standby goes on by itself: nothing is
    /// checked, and what it lacks is given again. Another cluster is refused either way.
    #[must_use]
    pub fn synchronous_replication(self, synchronous: bool) -> Self {
        PostgresBuilder { synchronous_replication: synchronous, ..self }
    }

    /// The tables of another generator in that database, in place of ours.
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
    /// - [`InvalidParameter`](crate::Code::InvalidParameter) without a host or a user, with
    ///   root certificates that cannot be read, or that sign for anybody where no name is compared,
    ///   or for a schema with
    ///   an impossible name.
    /// - [`StoreUnavailable`](crate::Code::StoreUnavailable) if no host answers, or not in time.
    /// - [`StoreDenied`](crate::Code::StoreDenied) for a wrong user or password, or one without the
    ///   right to the tables.
    /// - [`StoreMissing`](crate::Code::StoreMissing) without such a database or its tables.
    /// - [`StoreSchema`](crate::Code::StoreSchema) for tables of another version, or that are in
    ///   another schema while none was named.
    /// - [`StoreReadOnly`](crate::Code::StoreReadOnly) if every host is a standby and the primary
    ///   is asked for.
    /// - [`UnsafeSetting`](crate::Code::UnsafeSetting) for tables that are to be made on a server that
    ///   could lose what it acknowledged; what is asked of the store later is refused so, too.
    pub fn open(self) -> Result<PostgresStore> {
        PostgresStore::open(self)
    }
}
