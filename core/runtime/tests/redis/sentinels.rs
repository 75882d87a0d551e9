//! Sentinels, which name another master once the one they watch is gone.

use std::fs;
use std::process::{Child, Command, Stdio};

use super::*;

/// A sentinel of its own; it ends with this.
struct Sentinel {
    port: u16,
    process: Child,
    _directory: tempfile::TempDir,
}

impl Sentinel {
    /// Of the master of a database, which it calls `ids`.
    fn watching(database: &Database) -> Sentinel {
        let (directory, port) = (tempfile::tempdir().unwrap(), own_server::free_port());
        let (host, master) = database.host_and_port();
        let file = directory.path().join("sentinel.conf");
        let settings = format!(
            "port {port}\nbind 127.0.0.1\nsentinel monitor ids {host} {master} 1\n\
             sentinel down-after-milliseconds ids 3000\nsentinel failover-timeout ids 10000\n"
        );
        fs::write(&file, settings).unwrap();
        let mut command = Command::new("redis-server");
        command.arg(&file).arg("--sentinel").stdout(Stdio::null()).current_dir(directory.path());
        let sentinel = Sentinel { port, process: command.spawn().unwrap(), _directory: directory };
        let knows = || sentinel.ask(&["SENTINEL", "replicas", "ids"]).contains("127.0.0.1");
        asking::wait_until("the sentinel", knows);
        sentinel
    }

    fn ask(&self, command: &[&str]) -> String {
        let mut client = Command::new("redis-cli");
        client.args(["-p", &self.port.to_string()]).args(command);
        String::from_utf8(client.output().unwrap().stdout).unwrap()
    }
}

impl Drop for Sentinel {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
fn the_master_that_a_sentinel_names_is_asked() {
    let (mut first, second) = (Server::start(&[]), Server::start(&[]));
    let database = with_orders(first.database_of(""));
    let replica = second.database_of("");
    let (host, port) = database.host_and_port();
    replica.run(&["REPLICAOF", &host, &port.to_string()]);
    let synced = || replica.run(&["INFO", "replication"]).contains("master_link_status:up");
    asking::wait_until("the replica", synced);
    let sentinel = Sentinel::watching(&database);
    // The first one does not answer.
    let named = format!("127.0.0.1:{},127.0.0.1:{}", own_server::free_port(), sentinel.port);
    let address = format!("redis+sentinel://{named}/ids/0");
    let message = refused(open_store(&address).map(drop), Code::UnsafeSetting);
    assert!(message.contains("replicas"), "{message}");
    let declared = format!("{address}?durability=declared");
    let store = open_store(&declared).unwrap();
    assert_eq!(take(&*store).unwrap(), 1);
    let both = || replica.run(&["HGET", "snowmint:tags", "orders"]).contains("\"next\":11");
    asking::wait_until("the change at the replica", both);
    first.end();
    assert_eq!(asking::patiently(|| take(&*store)), 11);
    assert!(replica.run(&["INFO", "replication"]).contains("role:master"));
    let source = open(&format!("segment+{declared}&tag=orders")).unwrap();
    assert_eq!(source.next_id().unwrap(), 21);
    let message =
        refused(open_store(&declared.replace("/ids/", "/none/")).map(drop), Code::StoreUnavailable);
    assert!(message.contains("knows no such master"), "{message}");
    let no_sentinel = format!("redis+sentinel://{}:{port}/ids/0", replica.host_and_port().0);
    let no_sentinel =
        no_sentinel.replace(&port.to_string(), &replica.host_and_port().1.to_string());
    let message = refused(open_store(&no_sentinel).map(drop), Code::StoreUnavailable);
    assert!(message.contains("is no sentinel"), "{message}");
}

/// One that was cut off, and goes on with what it knew.
fn cut_off(host: &str, port: u16) -> u16 {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap().port();
    let port = port.to_string();
    let answer = format!("*2\r\n${}\r\n{host}\r\n${}\r\n{port}\r\n", host.len(), port.len());
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            if client.read(&mut [0; 4096]).is_ok_and(|heard| heard > 0) {
                drop(client.write_all(answer.as_bytes()));
            }
        }
    });
    at
}

#[test]
fn a_sentinel_whose_word_is_old_is_passed_over() {
    let (master, replica) = (Server::start(&[]), Server::start(&[]));
    let database = with_orders(master.database_of(""));
    let (host, port) = database.host_and_port();
    let follower = replica.database_of("");
    follower.run(&["REPLICAOF", &host, &port.to_string()]);
    let dead = cut_off(&host, own_server::free_port());
    let old = cut_off(&host, follower.host_and_port().1);
    let right = cut_off(&host, port);
    let named = |ports: &[u16]| {
        let named: Vec<_> = ports.iter().map(|port| format!("{host}:{port}")).collect();
        format!("redis+sentinel://{}/ids/0?durability=declared", named.join(","))
    };
    let store = open_store(&named(&[dead, old, right])).unwrap();
    assert_eq!(take(&*store).unwrap(), 1);
    let message = refused(open_store(&named(&[old])).map(drop), Code::StoreUnavailable);
    assert!(message.contains("is a replica, and no master as a sentinel says"), "{message}");
}
