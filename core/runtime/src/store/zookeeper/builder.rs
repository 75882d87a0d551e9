//! What a store in ZooKeeper is opened with.

use std::path::PathBuf;
use std::time::Duration;

use super::{LeafNodesBuilder, ZookeeperStore};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// Where members listen for clients unless told otherwise.
const PORT: u16 = 2181;

/// Where an ensemble is and how it is to be opened: see [`ZookeeperStore::builder`].
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
    /// Adds a member of the ensemble, by its name or address; `localhost` where none is named. They
    /// are tried in turn: one that does not answer is passed over.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.members.push(Member { name: name.into(), port: port.into().unwrap_or(PORT) });
        self
    }

    /// Whose the nodes are that are made (the scheme `digest`): everybody's unless set.
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        ZookeeperBuilder { user: Some(user.into()), ..self }
    }

    /// By which password. Without [TLS](Self::tls) whoever can listen to the connection knows it then.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        ZookeeperBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// Below which node all of ours are: `snowmint` unless set.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        ZookeeperBuilder { prefix: Some(prefix.into()), ..self }
    }

    /// Whether connections are secured by TLS, and the members' certificates checked: at the port that
    /// they have for that (`secureClientPort`). Not unless set.
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        ZookeeperBuilder { tls, ..self }
    }

    /// A file of the authorities that vouch for the members, in PEM: the system's unless set.
    #[must_use]
    pub fn ca_file(self, file: impl Into<PathBuf>) -> Self {
        ZookeeperBuilder { ca_file: Some(file.into()), ..self }
    }

    /// The files of our own certificate and its key, in PEM, for members that ask for one, as they do
    /// unless `ssl.clientAuth` is `none`.
    #[must_use]
    pub fn certificate(self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        let identity = Identity { certificates: file.into(), key: key.into() };
        ZookeeperBuilder { identity: Some(identity), ..self }
    }

    /// How long each member is tried at most; unless set, its share of what the call that needs it
    /// may take.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        ZookeeperBuilder { connect_within: Some(within), ..self }
    }

    /// Which key space it has to be, where that is known: another one is refused. The one that is seen
    /// first unless set.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        ZookeeperBuilder { key_space: Some(id), ..self }
    }

    /// Whether to begin a new key space where there is none. Not unless set.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        ZookeeperBuilder { create, ..self }
    }

    /// The nodes of Leaf's servers, for the worker ID of the server at this address, `host:port`; with
    /// the [prefix](Self::prefix) `snowflake/{leaf.name}`.
    pub fn leaf(self, address: impl Into<String>) -> LeafNodesBuilder {
        LeafNodesBuilder::new(self, address.into())
    }

    /// Opens it.
    ///
    /// # Errors
    /// As [`ZookeeperStore`] says; [`Code::StoreMissing`](crate::Code::StoreMissing) where no key
    /// space was begun.
    pub fn open(self) -> Result<ZookeeperStore> {
        ZookeeperStore::open(self)
    }
}
