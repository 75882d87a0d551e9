//! TLS of TCP connections: the certificate, its key, and the authorities whose clients are
//! admitted.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, InconsistentKeys, RootCertStore, ServerConfig};
use snowmint::Result;
use x509_cert::der::Decode;
use x509_cert::{Certificate, Version};

use super::config::{Config, Tls};
use super::listen::Protocol;
use super::{errors, files};
use crate::moment::{date, span};

/// A limit above the size of any file of certificates.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// A certificate that ends sooner causes a warning.
const SOON: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The difference that two machines' clocks may have.
const CLOCKS_APART: Duration = Duration::from_secs(5 * 60);
const HTTP_1_1: &[u8] = b"http/1.1";

/// The TLS settings of a configuration, read once. A connection keeps the settings that it began
/// with.
#[derive(Clone, Debug)]
pub(crate) struct Certificates {
    http: Arc<ServerConfig>,
    resp: Arc<ServerConfig>,
    ends: Duration,
}

impl Certificates {
    /// Reads all files; returns `None` if none are configured.
    ///
    /// # Errors
    /// [`snowmint::Code::InvalidParameter`] with the setting, its file and what is wrong with it;
    /// [`snowmint::Code::UnsafeSetting`] for a key that any user may read.
    pub(crate) fn load(tls: &Tls, now: SystemTime) -> Result<Option<Certificates>> {
        if !tls.is_on() {
            return Ok(None);
        }
        let provider = Arc::new(ring::default_provider());
        let (certified, ends) = certified(tls, &provider, now)?;
        let versions = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| {
                errors::certificates::file_unusable(CERTIFICATE, &tls.certificate, error)
            })?;
        let builder = if tls.client_ca.as_os_str().is_empty() {
            versions.with_no_client_auth()
        } else {
            let roots = Arc::new(authorities(CLIENT_CA, &tls.client_ca)?);
            let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build();
            versions.with_client_cert_verifier(verifier.map_err(|error| {
                errors::certificates::file_unusable(CLIENT_CA, &tls.client_ca, error)
            })?)
        };
        // Sessions resume only under this very configuration. A client admitted by an authority
        // that has been removed must show a certificate again.
        let resp = builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
        let mut http = resp.clone();
        http.alpn_protocols.push(HTTP_1_1.to_vec());
        Ok(Some(Certificates { http: Arc::new(http), resp: Arc::new(resp), ends }))
    }

    /// Returns the TLS settings for a protocol.
    pub(crate) fn of(&self, protocol: Protocol) -> Arc<ServerConfig> {
        Arc::clone(match protocol {
            Protocol::Http | Protocol::Admin => &self.http,
            Protocol::Resp => &self.resp,
        })
    }

    /// Returns the end of the certificate's validity, since the Unix epoch.
    pub(crate) fn ends(&self) -> Duration {
        self.ends
    }

    /// Returns a warning for operators if the certificate ends soon.
    pub(crate) fn warning(&self, now: SystemTime) -> Option<String> {
        let left = self.ends.saturating_sub(since_epoch(now));
        (left < SOON).then(|| {
            let (end, left) = (day(self.ends), span(unix_ms(left)));
            format!("tls.certificate ends on {end}, in {left}: renew it, and reload")
        })
    }
}

/// Builds the TLS settings for requests to other servers. They must be certified by `ordered.ca`,
/// and get this server's certificate if they ask for one.
///
/// # Errors
/// As [`Certificates::load`].
pub(crate) fn of_client(config: &Config) -> Result<Arc<ClientConfig>> {
    let Config { ordered, tls, .. } = config;
    let roots = match ordered.ca.as_os_str().is_empty() {
        true => RootCertStore::empty(),
        false => authorities(ORDERED_CA, &ordered.ca)?,
    };
    let provider = Arc::new(ring::default_provider());
    let versions = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| errors::certificates::file_unusable(ORDERED_CA, &ordered.ca, error))?;
    let builder = versions.with_root_certificates(roots);
    if !tls.is_on() {
        return Ok(Arc::new(builder.with_no_client_auth()));
    }
    let (certified, _) = certified(tls, &provider, SystemTime::now())?;
    let resolver = Arc::new(SingleCertAndKey::from(certified));
    Ok(Arc::new(builder.with_client_cert_resolver(resolver)))
}

const ORDERED_CA: &str = "ordered.ca";
const CERTIFICATE: &str = "tls.certificate";
const KEY: &str = "tls.key";
const CLIENT_CA: &str = "tls.client_ca";
const ENCRYPTED: &[u8] = b"Proc-Type: 4,ENCRYPTED";

