//! Over which TLS a server is spoken to: whose certificate is believed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::asking::certificates::certificates;
use super::logins::{as_user, guarded, opened_elsewhere};
use super::*;

#[test]
fn tls_is_what_sslmode_says() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let (server, database) = guarded(&[]);
    let url = as_user(&database, "ann:S3CRET").replace("?sslmode=disable", "?");
    let open = |parameters: &str| {
        let store = open_store(&format!("{url}{parameters}"))?;
        take(&*store)
    };
    // Without TLS at the server.
    open("sslmode=prefer").unwrap();
    let message = refused(open("sslmode=require"), Code::StoreUnavailable);
    assert!(message.contains("TLS"), "{message}");
    serve_tls(&server, directory.path());
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (ca, other) = (file("ca.pem"), file("other.pem"));
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE application_name = 'tls' AND ssl";
    let named = open_store(&format!("{url}sslmode=prefer&application_name=tls")).unwrap();
    assert_eq!(server.run(encrypted), "1");
    drop(named);
    open("sslmode=require").unwrap();
    open("sslmode=disable").unwrap();
    open(&format!("sslmode=verify-ca&sslrootcert={ca}")).unwrap();
    for unverified in [
        format!("sslmode=verify-ca&sslrootcert={other}"),
        format!("sslmode=require&sslrootcert={other}"),
        "sslmode=verify-full&sslrootcert=system".to_owned(),
    ] {
        let message = refused(open(&unverified), Code::StoreUnavailable);
        assert!(message.contains("sslrootcert"), "{unverified}: {message}");
    }
    // The certificate is for the name, not for the address.
    let full = format!("sslmode=verify-full&sslrootcert={ca}");
    let message = refused(open(&full), Code::StoreUnavailable);
    assert!(message.contains("host name"), "{message}");
    let by_name = url.replace("127.0.0.1", "localhost");
    open_store(&format!("{by_name}{full}")).unwrap();
    for (wrong, says) in [("none.pem", "cannot be read"), ("server.key", "no certificate")] {
        let parameters = format!("sslmode=verify-full&sslrootcert={}", file(wrong));
        let message = refused(open(&parameters), Code::InvalidParameter);
        assert!(message.contains(says), "{message}");
    }
}

/// A certificate that an authority of the system's signed, for whoever it was, is one for a man in
/// the middle: it counts only with the name of the host.
#[test]
fn the_systems_authorities_vouch_for_names_alone() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let (server, database) = guarded(&[]);
    serve_tls(&server, directory.path());
    let by_address = as_user(&database, "ann:S3CRET").replace("?sslmode=disable", "?");
    let by_name = by_address.replace("127.0.0.1", "localhost");
    let home = directory.path().join("home");
    fs::create_dir(&home).unwrap();
    let ca = directory.path().join("ca.pem").display().to_string();
    let open = |url: &str, parameters: &str| {
        opened_elsewhere(&format!("{url}{parameters}"), &home, &[("SSL_CERT_FILE", &ca)])
    };
    for weak in ["verify-ca", "require", "prefer", "disable"] {
        let said = open(&by_address, &format!("sslmode={weak}&sslrootcert=system"));
        assert!(said.starts_with("invalid_parameter"), "{weak}: {said}");
        assert!(said.contains("sslmode=verify-full"), "{weak}: {said}");
    }
    let roots = home.join(".postgresql/root.crt");
    let said = open(&by_address, "sslmode=verify-ca");
    assert!(said.starts_with("invalid_parameter"), "{said}");
    assert!(said.contains(&*roots.to_string_lossy()), "{said}");
    assert!(said.contains("sslrootcert"), "{said}");
    for full in
        ["sslrootcert=system", "sslmode=verify-full", "sslmode=verify-full&sslrootcert=system"]
    {
        let said = open(&by_address, full);
        assert!(said.starts_with("store_unavailable"), "{full}: {said}");
        assert!(said.contains("host name"), "{full}: {said}");
        open(&by_name, full).parse::<u64>().unwrap();
    }
    // The user's own authorities are asked first.
    fs::create_dir(home.join(".postgresql")).unwrap();
    fs::copy(directory.path().join("other.pem"), &roots).unwrap();
    for mode in ["require", "verify-ca", "verify-full"] {
        let said = open(&by_name, &format!("sslmode={mode}"));
        assert!(said.starts_with("store_unavailable"), "{mode}: {said}");
    }
    fs::copy(&ca, &roots).unwrap();
    open(&by_address, "sslmode=verify-ca").parse::<u64>().unwrap();
}

fn serve_tls(server: &Server, certificates: &Path) {
    let data = server.run("SHOW data_directory");
    let owner = fs::metadata(&data).unwrap();
    for name in ["server.pem", "server.key"] {
        let copy = Path::new(&data).join(name);
        fs::copy(certificates.join(name), &copy).unwrap();
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o600)).unwrap();
        let (user, group) = {
            use std::os::unix::fs::MetadataExt;
            (owner.uid(), owner.gid())
        };
        std::os::unix::fs::chown(&copy, Some(user), Some(group)).unwrap();
    }
    for setting in ["ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'", "ssl = on"] {
        server.run(&format!("ALTER SYSTEM SET {setting}"));
    }
    server.run("SELECT pg_reload_conf()");
    wait_until("TLS", || server.run("SHOW ssl") == "on");
}
