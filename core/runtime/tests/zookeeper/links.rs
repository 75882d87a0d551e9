//! Answers that do not come, and sessions that end.

use snowmint::Mint;
use std::net::{TcpListener, TcpStream};
use std::thread;

use super::*;

use super::asking::certificates::certificates;
use super::asking::of_sources;

/// As a member does that is just starting.
#[test]
fn a_member_that_swallows_a_greeting_is_greeted_again() {
    let database = database();
    let (host, port) = database.host_and_port();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_once = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut clients = listener.incoming();
        let _swallowed = clients.next();
        for client in clients {
            let (client, server) = (client.unwrap(), TcpStream::connect((&*host, port)).unwrap());
            let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
            for (mut from, mut to) in [(client, server), back] {
                thread::spawn(move || std::io::copy(&mut from, &mut to));
            }
        }
    });
    let store = database.builder_at(silent_once).open().unwrap();
    assert_eq!(take(&store).unwrap(), 1);
}

/// The server ends sessions of which it hears nothing, here after two seconds.
#[test]
fn a_session_that_is_over_is_begun_again() {
    let server = Server::start(&["maxSessionTimeout=2000"]);
    let database = with_orders(server.database());
    let (store, url) = (other(&database), format!("snowflake+{}?reserve_ms=60000", database.url()));
    let flake = asking::patiently(|| open(&url));
    let mut lease = store.acquire(&of_sources("a"), &long()).unwrap();
    let mut last = flake.next_id().unwrap();
    for round in 0..2 {
        assert_eq!(take(&store).unwrap(), 1 + 10 * round);
        thread::sleep(Duration::from_secs(4));
        lease = store.renew(&lease, 60_000, &long()).unwrap();
        let id = flake.next_id().unwrap();
        assert!(id > last);
        last = id;
    }
}

#[test]
fn a_server_that_is_no_zookeeper_is_refused() {
    let mut database = database();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    database.addresses = vec![listener.local_addr().unwrap().to_string()];
    let answers: [&[u8]; 4] = [
        b"-ERR unknown command\r\n",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\0\0\0\x02\0\0",
        b"\xff\xff\xff\xff",
    ];
    thread::spawn(move || {
        for answer in answers {
            use std::io::{Read as _, Write as _};
            let mut client = listener.accept().unwrap().0;
            assert!(client.read(&mut [0; 4096]).unwrap() > 0);
            client.write_all(answer).unwrap();
        }
    });
    for _ in answers {
        let message = refused(database.builder().open(), Code::StoreUnavailable);
        assert!(message.contains("it answers"), "{message}");
    }
}

#[test]
fn tls_is_what_the_url_says() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (ca, other, both) = (file("ca.pem"), file("other.pem"), file("both.pem"));
    let parts = ["server.key", "server.pem"].map(|name| std::fs::read(file(name)).unwrap());
    std::fs::write(&both, parts.concat()).unwrap();
    let port = own_server::free_port();
    let settings = [
        "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory".to_owned(),
        format!("secureClientPort={port}"),
        "secureClientPortAddress=127.0.0.1".to_owned(),
        format!("ssl.keyStore.location={both}"),
        format!("ssl.trustStore.location={ca}"),
    ];
    let server = Server::start(&settings.each_ref().map(String::as_str));
    let plain = with_orders(server.database());
    let open = |host: &str, parameters: &str| {
        let address = format!("zookeepers://{host}:{port}/{}", plain.prefix);
        take(&*open_store(&format!("{address}?connect_timeout=5&{parameters}"))?)
    };
    let (ours, none) = (format!("certfile={}", file("server.pem")), "/none.pem");
    let right = format!("cafile={ca}&{ours}&keyfile={}", file("server.key"));
    assert_eq!(asking::patiently(|| open("localhost", &right)), 1);
    let message = refused(open("127.0.0.1", &right), Code::StoreUnavailable);
    assert!(message.contains("use the host name that it is for"), "{message}");
    let message = refused(open("localhost", &right.replace(&ca, &other)), Code::StoreUnavailable);
    assert!(message.contains("by cafile"), "{message}");
    // It is not told who we are.
    refused(open("localhost", &format!("cafile={ca}")), Code::StoreUnavailable);
    for wrong in [right.replace(&file("server.key"), none), right.replace(&ca, none)] {
        let message = refused(open("localhost", &wrong), Code::InvalidParameter);
        assert!(message.contains(none), "{message}");
    }
    // One that speaks no TLS, and one that speaks nothing else.
    let without = &plain.addresses[0];
    let mixed = open_store(&format!("zookeepers://{without}/?cafile={ca}&connect_timeout=2"));
    refused(mixed.map(drop), Code::StoreUnavailable);
    let mixed = open_store(&format!("zookeeper://localhost:{port}/?connect_timeout=2"));
    let message = refused(mixed.map(drop), Code::StoreUnavailable);
    assert!(message.contains("zookeepers:"), "{message}");
}
