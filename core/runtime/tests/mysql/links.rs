//! The way to a server: hosts, sockets, restarts, servers that do not answer.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use super::*;

/// The modes of TLS in a URL.
pub(super) const MODES: [&str; 3] =
    ["ssl-mode=disabled", "ssl-mode=preferred", "ssl-mode=verify_identity"];
/// A socket that is not there, in a URL and in messages.
pub(super) const NO_SOCKET: [&str; 2] = ["socket=/nowhere/my.sock", "/nowhere/my.sock"];

/// The server ends connections that were idle for long, and its operator any.
#[test]
fn a_connection_that_was_ended_meanwhile_is_not_used() {
    let database = database();
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    for round in 1..4 {
        let id = those_who(&database, "TRUE");
        database.run(&format!("KILL {id}"));
        wait_until("its end", || those_who(&database, "TRUE").is_empty());
        assert_eq!(take(&store).unwrap(), 1 + 10 * round);
    }
}

/// A server's log would have each as one that was lost.
#[test]
fn a_store_that_is_dropped_says_good_bye() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let aborted = || server.run("SHOW GLOBAL STATUS LIKE 'Aborted_clients'");
    let before = aborted();
    for _ in 0..3 {
        let store = other(&database);
        take(&store).unwrap();
        drop(store);
        wait_until("the connection's end", || those_who(&database, "TRUE").is_empty());
    }
    assert_eq!(aborted(), before);
}

/// Whatever answers at a port: nothing of it is believed, and nothing panics.
#[test]
fn a_greeting_of_no_mysql_server_is_refused() {
    let greetings: [&[u8]; 9] = [
        // The length of this greeting's challenge is no small number.
        b"\x35\0\0\0\x0a8.0\0....12345678\0\xff\xff\x2d\x02\0\xff\xdf\x80..........123456789012\0xxx\0",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\0\0\0\0",
        b"\x01\0\0\0\x0a",
        b"\x01\0\0\0\xff",
        b"\x03\0\0\0\xff\x10\x04",
        b"\x05\0\0\0\x0a5.0\0",
        b"\xff\xff\xff\0",
        b"\x01\0\0\x07\x0a",
    ];
    for greeting in greetings {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answering = thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            drop(client.write_all(greeting));
        });
        let url = format!("mysql://ann:S3CRET@127.0.0.1:{port}/ids?ssl-mode=disabled");
        let error = open_store(&url).map(drop).unwrap_err();
        assert_eq!(error.code(), Code::StoreUnavailable, "{greeting:?}: {error}");
        assert!(!format!("{error} {error:?}").contains("S3CRET"));
        answering.join().unwrap();
    }
}

/// The server's answer grows for as long as the client reads it.
#[test]
fn answers_without_an_end_are_left() {
    let more = vec![0, 0, 0, 0x0a, 0, 0, 0];
    let column = [b"\x03def\0\0\0\x01a\0\x0c\x2d\0".to_vec(), vec![0; 10]].concat();
    let row = [vec![0xfd, 0, 0, 0x10], vec![b'a'; 1 << 20]].concat();
    let rows = vec![vec![1], column, vec![0xfe, 0, 0, 2, 0]];
    for (begin, again, says) in [
        (vec![], more, "more than it was asked"),
        (rows, row, "has no end"),
        (vec![], vec![0xfc, 65, 0], "columns that nobody asked for"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answering = thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let hello = b"\x0a8.0\0....12345678\0\xff\xff\x2d\x02\0\xff\xdf\x15\
                          ..........abcdefghijkl\0mysql_native_password\0";
            say(&mut client, 0, hello);
            say(&mut client, 2, &[0, 0, 0, 2, 0, 0, 0]);
            answer(&mut client, &begin, &again);
        });
        let url = format!("mysql://ann@127.0.0.1:{port}/ids?ssl-mode=disabled");
        let message = refused(open_store(&url).map(drop), Code::StoreUnavailable);
        assert!(message.contains(says), "{message}");
        answering.join().unwrap();
    }
}

