//! The builder of a store in ZooKeeper.

use std::path::PathBuf;
use std::time::Duration;

use super::{LeafNodesBuilder, ZookeeperStore};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// The members' default port for clients.
const PORT: u16 = 2181;

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
pub struct ZookeeperBuilder {
    pub(super) members: Vec<Member>,
    pub(super) user: Option<String>,
    pub(super) password: Option<Secret>,
    pub(super) prefix: Option<String>,
    pub(super) tls: bool,
    pub(super) ca_file: Option<PathBuf>,
    pub(super) identity: Option<Identity>,
    pub(super) connect_within: Option<Duration>,
    pub(super) create: bool,
    pub(super) key_space: Option<KeySpaceId>,
}

impl ZookeeperBuilder {
    /// Adds a member of the ensemble by its name or address. Without any, the member is
    /// `localhost`. Members are tried in turn; the store skips one that does not answer.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.members.push(Member { name: name.into(), port: port.into().unwrap_or(PORT) });
        self
    }

    /// Sets the user who owns the nodes that are created (scheme `digest`). By default everybody
    /// may use them.
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        ZookeeperBuilder { user: Some(user.into()), ..self }
    }

    /// Sets the user's password. Without [TLS](Self::tls), anyone who can listen to the connection
    /// learns it.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        ZookeeperBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// Sets the node above all of the store's nodes (default `snowmint`).
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        ZookeeperBuilder { prefix: Some(prefix.into()), ..self }
    }

    /// Secures connections by TLS and checks the members' certificates. Off by default. Members use
    /// a separate port for it (`secureClientPort`).
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        ZookeeperBuilder { tls, ..self }
    }

    /// Sets a PEM file of the authorities to trust. By default the system's are trusted.
    #[must_use]
    pub fn ca_file(self, file: impl Into<PathBuf>) -> Self {
        ZookeeperBuilder { ca_file: Some(file.into()), ..self }
    }

    /// Sets the PEM files of the client's certificate and its key. Members ask for them unless
    /// `ssl.clientAuth` is `none`.
    #[must_use]
    pub fn certificate(self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        let identity = Identity { certificates: file.into(), key: key.into() };
        ZookeeperBuilder { identity: Some(identity), ..self }
    }

    /// Limits how long a connection to a member may take. By default each member gets its share of
    /// the call's time.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        ZookeeperBuilder { connect_within: Some(within), ..self }
    }

    /// Requires this key space and refuses any other. By default the store keeps to the key space
    /// that it sees first.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        ZookeeperBuilder { key_space: Some(id), ..self }
    }

    /// Begins a new key space if there is none. Off by default.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        ZookeeperBuilder { create, ..self }
    }

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
