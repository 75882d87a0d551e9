//! Databases of a SQL server for tests, and what its own client says. The module above says how that
//! client is called.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Stdio};

use super::product::{Server, count};
use super::{CREATED, DONE, MAIN, RUN, client, drop_database};

impl Server {
    /// A new database.
    pub(crate) fn database(&self) -> Database {
        let name = format!("test_{}_{}", std::process::id(), count());
        for statement in CREATED {
            self.run(&statement.replace("NAME", &name));
        }
        self.named(&name)
    }

    /// The database of a name.
    pub(crate) fn named(&self, name: &str) -> Database {
        Database { url: self.url.replace(&format!("/{MAIN}?"), &format!("/{name}?")) }
    }

    /// Runs statements as the superuser, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        output_of(&self.url, statements)
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
        drop_database(&self.url_with(&format!("/{name}?"), &format!("/{MAIN}?")), name);
    }
}

impl Database {
    /// Runs statements as the superuser, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        output_of(&self.url, statements)
    }

    /// A session in which statements are run one by one.
    pub(crate) fn session(&self) -> Session {
        let mut client = client(&self.url);
        let mut process = client.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Session { process, output }
    }

    /// Its server's.
    pub(crate) fn host_and_port(&self) -> (String, u16) {
        host_and_port(&self.url)
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

    /// The URL with these ports of its host in place of its own.
    pub(crate) fn url_at(&self, ports: &[u16]) -> String {
        let (host, port) = self.host_and_port();
        let hosts: Vec<_> = ports.iter().map(|port| format!("{host}:{port}")).collect();
        self.url_with(&format!("{host}:{port}"), &hosts.join(","))
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
        input.write_all(format!("{statements};\n{DONE}\n").as_bytes()).unwrap();
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

pub(crate) fn host_and_port(url: &str) -> (String, u16) {
    let rest = url.split_once('@').unwrap().1;
    let (host, port) = rest.split_once('/').unwrap().0.split_once(':').unwrap();
    (host.to_owned(), port.parse().unwrap())
}

pub(crate) fn name(url: &str) -> &str {
    url.rsplit_once('/').unwrap().1.split_once('?').unwrap().0
}

fn output_of(url: &str, statements: &str) -> String {
    let output = client(url).args([RUN, statements]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statements}: {said}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
