//! Answers that do not come.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

/// Of a server that asks for its clients' certificates.
pub(super) fn tls_settings(certificates: &Path, port: u16) -> [String; 5] {
    let file = |name: &str| certificates.join(name).display().to_string();
    [
        format!("listen-client-urls=https://127.0.0.1:{port}"),
        format!("cert-file={}", file("server.pem")),
        format!("key-file={}", file("server.key")),
        format!("trusted-ca-file={}", file("ca.pem")),
        "client-cert-auth=true".to_owned(),
    ]
}

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
