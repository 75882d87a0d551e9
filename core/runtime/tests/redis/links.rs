//! Answers that do not come.

use std::io::Write as _;
use std::net::TcpListener;
use std::thread;

use super::*;

use super::asking::certificates::certificates;
use super::own_server::free_port;

#[test]
fn a_server_that_does_not_answer_in_time_is_given_up() {
    const WITHIN: Duration = Duration::from_secs(2);
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    database.run(&["CLIENT", "PAUSE", "6000", "WRITE"]);
    refused(take_within(&store, WITHIN), Code::OutcomeUnknown);
    database.run(&["CLIENT", "UNPAUSE"]);
    assert!([11, 21].contains(&take(&store).unwrap()));
    database.run(&["CLIENT", "PAUSE", "6000", "ALL"]);
    refused(take_within(&store, WITHIN), Code::StoreUnavailable);
}

#[test]
fn a_server_of_another_protocol_is_not_taken_for_redis() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for client in listener.incoming() {
            drop(client.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        }
    });
    let opened = open_store(&format!("redis://127.0.0.1:{port}/"));
    let message = refused(opened.map(drop), Code::StoreUnavailable);
    assert!(message.contains("is it Redis?"), "{message}");
}

#[test]
fn tls_is_what_the_url_says() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (port, ca, other) = (free_port(), file("ca.pem"), file("other.pem"));
    let settings = [
        format!("tls-port={port}"),
        format!("tls-cert-file={}", file("server.pem")),
        format!("tls-key-file={}", file("server.key")),
        format!("tls-ca-cert-file={ca}"),
        "tls-auth-clients=no".to_owned(),
    ];
    let server = Server::start(&settings.each_ref().map(String::as_str));
    let plain = with_orders(server.database_of(""));
    let open = |host: &str, parameters: &str| {
        let store = open_store(&format!("rediss://{host}:{port}/0?{parameters}"))?;
        take(&*store)
    };
    let right = format!("ssl_ca_certs={ca}");
    assert_eq!(open("localhost", &right).unwrap(), 1);
    let message = refused(open("127.0.0.1", &right), Code::StoreUnavailable);
    assert!(message.contains("ssl_check_hostname=false"), "{message}");
    let any_name = format!("{right}&ssl_check_hostname=false");
    assert_eq!(open("127.0.0.1", &any_name).unwrap(), 11);
    let message =
        refused(open("localhost", &format!("ssl_ca_certs={other}")), Code::StoreUnavailable);
    assert!(message.contains("ssl_ca_certs"), "{message}");
    refused(open("localhost", ""), Code::StoreUnavailable);
    refused(open("localhost", "ssl_ca_certs=/none.pem"), Code::InvalidParameter);
    let message = refused(open("localhost", "ssl_check_hostname=false"), Code::InvalidParameter);
    assert!(message.contains("name it by ssl_ca_certs"), "{message}");
    // One that speaks no TLS, and one that speaks nothing else.
    let (_, without) = plain.host_and_port();
    let mixed = open_store(&format!("rediss://localhost:{without}/0?{right}&connect_timeout=2"));
    refused(mixed.map(drop), Code::StoreUnavailable);
    let mixed = open_store(&format!("redis://localhost:{port}/0?connect_timeout=2"));
    refused(mixed.map(drop), Code::StoreUnavailable);
}

#[test]
fn a_unix_socket_is_a_way_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let socket = directory.path().join("redis.sock");
    let server = Server::start(&[&format!("unixsocket={}", socket.display())]);
    with_orders(server.database_of(""));
    let url = format!("redis:///0?socket={}", socket.display());
    assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), 1);
    let none = format!("redis:///0?socket={}.none", socket.display());
    refused(open_store(&none).map(drop), Code::StoreUnavailable);
}
