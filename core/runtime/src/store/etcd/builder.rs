//! What a store in etcd is opened with.

use std::path::PathBuf;
use std::time::Duration;

use super::EtcdStore;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// Where members listen for clients unless told otherwise.
const PORT: u16 = 2379;

/// Where a cluster is and how it is to be opened: see [`EtcdStore::builder`].
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::EtcdStore::builder()
///     .member("etcd-1", 2379)
///     .member("etcd-2", 2379)
///     .prefix("shop")
///     .open()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EtcdBuilder {
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

impl EtcdBuilder {
    /// Adds a member of the cluster, by its name or address; `localhost` where none is named. They
    /// are tried in turn: one that does not answer is passed over.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.members.push(Member { name: name.into(), port: port.into().unwrap_or(PORT) });
        self
    }

    /// Who logs in: nobody unless set.
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        EtcdBuilder { user: Some(user.into()), ..self }
    }

    /// With which password: unless set, that of `ETCDCTL_PASSWORD` in the environment, read for each
    /// connection.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        EtcdBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// What all keys begin with, and a slash: `snowmint` unless set.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        EtcdBuilder { prefix: Some(prefix.into()), ..self }
    }

    /// Whether connections are secured by TLS, and the members' certificates checked. Not unless
    /// set.
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        EtcdBuilder { tls, ..self }
    }

    /// A file of the authorities that vouch for the members, in PEM: the system's unless set.
    #[must_use]
    pub fn ca_file(self, file: impl Into<PathBuf>) -> Self {
        EtcdBuilder { ca_file: Some(file.into()), ..self }
    }

    /// The files of our own certificate and its key, in PEM, for members that ask for one
    /// (`--client-cert-auth`).
    #[must_use]
    pub fn certificate(self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        let identity = Identity { certificates: file.into(), key: key.into() };
        EtcdBuilder { identity: Some(identity), ..self }
    }

    /// How long each member is tried at most; unless set, its share of what the call that needs it
    /// may take.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        EtcdBuilder { connect_within: Some(within), ..self }
    }

    /// Which key space it has to be, where that is known: another one is refused. The one that is seen
    /// first unless set.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        EtcdBuilder { key_space: Some(id), ..self }
    }

    /// Whether to begin a new key space where there is none. Not unless set.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        EtcdBuilder { create, ..self }
    }

    /// Opens it.
    ///
    /// # Errors
    /// As [`EtcdStore`] says; [`Code::StoreMissing`](crate::Code::StoreMissing) where no key space
    /// was begun.
    pub fn open(self) -> Result<EtcdStore> {
        EtcdStore::open(self)
    }
}