/// Reads the certificate with its key. Also returns the end of its validity.
fn certified(
    tls: &Tls,
    provider: &CryptoProvider,
    now: SystemTime,
) -> Result<(CertifiedKey, Duration)> {
    let Tls { certificate, key, .. } = tls;
    let chain = certificates(CERTIFICATE, certificate)?;
    let ends = ends(certificate, &chain, now)?;
    let text = read(KEY, key)?;
    let secret = PrivateKeyDer::from_pem_slice(&text).map_err(|error| {
        // The older form of an encrypted key, as OpenSSL once wrote it.
        let is_encrypted = text.windows(ENCRYPTED.len()).any(|it| it == ENCRYPTED);
        let error = if is_encrypted { PemError::NoItemsFound } else { error };
        errors::certificates::pem_malformed(KEY, key, &error)
    })?;
    let secret = provider.key_provider.load_private_key(secret);
    let secret = secret.map_err(|error| errors::certificates::file_unusable(KEY, key, error))?;
    let certified = CertifiedKey::new(chain, secret);
    match certified.keys_match() {
        Ok(()) => Ok((certified, ends)),
        Err(rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) => {
            Err(errors::certificates::key_of_another_certificate(KEY, key, certificate))
        }
        Err(error) => Err(errors::certificates::file_unusable(CERTIFICATE, certificate, error)),
    }
}

/// Returns the end of validity of the chain's first certificate, which is the server's own.
fn ends(file: &Path, chain: &[CertificateDer<'_>], now: SystemTime) -> Result<Duration> {
    let none = || errors::certificates::certificate_missing(CERTIFICATE, file);
    let own = chain.first().ok_or_else(none)?;
    let own = Certificate::from_der(own)
        .map_err(|error| errors::certificates::file_unusable(CERTIFICATE, file, error))?;
    if own.tbs_certificate().version() != Version::V3 {
        return Err(errors::certificates::certificate_of_version_1(CERTIFICATE, file));
    }
    let validity = own.tbs_certificate().validity();
    let ends = validity.not_after.to_unix_duration();
    if ends < since_epoch(now) {
        return Err(errors::certificates::certificate_ended(CERTIFICATE, file, &day(ends)));
    }
    let begins = validity.not_before.to_unix_duration();
    if begins > since_epoch(now) + CLOCKS_APART {
        return Err(errors::certificates::certificate_not_begun(CERTIFICATE, file, &day(begins)));
    }
    Ok(ends)
}

fn authorities(setting: &str, file: &Path) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(setting, file)? {
        roots
            .add(certificate)
            .map_err(|error| errors::certificates::file_unusable(setting, file, error))?;
    }
    if roots.is_empty() {
        return Err(errors::certificates::certificate_missing(setting, file));
    }
    Ok(roots)
}

fn certificates(setting: &str, file: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let text = read(setting, file)?;
    let all = CertificateDer::pem_slice_iter(&text).collect::<std::result::Result<_, _>>();
    all.map_err(|error| errors::certificates::pem_malformed(setting, file, &error))
}

fn read(setting: &str, file: &Path) -> Result<Vec<u8>> {
    let wrong = |error| errors::certificates::file_unusable(setting, file, error);
    let opened = files::open(file).map_err(wrong)?;
    if setting == KEY {
        refuse_open(file, &opened)?;
    }
    let mut text = Vec::new();
    opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut text).map_err(wrong)?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(errors::certificates::file_too_long(setting, file, MAX_FILE_BYTES));
    }
    Ok(text)
}

/// Refuses a key that users other than its owner and group may access: whoever has the key can pose
/// as this server.
#[cfg(unix)]
fn refuse_open(file: &Path, opened: &File) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let metadata =
        opened.metadata().map_err(|error| errors::certificates::file_unusable(KEY, file, error))?;
    if metadata.permissions().mode() & 0o006 == 0 {
        return Ok(());
    }
    Err(errors::certificates::key_exposed(KEY, file))
}

/// Other systems express permissions differently, so nothing is checked.
#[cfg(not(unix))]
fn refuse_open(_file: &Path, _opened: &File) -> Result<()> {
    Ok(())
}

fn since_epoch(now: SystemTime) -> Duration {
    now.duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn unix_ms(since_epoch: Duration) -> i64 {
    i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX)
}

