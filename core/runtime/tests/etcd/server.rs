//! Servers of etcd for tests, and what their own clients say.

use std::process::Command;
use std::thread;

use snowmint::{EtcdBuilder, EtcdStore};

use crate::own_server::free_port;

#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../quorums/server.rs"]
mod members;
#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../own_server/product.rs"]
mod product;

pub(crate) use members::Database;
pub(crate) use product::Server;

const NAME: &str = "etcd";
/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_ETCD";

impl Server {
    /// Three that are one cluster.
    pub(crate) fn three() -> [Server; 3] {
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
}

impl Database {
    pub(crate) fn builder(&self) -> EtcdBuilder {
        let builder = EtcdStore::builder().prefix(&self.prefix);
        self.members().fold(builder, |builder, (host, port)| builder.member(&host, port))
    }

    /// The same by another way.
    pub(crate) fn builder_at(&self, port: u16) -> EtcdBuilder {
        EtcdStore::builder().prefix(&self.prefix).member("127.0.0.1", port)
    }

    /// Runs `etcdctl`, and returns its output.
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
