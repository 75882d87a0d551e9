//! What a store in Redis is opened with.

use std::path::PathBuf;
use std::time::Duration;

use snowmint_engine::Code;

use super::{RedisCountersBuilder, RedisStore};
use crate::error::{Error, Result};
use crate::secrets::Secret;
use crate::store::KeySpaceId;

/// Where servers listen unless told otherwise.
const PORT: u16 = 6379;
/// Where sentinels do.
const SENTINEL_PORT: u16 = 26_379;

/// What may happen to a server that sentinels watch.
pub(super) const FAILOVER: &str =
    "sentinels put a replica in its place, which may lack its last changes";
/// What is right then.
pub(super) const DECLARE: &str = "name one server that stands alone by redis:, or say \
                                  durability=declared and raise every tag after each failover";

/// Where a server is and how it is to be opened: see [`RedisStore::builder`].
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::RedisStore::builder().host("redis-1", 6379).password("s").open()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RedisBuilder {
    pub(super) host: Option<Host>,
    pub(super) user: Option<String>,
    pub(super) password: Option<Secret>,
    pub(super) sentinel_user: Option<String>,
    pub(super) sentinel_password: Option<Secret>,
    pub(super) database: u32,
    pub(super) tls: bool,
    pub(super) ca_certs: Option<PathBuf>,
    pub(super) any_name: bool,
    pub(super) connect_within: Option<Duration>,
    pub(super) durability_declared: bool,
    pub(super) restarts_vouched: bool,
    pub(super) create: bool,
    pub(super) key_space: Option<KeySpaceId>,
}

/// A server: a machine, a socket of this one, or whichever is the master, or the owner, at the moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Host {
    Machine {
        name: String,
        port: u16,
    },
    Socket(PathBuf),
    /// The one that sentinels name.
    Watched {
        master: String,
        sentinels: Vec<(String, u16)>,
    },
    /// The one of a cluster that has our keys, by the word of these.
    Cluster(Vec<(String, u16)>),
}

impl RedisBuilder {
    /// The server, by its name or address: `localhost` unless set.
    #[must_use]
    pub fn host(self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        let port = port.into().unwrap_or(PORT);
        RedisBuilder { host: Some(Host::Machine { name: name.into(), port }), ..self }
    }

    /// The server of this machine, by its Unix socket.
    #[must_use]
    pub fn socket(self, path: impl Into<PathBuf>) -> Self {
        RedisBuilder { host: Some(Host::Socket(path.into())), ..self }
    }

    /// The server that sentinels name as the master of that name, asked anew for each connection, in
    /// their order; by their names or addresses, and their ports (26379). Refused unless the
    /// [durability is declared](RedisBuilder::durability_declared), whatever replicas there are at the
    /// moment: one that is away comes back, and takes the master's place as it was.
    #[must_use]
    pub fn sentinels<Name: Into<String>>(
        self,
        master: impl Into<String>,
        sentinels: impl IntoIterator<Item = (Name, Option<u16>)>,
    ) -> Self {
        let named =
            |(name, port): (Name, Option<u16>)| (name.into(), port.unwrap_or(SENTINEL_PORT));
        let sentinels = sentinels.into_iter().map(named).collect();
        RedisBuilder { host: Some(Host::Watched { master: master.into(), sentinels }), ..self }
    }

    /// A cluster, by some of its nodes: which of all has our keys is asked of them anew for each
    /// connection, in their order. The keys have one slot, and so one node.
    #[must_use]
    pub fn cluster<Name: Into<String>>(
        self,
        nodes: impl IntoIterator<Item = (Name, Option<u16>)>,
    ) -> Self {
        let nodes = nodes.into_iter().map(|(name, port)| (name.into(), port.unwrap_or(PORT)));
        RedisBuilder { host: Some(Host::Cluster(nodes.collect())), ..self }
    }

    /// Who logs in: `default` unless set.
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        RedisBuilder { user: Some(user.into()), ..self }
    }

    /// With which password: unless set, that of `REDISCLI_AUTH` in the environment, read for each
    /// connection.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        RedisBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// Who logs in to sentinels: `default` unless set.
    #[must_use]
    pub fn sentinel_user(self, user: impl Into<String>) -> Self {
        RedisBuilder { sentinel_user: Some(user.into()), ..self }
    }

    /// With which password: none unless set, whatever the server's is.
    #[must_use]
    pub fn sentinel_password(self, password: impl Into<String>) -> Self {
        RedisBuilder { sentinel_password: Some(Secret(password.into())), ..self }
    }

    /// The number of the database: 0 unless set.
    #[must_use]
    pub fn database(self, number: u32) -> Self {
        RedisBuilder { database: number, ..self }
    }

    /// Whether connections are secured by TLS, and the server's certificate checked. Not unless set.
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        RedisBuilder { tls, ..self }
    }

    /// A file of the authorities that vouch for the server, in PEM: the system's unless set.
    #[must_use]
    pub fn ca_certs(self, file: impl Into<PathBuf>) -> Self {
        RedisBuilder { ca_certs: Some(file.into()), ..self }
    }

    /// Whether the certificate may be for another name, by the word of an authority in the file. Not
    /// unless set.
    #[must_use]
    pub fn any_name(self, any: bool) -> Self {
        RedisBuilder { any_name: any, ..self }
    }

    /// How long the server is tried at most; unless set, as long as the call that needs it may take.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        RedisBuilder { connect_within: Some(within), ..self }
    }

    /// Whether the caller vouches that the server loses nothing that it acknowledged, whatever its
    /// settings say: numbers repeat otherwise. Not unless set: then one that does not sync each
    /// change, may evict keys, or has replicas that may take its place, is refused, and so is any that
    /// sentinels watch.
    #[must_use]
    pub fn durability_declared(self, declared: bool) -> Self {
        RedisBuilder { durability_declared: declared, ..self }
    }

    /// Whether a start of the server gives nothing until somebody has vouched for it
    /// ([`SegmentAdmin::vouch`](crate::SegmentAdmin::vouch)): it may have been with an older file.
    /// Not unless set: then processes that had numbers find that out, and new ones do not.
    #[must_use]
    pub fn restarts_vouched(self, vouched: bool) -> Self {
        RedisBuilder { restarts_vouched: vouched, ..self }
    }

    /// Which key space it has to be, where that is known: another one is refused. The one that is seen
    /// first unless set.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        RedisBuilder { key_space: Some(id), ..self }
    }

    /// Whether to begin a new key space where there is none. Not unless set.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        RedisBuilder { create, ..self }
    }

    /// For counters of `INCR`, as they are, in place of rows of ours.
    #[must_use]
    pub fn counters(self) -> RedisCountersBuilder {
        RedisCountersBuilder::new(self)
    }

    /// Refuses what sentinels watch, unless somebody vouches for it: how many replicas follow it at
    /// the moment does not say which of them takes its place later.
    pub(super) fn check_failover(&self) -> Result<()> {
        if self.durability_declared || !self.is_watched() {
            return Ok(());
        }
        let message =
            format!("Redis could lose what it acknowledged, and repeat it: {FAILOVER}; {DECLARE}");
        Err(Error::new(Code::UnsafeSetting, message))
    }

    pub(super) fn is_watched(&self) -> bool {
        matches!(self.host, Some(Host::Watched { .. }))
    }

    /// Opens it.
    ///
    /// # Errors
    /// As [`RedisStore`] says; [`Code::StoreMissing`](crate::Code::StoreMissing) where no key space
    /// was begun.
    pub fn open(self) -> Result<RedisStore> {
        RedisStore::open(self)
    }
}