/// Sends a packet, and hears an answer.
fn say(client: &mut TcpStream, number: u8, payload: &[u8]) {
    let head = (payload.len() as u32).to_le_bytes();
    client.write_all(&[&head[..3], &[number], payload].concat()).unwrap();
    assert!(client.read(&mut [0; 4096]).unwrap() > 0);
}

/// The server wants the password encrypted with its key.
#[test]
fn a_key_that_is_none_is_refused() {
    let key = |inner: &str| format!("-----BEGIN PUBLIC KEY-----{inner}-----END PUBLIC KEY-----");
    for key in [String::new(), key(""), key("MAAA"), key(&"A".repeat(1 << 20))] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answering = thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let hello = b"\x0a8.0\0....12345678\0\xff\xff\x2d\x02\0\xff\xdf\x15\
                          ..........abcdefghijkl\0caching_sha2_password\0";
            say(&mut client, 0, hello);
            say(&mut client, 2, &[1, 4]);
            let payload = [&[1], key.as_bytes()].concat();
            let head = (payload.len() as u32).to_le_bytes();
            // The client may leave before it has heard all.
            drop(client.write_all(&[&head[..3], &[4], &*payload].concat()));
        });
        let url = format!("mysql://ann:S3CRET@127.0.0.1:{port}/ids?ssl-mode=disabled");
        let message = refused(open_store(&url).map(drop), Code::StoreUnavailable);
        assert!(message.contains("a proof of the password that nobody knows"), "{message}");
        answering.join().unwrap();
    }
}

/// Answers a first question, until nobody listens.
fn answer(client: &mut TcpStream, begin: &[Vec<u8>], again: &Vec<u8>) {
    for (number, payload) in begin.iter().chain(std::iter::repeat(again)).enumerate() {
        let head = (payload.len() as u32).to_le_bytes();
        let packet = [&head[..3], &[(number + 1) as u8], payload].concat();
        if client.write_all(&packet).is_err() {
            return;
        }
    }
}

#[test]
fn a_host_that_takes_nobody_in_is_passed_over() {
    let database = database();
    let name = database.name();
    let elsewhere = Server::start(&[]);
    elsewhere.run(&format!("CREATE DATABASE {name}"));
    let there = with_orders(elsewhere.named(name));
    for server in [&elsewhere, Server::shared()] {
        server.run(&format!("CREATE USER ann_{name}; GRANT ALL ON {name}.* TO ann_{name}"));
    }
    let (_, port) = database.host_and_port();
    let (_, other_port) = there.host_and_port();
    let ann = format!("ann_{name}@");
    let both = database.url_at(&[other_port, port]).replace("root@", &ann);
    // It has no connection left for this user.
    elsewhere.run(&format!("ALTER USER ann_{name} WITH MAX_USER_CONNECTIONS 1"));
    let holder = open_store(&there.url_with("root@", &ann)).unwrap();
    assert_eq!(take(&*open_store(&both).unwrap()).unwrap(), 1);
    drop(holder);
    // No such user: the next host is not asked, which would let him in.
    elsewhere.run(&format!("DROP USER ann_{name}"));
    let url = format!("{both}&connect_timeout=60"); // with a pool of its own
    refused(open_store(&url).map(drop), Code::StoreDenied);
    database.run(&format!("DROP USER ann_{name}"));
}

#[test]
fn a_socket_of_this_machine_is_a_server() {
    let database = database();
    let socket = database.run("SELECT @@socket");
    let url = format!("mysql:///{}?socket={socket}&user=root", database.name());
    // A socket is never encrypted, and so asks for no certificate.
    for mode in ["preferred", "verify_ca", "verify_identity"] {
        let store = open_store(&format!("{url}&ssl-mode={mode}")).unwrap();
        take(&*store).unwrap();
    }
    let url = format!("mariadb://root@/{}?socket={socket}", database.name());
    assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), 31);
}
