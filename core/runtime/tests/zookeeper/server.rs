//! Servers of ZooKeeper for tests, and what their own clients say.

use std::process::Command;
use std::thread;

use snowmint::{ZookeeperBuilder, ZookeeperStore};

use crate::own_server::free_port;

#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../quorums/server.rs"]
mod members;
#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../own_server/product.rs"]
mod product;

pub(crate) use members::Database;
pub(crate) use product::Server;

const NAME: &str = "zookeeper";
/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_ZOOKEEPER";

impl Server {
    /// Three that are one ensemble.
    pub(crate) fn three() -> [Server; 3] {
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
}

impl Database {
    pub(crate) fn builder(&self) -> ZookeeperBuilder {
        let builder = ZookeeperStore::builder().prefix(&self.prefix);
        self.members().fold(builder, |builder, (host, port)| builder.member(&host, port))
    }

    /// The same by another way.
    pub(crate) fn builder_at(&self, port: u16) -> ZookeeperBuilder {
        ZookeeperStore::builder().prefix(&self.prefix).member("127.0.0.1", port)
    }

    /// Runs ZooKeeper's own client, and returns its last line that is not about its session.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("/usr/share/zookeeper/bin/zkCli.sh");
        command.arg("-server").arg(self.addresses.join(","));
        let output = command.args(arguments).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {said}{error}");
        let is_told = |line: &&str| !line.is_empty() && !line.starts_with("W");
        said.lines().rfind(is_told).unwrap_or_default().to_owned()
    }

    /// A node's data.
    pub(crate) fn get(&self, node: &str) -> String {
        self.run(&["get", &self.path(node)])
    }

    pub(crate) fn put(&self, node: &str, data: &str) {
        self.run(&["set", &self.path(node), data]);
    }

    pub(crate) fn delete(&self, node: &str) {
        self.run(&["deleteall", &self.path(node)]);
    }

    pub(crate) fn path(&self, node: &str) -> String {
        format!("/{}/{node}", self.prefix)
    }
}
