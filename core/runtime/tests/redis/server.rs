//! Redis servers for tests, and what their own clients say.

use std::process::Command;

use snowmint::{RedisBuilder, RedisStore};

#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../own_server/product.rs"]
mod product;

pub(crate) use product::Server;

const NAME: &str = "redis";
/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_REDIS";
/// So many databases has a server, and each process its own of them.
const DATABASES: u32 = 10_000;

impl Server {
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
        let number = (std::process::id() * 100 + product::count()) % DATABASES;
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
    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    pub(crate) fn builder(&self) -> RedisBuilder {
        let (host, port) = self.host_and_port();
        let number = self.url.rsplit('/').next().unwrap().parse().unwrap();
        RedisStore::builder().host(host, port).database(number)
    }

    /// The same by another way.
    pub(crate) fn builder_at(&self, port: u16) -> RedisBuilder {
        self.builder().host("127.0.0.1", port)
    }

    /// A field of a hash, as `tags/orders`, or its field without a name.
    pub(crate) fn get(&self, key: &str) -> String {
        let (hash, field) = hash_and_field(key);
        self.run(&["HGET", &hash, field])
    }

    pub(crate) fn put(&self, key: &str, value: &str) {
        let (hash, field) = hash_and_field(key);
        self.run(&["HSET", &hash, field, value]);
    }

    pub(crate) fn delete(&self, hash: &str) {
        self.run(&["DEL", &format!("snowmint:{hash}")]);
    }

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

fn hash_and_field(key: &str) -> (String, &str) {
    let (hash, field) = key.split_once('/').unwrap_or((key, ""));
    (format!("snowmint:{hash}"), field)
}
