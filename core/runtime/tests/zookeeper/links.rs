//! Answers that do not come, and sessions that end.

use snowmint::Mint;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use super::*;

use super::asking::of_sources;

/// Of a server that asks for its clients' certificates.
pub(super) fn tls_settings(certificates: &Path, port: u16) -> [String; 5] {
    let file = |name: &str| certificates.join(name).display().to_string();
    let both = file("both.pem");
    let parts = ["server.key", "server.pem"].map(|name| std::fs::read(file(name)).unwrap());
    std::fs::write(&both, parts.concat()).unwrap();
    [
        "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory".to_owned(),
        format!("secureClientPort={port}"),
        "secureClientPortAddress=127.0.0.1".to_owned(),
        format!("ssl.keyStore.location={both}"),
        format!("ssl.trustStore.location={}", file("ca.pem")),
    ]
}

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
