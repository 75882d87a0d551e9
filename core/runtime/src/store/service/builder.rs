//! The configuration of a store on an ID service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{ServerList, ServiceStore, errors};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::KeySpaceId;
use crate::store::config::{Pair, Value, config};
use crate::store::remote::members::Member;
use crate::store::remote::tls::Identity;
use crate::url::Parameters;

config! {
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
    pub struct ServiceBuilder with certificates, connection {
        /// Requires this key space and refuses servers of any other. By default the first answer
        /// decides, after no two servers named different ones.
        key_space: Option<KeySpaceId> => "key_space",
        servers: Vec<Member>,
        token: Option<Token> => "token" & "token_file",
        /// Sets where the servers are listed. By default the named servers are all. With a list, the
        /// named servers are asked until it has been read (not for [`ServerList::Services`]). If the
        /// list becomes empty or unreadable, the last one stays in use, and an event reports it
        /// ([`ServersKept`](crate::EventKind::ServersKept)).
        list: ServerList,
        /// Sets the name server to ask for the list, for example Consul at `127.0.0.1:8600`. By
        /// default the system's is asked.
        name_server: Option<SocketAddr> => "name_server",
        /// Sets the start of all paths, if the service lies below another one (default empty).
        base: String,
        /// Secures connections by TLS and checks the servers' certificates. Off by default: anyone
        /// on the network path can then read the token.
        tls: bool,
        // The list.
        _ => "servers",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    Text(Secret),
    File(PathBuf),
}

impl Pair for Token {
    fn take(own: &mut Parameters, [text, file]: [&'static str; 2]) -> Result<Option<Token>> {
        match (own.take(text), own.take(file)) {
            (Some(_), Some(_)) => Err(errors::token_beside_file()),
            (Some(text), None) => Ok(Some(Token::Text(Secret(text)))),
            (None, file) => Ok(file.map(|file| Token::File(file.into()))),
        }
    }
}

impl Value for SocketAddr {
    const EXPECTED: &'static str = "an address with its port: 127.0.0.1:8600";

    fn parse(text: &str) -> Option<SocketAddr> {
        text.parse().ok()
    }
}

impl ServiceBuilder {
    /// Adds a server by its name or address. Without any, the server is `localhost:8064`. All
    /// servers must share one store.
    #[must_use]
    pub fn server(mut self, name: impl Into<String>, port: u16) -> Self {
        self.servers.push(Member { name: name.into(), port });
        self
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

    /// Opens the store without calling any server yet.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`](crate::Code::InvalidParameter).
    pub fn open(self) -> Result<ServiceStore> {
        ServiceStore::open(self)
    }
}
