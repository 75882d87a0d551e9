//! The builder of a store in Redis.

use std::path::PathBuf;
use std::time::Duration;

use super::{RedisCountersBuilder, RedisStore, errors};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;

/// The servers' default port.
const PORT: u16 = 6379;
/// The sentinels' default port.
const SENTINEL_PORT: u16 = 26_379;

pub(super) const FAILOVER: &str =
    "sentinels put a replica in its place, which may lack its last changes";
pub(super) const DECLARE: &str = "name one server that stands alone by redis:, or say \
                                  durability=declared and raise every tag after each failover";

/// Describes a server and how to open a store there: see [`RedisStore::builder`].
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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Host {
    Machine {
        name: String,
        port: u16,
    },
    Socket(PathBuf),
    /// The master that sentinels name.
    Watched {
        master: String,
        sentinels: Vec<(String, u16)>,
    },
    /// The node that holds our keys, found by asking these nodes.
    Cluster(Vec<(String, u16)>),
}

impl RedisBuilder {
    /// Sets the server's name or address (default `localhost`) and port (default 6379).
    #[must_use]
    pub fn host(self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        let port = port.into().unwrap_or(PORT);
        RedisBuilder { host: Some(Host::Machine { name: name.into(), port }), ..self }
    }

    /// Sets the Unix socket of a server on this machine.
    #[must_use]
    pub fn socket(self, path: impl Into<PathBuf>) -> Self {
        RedisBuilder { host: Some(Host::Socket(path.into())), ..self }
    }

    /// Names the sentinels, and the master to ask them for. Each new connection asks them in their
    /// order; their default port is 26379.
    ///
    /// Opening is refused unless the [durability is declared](RedisBuilder::durability_declared),
    /// even while there are no replicas. A replica that was away can return and replace the master
    /// with its old data.
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

    /// Names some nodes of a cluster. Each new connection asks them in their order which node holds
    /// our keys. All keys share one slot, so one node holds them all.
    #[must_use]
    pub fn cluster<Name: Into<String>>(
        self,
        nodes: impl IntoIterator<Item = (Name, Option<u16>)>,
    ) -> Self {
        let nodes = nodes.into_iter().map(|(name, port)| (name.into(), port.unwrap_or(PORT)));
        RedisBuilder { host: Some(Host::Cluster(nodes.collect())), ..self }
    }

    /// Sets the user who logs in (default `default`).
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        RedisBuilder { user: Some(user.into()), ..self }
    }

    /// Sets the password. By default, each connection reads `REDISCLI_AUTH` from the environment.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        RedisBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// Sets the user who logs in to the sentinels (default `default`).
    #[must_use]
    pub fn sentinel_user(self, user: impl Into<String>) -> Self {
        RedisBuilder { sentinel_user: Some(user.into()), ..self }
    }

    /// Sets the password for the sentinels. The default is none, even if the server has one.
    #[must_use]
    pub fn sentinel_password(self, password: impl Into<String>) -> Self {
        RedisBuilder { sentinel_password: Some(Secret(password.into())), ..self }
    }

    /// Sets the number of the database (default 0).
    #[must_use]
    pub fn database(self, number: u32) -> Self {
        RedisBuilder { database: number, ..self }
    }

    /// Secures connections by TLS and checks the server's certificate. Off by default.
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        RedisBuilder { tls, ..self }
    }

    /// Sets a PEM file of the authorities to trust. By default the system's are trusted.
    #[must_use]
    pub fn ca_certs(self, file: impl Into<PathBuf>) -> Self {
        RedisBuilder { ca_certs: Some(file.into()), ..self }
    }

    /// Accepts a certificate for any name, if an authority in the file signed it. Off by default.
    #[must_use]
    pub fn any_name(self, any: bool) -> Self {
        RedisBuilder { any_name: any, ..self }
    }

    /// Limits how long a connection may take. By default the limit is that of the call that needs
    /// it.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        RedisBuilder { connect_within: Some(within), ..self }
    }

    /// Declares that the server loses nothing that it acknowledged, whatever its settings say. If
    /// that is untrue, numbers repeat.
    ///
    /// Off by default: a server is then refused if it does not sync each change, may evict keys or
    /// has replicas that may replace it. So is a server that sentinels watch.
    #[must_use]
    pub fn durability_declared(self, declared: bool) -> Self {
        RedisBuilder { durability_declared: declared, ..self }
    }

    /// Refuses each new start of the server until you vouch for it
    /// ([`SegmentAdmin::vouch`](crate::SegmentAdmin::vouch)), because it may have started with an
    /// older file.
    ///
    /// Off by default: only processes that had numbers before then notice an older file.
    #[must_use]
    pub fn restarts_vouched(self, vouched: bool) -> Self {
        RedisBuilder { restarts_vouched: vouched, ..self }
    }

    /// Requires this key space and refuses any other. By default the store keeps to the key space
    /// that it sees first.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        RedisBuilder { key_space: Some(id), ..self }
    }

    /// Begins a new key space if there is none. Off by default.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        RedisBuilder { create, ..self }
    }

    /// Uses existing `INCR` counters instead of snowmint's own rows.
    #[must_use]
    pub fn counters(self) -> RedisCountersBuilder {
        RedisCountersBuilder::new(self)
    }

    /// Refuses a server that sentinels watch, unless its durability is declared. The present number
    /// of replicas does not matter: another replica may take over later.
    pub(super) fn check_failover(&self) -> Result<()> {
        if self.durability_declared || !self.is_watched() {
            return Ok(());
        }
        Err(errors::server_watched(FAILOVER, DECLARE))
    }

    pub(super) fn is_watched(&self) -> bool {
        matches!(self.host, Some(Host::Watched { .. }))
    }

    /// Opens the store.
    ///
    /// # Errors
    /// The errors that [`RedisStore`] lists; [`Code::StoreMissing`](crate::Code::StoreMissing) if
    /// no key space was begun.
    pub fn open(self) -> Result<RedisStore> {
        RedisStore::open(self)
    }
}
