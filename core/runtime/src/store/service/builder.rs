//! What a store of an ID service is opened with.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{ServerList, ServiceStore};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;

/// Where servers are and how they are to be asked: see [`ServiceStore::builder`].
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

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    Text(Secret),
    File(PathBuf),
}

impl ServiceBuilder {
    /// Adds a server, by its name or address; `localhost:8064` where none is named. All of them are
    /// of one store.
    #[must_use]
    pub fn server(mut self, name: impl Into<String>, port: u16) -> Self {
        self.servers.push(Member { name: name.into(), port });
        self
    }

    /// Where the servers are listed: those that are named are all unless set. With a list that can
    /// be read they are asked until it was; a list that is empty or cannot be read any more leaves
    /// the last one in its place, which is told
    /// ([`ServersKept`](crate::EventKind::ServersKept)).
    #[must_use]
    pub fn list(self, list: ServerList) -> Self {
        ServiceBuilder { list, ..self }
    }

    /// Which name server has the list, as Consul at `127.0.0.1:8600`: the system's unless set.
    #[must_use]
    pub fn name_server(self, server: SocketAddr) -> Self {
        ServiceBuilder { name_server: Some(server), ..self }
    }

    /// What the paths of the service begin with, where it is below another's: nothing unless set.
    #[must_use]
    pub fn base(self, base: impl Into<String>) -> Self {
        ServiceBuilder { base: base.into(), ..self }
    }

    /// The token that is shown: unless set, that of `SNOWMINT_TOKEN` in the environment, or none.
    #[must_use]
    pub fn token(self, token: impl Into<String>) -> Self {
        ServiceBuilder { token: Some(Token::Text(Secret(token.into()))), ..self }
    }

    /// A file that has the token, read for each connection.
    #[must_use]
    pub fn token_file(self, file: impl Into<PathBuf>) -> Self {
        ServiceBuilder { token: Some(Token::File(file.into())), ..self }
    }

    /// Whether connections are secured by TLS, and the servers' certificates checked. Not unless
    /// set: whoever is between reads the token then.
    #[must_use]
    pub fn tls(self, tls: bool) -> Self {
        ServiceBuilder { tls, ..self }
    }

    /// A file of the authorities that vouch for the servers, in PEM: the system's unless set.
    #[must_use]
    pub fn ca_file(self, file: impl Into<PathBuf>) -> Self {
        ServiceBuilder { ca_file: Some(file.into()), ..self }
    }

    /// The files of our own certificate and its key, in PEM, for servers that ask for one
    /// (`tls.client_ca`).
    #[must_use]
    pub fn certificate(self, file: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        let identity = Identity { certificates: file.into(), key: key.into() };
        ServiceBuilder { identity: Some(identity), ..self }
    }

    /// For how long each server is tried to be reached at most; unless set, its share of what the
    /// call that needs it may take.
    #[must_use]
    pub fn connect_within(self, within: Duration) -> Self {
        ServiceBuilder { connect_within: Some(within), ..self }
    }

    /// Which key space the servers have to be of, where that is known: others are refused. Unless set,
    /// that of the first answer, once no two servers tell different ones.
    #[must_use]
    pub fn key_space(self, id: KeySpaceId) -> Self {
        ServiceBuilder { key_space: Some(id), ..self }
    }

    /// Opens it; nobody is asked yet.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`](crate::Code::InvalidParameter).
    pub fn open(self) -> Result<ServiceStore> {
        ServiceStore::open(self)
    }
}
