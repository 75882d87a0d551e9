//! The builder of a store in etcd.

use std::path::PathBuf;
use std::time::Duration;

use super::EtcdStore;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// The members' default port for clients.
const PORT: u16 = 2379;

/// Describes a cluster and how to open a store there: see [`EtcdStore::builder`].
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
    /// Adds a member of the cluster by its name or address. Without any, the member is `localhost`.
    /// Members are tried in turn; the store skips one that does not answer.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>, port: impl Into<Option<u16>>) -> Self {
        self.members.push(Member { name: name.into(), port: port.into().unwrap_or(PORT) });
        self
    }

    /// Sets the user who logs in. By default no user logs in.
    #[must_use]
    pub fn user(self, user: impl Into<String>) -> Self {
        EtcdBuilder { user: Some(user.into()), ..self }
    }

    /// Sets the password. By default, each connection reads `ETCDCTL_PASSWORD` from the
    /// environment.
    #[must_use]
    pub fn password(self, password: impl Into<String>) -> Self {
        EtcdBuilder { password: Some(Secret(password.into())), ..self }
    }

    /// Sets the start of all keys, which a slash follows (default `snowmint`).
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        EtcdBuilder { prefix: Some(prefix.into()), ..self }
    }

    /// Secures connections by TLS and checks the members' certificates. Off by default.
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        EtcdBuilder { tls, ..self }
    }

    /// Sets a PEM file of the authorities to trust. By default the system's are trusted.
    #[must_use]
    pub fn ca_file(self, file: impl Into<PathBuf>) -> Self {
        EtcdBuilder { ca_file: Some(file.into()), ..self }
    }

    /// Sets the PEM files of the client's certificate and its key, for members that ask for one
    /// (`--client-cert-auth`).
    #[must_use]
    pub fn certificate(self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        let identity = Identity { certificates: file.into(), key: key.into() };
        EtcdBuilder { identity: Some(identity), ..self }
    }

    /// Limits how long a connection to a member may take. By default each member gets its share of
    /// the call's time.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        EtcdBuilder { connect_within: Some(within), ..self }
    }

    /// Requires this key space and refuses any other. By default the store keeps to the key space
    /// that it sees first.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        EtcdBuilder { key_space: Some(id), ..self }
    }

    /// Begins a new key space if there is none. Off by default.
    #[must_use]
    pub fn create(self, create: bool) -> Self {
        EtcdBuilder { create, ..self }
    }

    /// Opens the store.
    ///
    /// # Errors
    /// The errors that [`EtcdStore`] lists; [`Code::StoreMissing`](crate::Code::StoreMissing) if no
    /// key space was begun.
    pub fn open(self) -> Result<EtcdStore> {
        EtcdStore::open(self)
    }
}
