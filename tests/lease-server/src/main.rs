//! The ID service's protocol (`core/service/PROTOCOL.md`) over a real store, for the tests of its
//! clients: `snowmint-lease-server [STORE]`, with a store as `snowmint::open_store` takes it.
//!
//! It prints the port it listens on, on loopback, and ends when its standard input does. Without
//! `STORE` everything is in memory, and the store's clock can be shifted. Faults are ordered on the
//! control path: see [`faults::Faults`].

mod faults;
mod http;
mod routes;

use std::io::{Read, Write, stdin, stdout};
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use snowmint::{MemoryStore, Store, open_store};

use crate::faults::{Faults, ShiftedClock};
use crate::routes::Service;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("snowmint-lease-server: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let faults = Arc::new(Faults::default());
    let store: Arc<dyn Store> = match std::env::args().nth(1) {
        Some(url) => open_store(&url)?,
        None => Arc::new(MemoryStore::with_clock(ShiftedClock(Arc::clone(&faults)))),
    };
    let service = Arc::new(Service::new(store, faults));
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    writeln!(stdout(), "{}", listener.local_addr()?.port())?;
    stdout().flush()?;
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let service = Arc::clone(&service);
            thread::spawn(move || http::serve(connection, &service));
        }
    });
    stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
