//! MariaDB servers for tests: the one that is there for all, and some of a test's own. MySQL may be
//! there in their place.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::own_server::Own;

/// The variable that names a server for all tests. Without it, each process starts its own.
const SHARED: &str = "SNOWMINT_TEST_MARIADB";

/// A server; one of a test's own ends with it, or with its process.
pub(crate) struct Server {
    /// The URL of its database `mysql`, as its superuser.
    url: String,
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
        let (own, url) = Own::start("mariadb", settings);
        Server { url, own: Some(own) }
    }

    pub(crate) fn is_mariadb(&self) -> bool {
        self.run("SELECT version()").contains("MariaDB")
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

    /// Starts it again after its end.
    pub(crate) fn start_again(&mut self) {
        self.own.as_mut().unwrap().start_again();
    }

    /// A new database.
    pub(crate) fn database(&self) -> Database {
        static DATABASES: AtomicU32 = AtomicU32::new(0);
        let count = DATABASES.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{count}", std::process::id());
        self.run(&format!("CREATE DATABASE {name}"));
        self.named(&name)
    }

    /// The database of a name.
    pub(crate) fn named(&self, name: &str) -> Database {
        Database { url: self.url.replace("/mysql?", &format!("/{name}?")) }
    }

    /// Runs statements as the superuser, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        output_of(client(&self.url), statements)
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

/// A database of a test's own, gone when dropped.
pub(crate) struct Database {
    /// As its superuser.
    pub(crate) url: String,
}

impl Drop for Database {
    fn drop(&mut self) {
        let name = self.name();
        // A connection that has a lock in it is of the same test, and DROP would wait for it.
        let ended = format!(
            "SELECT concat('KILL ', id) FROM information_schema.processlist WHERE db = '{name}'"
        );
        let server = self.url_with(&format!("/{name}?"), "/mysql?");
        if let Ok(killers) = client(&server).args(["-e", &ended]).output() {
            let killers = String::from_utf8_lossy(&killers.stdout).replace('\n', ";");
            drop(client(&server).args(["-f", "-e", &killers]).output());
        }
        let statement = format!("DROP DATABASE IF EXISTS {name}");
        // Its server may be gone.
        drop(client(&server).args(["-e", &statement]).output());
    }
}

impl Database {
    /// Runs statements as the superuser, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        output_of(client(&self.url), statements)
    }

    /// The same where no server may be there, or it may refuse some.
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

    /// A session in which statements are run one by one.
    pub(crate) fn session(&self) -> Session {
        let mut client = client(&self.url);
        client.arg("--unbuffered").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = client.spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Session { process, output }
    }

    /// Its parts.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        let (host, port) = host_and_port(&self.url);
        (host.to_owned(), port)
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        name(&self.url)
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
        input.write_all(format!("{statements};\nSELECT 'done';\n").as_bytes()).unwrap();
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
    let (host, port) = host_and_port(url);
    let mut client = Command::new("mariadb");
    client.args(["--no-defaults", "-N", "-B", "-u", "root", "-h", host]);
    client.args(["-P", &port.to_string(), name(url)]);
    client
}

fn host_and_port(url: &str) -> (&str, u16) {
    let rest = url.split_once('@').unwrap().1;
    let (host, port) = rest.split_once('/').unwrap().0.split_once(':').unwrap();
    (host, port.parse().unwrap())
}

fn name(url: &str) -> &str {
    url.rsplit_once('/').unwrap().1.split_once('?').unwrap().0
}

fn output_of(mut client: Command, statements: &str) -> String {
    let output = client.args(["-e", statements]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statements}: {said}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
