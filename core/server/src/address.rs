//! The addresses that the service listens on: TCP, or the path of a Unix socket.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An address as the configuration writes it: `127.0.0.1:8064`, `[::1]:8064` or
/// `unix:/run/ids.sock`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Address {
    Tcp(SocketAddr),
    /// A path, for processes of this machine that may open it.
    Unix(PathBuf),
}

const UNIX: &str = "unix:";

impl Address {
    /// Returns true if its traffic does not leave the machine.
    pub(crate) fn is_local(&self) -> bool {
        match self {
            Address::Tcp(address) => address.ip().is_loopback(),
            Address::Unix(_) => true,
        }
    }

    /// Returns true if TLS applies here when configured. File permissions protect a Unix socket.
    pub(crate) fn is_securable(&self) -> bool {
        matches!(self, Address::Tcp(_))
    }

    /// Returns the URL that clients are shown. For a Unix socket use `curl --unix-socket` or
    /// `redis-cli -s`.
    pub(crate) fn url(&self, scheme: &str) -> String {
        match self {
            Address::Tcp(address) => format!("{scheme}://{address}"),
            Address::Unix(path) => format!("{scheme}+unix:{}", path.display()),
        }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        match text.strip_prefix(UNIX) {
            Some("") => Err(format!("{text:?} has no path: write unix:/run/snowmint/http.sock")),
            Some(_) if cfg!(not(unix)) => {
                Err(format!("{text:?}: there are no Unix sockets on this system"))
            }
            Some(path) => Ok(Address::Unix(PathBuf::from(path))),
            None => text.parse().map(Address::Tcp).map_err(|_| {
                format!("{text:?} is no address: write 127.0.0.1:8064 or unix:/run/ids.sock")
            }),
        }
    }
}

impl TryFrom<String> for Address {
    type Error = String;

    fn try_from(text: String) -> Result<Address, String> {
        text.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> String {
        address.to_string()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Tcp(address) => address.fmt(f),
            Address::Unix(path) => write!(f, "{UNIX}{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_as_it_is_read() {
        for text in ["127.0.0.1:8064", "[::1]:0", "unix:/run/ids.sock", "unix:ids.sock"] {
            if text.starts_with(UNIX) && cfg!(not(unix)) {
                continue;
            }
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in ["", "8064", "localhost:8064", "unix:", "http://127.0.0.1:8064"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
