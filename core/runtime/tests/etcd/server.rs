//! Servers of etcd for tests: the one that is there for all, and some of a test's own.

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use snowmint::{EtcdBuilder, EtcdStore};

use crate::own_server::{Own, free_port};

/// Where a server is that tests share; one is started for this process otherwise.
const SHARED: &str = "SNOWMINT_TEST_ETCD";

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
        let (own, url) = Own::start("etcd", settings);
        Server { address: address_of(&url), own: Some(own) }
    }

    /// Three that are one cluster.
    pub(crate) fn cluster() -> [Server; 3] {
        let peers = [(); 3].map(|()| free_port());
        let named = |at: usize| format!("m{at}=http://127.0.0.1:{}", peers[at]);
        let all = format!("initial-cluster={},{},{}", named(0), named(1), named(2));
        let start = |at: usize| {
            let peer = format!("http://127.0.0.1:{}", peers[at]);
            Server::start(&[
                &format!("name=m{at}"),
                &format!("listen-peer-urls={peer}"),
                &format!("initial-advertise-peer-urls={peer}"),
                &all,
            ])
        };
        // None answers before most are there.
        thread::scope(|scope| {
            let starting = [0, 1, 2].map(|at| scope.spawn(move || start(at)));
            starting.map(|it| it.join().unwrap())
        })
    }

    /// Ends it as a crash would.
    pub(crate) fn end(&mut self) {
        self.own.as_mut().unwrap().end();
    }

    /// Starts it again after its end.
    pub(crate) fn start_again(&mut self) {
        self.own.as_mut().unwrap().start_again();
    }

    /// Keys of a test's own.
    pub(crate) fn database(&self) -> Database {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("test-{}-{count}", std::process::id());
        Database { addresses: vec![self.address.clone()], prefix }
    }
}

fn address_of(url: &str) -> String {
    url.strip_prefix("etcd://").unwrap().to_owned()
}

/// A test's own keys, below a prefix.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) addresses: Vec<String>,
    pub(crate) prefix: String,
}

impl Database {
    pub(crate) fn url(&self) -> String {
        format!("etcd://{}/{}", self.addresses.join(","), self.prefix)
    }

    /// Of the first member.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        let (host, port) = self.addresses[0].split_once(':').unwrap();
        (host.to_owned(), port.parse().unwrap())
    }

    pub(crate) fn builder(&self) -> EtcdBuilder {
        let builder = EtcdStore::builder().prefix(&self.prefix);
        self.addresses.iter().fold(builder, |builder, address| {
            let (host, port) = address.split_once(':').unwrap();
            builder.member(host, port.parse::<u16>().unwrap())
        })
    }

    /// The same by another way.
    pub(crate) fn builder_at(&self, port: u16) -> EtcdBuilder {
        EtcdStore::builder().prefix(&self.prefix).member("127.0.0.1", port)
    }

    /// What `etcdctl` prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("etcdctl");
        command.env("ETCDCTL_API", "3").arg("--endpoints").arg(self.addresses.join(","));
        let output = command.args(arguments).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{arguments:?}: {said}");
        said.trim_end().to_owned()
    }

    /// A key's value.
    pub(crate) fn get(&self, key: &str) -> String {
        self.run(&["get", "--print-value-only", &self.key(key)])
    }

    pub(crate) fn put(&self, key: &str, value: &str) {
        self.run(&["put", &self.key(key), value]);
    }

    pub(crate) fn delete(&self, key: &str) {
        self.run(&["del", &self.key(key)]);
    }

    fn key(&self, key: &str) -> String {
        format!("{}/{key}", self.prefix)
    }
}
