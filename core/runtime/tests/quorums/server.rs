//! Members of a cluster that keeps values. The module above says of which product they are.

use super::NAME;
use super::product::{Server, count};

impl Server {
    /// Host and port.
    pub(crate) fn address(&self) -> String {
        self.url.split_once("://").unwrap().1.to_owned()
    }

    /// A place of a test's own.
    pub(crate) fn database(&self) -> Database {
        let prefix = format!("test-{}-{}", std::process::id(), count());
        Database { addresses: vec![self.address()], prefix }
    }
}

/// The data of a test, below a prefix.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) addresses: Vec<String>,
    pub(crate) prefix: String,
}

impl Database {
    pub(crate) fn url(&self) -> String {
        format!("{NAME}://{}/{}", self.addresses.join(","), self.prefix)
    }

    /// Returns the host and the port of the first member.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        self.members().next().unwrap()
    }

    /// Hosts and ports.
    pub(crate) fn members(&self) -> impl Iterator<Item = (String, u16)> {
        self.addresses.iter().map(|address| {
            let (host, port) = address.split_once(':').unwrap();
            (host.to_owned(), port.parse().unwrap())
        })
    }
}