fn day(since_epoch: Duration) -> String {
    date(unix_ms(since_epoch))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::process::Command;

    use rustls::client::Resumption;
    use rustls::pki_types::ServerName;
    use rustls::{ClientConfig, ClientConnection, HandshakeKind, ServerConnection};
    use snowmint::Code;
    use tempfile::TempDir;

    use super::*;

    /// Files in a temporary directory.
    struct Files(TempDir);

    impl Files {
        /// Creates an authority `ca`, and the certificates `server` and `client` that it signed.
        fn new() -> Files {
            let files = Files(tempfile::tempdir().unwrap());
            files.openssl(&format!("req -x509 {NEW} ca.key -out ca.pem -days 90 -subj /CN=ca"));
            files.issue("server");
            files.issue("client");
            files
        }

        fn issue(&self, name: &str) {
            self.openssl(&format!("req {NEW} {name}.key -out {name}.csr -subj /CN={name}"));
            fs::write(self.path("names"), "subjectAltName=DNS:localhost\n").unwrap();
            self.openssl(&format!(
                "x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 60 -extfile \
                 names -out {name}.pem"
            ));
        }

        fn openssl(&self, arguments: &str) {
            let arguments = arguments.split_whitespace();
            let mut openssl = Command::new("openssl");
            let output = openssl.args(arguments).current_dir(&self.0).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn tls(&self, certificate: &str, key: &str) -> Tls {
            let [certificate, key] = [certificate, key].map(|name| self.path(name));
            Tls { certificate, key, client_ca: PathBuf::new() }
        }

        fn good(&self) -> Tls {
            self.tls("server.pem", "server.key")
        }

        fn mutual(&self) -> Tls {
            Tls { client_ca: self.path("ca.pem"), ..self.good() }
        }

        fn refused(&self, tls: &Tls) -> (Code, String) {
            let error = Certificates::load(tls, SystemTime::now()).unwrap_err();
            (error.code(), error.to_string())
        }
    }

    const NEW: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout";

    fn load(tls: &Tls) -> Certificates {
        Certificates::load(tls, SystemTime::now()).unwrap().unwrap()
    }

    /// A client that trusts the server `localhost`, has a certificate, and resumes sessions.
    fn client(files: &Files) -> Arc<ClientConfig> {
        let roots = authorities(CLIENT_CA, &files.path("ca.pem")).unwrap();
        let own = certificates(CERTIFICATE, &files.path("client.pem")).unwrap();
        let key = PrivateKeyDer::from_pem_file(files.path("client.key")).unwrap();
        let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = versions.with_safe_default_protocol_versions().unwrap();
        let mut client =
            builder.with_root_certificates(roots).with_client_auth_cert(own, key).unwrap();
        client.resumption = Resumption::in_memory_sessions(4);
        Arc::new(client)
    }

    /// Runs a handshake up to the session tickets. Returns its kind, or the error of either side.
    fn handshake(
        client: &Arc<ClientConfig>,
        server: Arc<ServerConfig>,
    ) -> std::result::Result<HandshakeKind, rustls::Error> {
        let name = ServerName::try_from("localhost").unwrap();
        let mut client = ClientConnection::new(Arc::clone(client), name).unwrap();
        let mut server = ServerConnection::new(server).unwrap();
        while client.wants_write() || server.wants_write() {
            let mut wire = Vec::new();
            while client.wants_write() {
                client.write_tls(&mut wire).unwrap();
            }
            server.read_tls(&mut &wire[..]).unwrap();
            server.process_new_packets()?;
            wire.clear();
            while server.wants_write() {
                server.write_tls(&mut wire).unwrap();
            }
            client.read_tls(&mut &wire[..]).unwrap();
            client.process_new_packets()?;
        }
        Ok(client.handshake_kind().unwrap())
    }

    #[test]
    fn nothing_is_secured_without_a_certificate() {
        assert!(Certificates::load(&Tls::default(), SystemTime::now()).unwrap().is_none());
    }

    #[test]
    fn a_file_that_cannot_be_used_is_named_with_its_setting() {
        let files = Files::new();
        let encrypted = "pkcs8 -topk8 -in server.key -passout pass:a -out encrypted.key";
        files.openssl(encrypted);
        files.openssl("ec -aes128 -in server.key -passout pass:a -out older.key");
        files.openssl("x509 -req -in server.csr -CA ca.pem -CAkey ca.key -out first.pem");
        let whole = fs::read_to_string(files.path("server.pem")).unwrap();
        fs::write(files.path("torn.pem"), &whole[..whole.len() / 2]).unwrap();
        fs::write(files.path("empty.pem"), "").unwrap();
        let mut begins_well = whole.clone().into_bytes();
        begins_well.resize(MAX_FILE_BYTES as usize + 1, b'\n');
        fs::write(files.path("large.pem"), &begins_well).unwrap();
        let wrong_pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
        fs::write(files.path("wrong.pem"), wrong_pem).unwrap();
        fs::write(files.path("marred.pem"), wrong_pem.replace("MAA=", "M,A=")).unwrap();
        fs::write(files.path("begun.pem"), wrong_pem.replace("CATE-----", "CATE")).unwrap();
        for (certificate, key, setting, why) in [
            ("none.pem", "server.key", CERTIFICATE, "No such file"),
            ("empty.pem", "server.key", CERTIFICATE, "no CERTIFICATE in it"),
            ("torn.pem", "server.key", CERTIFICATE, "ends within a section"),
            ("large.pem", "server.key", CERTIFICATE, "more than 1048576 bytes"),
            ("wrong.pem", "server.key", CERTIFICATE, ""),
            ("marred.pem", "server.key", CERTIFICATE, "no base64"),
            ("begun.pem", "server.key", CERTIFICATE, "begins as none"),
            ("server.key", "server.key", CERTIFICATE, "no CERTIFICATE in it"),
            ("server.pem", "none.key", KEY, "No such file"),
            ("server.pem", "client.key", KEY, "it is not the key of"),
            ("first.pem", "server.key", CERTIFICATE, "it is of version 1"),
            ("server.pem", "encrypted.key", KEY, "`openssl pkey` decrypts one"),
            ("server.pem", "older.key", KEY, "`openssl pkey` decrypts one"),
        ] {
            let (code, message) = files.refused(&files.tls(certificate, key));
            assert_eq!(code, Code::InvalidParameter, "{message}");
            let file = if setting == KEY { key } else { certificate };
            let begins = format!("{setting}: {} cannot be used: ", files.path(file).display());
            assert!(message.starts_with(&begins) && message.contains(why), "{message}");
        }
        for client_ca in ["none.pem", "empty.pem", "torn.pem", "wrong.pem"] {
            let tls = Tls { client_ca: files.path(client_ca), ..files.good() };
            let (code, message) = files.refused(&tls);
            assert_eq!(code, Code::InvalidParameter, "{message}");
            assert!(message.starts_with(&format!("{CLIENT_CA}: ")), "{message}");
        }
        // The largest size that is accepted.
        begins_well.pop();
        fs::write(files.path("large.pem"), &begins_well).unwrap();
        load(&files.tls("large.pem", "server.key"));
    }

    #[test]
    fn keys_are_of_any_usual_kind_and_form() {
        let files = Files::new();
        for kind in
            ["rsa -pkeyopt rsa_keygen_bits:2048", "ed25519", "ec -pkeyopt ec_paramgen_curve:P-384"]
        {
            files.openssl(&format!(
                "req -x509 -newkey {kind} -nodes -keyout own.key -out own.pem -subj /CN=a"
            ));
            load(&files.tls("own.pem", "own.key"));
            if kind != "ed25519" {
                files.openssl("pkey -traditional -in own.key -out old.key");
                load(&files.tls("own.pem", "old.key"));
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_anybody_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let files = Files::new();
        for (mode, is_safe) in [(0o600, true), (0o640, true), (0o644, false), (0o602, false)] {
            fs::set_permissions(files.path("server.key"), fs::Permissions::from_mode(mode))
                .unwrap();
            let loaded = Certificates::load(&files.good(), SystemTime::now());
            match loaded {
                Ok(_) => assert!(is_safe, "{mode:o}"),
                Err(error) => {
                    assert!(!is_safe, "{mode:o}: {error}");
                    assert_eq!(error.code(), Code::UnsafeSetting);
                    assert!(error.to_string().contains("chmod o-rw"), "{error}");
                }
            }
        }
    }

    #[test]
    fn a_certificate_is_warned_of_before_its_end_and_refused_after_it() {
        let files = Files::new();
        let loaded = load(&files.good());
        let ends = UNIX_EPOCH + loaded.ends();
        let second = Duration::from_secs(1);
        assert_eq!(loaded.warning(ends - SOON), None);
        let warning = loaded.warning(ends - SOON + second).unwrap();
        assert!(warning.contains("in 29 days"), "{warning}");
        assert!(Certificates::load(&files.good(), ends).is_ok());
        let error = Certificates::load(&files.good(), ends + second).unwrap_err();
        assert_eq!(error.code(), Code::InvalidParameter);
        assert!(error.to_string().contains(&format!("ended on {}", day(loaded.ends()))), "{error}");
    }

    #[test]
    fn a_client_of_a_removed_authority_shows_its_certificate_again() {
        let files = Files::new();
        let client = client(&files);
        let first = load(&files.mutual());
        let shake =
            |certificates: &Certificates| handshake(&client, certificates.of(Protocol::Resp));
        assert_eq!(shake(&first), Ok(HandshakeKind::Full));
        assert_eq!(shake(&first), Ok(HandshakeKind::Resumed));
        // Another authority, which does not know the client.
        let other = Files::new();
        let second = load(&Tls { client_ca: other.path("ca.pem"), ..files.good() });
        assert!(shake(&second).is_err());
        assert_eq!(shake(&load(&files.mutual())), Ok(HandshakeKind::Full));
    }
}
