//! A server that follows another, until it takes its place.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Stdio};

use super::own_server::command;
use super::server::{Database, Server};
use super::wait_until;

/// Ends with its standard input, and so with the test's process.
const SCRIPT: &str = include_str!("standby.sh");

/// A standby of a server, `copy` by name, to which changes come without anybody waiting for it.
pub(crate) struct Standby {
    process: Child,
    /// The server, by its database `postgres` and its superuser.
    server: Server,
}

impl Standby {
    /// Copies a server, and follows it.
    pub(crate) fn of(primary: &Server) -> Standby {
        (0..5).find_map(|_| Standby::start(primary)).expect("a standby begins")
    }

    /// None where another process takes the port before the standby does.
    fn start(primary: &Server) -> Option<Standby> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let mut words = Vec::new();
        // PostgreSQL refuses to be root's.
        // SAFETY: reads a number of this process.
        if unsafe { libc::geteuid() } == 0 {
            words.extend(["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]);
            words.extend(["env", "HOME=/tmp"]);
        }
        let port = port.to_string();
        words.extend(["bash", "-c", SCRIPT, "standby", &primary.url, &port]);
        let mut command = command(&words);
        command.current_dir("/");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if line != "ready\n" {
            process.wait().unwrap();
            return None;
        }
        let url = format!("postgres://postgres@127.0.0.1:{port}/postgres?sslmode=disable");
        Some(Standby { process, server: Server::at(url) })
    }

    /// The server that it is, or becomes.
    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// Its copy of a database, which is not made anew or dropped there.
    pub(crate) fn named(&self, name: &str) -> Database {
        self.server.named(name)
    }

    /// Waits until it has all that its primary has.
    pub(crate) fn catch_up(&self, primary: &Server) {
        let behind = primary.run("SELECT pg_current_wal_lsn()");
        let query = format!("SELECT pg_last_wal_replay_lsn() >= '{behind}'");
        wait_until("the standby", || self.server.run(&query) == "t");
    }

    /// Follows no longer: what its primary commits from now on it never has.
    pub(crate) fn part(&self) {
        self.server.run("ALTER SYSTEM SET primary_conninfo = ''");
        self.server.run("SELECT pg_reload_conf()");
        let query = "SELECT count(*) FROM pg_stat_wal_receiver";
        wait_until("the end of its connection", || self.server.run(query) == "0");
    }

    /// Takes its primary's place.
    pub(crate) fn promote(&self) {
        assert_eq!(self.server.run("SELECT pg_promote()"), "t");
    }
}

/// Has commits wait for them.
pub(crate) fn name_standbys(database: &Database, names: &str) {
    database.run(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"));
    database.run("SELECT pg_reload_conf()");
    let setting = "SELECT current_setting('synchronous_standby_names')";
    wait_until("the setting", || database.run(setting) == names);
}

impl Drop for Standby {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        drop(self.process.wait());
    }
}
