//! Servers of a product: the one that is there for all tests, and some of a test's own. The module
//! above says which product it is: `NAME`, by which scripts/servers knows it, and `SHARED`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{NAME, SHARED};
use crate::own_server::Own;

/// A server; one of a test's own ends with it, or with its process.
pub(crate) struct Server {
    /// As scripts/servers says it.
    pub(crate) url: String,
    own: Option<Own>,
}

impl Server {
    /// The one that all tests share, each in a place of its own.
    pub(crate) fn shared() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var(SHARED) {
            Ok(url) => Server::at(url),
            Err(_) => Server::start(&[]),
        })
    }

    /// One that is there.
    pub(crate) fn at(url: String) -> Server {
        Server { url, own: None }
    }

    /// One with settings, `name=value`.
    pub(crate) fn start(settings: &[&str]) -> Server {
        Server::start_named(NAME, settings)
    }

    pub(crate) fn start_named(name: &str, settings: &[&str]) -> Server {
        let (own, url) = Own::start(name, settings);
        Server { url, own: Some(own) }
    }

    /// Ends it as a crash would, and starts it again.
    pub(crate) fn restart(&mut self) {
        self.end();
        self.start_again();
    }

    /// Ends it as a crash would.
    pub(crate) fn end(&mut self) {
        self.own.as_mut().unwrap().end();
    }

    /// Starts it again after its end, and waits until it is ready.
    pub(crate) fn start_again(&mut self) {
        self.own.as_mut().unwrap().start_again();
    }

    /// Ends it, and starts it again once its files were copied ("keep"), or put back ("back").
    #[allow(dead_code, reason = "of some servers")]
    pub(crate) fn restart_with_files(&mut self, what: &str) {
        self.own.as_mut().unwrap().restart_with_files(what);
    }
}

/// Returns a number that no other call in this process returns.
pub(crate) fn count() -> u32 {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}
