//! The configuration of a store in ZooKeeper.

use std::path::PathBuf;
use std::time::Duration;

use super::{LeafNodesBuilder, ZookeeperStore};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::config::config;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// The members' default port for clients.
const PORT: u16 = 2181;

config! {
    /// Describes an ensemble and how to open a store there: see [`ZookeeperStore::builder`].
    ///
    /// ```no_run
    /// # fn main() -> snowmint::Result<()> {
    /// let store = snowmint::ZookeeperStore::builder()
    ///     .member("zk-1", 2181)
    ///     .member("zk-2", 2181)
    ///     .prefix("shop")
    ///     .open()?;
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ZookeeperBuilder with members, certificates, connection, key_space {
        /// Sets the user who owns the nodes that are created (scheme `digest`). By default everybody
        /// may use them.
        user: Option<String> => "user",
        /// Sets the user's password. Without [TLS](Self::tls), anyone who can listen to the
        /// connection learns it.
        password: Option<Secret> => "password",
        /// Sets the node above all of the store's nodes (default `snowmint`).
        prefix: Option<String>,
        /// Secures connections by TLS and checks the members' certificates. Off by default. Members
        /// use a separate port for it (`secureClientPort`).
        tls: bool,
        // These are settings of Leaf's nodes.
        _ => "dialect" & "address" & "cache",
    }
}

impl ZookeeperBuilder {
    /// Uses the nodes of Leaf's servers, for the worker ID of the server at this address
    /// (`host:port`). Set the [prefix](Self::prefix) to `snowflake/{leaf.name}`.
    pub fn leaf(self, address: impl Into<String>) -> LeafNodesBuilder {
        LeafNodesBuilder::new(self, address.into())
    }

    /// Opens the store.
    ///
    /// # Errors
    /// The errors that [`ZookeeperStore`] lists; [`Code::StoreMissing`](crate::Code::StoreMissing)
    /// if no key space was begun.
    pub fn open(self) -> Result<ZookeeperStore> {
        ZookeeperStore::open(self)
    }
}
