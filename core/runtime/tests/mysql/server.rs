//! MariaDB servers for tests, and what their own clients say. MySQL may be there in their place.

use std::process::Command;

#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../sql_servers/server.rs"]
mod databases;
#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../own_server/product.rs"]
mod product;

pub(crate) use databases::Database;
use databases::{host_and_port, name};
pub(crate) use product::Server;

const NAME: &str = "mariadb";
/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_MARIADB";

/// The database in a server's URL.
const MAIN: &str = "mysql";
/// Makes a database.
const CREATED: &[&str] = &["CREATE DATABASE NAME"];
/// The client's option for statements, and what has it say that it has done those before.
const RUN: &str = "-e";
const DONE: &str = "SELECT 'done';";

fn client(url: &str) -> Command {
    let (host, port) = host_and_port(url);
    let mut client = Command::new("mariadb");
    client.args(["--no-defaults", "--unbuffered", "-N", "-B", "-u", "root", "-h", &host]);
    client.args(["-P", &port.to_string(), name(url)]);
    client
}

/// Drops a database of a server, which may be gone.
fn drop_database(server: &str, name: &str) {
    // A connection that has a lock in it is of the same test, and DROP would wait for it.
    let ended = format!(
        "SELECT concat('KILL ', id) FROM information_schema.processlist WHERE db = '{name}'"
    );
    if let Ok(killers) = client(server).args(["-e", &ended]).output() {
        let killers = String::from_utf8_lossy(&killers.stdout).replace('\n', ";");
        drop(client(server).args(["-f", "-e", &killers]).output());
    }
    let statement = format!("DROP DATABASE IF EXISTS {name}");
    drop(client(server).args(["-e", &statement]).output());
}

impl Server {
    pub(crate) fn is_mariadb(&self) -> bool {
        self.run("SELECT version()").contains("MariaDB")
    }
}

/// Returns false, and says so, for tests of what only MariaDB has.
pub(crate) fn has_mariadb(what: &str) -> bool {
    let is_mariadb = Server::shared().is_mariadb();
    if !is_mariadb {
        println!("left out: MySQL has no {what}");
    }
    is_mariadb
}

impl Database {
    /// Runs statements as the superuser where no server may be there, or it may refuse some.
    pub(crate) fn try_run(&self, statements: &str) -> Option<String> {
        let output = client(&self.url).args(["-f", "-e", statements]).output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    }

    /// Runs statements that the server refuses, and returns its message.
    pub(crate) fn refused(&self, statements: &str) -> String {
        let output = client(&self.url).args(["-e", statements]).output().unwrap();
        assert!(!output.status.success(), "{statements} was not refused");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}
