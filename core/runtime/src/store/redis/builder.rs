//! The configuration of a store in Redis.

use std::path::PathBuf;
use std::time::Duration;

use super::{RedisCountersBuilder, RedisStore, errors};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::config::{Value, config};

/// The servers' default port.
const PORT: u16 = 6379;
/// The sentinels' default port.
const SENTINEL_PORT: u16 = 26_379;

pub(super) const FAILOVER: &str =
    "sentinels put a replica in its place, which may lack its last changes";
pub(super) const DECLARE: &str = "name one server that stands alone by redis:, or say \
                                  durability=declared and raise every tag after each failover";

config! {
    /// Describes a server and how to open a store there: see [`RedisStore::builder`].
    ///
    /// ```no_run
    /// # fn main() -> snowmint::Result<()> {
    /// let store = snowmint::RedisStore::builder().host("redis-1", 6379).password("s").open()?;
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct RedisBuilder with connection, key_space {
        host: Option<Host>,
        /// Sets the user who logs in (default `default`).
        user: Option<String> => "user",
        /// Sets the password. By default, each connection reads `REDISCLI_AUTH` from the
        /// environment.
        password: Option<Secret> => "password",
        /// Sets the user who logs in to the sentinels (default `default`).
        sentinel_user: Option<String> => "sentinel_user" if RedisBuilder::is_watched,
        /// Sets the password for the sentinels. The default is none, even if the server has one.
        sentinel_password: Option<Secret> => "sentinel_password" if RedisBuilder::is_watched,
        /// Sets the number of the database (default 0).
        database: u32 => "db" if |it| !it.is_cluster(),
        /// Secures connections by TLS and checks the server's certificate. Off by default.
        tls: bool,
        /// Sets a PEM file of the authorities to trust. By default the system's are trusted.
        ca_certs: Option<PathBuf> => "ssl_ca_certs" if |it| it.tls,
        /// Accepts a certificate for any name, if an authority in the file signed it. Off by default.
        any_name: bool => "ssl_check_hostname" { "true" => false, "false" => true } if |it| it.tls,
        /// Declares that the server loses nothing that it acknowledged, whatever its settings say.
        /// If that is untrue, numbers repeat.
        ///
        /// Off by default: a server is then refused if it does not sync each change, may evict keys
        /// or has replicas that may replace it. So is a server that sentinels watch.
        durability_declared: bool => "durability" { "checked" => false, "declared" => true },
        /// Refuses each new start of the server until you vouch for it
        /// ([`SegmentAdmin::vouch`](crate::SegmentAdmin::vouch)), because it may have started with
        /// an older file.
        ///
        /// Off by default: only processes that had numbers before then notice an older file.
        restarts_vouched: bool => "restarts" { "trusted" => false, "vouched" => true },
        _ => "socket" if |it| !it.tls && it.host.is_none(),
        // These are settings of counters.
        _ => "dialect" & "stride" & "expire" if |it| !it.is_cluster(),
    }
}

/// The database is the only number among all stores' fields.
impl Value for u32 {
    const EXPECTED: &'static str = "the number of a database, from 0 on";

    fn parse(text: &str) -> Option<u32> {
        text.parse().ok()
    }
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

    pub(super) fn is_cluster(&self) -> bool {
        matches!(self.host, Some(Host::Cluster(_)))
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
