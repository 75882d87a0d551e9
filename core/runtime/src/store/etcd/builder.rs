//! The configuration of a store in etcd.

use std::path::PathBuf;
use std::time::Duration;

use super::EtcdStore;
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::config::config;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// The members' default port for clients.
const PORT: u16 = 2379;

config! {
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
    pub struct EtcdBuilder with members, certificates, connection, key_space {
        /// Sets the user who logs in. By default no user logs in.
        user: Option<String> => "user",
        /// Sets the password. By default, each connection reads `ETCDCTL_PASSWORD` from the
        /// environment.
        password: Option<Secret> => "password",
        /// Sets the start of all keys, which a slash follows (default `snowmint`).
        prefix: Option<String>,
        /// Secures connections by TLS and checks the members' certificates. Off by default.
        tls: bool,
    }
}

impl EtcdBuilder {
    /// Opens the store.
    ///
    /// # Errors
    /// The errors that [`EtcdStore`] lists; [`Code::StoreMissing`](crate::Code::StoreMissing) if no
    /// key space was begun.
    pub fn open(self) -> Result<EtcdStore> {
        EtcdStore::open(self)
    }
}
