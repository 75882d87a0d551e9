//! The builder of a store on an ID service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{ServerList, ServiceStore};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// Describes servers and how to ask them: see [`ServiceStore::builder`].
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::ServiceStore::builder()
///     .server("ids-1.example", 443)
///     .server("ids-2.example", 443)
///     .tls(true)
///     .token_file("/run/secrets/snowmint")
///     .open()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ServiceBuilder {
    pub(super) servers: Vec<Member>,
    pub(super) list: ServerList,
    pub(super) name_server: Option<SocketAddr>,
    pub(super) base: String,
    pub(super) token: Option<Token>,
    pub(super) tls: bool,
    pub(super) ca_file: Option<PathBuf>,
    pub(super) identity: Option<Identity>,
    pub(super) connect_within: Option<Duration>,
    pub(super) key_space: Option<KeySpaceId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    Text(Secret),
    File(PathBuf),
}

impl ServiceBuilder {
    /// Adds a server by its name or address. Without any, the server is `localhost:8064`. All
    /// servers must share one store.
    #[must_use]
    pub fn server(mut self, name: impl Into<String>, port: u16) -> Self {
        self.servers.push(Member { name: name.into(), port });
        self
    }

    /// Sets where the servers are listed. By default the named servers are all. With a list, the
    /// named servers are asked until it has been read (not for [`ServerList::Services`]). If the
    /// list becomes empty or unreadable, the last one stays in use, and an event reports it
    /// ([`ServersKept`](crate::EventKind::ServersKept)).
    #[must_use]
    pub fn list(self, list: ServerList) -> Self {
        ServiceBuilder { list, ..self }
    }

    /// Sets the name server to ask for the list, for example Consul at `127.0.0.1:8600`. By default
    /// the system's is asked.
    #[must_use]
    pub fn name_server(self, server: SocketAddr) -> Self {
        ServiceBuilder { name_server: Some(server), ..self }
    }

    /// Sets the start of all paths, if the service lies below another one (default empty).
    #[must_use]
    pub fn base(self, base: impl Into<String>) -> Self {
        ServiceBuilder { base: base.into(), ..self }
    }

    /// Sets the token. By default, each connection reads `SNOWMINT_TOKEN` from the environment, if
    /// set.
    #[must_use]
    pub fn token(self, token: impl Into<String>) -> Self {
        ServiceBuilder { token: Some(Token::Text(Secret(token.into()))), ..self }
    }

    /// Sets a file with the token. Each new connection reads it.
    #[must_use]
    pub fn token_file(self, file: impl Into<PathBuf>) -> Self {
        ServiceBuilder { token: Some(Token::File(file.into())), ..self }
    }

    /// Secures connections by TLS and checks the servers' certificates. Off by default: anyone on
    /// the network path can then read the token.
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        ServiceBuilder { tls, ..self }
    }

    /// Sets a PEM file of the authorities to trust. By default the system's are trusted.
    #[must_use]
    pub fn ca_file(self, file: impl Into<PathBuf>) -> Self {
        ServiceBuilder { ca_file: Some(file.into()), ..self }
    }

    /// Sets the PEM files of the client's certificate and its key, for servers that ask for one
    /// (`tls.client_ca`).
    #[must_use]
    pub fn certificate(self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        let identity = Identity { certificates: file.into(), key: key.into() };
        ServiceBuilder { identity: Some(identity), ..self }
    }

    /// Limits how long a connection to a server may take. By default each server gets its share of
    /// the call's time.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        ServiceBuilder { connect_within: Some(within), ..self }
    }

    /// Requires this key space and refuses servers of any other. By default the first answer
    /// decides, after no two servers named different ones.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        ServiceBuilder { key_space: Some(id), ..self }
    }

    /// Opens the store without calling any server yet.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`](crate::Code::InvalidParameter).
    pub fn open(self) -> Result<ServiceStore> {
        ServiceStore::open(self)
    }
}
