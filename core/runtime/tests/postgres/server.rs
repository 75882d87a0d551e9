//! PostgreSQL servers for tests, and what their own clients say.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::own_server::command;

#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../sql_servers/server.rs"]
mod databases;
#[allow(clippy::duplicate_mod, reason = "what is above it differs")]
#[path = "../own_server/product.rs"]
mod product;

pub(crate) use databases::Database;
pub(crate) use product::Server;

const NAME: &str = "postgres";
/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_POSTGRES";
/// The same of a pooler before one.
const POOLED: &str = "SNOWMINT_TEST_PGBOUNCER";

/// The database in a server's URL.
const MAIN: &str = "postgres";
/// Make a database, where a test's own statements find our tables as well as others.
const CREATED: &[&str] =
    &["CREATE DATABASE NAME", "ALTER DATABASE NAME SET search_path = public, snowmint"];
/// The client's option for statements, and what has it say that it has done those before.
const RUN: &str = "-c";
const DONE: &str = "\\echo done";

fn client(url: &str) -> Command {
    let mut client = Command::new("psql");
    client.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url]);
    client
}

/// Drops a database of a server, which may be gone.
fn drop_database(server: &str, name: &str) {
    let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    drop(client(server).args(["-c", &statement]).output());
}

impl Server {
    /// One behind pgbouncer, which gives each transaction one of two connections to a database.
    pub(crate) fn pooled() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var(POOLED) {
            Ok(url) => Server::at(url),
            Err(_) => Server::start_pooled(&[]),
        })
    }

    /// One behind pgbouncer, which has the settings, and which alone is ended and started.
    pub(crate) fn start_pooled(settings: &[&str]) -> Server {
        Server::start_named("pgbouncer", settings)
    }
}

impl Database {
    /// Runs statements as the superuser where no server may be there, or it may refuse.
    pub(crate) fn try_run(&self, statements: &str) -> Option<String> {
        try_psql(&self.url, statements)
    }

    /// All of it, as statements that make it anew.
    pub(crate) fn dump(&self) -> String {
        let output = command(&["pg_dump", "--no-owner", "-d", &self.url]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a script.
    pub(crate) fn run_script(&self, script: &str) {
        let mut process =
            client(&self.url).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        process.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(process.wait().unwrap().success());
    }
}

/// Runs statements in one session on any server of a URL, and returns their output.
pub(crate) fn try_psql(url: &str, statements: &str) -> Option<String> {
    let mut client = client(url);
    for statement in statements.split_inclusive("; ") {
        client.args(["-c", statement]);
    }
    let output = client.env("PGCONNECT_TIMEOUT", "5").output().unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}
