//! The bytes of a link, in the clear or under TLS.

use std::io::{self, Read, Write};
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use super::blocking::Blocking;
use super::deadline::Deadline;
use super::errors;

pub(crate) enum Wire {
    Plain(Blocking),
    Secured(Box<StreamOwned<ClientConnection, Blocking>>),
}

impl Wire {
    /// Starts TLS, and returns once the server has proved its identity.
    pub(crate) fn secured(self, config: &Arc<ClientConfig>, host: &str) -> io::Result<Wire> {
        let Wire::Plain(mut link) = self else { return Err(errors::secured_already()) };
        let name = ServerName::try_from(host.to_owned())
            .map_err(|error| errors::host_unfit_for_certificate(host, error))?;
        let client = ClientConnection::new(Arc::clone(config), name);
        let mut client = client.map_err(io::Error::other)?;
        while client.is_handshaking() {
            client.complete_io(&mut link)?;
        }
        Ok(Wire::Secured(Box::new(StreamOwned::new(client, link))))
    }

    pub(crate) fn is_secured(&self) -> bool {
        matches!(self, Wire::Secured(_))
    }

    /// Sets the deadline of the following reads and writes.
    pub(crate) fn set_deadline(&mut self, deadline: Deadline) {
        match self {
            Wire::Plain(link) => link.set_deadline(deadline),
            Wire::Secured(stream) => stream.sock.set_deadline(deadline),
        }
    }

    pub(crate) fn link(&self) -> &Blocking {
        match self {
            Wire::Plain(link) => link,
            Wire::Secured(stream) => &stream.sock,
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Wire::Plain(link) => link.read(buffer),
            Wire::Secured(stream) => stream.read(buffer),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Wire::Plain(link) => link.write(bytes),
            Wire::Secured(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Wire::Plain(link) => link.flush(),
            Wire::Secured(stream) => stream.flush(),
        }
    }
}
