//! The operators' address of a server: `http://host:port`, `https://…`, `unix:PATH`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hyper::Uri;
use percent_encoding::percent_decode_str;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use snowmint::Result;

use crate::errors;

/// The default port of `admin.listen`.
pub(super) const PORT: u16 = 8065;
const CA_FILE: &str = "cafile";
const CERT_FILE: &str = "certfile";
const KEY_FILE: &str = "keyfile";

/// A server, and the way to reach it.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    /// The address as shown, without parameters.
    pub(super) text: String,
    pub(super) way: Way,
}

#[derive(Clone, Debug)]
pub(super) enum Way {
    Tcp { host: String, port: u16, tls: Option<Tls> },
    Unix(PathBuf),
}

/// The TLS settings of a connection, and the name that the certificate must have.
#[derive(Clone, Debug)]
pub(super) struct Tls {
    pub(super) config: Arc<ClientConfig>,
    pub(super) name: ServerName<'static>,
}

impl Endpoint {
    /// Parses a URL.
    ///
    /// # Errors
    /// [`Code::InvalidUrl`](snowmint::Code::InvalidUrl),
    /// [`Code::UnknownParameter`](snowmint::Code::UnknownParameter),
    /// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter) for a file.
    pub(super) fn parse(url: &str) -> Result<Endpoint> {
        if let Some(path) = url.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Endpoint { text: url.to_owned(), way: Way::Unix(path.into()) });
        }
        let is_whole = url.starts_with("http://") || url.starts_with("https://");
        let uri = url.parse::<Uri>().ok().filter(|_| is_whole);
        let uri = uri.ok_or_else(|| errors::address_unreadable(url))?;
        if uri.path() != "/" {
            return Err(errors::address_with_path(url));
        }
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        if authority.contains('@') {
            return Err(errors::address_with_user(url));
        }
        let host = uri.host().unwrap_or_default();
        if uri.port_u16().is_none() && authority != host {
            return Err(errors::address_with_invalid_port(url));
        }
        let host = host.trim_matches(['[', ']']).to_owned();
        if host.is_empty() {
            return Err(errors::address_without_host(url));
        }
        let scheme = uri.scheme_str().unwrap_or_default();
        let secured = (scheme == "https").then(|| Files::parse(uri.query(), true)?.tls(&host));
        if secured.is_none() {
            Files::parse(uri.query(), false)?;
        }
        let port = uri.port_u16().unwrap_or(PORT);
        let shown = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        let text = format!("{scheme}://{shown}:{port}");
        Ok(Endpoint { text, way: Way::Tcp { host, port, tls: secured.transpose()? } })
    }
}

/// The files of a URL, named by the same parameters as in URLs of sources.
#[derive(Debug, Default)]
struct Files {
    authorities: Option<PathBuf>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl Files {
    fn parse(query: Option<&str>, is_secured: bool) -> Result<Files> {
        let mut files = Files::default();
        for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let file = match name {
                CA_FILE => &mut files.authorities,
                CERT_FILE => &mut files.certificate,
                KEY_FILE => &mut files.key,
                _ => {
                    let known = [CA_FILE, CERT_FILE, KEY_FILE];
                    return Err(errors::parameter_unknown(name, known));
                }
            };
            if !is_secured {
                return Err(errors::parameter_of_tls(name));
            }
            *file = Some(percent_decode_str(value).decode_utf8_lossy().into_owned().into());
        }
        if files.certificate.is_some() != files.key.is_some() {
            return Err(errors::certificate_or_key_missing(CERT_FILE, KEY_FILE));
        }
        Ok(files)
    }

    fn tls(&self, host: &str) -> Result<Tls> {
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|_| errors::host_not_certifiable(host))?;
        let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(errors::tls_versions_missing)?;
        let builder = versions.with_root_certificates(self.roots()?);
        let config = match (&self.certificate, &self.key) {
            (Some(file), Some(key)) => {
                let chain = certificates(CERT_FILE, file)?;
                let secret = PrivateKeyDer::from_pem_file(key);
                let secret = secret.map_err(|error| errors::file_unusable(KEY_FILE, key, error))?;
                let identified = builder.with_client_auth_cert(chain, secret);
                identified.map_err(|error| errors::file_unusable(KEY_FILE, key, error))?
            }
            _ => builder.with_no_client_auth(),
        };
        Ok(Tls { config: Arc::new(config), name })
    }

    fn roots(&self) -> Result<RootCertStore> {
        let mut roots = RootCertStore::empty();
        let Some(file) = &self.authorities else {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            return Ok(roots);
        };
        for certificate in certificates(CA_FILE, file)? {
            let added = roots.add(certificate);
            added.map_err(|error| errors::file_unusable(CA_FILE, file, error))?;
        }
        Ok(roots)
    }
}

fn certificates(parameter: &str, file: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<_>);
    let all: Vec<_> = read.map_err(|error| errors::file_unusable(parameter, file, error))?;
    if all.is_empty() {
        return Err(errors::file_without_certificate(parameter, file));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::*;

    #[test]
    fn places_are_shown_without_their_files() {
        let shown = |url: &str| Endpoint::parse(url).unwrap().text;
        assert_eq!(shown("http://127.0.0.1:1"), "http://127.0.0.1:1");
        assert_eq!(shown("http://ids.internal/"), "http://ids.internal:8065");
        assert_eq!(shown("http://[::1]"), "http://[::1]:8065");
        assert_eq!(shown("https://ids.internal"), "https://ids.internal:8065");
        assert_eq!(shown("unix:/run/admin.sock"), "unix:/run/admin.sock");
    }

    #[test]
    fn an_invalid_address_is_refused_with_what_to_write() {
        for (url, code, words) in [
            ("", Code::InvalidUrl, "write http://HOST:PORT"),
            ("127.0.0.1:8065", Code::InvalidUrl, "write http://HOST:PORT"),
            ("ftp://a", Code::InvalidUrl, "write http://HOST:PORT"),
            ("unix:", Code::InvalidUrl, "write http://HOST:PORT"),
            ("http://a:99999", Code::InvalidUrl, "up to 65535"),
            ("http://a/metrics", Code::InvalidUrl, "no path"),
            ("http://me:secret@a", Code::InvalidUrl, "no user"),
            ("http://a?cafile=x", Code::InvalidParameter, "https://"),
            ("https://a?token=x", Code::UnknownParameter, "takes cafile"),
            ("https://a?certfile=x", Code::InvalidParameter, "keyfile"),
            ("https://a?cafile=/nowhere", Code::InvalidParameter, "/nowhere"),
        ] {
            let error = Endpoint::parse(url).unwrap_err();
            assert_eq!(error.code(), code, "{url}: {error}");
            assert!(error.to_string().contains(words), "{url}: {error}");
            assert!(!error.to_string().contains("secret"), "{url}: {error}");
        }
    }
}
