//! Members of a cluster that keeps values: the one that is there for all tests, and some of a test's
//! own. Whose they are is said by the module above: `SCHEME` and `SHARED`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{SCHEME, SHARED};
use crate::own_server::Own;

/// A member; one of a test's own ends with it, or with its process.
pub(crate) struct Server {
    /// Host and port.
    pub(crate) address: String,
    own: Option<Own>,
}

impl Server {
    /// The one that all tests share, each below a prefix of its own.
    pub(crate) fn shared() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var(SHARED) {
            Ok(url) => Server { address: address_of(&url), own: None },
            Err(_) => Server::start(&[]),
        })
    }

    /// One with settings, `name=value`.
    pub(crate) fn start(settings: &[&str]) -> Server {
        let (own, url) = Own::start(SCHEME, settings);
        Server { address: address_of(&url), own: Some(own) }
    }

    /// Ends it as a crash would.
    pub(crate) fn end(&mut self) {
        self.own.as_mut().unwrap().end();
    }

    /// Starts it again after its end.
    pub(crate) fn start_again(&mut self) {
        self.own.as_mut().unwrap().start_again();
    }

    /// Ends it, and starts it again once its files were copied ("keep"), or put back ("back").
    pub(crate) fn restart_with_files(&mut self, what: &str) {
        self.own.as_mut().unwrap().restart_with_files(what);
    }

    /// A place of a test's own.
    pub(crate) fn database(&self) -> Database {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("test-{}-{count}", std::process::id());
        Database { addresses: vec![self.address.clone()], prefix }
    }
}

fn address_of(url: &str) -> String {
    url.split_once("://").unwrap().1.to_owned()
}

/// The data of a test, below a prefix.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) addresses: Vec<String>,
    pub(crate) prefix: String,
}

impl Database {
    pub(crate) fn url(&self) -> String {
        format!("{SCHEME}://{}/{}", self.addresses.join(","), self.prefix)
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
