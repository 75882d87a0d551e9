use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, HandshakeKind, ServerConnection};
use tempfile::TempDir;

use super::*;

/// Files of a directory that is gone after the test.
struct Files(TempDir);

impl Files {
    /// An authority `ca`, and `server` and `client`, whom it vouches for.
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

/// A client whom the server `localhost` may ask for a certificate, and who resumes sessions.
fn client(files: &Files) -> Arc<ClientConfig> {
    let roots = authorities(CLIENT_CA, &files.path("ca.pem")).unwrap();
    let own = certificates(CERTIFICATE, &files.path("client.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(files.path("client.key")).unwrap();
    let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = versions.with_safe_default_protocol_versions().unwrap();
    let mut client = builder.with_root_certificates(roots).with_client_auth_cert(own, key).unwrap();
    client.resumption = Resumption::in_memory_sessions(4);
    Arc::new(client)
}

/// A handshake, up to tickets: how the client sees it, or what one of them says against it.
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
fn what_cannot_be_used_is_named_with_its_setting() {
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
    // As large as may be.
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
        fs::set_permissions(files.path("server.key"), fs::Permissions::from_mode(mode)).unwrap();
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
fn who_was_let_in_by_an_authority_that_is_gone_shows_a_certificate_again() {
    let files = Files::new();
    let client = client(&files);
    let first = load(&files.mutual());
    let shake = |certificates: &Certificates| handshake(&client, certificates.of(Protocol::Resp));
    assert_eq!(shake(&first), Ok(HandshakeKind::Full));
    assert_eq!(shake(&first), Ok(HandshakeKind::Resumed));
    // Of another authority, which the client is not known to.
    let other = Files::new();
    let second = load(&Tls { client_ca: other.path("ca.pem"), ..files.good() });
    assert!(shake(&second).is_err());
    assert_eq!(shake(&load(&files.mutual())), Ok(HandshakeKind::Full));
}
