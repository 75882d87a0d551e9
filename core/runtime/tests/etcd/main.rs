//! Failures of the store in etcd, of its members and of the network: each has its code, and nothing
//! is given twice.
#![cfg(all(feature = "etcd", unix))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::io::{Read as _, Write as _};
use std::time::Duration;

use snowmint::doctor::Verdict;
use snowmint::{Code, SegmentAdmin, WorkerStore};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "../asking/mod.rs"]
mod asking;
mod links;
mod members;
#[path = "../own_server/mod.rs"]
mod own_server;
#[path = "../proxy/mod.rs"]
mod proxy;
#[path = "../quorums/mod.rs"]
mod quorums;
mod server;
mod users;
#[path = "../values/mod.rs"]
mod values;

use asking::{long, refused, request, take, take_within};
use quorums::members::of_all;
use server::{Database, Server};
use values::{database, is_commit, other, with_orders};

const SCHEME: &str = "etcd";

/// The bytes that every change contains.
const BEGINNING: &[u8] = b"request_put";
/// A doctor's findings, beside those of all servers of values.
const FOUND: &[(&str, Verdict, &str)] = &[
    ("server", Verdict::Ok, "etcd 3."),
    ("cluster", Verdict::Weaker, "members: 1, of which 0 may be down"),
    ("clock", Verdict::Ok, "this second"),
];
/// The same of a cluster of three, of which one is down.
const FOUND_WITHOUT_ONE: (&str, &str) = ("cluster", "of which 1 may be down");

/// The beginnings of the statements that begin a key space.
fn statements_of(empty: &Database) -> Vec<String> {
    vec![format!("put {}/schema '{{\"version\":1,\"id\":\"", empty.prefix)]
}

#[test]
fn a_row_that_nobody_else_changes_is_changed_by_one_question() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let count = || {
        let mut member = std::net::TcpStream::connect(&database.addresses[0]).unwrap();
        member.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").unwrap();
        let mut told = String::new();
        member.read_to_string(&mut told).unwrap();
        let is_of_ours =
            |line: &&str| line.starts_with("grpc_server_started_total") && line.contains("\"Txn\"");
        let line = told.lines().find(is_of_ours).unwrap();
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    };
    let store = other(&database);
    values::a_row_that_nobody_else_changes_is_changed_by_one_question(&store, &count);
}
