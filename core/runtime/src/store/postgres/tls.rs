//! TLS over the same socket, in the words of PostgreSQL's own clients.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsConnect, TlsStream};

use super::socket::Socket;
use super::{errors, passwords};
use crate::error::Result;
use crate::store::remote::tls::{self, Trust, Words};

/// Sets how a connection is secured, in the words of PostgreSQL's `sslmode`.
///
/// A connection over a Unix socket is never encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SslMode {
    /// No encryption.
    Disable,
    /// Encryption if the server supports it, without verifying the server. This is the default.
    /// Unlike libpq, snowmint does not try again without encryption if the server then refuses.
    #[default]
    Prefer,
    /// Encryption, without verifying the server. If root certificates are given or in
    /// `~/.postgresql/root.crt`, this is the same as [`VerifyCa`](Self::VerifyCa).
    Require,
    /// Encryption, with a certificate of an authority of your own. You need its file: the system's
    /// authorities sign for anybody.
    VerifyCa,
    /// Encryption, with a certificate for the host that you named. It has to be signed by an
    /// authority in the file or, if there is no file, by one of the system's.
    VerifyFull,
}

/// The words that a URL accepts.
pub(super) const SSL_MODES: &str = "disable, prefer, require, verify-ca or verify-full";

impl FromStr for SslMode {
    type Err = ();

    fn from_str(text: &str) -> Result<SslMode, ()> {
        match text {
            "disable" => Ok(SslMode::Disable),
            "prefer" => Ok(SslMode::Prefer),
            "require" => Ok(SslMode::Require),
            "verify-ca" => Ok(SslMode::VerifyCa),
            "verify-full" => Ok(SslMode::VerifyFull),
            _ => Err(()),
        }
    }
}

/// The word for the system's root certificates, in place of a file.
pub(super) const SYSTEM: &str = "system";

const WORDS: Words =
    Words { roots: "sslrootcert", authority: Some("sslmode=verify-ca"), plain: "sslmode=disable" };

impl SslMode {
    /// Returns the mode that applies if none may have been set.
    pub(super) fn meant(said: Option<SslMode>, roots: Option<&str>) -> SslMode {
        match (said, roots) {
            (None, Some(SYSTEM)) => SslMode::VerifyFull,
            (said, _) => said.unwrap_or_default(),
        }
    }

    /// Returns which certificates of servers are trusted.
    fn trust(self, named: Option<&str>) -> Result<Trust> {
        if named == Some(SYSTEM) {
            return match self {
                SslMode::VerifyFull => Ok(Trust::Name(None)),
                _ => Err(errors::system_roots_too_weak()),
            };
        }
        let file = named.map(PathBuf::from).or_else(|| usual_roots().filter(|file| file.exists()));
        match (self, file) {
            (SslMode::Disable | SslMode::Prefer, _) | (SslMode::Require, None) => Ok(Trust::Any),
            (SslMode::Require | SslMode::VerifyCa, Some(file)) => Ok(Trust::Authority(file)),
            (SslMode::VerifyFull, file) => Ok(Trust::Name(file)),
            (SslMode::VerifyCa, None) => {
                let file = usual_roots().unwrap_or_else(|| PathBuf::from(ROOTS));
                Err(errors::roots_missing(&file))
            }
        }
    }
}

/// Returns the configuration for a mode; `None` without TLS.
pub(super) fn config(mode: SslMode, roots: Option<&str>) -> Result<Option<Arc<ClientConfig>>> {
    let trust = mode.trust(roots)?;
    if mode == SslMode::Disable {
        return Ok(None);
    }
    tls::config(&trust, None, &WORDS).map(Some)
}

/// The file of root certificates in the directory of PostgreSQL's own clients.
const ROOTS: &str = "root.crt";

fn usual_roots() -> Option<PathBuf> {
    passwords::file_of_clients(&format!(".postgresql/{ROOTS}"), ROOTS)
}

/// Secures one connection. Without a configuration the driver does not ask for that.
pub(super) struct Connector(pub(super) Option<(Arc<ClientConfig>, ServerName<'static>)>);

impl TlsConnect<Socket> for Connector {
    type Stream = Secured;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Secured>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let Some((config, name)) = self.0 else {
                return Err(io::Error::other("nothing to secure it by"));
            };
            let connector = tokio_rustls::TlsConnector::from(config);
            connector.connect(name, socket).await.map(Secured).map_err(explained)
        })
    }
}

/// Adds the cure to an error.
fn explained(error: io::Error) -> io::Error {
    match tls::cure(&error, &WORDS) {
        Some(cure) => io::Error::new(error.kind(), format!("{error}: {cure}")),
        None => error,
    }
}

pub(super) struct Secured(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Secured {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Secured {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Secured {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
