//! A proxy that stands between a client and its server, and fails at the worst moment.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

use super::server::Database;
use super::{BEGINNING, is_commit};

/// Passes everything on, until it is told what to do with the next transaction.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    fate: Arc<AtomicU8>,
}

/// The fate of a transaction's commit, or of its beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fate {
    Passed,
    /// The connection is cut, and the server has not heard of it.
    Lost,
    /// The server's answer is lost with the connection.
    Unanswered,
    /// The server has not heard of it, and the connection stays open.
    Withheld,
    /// The same, and the server is not told either that the client closes it.
    Forgotten,
    /// The server does not understand the beginning, and what follows it passes.
    Garbled,
}

impl Proxy {
    /// In front of the server of a database.
    pub(crate) fn before(database: &Database) -> Proxy {
        Proxy::refusing(database, 0)
    }

    /// The same, which closes so many connections at once, as if the server were about to start.
    pub(crate) fn refusing(database: &Database, refusals: usize) -> Proxy {
        let (host, port) = database.host_and_port();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy {
            port: listener.local_addr().unwrap().port(),
            fate: Arc::new(AtomicU8::new(Fate::Passed as u8)),
        };
        let fate = Arc::clone(&proxy.fate);
        thread::spawn(move || {
            for client in listener.incoming().skip(refusals) {
                let (client, server) =
                    (client.unwrap(), TcpStream::connect((&*host, port)).unwrap());
                let (to_client, from_server) =
                    (client.try_clone().unwrap(), server.try_clone().unwrap());
                let (cut, fate) = (Arc::new(AtomicU8::new(0)), Arc::clone(&fate));
                let answers_cut = Arc::clone(&cut);
                thread::spawn(move || pass(client, server, |chunk| requests(chunk, &fate, &cut)));
                thread::spawn(move || {
                    pass(from_server, to_client, |_| match answers_cut.load(Ordering::SeqCst) {
                        0 => Passing::On,
                        _ => Passing::End,
                    });
                });
            }
        });
        proxy
    }

    /// Sets the fate of the next transaction.
    pub(crate) fn next(&self, fate: Fate) {
        self.fate.store(fate as u8, Ordering::SeqCst);
    }
}

enum Passing {
    On,
    Swallowed,
    Halted,
    End,
}

fn requests(chunk: &mut [u8], fate: &AtomicU8, cut: &AtomicU8) -> Passing {
    if fate.load(Ordering::SeqCst) == Fate::Garbled as u8 {
        if let Some(at) = chunk.windows(BEGINNING.len()).position(|window| window == BEGINNING) {
            chunk[at] = b'?';
            fate.store(Fate::Passed as u8, Ordering::SeqCst);
        }
        return Passing::On;
    }
    if !is_commit(chunk) {
        return Passing::On;
    }
    let fate = fate.swap(Fate::Passed as u8, Ordering::SeqCst);
    if fate == Fate::Lost as u8 {
        return Passing::End;
    }
    if fate == Fate::Withheld as u8 {
        return Passing::Swallowed;
    }
    if fate == Fate::Forgotten as u8 {
        return Passing::Halted;
    }
    cut.store(u8::from(fate == Fate::Unanswered as u8), Ordering::SeqCst);
    Passing::On
}

fn pass(mut from: TcpStream, mut to: TcpStream, look: impl Fn(&mut [u8]) -> Passing) {
    let mut chunk = [0; 65536];
    while let Ok(length @ 1..) = from.read(&mut chunk) {
        match look(&mut chunk[..length]) {
            Passing::On if to.write_all(&chunk[..length]).is_ok() => {}
            Passing::Swallowed => {}
            Passing::Halted => {
                thread::park(); // with the server's end open
            }
            Passing::On | Passing::End => break,
        }
    }
    for socket in [from, to] {
        drop(socket.shutdown(Shutdown::Both));
    }
}
