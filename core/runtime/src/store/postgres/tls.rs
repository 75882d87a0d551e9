//! TLS over the same socket, with the words of PostgreSQL's own clients.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::task::{Context, Poll};

use snowmint_engine::Code;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsConnect, TlsStream};
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{Resumption, WebPkiServerVerifier};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use super::passwords;
use super::socket::Socket;
use crate::error::{Error, Result};

/// How a connection is secured: the words of PostgreSQL's `sslmode`.
///
/// A connection over a Unix socket is never encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SslMode {
    /// Not at all.
    Disable,
    /// Encrypted where the server can, without knowing who it is: unless set. Unlike libpq, it does
    /// not try again without where the server then refuses.
    #[default]
    Prefer,
    /// Encrypted, without knowing who the server is; with root certificates given or in
    /// `~/.postgresql/root.crt`, as [`VerifyCa`](Self::VerifyCa).
    Require,
    /// Encrypted, and the server's certificate is of an authority of your own, whose file has to be
    /// there: those of the system sign for anybody.
    VerifyCa,
    /// Encrypted, and the server's certificate is for the host that was named, of an authority in
    /// the file or, where there is none, of the system.
    VerifyFull,
}

/// What can be written in a URL.
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

/// In place of a file of root certificates: those of the system.
pub(super) const SYSTEM: &str = "system";

/// Which authorities vouch for a server.
enum Roots {
    /// Of the system, which sign for anybody: to be asked with the name of the host alone.
    System,
    File(PathBuf),
}

impl SslMode {
    /// The one that is meant where it may not be said.
    pub(super) fn meant(said: Option<SslMode>, roots: Option<&str>) -> SslMode {
        match (said, roots) {
            (None, Some(SYSTEM)) => SslMode::VerifyFull,
            (said, _) => said.unwrap_or_default(),
        }
    }

    /// Who vouches for servers, if anybody is to.
    fn roots(self, named: Option<&str>) -> Result<Option<Roots>> {
        if named == Some(SYSTEM) {
            return match self {
                SslMode::VerifyFull => Ok(Some(Roots::System)),
                _ => Err(too_weak(&"sslrootcert=system goes with sslmode=verify-full alone")),
            };
        }
        let file = named.map(PathBuf::from).or_else(|| usual_roots().filter(|file| file.exists()));
        match (self, file) {
            (SslMode::Disable | SslMode::Prefer, _) | (SslMode::Require, None) => Ok(None),
            (_, Some(file)) => Ok(Some(Roots::File(file))),
            (SslMode::VerifyFull, None) => Ok(Some(Roots::System)),
            (SslMode::VerifyCa, None) => {
                let file = usual_roots().unwrap_or_else(|| PathBuf::from(ROOTS));
                let missing = format!("sslmode=verify-ca: {} is not there", file.display());
                Err(too_weak(&missing))
            }
        }
    }
}

fn too_weak(what: &dyn std::fmt::Display) -> Error {
    let message = format!(
        "{what}, as the system's authorities sign for anybody: name the file of your own by \
         sslrootcert, or say sslmode=verify-full"
    );
    Error::new(Code::InvalidParameter, message)
}

/// What is secured how, and by which authorities; none for connections that are not.
pub(super) fn config(mode: SslMode, roots: Option<&str>) -> Result<Option<Arc<ClientConfig>>> {
    let roots = mode.roots(roots)?;
    if mode == SslMode::Disable {
        return Ok(None);
    }
    let provider = Arc::new(ring::default_provider());
    let roots = match roots {
        Some(Roots::System) => Some(system_roots()?),
        Some(Roots::File(file)) => Some(roots_of(&file)?),
        None => None,
    };
    let chains = roots.map(|roots| {
        let provider = Arc::clone(&provider);
        let chains = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        chains.build().map_err(|error| unusable("the root certificates", error))
    });
    let chains = chains.transpose()?;
    let names = mode == SslMode::VerifyFull;
    let verifier = Verifier { chains, names, provider: Arc::clone(&provider) };
    let versions =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.map_err(|error| unusable("TLS", error))?;
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
    let mut config = builder.with_no_client_auth();
    // A cache of sessions has a lock, which a forked child could find held.
    config.resumption = Resumption::disabled();
    Ok(Some(Arc::new(config)))
}

/// The file of root certificates in the directory of PostgreSQL's own clients.
const ROOTS: &str = "root.crt";

fn usual_roots() -> Option<PathBuf> {
    passwords::file_of_clients(&format!(".postgresql/{ROOTS}"), ROOTS)
}

fn system_roots() -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let message = "the system has no root certificates: name a file by sslrootcert";
        return Err(Error::new(Code::InvalidParameter, message));
    }
    Ok(roots)
}

fn roots_of(file: &Path) -> Result<RootCertStore> {
    let wrong = |error: &dyn std::fmt::Display| {
        let message = format!("sslrootcert: {} cannot be read: {error}", file.display());
        Error::new(Code::InvalidParameter, message)
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| wrong(&error))? {
        let certificate = certificate.map_err(|error| wrong(&error))?;
        roots.add(certificate).map_err(|error| wrong(&error))?;
    }
    if roots.is_empty() {
        return Err(wrong(&"it has no certificate in it"));
    }
    Ok(roots)
}

fn unusable(what: &str, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    let message = format!("{what} cannot be used: {error}");
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

/// Looks at the certificate as closely as was asked for.
#[derive(Debug)]
struct Verifier {
    /// Authorities, if any are to vouch for it.
    chains: Option<Arc<WebPkiServerVerifier>>,
    /// Whether it is to be for the host.
    names: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        use CertificateError::{NotValidForName, NotValidForNameContext};
        let Some(chains) = &self.chains else { return Ok(ServerCertVerified::assertion()) };
        match chains.verify_server_cert(certificate, between, name, ocsp, now) {
            // The chain was looked at before.
            Err(rustls::Error::InvalidCertificate(
                NotValidForName | NotValidForNameContext { .. },
            )) if !self.names => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Secures one connection; without a configuration it is not asked to.
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

/// The error with what would be right.
fn explained(error: io::Error) -> io::Error {
    use CertificateError::{
        Expired, ExpiredContext, NotValidForName, NotValidForNameContext, UnknownIssuer,
    };
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let Some(rustls::Error::InvalidCertificate(reason)) = inner else { return error };
    let cure = match reason {
        UnknownIssuer => "name its authority's file by sslrootcert",
        NotValidForName | NotValidForNameContext { .. } => {
            "use the host name that it is for, or sslmode=verify-ca with its authority's file"
        }
        Expired | ExpiredContext { .. } => "renew it",
        _ => "have the server use another",
    };
    io::Error::new(error.kind(), format!("{error}: {cure}"))
}

/// A connection under TLS.
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
