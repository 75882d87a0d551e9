//! TLS by rustls, with the authorities of the system or of a file.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};
use snowmint_engine::Code;

use crate::error::{Error, Result};

/// How closely a server's certificate is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Not at all.
    None,
    /// An authority that is known has to vouch for it.
    Authority,
    /// The same, and it has to be for the host.
    Name,
}

/// What connections are secured by. `roots` is a file of authorities, those of the system without
/// one; `parameter` is what names that file in messages.
pub(crate) fn config(
    look: Look,
    roots: Option<&Path>,
    parameter: &str,
) -> Result<Arc<ClientConfig>> {
    let provider = Arc::new(ring::default_provider());
    let chains = match look {
        Look::None => None,
        Look::Authority | Look::Name => {
            let roots = match roots {
                Some(file) => roots_of(file, parameter)?,
                None => system_roots(parameter)?,
            };
            let provider = Arc::clone(&provider);
            let chains = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
            Some(chains.build().map_err(|error| unusable("the root certificates", error))?)
        }
    };
    let verifier = Verifier { chains, names: look == Look::Name, provider: Arc::clone(&provider) };
    let versions =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.map_err(|error| unusable("TLS", error))?;
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
    let mut config = builder.with_no_client_auth();
    // A cache of sessions has a lock, which a forked child could find held.
    config.resumption = Resumption::disabled();
    Ok(Arc::new(config))
}

fn system_roots(parameter: &str) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let message = format!("the system has no root certificates: name a file by {parameter}");
        return Err(Error::new(Code::InvalidParameter, message));
    }
    Ok(roots)
}

fn roots_of(file: &Path, parameter: &str) -> Result<RootCertStore> {
    let wrong = |error: &dyn std::fmt::Display| {
        let message = format!("{parameter}: {} cannot be read: {error}", file.display());
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

/// What is wrong with a certificate, if that is what an error is about.
pub(crate) fn certificate_fault(error: &io::Error) -> Option<&CertificateError> {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(reason)) => Some(reason),
        _ => None,
    }
}
