//! What a store in MySQL or MariaDB is opened with.

use std::path::PathBuf;
use std::time::Duration;

use super::MysqlStore;
use super::dialects::MysqlDialectBuilder;
use super::tls::MysqlSslMode;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::{Dialect, KeySpaceId, Others};

/// Where servers listen unless told otherwise.
const PORT: u16 = 3306;

/// Where a database is and how it is to be opened: see [`MysqlStore::builder`].
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
pub struct MysqlBuilder {
    pub(super) hosts: Vec<Host>,
    pub(super) user: Option<String>,
    pub(super) password: Option<Secret>,
    pub(super) option_file: Option<PathBuf>,
    pub(super) database: Option<String>,
    pub(super) ssl_mode: Option<MysqlSslMode>,
    pub(super) ssl_ca: Option<PathBuf>,
    pub(super) connect_within: Option<Duration>,
    pub(super) durability_declared: bool,
    pub(super) create: bool,
    pub(super) key_space: Option<KeySpaceId>,
}

/// A server: a machine, or a socket of this one.
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
    /// Adds a server, by its name or address. They are tried in their order; of several, those that
    /// take no changes are passed over. Without one, what the option file names.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.hosts.push(Host::machine(name, port.into()));
        self
    }

    /// Adds a server of this machine, by its Unix socket.
    #[must_use]
    pub fn socket(mut self, path: impl Into<String>) -> Self {
        self.hosts.push(Host::Socket(path.into()));
        self
    }

    /// Who logs in: unless set, whom the option file names.
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        MysqlBuilder { user: Some(user.into()), ..self }
    }

    /// With which password: unless set, the option file's for this user, or `MYSQL_PWD` of the
    /// environment, read for each connection.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        MysqlBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// The file of options, whose section `[client]` is read, only if nobody else can read the
    /// file: `~/.my.cnf` unless set.
    #[must_use]
    pub fn option_file(self, file: impl Into<PathBuf>) -> Self {
        MysqlBuilder { option_file: Some(file.into()), ..self }
    }

    /// The database.
    #[must_use]
    pub fn database(self, name: impl Into<String>) -> Self {
        MysqlBuilder { database: Some(name.into()), ..self }
    }

    /// How connections are secured.
    #[must_use]
    pub fn ssl_mode(self, mode: MysqlSslMode) -> Self {
        MysqlBuilder { ssl_mode: Some(mode), ..self }
    }

    /// A file of the authorities that vouch for servers, in PEM. Unless set, those of the system, for
    /// [`VerifyIdentity`](MysqlSslMode::VerifyIdentity) alone.
    #[must_use]
    pub fn ssl_ca(self, file: impl Into<PathBuf>) -> Self {
        MysqlBuilder { ssl_ca: Some(file.into()), ..self }
    }

    /// How long one host is tried at most; unless set, as long as the call that needs it may take.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        MysqlBuilder { connect_within: Some(within), ..self }
    }

    /// Whether the caller vouches that the server loses nothing that it acknowledged, whatever its
    /// settings say: by a disk that keeps what was written, or copies elsewhere. And that nobody
    /// else uses the one that it follows, if it does. Not unless set: then a server whose settings
    /// allow it to lose something is refused, and so is one of MariaDB that takes changes while it
    /// follows another. A server that takes another's place is refused what it may lack either way.
    #[must_use]
    pub fn durability_declared(self, declared: bool) -> Self {
        MysqlBuilder { durability_declared: declared, ..self }
    }

    /// Which key space it has to be, where that is known: another one is refused. The one that is seen
    /// first unless set.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        MysqlBuilder { key_space: Some(id), ..self }
    }

    /// Whether to make the tables if they are not there: a new key space. Not unless set.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        MysqlBuilder { create, ..self }
    }

    /// The tables of another generator in that database, in place of ours.
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
    /// - [`StoreUnavailable`](crate::Code::StoreUnavailable) if no host answers, or not in time.
    /// - [`StoreDenied`](crate::Code::StoreDenied) for a wrong user or password, or one without the
    ///   right to the tables.
    /// - [`StoreMissing`](crate::Code::StoreMissing) without such a database or its tables.
    /// - [`StoreSchema`](crate::Code::StoreSchema) for tables of another version, or of an engine
    ///   without transactions.
    /// - [`StoreReadOnly`](crate::Code::StoreReadOnly) if every host is a replica.
    /// - [`UnsafeSetting`](crate::Code::UnsafeSetting) for a server that could lose what it
    ///   acknowledged.
    pub fn open(self) -> Result<MysqlStore> {
        MysqlStore::open(self)
    }
}
