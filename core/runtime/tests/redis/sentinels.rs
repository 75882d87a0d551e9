//! Sentinels, which name another master once the one they watch is gone.

use std::fs;
use std::process::{Child, Command, Stdio};

use snowmint::{Mint, Vouch};

use super::*;

/// A sentinel of its own; it ends with this.
struct Sentinel {
    port: u16,
    process: Child,
    _directory: tempfile::TempDir,
}

impl Sentinel {
    /// Starts a sentinel for the master of a database, which it calls `ids`.
    fn watching(database: &Database) -> Sentinel {
        Sentinel::with(database, "")
    }

    /// The same with more settings; a password of its own is `W0RD`.
    fn with(database: &Database, more: &str) -> Sentinel {
        let (directory, port) = (tempfile::tempdir().unwrap(), own_server::free_port());
        let (host, master) = database.host_and_port();
        let file = directory.path().join("sentinel.conf");
        let settings = format!(
            "port {port}\nbind 127.0.0.1\nsentinel monitor ids {host} {master} 1\n\
             sentinel down-after-milliseconds ids 3000\nsentinel failover-timeout ids 10000\n\
             {more}\n"
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
        client
            .args(["--no-auth-warning", "-a", "W0RD", "-p", &self.port.to_string()])
            .args(command);
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
    let no_sentinel =
        format!("redis+sentinel://{}:{port}/ids/0?durability=declared", replica.host_and_port().0);
    let no_sentinel =
        no_sentinel.replace(&port.to_string(), &replica.host_and_port().1.to_string());
    let message = refused(open_store(&no_sentinel).map(drop), Code::StoreUnavailable);
    assert!(message.contains("is no sentinel"), "{message}");
}

/// A master with a replica that has all of it.
fn with_replica() -> (Server, Server, Database, Database) {
    let (first, second) = (Server::start(&[]), Server::start(&[]));
    let (database, replica) = (with_orders(first.database_of("")), second.database_of(""));
    let (host, port) = database.host_and_port();
    replica.run(&["REPLICAOF", &host, &port.to_string()]);
    let synced = || replica.run(&["INFO", "replication"]).contains("master_link_status:up");
    asking::wait_until("the replica", synced);
    (first, second, database, replica)
}

/// A replica that is away at the moment is promoted as it was, and repeats what was given since.
#[test]
fn sentinels_are_refused_while_the_replica_is_away() {
    let (_first, _second, database, replica) = with_replica();
    let sentinel = Sentinel::watching(&database);
    replica.run(&["REPLICAOF", "NO", "ONE"]);
    let alone = || database.run(&["INFO", "replication"]).contains("connected_slaves:0");
    asking::wait_until("the replica to be away", alone);
    // A silent sentinel shows that nothing is asked before.
    for port in [sentinel.port, own_server::free_port()] {
        let address = format!("redis+sentinel://127.0.0.1:{port}/ids/0");
        let sources = ["segment+", "snowflake+"].map(|kind| format!("{kind}{address}"));
        let [numbers, workers] = sources;
        for refusal in [
            open(&format!("{numbers}?tag=orders")).map(drop),
            open(&format!("{numbers}?tag=orders&dialect=counter")).map(drop),
            open(&workers).map(drop),
            open_store(&address).map(drop),
            snowmint::migrate(&address).map(drop),
            RedisStore::builder().sentinels("ids", [("127.0.0.1", Some(port))]).open().map(drop),
            open_store(&format!("{address}?durability=checked&create=true")).map(drop),
        ] {
            let message = refused(refusal, Code::UnsafeSetting);
            assert!(message.contains("durability=declared and raise every tag"), "{message}");
        }
        for dialect in ["", "?dialect=counter"] {
            let findings = snowmint::doctor::examine(&format!("{address}{dialect}")).unwrap();
            let told = findings.iter().find(|it| it.subject == "durability").unwrap();
            assert_eq!((told.verdict, told.code), (Verdict::Refused, Some(Code::UnsafeSetting)));
            let cure = told.cure.as_deref().unwrap();
            assert!(cure.contains("durability=declared"), "{told:?}");
        }
    }
    let declared =
        format!("redis+sentinel://127.0.0.1:{}/ids/0?durability=declared", sentinel.port);
    assert_eq!(take(&*open_store(&declared).unwrap()).unwrap(), 1);
    let findings = snowmint::doctor::examine(&declared).unwrap();
    let told = findings.iter().find(|it| it.subject == "durability").unwrap();
    assert_eq!(told.verdict, Verdict::Weaker, "{told:?}");
}

#[test]
fn sentinels_have_a_password_of_their_own() {
    let (_first, _second, database, _replica) = with_replica();
    let settings = "requirepass W0RD\nuser ann on >S3CRET +sentinel|get-master-addr-by-name";
    let sentinel = Sentinel::with(&database, settings);
    let address = format!("redis+sentinel://127.0.0.1:{}/ids/0", sentinel.port);
    let open = |with: &str| {
        let opened = open_store(&format!("{address}?durability=declared{with}"));
        opened.and_then(|store| take(&*store))
    };
    assert_eq!(open("&sentinel_password=W0RD").unwrap(), 1);
    assert_eq!(open("&sentinel_user=ann&sentinel_password=S3CRET").unwrap(), 11);
    for wrong in ["", "&sentinel_password=N0NE", "&sentinel_user=ann&sentinel_password=N0NE"] {
        let message = refused(open(wrong), Code::StoreDenied);
        assert!(message.contains("by sentinel_user") && !message.contains("N0NE"), "{message}");
    }
    // The server's password is not the sentinels' password.
    let message = refused(open("&password=W0RD"), Code::StoreDenied);
    assert!(message.contains("the sentinel 127.0.0.1"), "{message}");
    database.run(&["CONFIG", "SET", "requirepass", "0THER"]);
    let message = refused(open("&sentinel_password=W0RD"), Code::StoreDenied);
    assert!(!message.contains("the sentinel"), "{message}");
    assert_eq!(open("&sentinel_password=W0RD&password=0THER").unwrap(), 21);
}

#[test]
fn a_replica_that_takes_over_is_a_start_that_nobody_vouched_for() {
    let (mut first, _second, database, replica) = with_replica();
    let sentinel = Sentinel::watching(&database);
    let address = format!("redis+sentinel://127.0.0.1:{}/ids/0", sentinel.port);
    let url = format!("{address}?durability=declared&restarts=vouched");
    let run_id = |database: &Database| {
        let told = database.run(&["INFO", "server"]);
        let line = told.lines().find(|line| line.starts_with("run_id:")).unwrap();
        line.trim_start_matches("run_id:").trim().to_owned()
    };
    let vouch_for =
        |database, steps| Vouch::new(steps).server(Some(run_id(database).as_str().into()));
    let store = open_store(&url).unwrap();
    store.vouch(&vouch_for(&database, 0)).unwrap();
    assert_eq!(take(&*store).unwrap(), 1);
    let both = || replica.run(&["HGET", "snowmint:tags", "orders"]).contains("\"next\":11");
    asking::wait_until("the change at the replica", both);
    first.end();
    // The promotion cuts off callers, so the test waits for it.
    let promoted = || replica.asked(&["INFO", "replication"]).0.contains("role:master");
    asking::wait_until("the promotion", promoted);
    let error = loop {
        match take(&*store) {
            Err(error) if error.code() == Code::IncarnationChanged => break error,
            Err(error) => assert!(error.is_transient(), "{error}"),
            Ok(number) => panic!("{number} of a server that nobody vouched for"),
        }
    };
    assert!(error.to_string().contains(&run_id(&replica)), "{error}");
    refused(take(&*open_store(&url).unwrap()), Code::IncarnationChanged);
    store.vouch(&vouch_for(&replica, 100)).unwrap();
    assert_eq!(take(&*store).unwrap(), 1_011);
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
