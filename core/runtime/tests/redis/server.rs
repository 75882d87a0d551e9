//! Redis servers for tests: the one that is there for all, and some of a test's own.

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::own_server::Own;

/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_REDIS";
/// So many databases has a server, and each process its own of them.
const DATABASES: u32 = 10_000;

/// A server; one of a test's own ends with it, or with its process.
pub(crate) struct Server {
    /// Without a database.
    pub(crate) url: String,
    own: Option<Own>,
}

impl Server {
    /// The one that all tests share, each in a database of its own.
    pub(crate) fn shared() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var(SHARED) {
            Ok(url) => Server { url, own: None },
            Err(_) => Server::start(&[]),
        })
    }

    /// One with settings, `name=value`.
    pub(crate) fn start(settings: &[&str]) -> Server {
        let (own, url) = Own::start("redis", settings);
        Server { url, own: Some(own) }
    }

    /// Ends it as a crash would.
    pub(crate) fn end(&mut self) {
        self.own.as_mut().unwrap().end();
    }

    /// Starts it again after its end, and waits until it is ready.
    pub(crate) fn start_again(&mut self) {
        self.own.as_mut().unwrap().start_again();
    }

    /// Ends it, and starts it again.
    pub(crate) fn restart(&mut self) {
        self.end();
        self.start_again();
    }

    /// The first one, by a password if there is one.
    pub(crate) fn database_of(&self, password: &str) -> Database {
        let address = self.url.strip_prefix("redis://").unwrap();
        match password {
            "" => Database { url: format!("redis://{address}/0") },
            _ => Database { url: format!("redis://default:{password}@{address}/0") },
        }
    }

    /// An empty database, whose number no other test has at the moment.
    pub(crate) fn database(&self) -> Database {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let number = (std::process::id() * 100 + count) % DATABASES;
        let database = Database { url: format!("{}/{number}", self.url) };
        database.run(&["FLUSHDB"]);
        database
    }
}

/// A database of a test's own.
pub(crate) struct Database {
    pub(crate) url: String,
}

impl Database {
    /// Runs a command, and returns the server's answer, as `redis-cli` shows it.
    pub(crate) fn run(&self, command: &[&str]) -> String {
        let (said, is_done) = self.asked(command);
        assert!(is_done, "{command:?}: {said}");
        said
    }

    /// Runs a command that the server refuses, and returns its answer.
    pub(crate) fn run_refused(&self, command: &[&str]) -> String {
        let (said, is_done) = self.asked(command);
        assert!(!is_done, "{command:?}: {said}");
        said
    }

    pub(crate) fn asked(&self, command: &[&str]) -> (String, bool) {
        let output = Command::new("redis-cli").args(["-e", "-u", &self.url]).args(command).output();
        let output = output.unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (said.trim_end().to_owned(), output.status.success())
    }

    pub(crate) fn host_and_port(&self) -> (String, u16) {
        let address = self.url.rsplit(['@', '/']).find(|part| part.contains(':')).unwrap();
        let (host, port) = address.split_once(':').unwrap();
        (host.to_owned(), port.parse().unwrap())
    }
}
