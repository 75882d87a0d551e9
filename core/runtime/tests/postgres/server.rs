//! PostgreSQL servers for tests: the one that is there for all, and some of a test's own.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::own_server::{Own, command};

/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_POSTGRES";
/// The same of a pooler before one.
const POOLED: &str = "SNOWMINT_TEST_PGBOUNCER";

/// A server; one of a test's own ends with it, or with its process.
pub(crate) struct Server {
    /// The URL of its database `postgres`, as its superuser.
    url: String,
    own: Option<Own>,
}

impl Server {
    /// The one that all tests share, each in a database of its own.
    pub(crate) fn shared() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var(SHARED) {
            Ok(url) => Server::at(url),
            Err(_) => Server::start(&[]),
        })
    }

    /// One behind pgbouncer, which gives each transaction one of two connections to a database.
    pub(crate) fn pooled() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| match std::env::var(POOLED) {
            Ok(url) => Server::at(url),
            Err(_) => Server::start_pooled(&[]),
        })
    }

    /// One that is there, by the URL of its database `postgres`.
    pub(crate) fn at(url: String) -> Server {
        Server { url, own: None }
    }

    /// One with settings, `name=value`.
    pub(crate) fn start(settings: &[&str]) -> Server {
        Server::start_named("postgres", settings)
    }

    /// One behind pgbouncer, which has the settings.
    pub(crate) fn start_pooled(settings: &[&str]) -> Server {
        Server::start_named("pgbouncer", settings)
    }

    fn start_named(name: &str, settings: &[&str]) -> Server {
        let (own, url) = Own::start(name, settings);
        Server { url, own: Some(own) }
    }

    /// The URL of its database `postgres`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Ends it, or the pooler before it, as a crash would, and starts that again.
    pub(crate) fn restart(&mut self) {
        self.end();
        self.start_again();
    }

    /// Ends it as a crash would.
    pub(crate) fn end(&mut self) {
        self.own.as_mut().unwrap().end();
    }

    /// Starts it again after its end.
    pub(crate) fn start_again(&mut self) {
        self.own.as_mut().unwrap().start_again();
    }

    /// The URL of a new database, where a test's own statements find our tables as well as others.
    pub(crate) fn database(&self) -> Database {
        static DATABASES: AtomicU32 = AtomicU32::new(0);
        let count = DATABASES.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{count}", std::process::id());
        self.run(&format!("CREATE DATABASE {name}"));
        self.run(&format!("ALTER DATABASE {name} SET search_path = public, snowmint"));
        self.named(&name)
    }

    /// The database of a name.
    pub(crate) fn named(&self, name: &str) -> Database {
        Database { url: self.url.replace("/postgres?", &format!("/{name}?")) }
    }

    /// Runs statements as the superuser, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        psql(&self.url, statements)
    }
}

/// A database of a test's own, gone when dropped.
pub(crate) struct Database {
    /// As its superuser.
    pub(crate) url: String,
}

impl Drop for Database {
    fn drop(&mut self) {
        let name = self.name();
        let server = self.url_with(&format!("/{name}?"), "/postgres?");
        let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        // Its server may be gone.
        drop(client(&server).args(["-c", &statement]).output());
    }
}

impl Database {
    /// Runs statements as the superuser, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        psql(&self.url, statements)
    }

    /// The same where no server may be there, or it may refuse.
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

    /// A session in which statements are run one by one.
    pub(crate) fn session(&self) -> Session {
        let mut process =
            client(&self.url).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Session { process, output }
    }

    /// Its parts.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        let rest = self.url.split_once('@').unwrap().1;
        let (host, port) = rest.split_once('/').unwrap().0.split_once(':').unwrap();
        (host.to_owned(), port.parse().unwrap())
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        self.url.rsplit_once('/').unwrap().1.split_once('?').unwrap().0
    }

    /// The URL with another server in it, as another user, or with further parameters.
    pub(crate) fn url_with(&self, from: &str, to: &str) -> String {
        assert!(self.url.contains(from), "{} has no {from}", self.url);
        self.url.replace(from, to)
    }
}

/// A client that keeps its connection.
pub(crate) struct Session {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Session {
    /// Runs statements, and waits until they are done.
    pub(crate) fn run(&mut self, statements: &str) {
        let input = self.process.stdin.as_mut().unwrap();
        input.write_all(format!("{statements};\n\\echo done\n").as_bytes()).unwrap();
        let mut line = String::new();
        while line.trim_end() != "done" {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "{statements} failed");
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        drop(self.process.wait());
    }
}

fn client(url: &str) -> Command {
    let mut client = Command::new("psql");
    client.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url]);
    client
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

fn psql(url: &str, statements: &str) -> String {
    let output = client(url).args(["-c", statements]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statements}: {said}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
