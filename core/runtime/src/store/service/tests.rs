//! Tests with servers that hang or are no ID services, beside one that answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use snowmint_engine::Code;

use super::*;
use crate::{Daily, Mint, Segment, Sequences};

/// More calls than a process may have connections to one server.
const CALLS: usize = 32;

fn builder(servers: &[SocketAddr]) -> ServiceBuilder {
    let server =
        |builder: ServiceBuilder, at: &SocketAddr| builder.server(at.ip().to_string(), at.port());
    servers.iter().fold(ServiceStore::builder(), server)
}

/// A server that gives ranges for as long as the test runs.
fn giving() -> SocketAddr {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || give(stream.unwrap(), &NEXT));
        }
    });
    at
}

fn give(mut stream: TcpStream, next: &AtomicU64) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        let start = next.fetch_add(10, Ordering::Relaxed);
        let end = start + 10;
        let body =
            format!(r#"{{"start":"{start}","end":"{end}","stride":"1","step":"10","now_ms":"1"}}"#);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length";
        if write!(stream, "{head}: {}\r\n\r\n{body}", body.len()).is_err() {
            return;
        }
    }
}

fn reserve(store: &ServiceStore) -> Result<Allocation> {
    let request = AllocationRequest::new(Tag::new("orders")?, 10);
    store.reserve(&request, &Call::new(Duration::from_secs(60), [1; 16]))
}

#[test]
fn callers_without_a_connection_to_a_hung_server_ask_another() {
    let hung = TcpListener::bind("127.0.0.1:0").unwrap();
    let store = builder(&[hung.local_addr().unwrap(), giving()]).open().unwrap();
    thread::scope(|scope| {
        let calls: Vec<_> = (0..CALLS).map(|_| scope.spawn(|| reserve(&store))).collect();
        for call in calls {
            call.join().unwrap().unwrap();
        }
    });
}

#[test]
fn a_server_without_tls_is_called_so() {
    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = plain.local_addr().unwrap();
    thread::spawn(move || {
        for stream in plain.incoming() {
            // The answer of a server to a request that it cannot read.
            drop(stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        }
    });
    let error = reserve(&builder(&[at]).tls(true).open().unwrap()).unwrap_err();
    assert_eq!(error.code(), Code::StoreUnavailable);
    assert!(error.to_string().contains("it speaks no TLS there"), "{error}");
}

#[test]
fn a_port_that_speaks_no_http_is_called_so() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = other.local_addr().unwrap();
    thread::spawn(move || {
        for stream in other.incoming() {
            // The answer of Redis to an unknown command.
            drop(stream.unwrap().write_all(b"-ERR unknown command 'POST'\r\n"));
        }
    });
    let error = reserve(&builder(&[at]).open().unwrap()).unwrap_err();
    assert_eq!(error.code(), Code::StoreUnavailable);
    assert!(error.to_string().contains("is it an ID service?"), "{error}");
}

#[test]
fn an_error_says_what_to_check_where_nobody_listens() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = reserve(&builder(&[nobody]).open().unwrap()).unwrap_err();
    assert_eq!(error.code(), Code::StoreUnavailable);
    assert!(error.to_string().contains("check host, port and network"), "{error}");
}

#[test]
fn a_segment_that_begins_knows_whether_it_has_its_tag() {
    let answers = |status: &'static str, body: &'static str| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                drop(BufReader::new(&stream).read_line(&mut String::new()));
                let length = body.len();
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n");
                drop(stream.write_all(format!("{head}{body}").as_bytes()));
            }
        });
        at
    };
    let begun = |at| {
        let store = Arc::new(builder(&[at]).open().unwrap());
        let builder = Segment::builder(store, Tag::new("nope").unwrap());
        builder.wait(Duration::from_secs(60)).open()
    };
    let missing = r#"{"code":"unknown_tag","message":"no such tag"}"#;
    assert_eq!(begun(answers("404 Not Found", missing)).unwrap_err().code(), Code::UnknownTag);
    // Opening does not wait for a server that fails; the first call reports it.
    let failing = begun(answers("502 Bad Gateway", "")).unwrap();
    assert!(failing.next_id_within(Duration::ZERO).unwrap_err().is_transient());
    let segment = begun(giving()).unwrap();
    assert_eq!(segment.stats().buckets.iter().map(|bucket| bucket.left).sum::<u64>(), 10);
    assert!(segment.try_next_id().is_some());
}

#[test]
fn an_answer_that_does_not_end_is_not_read_for_long() {
    let endless = TcpListener::bind("127.0.0.1:0").unwrap();
    let store = builder(&[endless.local_addr().unwrap()]).open().unwrap();
    // More bytes than a system buffers for a connection that is not read.
    const LONGEST: usize = 48 << 20;
    let server = thread::spawn(move || {
        let mut stream = endless.accept().unwrap().0;
        let chunk = [&b"4000\r\n"[..], &[b' '; 0x4000], b"\r\n"].concat();
        let mut sent = 0;
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"));
        while sent < LONGEST && stream.write_all(&chunk).is_ok() {
            sent += chunk.len();
        }
        sent
    });
    let error = reserve(&store).unwrap_err();
    assert!(error.to_string().contains("its answer has no end"), "{error}");
    drop(store);
    assert!(server.join().unwrap() < LONGEST);
}

#[test]
fn a_source_that_makes_tags_is_refused_before_any_server_is_asked() {
    let nobody: SocketAddr = "127.0.0.1:1".parse().unwrap();
    let store = Arc::new(builder(&[nobody]).open().unwrap());
    let tag = Tag::new("orders").unwrap();
    let daily = Daily::builder(store.clone(), tag.clone()).open().unwrap_err();
    let sequences = Sequences::builder(store, tag).open().unwrap_err();
    for error in [daily, sequences] {
        assert_eq!(error.code(), Code::Unsupported);
        assert!(error.to_string().contains("Give the service such a source"), "{error}");
    }
}
