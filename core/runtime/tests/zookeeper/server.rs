//! Servers of ZooKeeper for tests: the one that is there for all, and some of a test's own.

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use snowmint::{ZookeeperBuilder, ZookeeperStore};

use crate::own_server::{Own, free_port};

/// Where a server is that tests share; one is started for this process otherwise.
const SHARED: &str = "SNOWMINT_TEST_ZOOKEEPER";

/// A member; one of a test's own ends with it, or with its process.
pub(crate) struct Server {
    /// Host and port.
    pub(crate) address: String,
    own: Option<Own>,
}

impl Server {
    /// The one that all tests share, each below a node of its own.
    pub(crate) fn shared() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var(SHARED) {
            Ok(url) => Server { address: address_of(&url), own: None },
            Err(_) => Server::start(&[]),
        })
    }

    /// One with settings, `name=value`.
    pub(crate) fn start(settings: &[&str]) -> Server {
        let (own, url) = Own::start("zookeeper", settings);
        Server { address: address_of(&url), own: Some(own) }
    }

    /// Three that are one ensemble.
    pub(crate) fn ensemble() -> [Server; 3] {
        let place = |at: usize| {
            let [to_leader, to_elect] = [(); 2].map(|()| free_port());
            format!("server.{at}=127.0.0.1:{to_leader}:{to_elect}")
        };
        let places = [1, 2, 3].map(place);
        let start = |at: usize| {
            let id = format!("myid={at}");
            Server::start(&[&id, &places[0], &places[1], &places[2]])
        };
        // None answers before most are there.
        thread::scope(|scope| {
            let starting = [1, 2, 3].map(|at| scope.spawn(move || start(at)));
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

    /// Nodes of a test's own.
    pub(crate) fn database(&self) -> Database {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("test-{}-{count}", std::process::id());
        Database { addresses: vec![self.address.clone()], prefix }
    }
}

fn address_of(url: &str) -> String {
    url.strip_prefix("zookeeper://").unwrap().to_owned()
}

/// A test's own nodes, below one.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) addresses: Vec<String>,
    pub(crate) prefix: String,
}

impl Database {
    pub(crate) fn url(&self) -> String {
        format!("zookeeper://{}/{}", self.addresses.join(","), self.prefix)
    }

    /// Of the first member.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        let (host, port) = self.addresses[0].split_once(':').unwrap();
        (host.to_owned(), port.parse().unwrap())
    }

    pub(crate) fn builder(&self) -> ZookeeperBuilder {
        let builder = ZookeeperStore::builder().prefix(&self.prefix);
        self.addresses.iter().fold(builder, |builder, address| {
            let (host, port) = address.split_once(':').unwrap();
            builder.member(host, port.parse::<u16>().unwrap())
        })
    }

    /// The same by another way.
    pub(crate) fn builder_at(&self, port: u16) -> ZookeeperBuilder {
        ZookeeperStore::builder().prefix(&self.prefix).member("127.0.0.1", port)
    }

    /// What ZooKeeper's own client prints last.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("/usr/share/zookeeper/bin/zkCli.sh");
        command.arg("-server").arg(self.addresses.join(","));
        let output = command.args(arguments).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {said}{error}");
        said.trim_end().lines().last().unwrap_or_default().to_owned()
    }

    /// A node's data.
    pub(crate) fn get(&self, node: &str) -> String {
        self.run(&["get", &self.path(node)])
    }

    pub(crate) fn set(&self, node: &str, data: &str) {
        self.run(&["set", &self.path(node), data]);
    }

    pub(crate) fn delete(&self, node: &str) {
        self.run(&["deleteall", &self.path(node)]);
    }

    pub(crate) fn path(&self, node: &str) -> String {
        format!("/{}/{node}", self.prefix)
    }
}
