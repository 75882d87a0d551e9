//! As much of HTTP/1.1 as browsers and Node send: heads, bodies of a length, kept connections.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread;

use crate::faults::Fate;
use crate::routes::{Reply, Request, Service};

/// Nobody's head or body is longer.
const MAX_LENGTH: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;

/// Answers the requests of one connection until it ends.
pub(crate) fn serve(mut connection: TcpStream, service: &Service) {
    let mut unread = Vec::new();
    while let Ok(Some(request)) = read(&mut connection, &mut unread) {
        let (reply, fate) = service.answer(&request);
        match fate {
            Fate::Down | Fate::Dropped => return,
            Fate::Answered { after } => thread::sleep(after),
            Fate::Refused { .. } => {}
        }
        if write(&mut connection, &reply).is_err() {
            return;
        }
    }
}

/// The next request; `None` at the end of the connection.
fn read(connection: &mut TcpStream, unread: &mut Vec<u8>) -> io::Result<Option<Request>> {
    loop {
        if let Some((mut request, head, length)) = parse(unread)? {
            let whole = head + length;
            while unread.len() < whole {
                if more(connection, unread)? == 0 {
                    return Ok(None);
                }
            }
            request.body = unread[head..whole].to_vec();
            unread.drain(..whole);
            return Ok(Some(request));
        }
        if unread.len() > MAX_LENGTH || more(connection, unread)? == 0 {
            return Ok(None);
        }
    }
}

fn more(connection: &mut TcpStream, unread: &mut Vec<u8>) -> io::Result<usize> {
    let mut chunk = [0; 4096];
    let count = connection.read(&mut chunk)?;
    unread.extend_from_slice(&chunk[..count]);
    Ok(count)
}

/// A request without its body, and the lengths of head and body, once the head is there.
fn parse(bytes: &[u8]) -> io::Result<Option<(Request, usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = parsed.parse(bytes).map_err(io::Error::other)? else {
        return Ok(None);
    };
    let header = |name: &str| {
        let found = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| String::from_utf8_lossy(header.value).into_owned())
    };
    let length = header("content-length").map_or(Ok(0), |length| length.parse::<usize>());
    let length = length.map_err(io::Error::other)?;
    if length > MAX_LENGTH {
        return Err(io::Error::other("too long a body"));
    }
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: parsed.path.unwrap_or_default().to_owned(),
        origin: header("origin"),
        wanted_headers: header("access-control-request-headers"),
        body: Vec::new(),
    };
    Ok(Some((request, head, length)))
}

fn write(connection: &mut TcpStream, reply: &Reply) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {}\r\n", reply.status);
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n", reply.body.len());
    connection.write_all(&[head.as_bytes(), reply.body.as_bytes()].concat())
}
