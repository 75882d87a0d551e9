//! The way to a server: hosts, sockets, restarts, servers that take no changes or do not answer.

use super::*;
use crate::own_server::free_port;

/// The modes of TLS in a URL.
pub(super) const MODES: [&str; 3] = ["sslmode=disable", "sslmode=prefer", "sslmode=verify-full"];
/// A socket that is not there, in a URL and in messages.
pub(super) const NO_SOCKET: [&str; 2] = ["host=/nowhere", "/nowhere/.s.PGSQL.5432"];

#[test]
fn a_host_that_takes_nobody_in_is_passed_over() {
    let database = database();
    let elsewhere = Server::start(&[]);
    let name = database.name();
    let (_, port) = database.host_and_port();
    let (_, closed) = elsewhere.named(name).host_and_port();
    let both = database.url_at(&[closed, port]);
    // While it is put back, and as one that is shut out of a cluster.
    elsewhere.run(&format!("CREATE DATABASE {name} ALLOW_CONNECTIONS false"));
    assert_eq!(take(&*open_store(&both).unwrap()).unwrap(), 1);
    // With a limit of connections, which no superuser has.
    elsewhere.run(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true CONNECTION LIMIT 0"));
    for server in [&elsewhere, Server::shared()] {
        server.run(&format!("CREATE ROLE ann_{name} LOGIN"));
    }
    database.run(&format!("GRANT ALL ON ALL TABLES IN SCHEMA snowmint TO ann_{name}"));
    let ann = both.replace("postgres@", &format!("ann_{name}@"));
    assert_eq!(take(&*open_store(&ann).unwrap()).unwrap(), 11);
    // No such user: the next host is not asked, which would let him in.
    elsewhere.run(&format!("DROP ROLE ann_{name}"));
    refused(open_store(&ann).map(drop), Code::StoreDenied);
    database.run(&format!("DROP OWNED BY ann_{name}; DROP ROLE ann_{name}"));
}

#[test]
fn a_socket_of_this_machine_is_a_host() {
    let database = database();
    let directory = database.run("SHOW unix_socket_directories");
    let (_, port) = database.host_and_port();
    let url = format!("postgres:///{}?host={directory}&port={port}&user=postgres", database.name());
    // A socket is never encrypted, and so asks for no certificate.
    for mode in ["prefer", "verify-ca", "verify-full"] {
        let store = open_store(&format!("{url}&sslmode={mode}")).unwrap();
        take(&*store).unwrap();
    }
    let escaped = directory.replace('/', "%2F");
    let url = format!("postgresql://postgres@{escaped}:{port}/{}", database.name());
    assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), 31);
}

#[test]
fn a_server_that_takes_no_changes_is_passed_over() {
    let database = database();
    let standby = Server::start(&[]);
    standby.run(&format!("CREATE DATABASE {}", database.name()));
    let there = with_orders(standby.named(database.name()));
    standby.run("ALTER SYSTEM SET default_transaction_read_only = on; ");
    standby.run("SELECT pg_reload_conf()");
    wait_until("the setting", || standby.run("SHOW default_transaction_read_only") == "on");
    let (_, port) = database.host_and_port();
    let (_, other_port) = there.host_and_port();
    let both = database.url_at(&[other_port, port]);
    let writable = open_store(&format!("{both}&target_session_attrs=read-write")).unwrap();
    assert_eq!(take(&*writable).unwrap(), 1);
    let message = refused(take(&*open_store(&both).unwrap()), Code::StoreReadOnly);
    assert!(message.contains("target_session_attrs=read-write"), "{message}");
    let alone = format!("{}&target_session_attrs=read-write", there.url);
    refused(open_store(&alone).map(drop), Code::StoreReadOnly);
}

/// As after a failover, until the standby is promoted; in whatever order they are named.
#[test]
fn one_that_may_come_back_is_waited_for_beside_a_standby() {
    let database = database();
    let standby_server = Server::start(&["default_transaction_read_only=on"]);
    let (_, standby) = standby_server.named("postgres").host_and_port();
    let closed = free_port();
    for ports in [[closed, standby], [standby, closed]] {
        let url = database.url_at(&ports).replace(database.name(), "postgres");
        let url = format!("{url}&target_session_attrs=read-write");
        refused(open_store(&url).map(drop), Code::StoreUnavailable);
    }
}
