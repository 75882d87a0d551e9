//! Answers that do not come.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

use super::asking::certificates::certificates;

#[test]
fn a_server_that_is_no_etcd_is_refused() {
    let mut database = database();
    // It refuses what is no command of its own, and speaks no HTTP.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    database.addresses = vec![listener.local_addr().unwrap().to_string()];
    let answers =
        ["-ERR unknown command\r\n", "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno"];
    thread::spawn(move || {
        for answer in answers {
            let mut client = listener.accept().unwrap().0;
            assert!(client.read(&mut [0; 4096]).unwrap() > 0);
            client.write_all(answer.as_bytes()).unwrap();
        }
    });
    refused(database.builder().open(), Code::StoreUnavailable);
    let message = refused(database.builder().open(), Code::Unsupported);
    assert!(message.contains("3.4 or later"), "{message}");
}

#[test]
fn tls_is_what_the_url_says() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (ca, other) = (file("ca.pem"), file("other.pem"));
    let port = own_server::free_port();
    let settings = [
        format!("listen-client-urls=https://127.0.0.1:{port}"),
        format!("cert-file={}", file("server.pem")),
        format!("key-file={}", file("server.key")),
        format!("trusted-ca-file={ca}"),
        "client-cert-auth=true".to_owned(),
    ];
    let server = Server::start(&settings.each_ref().map(String::as_str));
    let plain = with_orders(server.database());
    let open = |host: &str, parameters: &str| {
        let address = format!("etcds://{host}:{port}/{}", plain.prefix);
        take(&*open_store(&format!("{address}?connect_timeout=5&{parameters}"))?)
    };
    let (ours, none) = (format!("certfile={}", file("server.pem")), "/none.pem");
    let right = format!("cafile={ca}&{ours}&keyfile={}", file("server.key"));
    assert_eq!(open("localhost", &right).unwrap(), 1);
    let message = refused(open("127.0.0.1", &right), Code::StoreUnavailable);
    assert!(message.contains("use the host name that it is for"), "{message}");
    let message = refused(open("localhost", &right.replace(&ca, &other)), Code::StoreUnavailable);
    assert!(message.contains("by cafile"), "{message}");
    refused(open("localhost", ""), Code::StoreUnavailable);
    // It is not told who we are, or by a key of somebody else's.
    refused(open("localhost", &format!("cafile={ca}")), Code::StoreUnavailable);
    let message = refused(
        open("localhost", &format!("cafile={ca}&{ours}&keyfile={}", file("no.key"))),
        Code::InvalidParameter,
    );
    assert!(message.contains("server.pem"), "{message}");
    for wrong in [right.replace(&file("server.key"), none), right.replace(&ca, none)] {
        let message = refused(open("localhost", &wrong), Code::InvalidParameter);
        assert!(message.contains(none), "{message}");
    }
    // One that speaks no TLS, and one that speaks nothing else.
    let without = &plain.addresses[0];
    let mixed = open_store(&format!("etcds://{without}/?cafile={ca}&connect_timeout=2"));
    refused(mixed.map(drop), Code::StoreUnavailable);
    let mixed = open_store(&format!("etcd://localhost:{port}/?connect_timeout=2"));
    let message = refused(mixed.map(drop), Code::StoreUnavailable);
    assert!(message.contains("etcds:"), "{message}");
}

/// A change that another's was faster than, behind which the answer to the one before comes again.
#[test]
fn an_answer_that_comes_twice_is_not_that_to_the_next_question() {
    let database = database();
    let stutterer = Stutterer::before(&database);
    let (store, another) = (database.builder_at(stutterer.port).open().unwrap(), other(&database));
    // Twice, after which it is known, and not read before it is changed.
    assert_eq!([(); 2].map(|()| take(&store).unwrap()), [1, 11]);
    assert_eq!(take(&another).unwrap(), 21);
    stutterer.repeat(true);
    let message = refused(take(&store), Code::OutcomeUnknown);
    assert!(message.contains("is not used"), "{message}");
    stutterer.repeat(false);
    let given = take(&store).unwrap();
    assert!(given >= 31, "{given}");
    stutterer.repeat(true);
    refused(store.tags(), Code::InvalidAnswer);
    stutterer.repeat(false);
    assert_eq!(store.tags().unwrap().len(), 1);
}

/// A proxy that sends each answer again, in place of the one to the next question.
struct Stutterer {
    port: u16,
    repeats: Arc<AtomicBool>,
}

impl Stutterer {
    fn before(database: &Database) -> Stutterer {
        let (host, port) = database.host_and_port();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let repeats = Arc::new(AtomicBool::new(false));
        let stutterer = Stutterer {
            port: listener.local_addr().unwrap().port(),
            repeats: Arc::clone(&repeats),
        };
        thread::spawn(move || {
            for client in listener.incoming() {
                let server = TcpStream::connect((&*host, port)).unwrap();
                let (client, repeats) = (client.unwrap(), Arc::clone(&repeats));
                thread::spawn(move || stutter(client, server, &repeats));
            }
        });
        stutterer
    }

    fn repeat(&self, repeats: bool) {
        self.repeats.store(repeats, Ordering::SeqCst);
    }
}

fn stutter(mut client: TcpStream, mut server: TcpStream, repeats: &AtomicBool) {
    let mut before = Vec::new();
    while let Some(question) = whole(&mut client) {
        server.write_all(&question).unwrap();
        let answer = whole(&mut server).unwrap();
        let repeated = repeats.load(Ordering::SeqCst) && !before.is_empty();
        let sent = if repeated { &before } else { &answer };
        if client.write_all(sent).is_err() {
            return;
        }
        before = answer;
    }
}

/// A message with the length of its body.
fn whole(from: &mut TcpStream) -> Option<Vec<u8>> {
    const END: &str = "\r\n\r\n";
    let mut chunk = [0; 65536];
    let mut heard = Vec::new();
    loop {
        match from.read(&mut chunk) {
            Ok(length @ 1..) => heard.extend_from_slice(&chunk[..length]),
            _ => return None,
        }
        let text = String::from_utf8_lossy(&heard).to_lowercase();
        let Some((head, body)) = text.split_once(END) else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() == length.parse::<usize>().unwrap() {
            return Some(heard);
        }
    }
}
