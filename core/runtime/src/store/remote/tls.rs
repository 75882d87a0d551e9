//! TLS by rustls, with the certificate authorities of the system or of a file.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WantsClientCert, WebPkiServerVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    AlertDescription, CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct,
    InvalidMessage, RootCertStore, SignatureScheme,
};

use super::errors;
use crate::error::Result;

/// The server certificates to accept. The system's authorities sign certificates for anybody, so
/// they are only trusted together with the host name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Any certificate.
    Any,
    /// A certificate from an authority in the file, for any host.
    Authority(PathBuf),
    /// A certificate for the host name, from an authority in the file, or of the system.
    Name(Option<PathBuf>),
}

/// The client's own certificate, for servers that ask for one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    /// The path of our certificate in PEM, with the intermediate certificates up to its authority.
    pub(crate) certificates: PathBuf,
    /// The path of the certificate's key in PEM.
    pub(crate) key: PathBuf,
}

/// The parameter names that messages use, which are those of the database's own clients.
pub(crate) struct Words {
    /// The parameter for a file of authorities.
    pub(crate) roots: &'static str,
    /// The parameter for accepting an authority's certificate for any host, if there is one.
    pub(crate) authority: Option<&'static str>,
    /// The setting for a connection without TLS.
    pub(crate) plain: &'static str,
}

/// Builds the TLS configuration of a store's connections.
pub(crate) fn config(
    trust: &Trust,
    identity: Option<&Identity>,
    words: &Words,
) -> Result<Arc<ClientConfig>> {
    let provider = Arc::new(ring::default_provider());
    let roots = match trust {
        Trust::Any => None,
        Trust::Authority(file) | Trust::Name(Some(file)) => Some(roots_of(file, words)?),
        Trust::Name(None) => Some(system_roots(words)?),
    };
    let chains = roots.map(|roots| {
        let provider = Arc::clone(&provider);
        let chains = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        chains.build().map_err(errors::roots_unusable)
    });
    let names = matches!(trust, Trust::Name(_));
    let verifier = Verifier { chains: chains.transpose()?, names, provider: Arc::clone(&provider) };
    let versions =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.map_err(errors::tls_unusable)?;
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
    let mut config = match identity {
        None => builder.with_no_client_auth(),
        Some(identity) => identified(builder, identity)?,
    };
    // A session cache has a lock, which a forked child could find held.
    config.resumption = Resumption::disabled();
    Ok(Arc::new(config))
}

fn identified(
    builder: ConfigBuilder<ClientConfig, WantsClientCert>,
    identity: &Identity,
) -> Result<ClientConfig> {
    let Identity { certificates, key } = identity;
    let chain = CertificateDer::pem_file_iter(certificates)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| errors::file_unreadable(certificates, error))?;
    let secret = PrivateKeyDer::from_pem_file(key);
    let secret = secret.map_err(|error| errors::file_unreadable(key, error))?;
    let identified = builder.with_client_auth_cert(chain, secret);
    identified.map_err(|error| errors::file_unreadable(certificates, error))
}

/// Returns advice if an error concerns a certificate, or a server without TLS.
pub(crate) fn cure(error: &io::Error, words: &Words) -> Option<String> {
    use CertificateError::{
        Expired, ExpiredContext, NotValidForName, NotValidForNameContext, UnknownIssuer,
    };
    let Words { roots, authority, plain } = words;
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let reason = match inner {
        Some(rustls::Error::InvalidCertificate(reason)) => reason,
        // The server's answer was not a TLS record.
        Some(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType)) => {
            return Some(errors::tls_missing(plain));
        }
        Some(rustls::Error::AlertReceived(AlertDescription::CertificateRequired)) => {
            return Some(errors::CLIENT_CERTIFICATE_MISSING.to_owned());
        }
        Some(rustls::Error::AlertReceived(alert)) if is_of_client(*alert) => {
            return Some(errors::CLIENT_CERTIFICATE_REFUSED.to_owned());
        }
        _ => return None,
    };
    Some(match reason {
        UnknownIssuer => errors::authority_unknown(roots),
        NotValidForName | NotValidForNameContext { .. } => {
            errors::certificate_of_another_host(*authority)
        }
        Expired | ExpiredContext { .. } => errors::CERTIFICATE_EXPIRED.to_owned(),
        _ => errors::CERTIFICATE_UNFIT.to_owned(),
    })
}

/// Returns true if a server refuses the client for its certificate, or for the lack of one. Some
/// servers only do so after a request, which they do not read.
pub(crate) fn refuses_client(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    matches!(inner, Some(rustls::Error::AlertReceived(alert)) if is_of_client(*alert))
}

fn is_of_client(alert: AlertDescription) -> bool {
    use AlertDescription as Alert;
    matches!(
        alert,
        Alert::CertificateRequired
            | Alert::BadCertificate
            | Alert::UnsupportedCertificate
            | Alert::CertificateRevoked
            | Alert::CertificateExpired
            | Alert::CertificateUnknown
            | Alert::UnknownCA
            | Alert::AccessDenied
    )
}

/// Returns true if an error concerns the server's certificate.
pub(crate) fn is_of_certificate(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    matches!(inner, Some(rustls::Error::InvalidCertificate(_)))
}

fn system_roots(words: &Words) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err(errors::roots_missing(words.roots));
    }
    Ok(roots)
}

fn roots_of(file: &Path, words: &Words) -> Result<RootCertStore> {
    let unread = |error: &dyn Display| errors::roots_unreadable(words.roots, file, error);
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unread(&error))? {
        let certificate = certificate.map_err(|error| unread(&error))?;
        roots.add(certificate).map_err(|error| unread(&error))?;
    }
    if roots.is_empty() {
        return Err(errors::roots_empty(words.roots, file));
    }
    Ok(roots)
}

/// Checks a certificate as far as [`Trust`] requires.
#[derive(Debug)]
struct Verifier {
    /// The authorities to check against, if any.
    chains: Option<Arc<WebPkiServerVerifier>>,
    /// True if the certificate must be for the host.
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
            // The chain was already checked when the name is.
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
