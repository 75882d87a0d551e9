//! Who may log in, with which password, over which TLS, and to do what.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::*;

/// A server on which passwords count: `ann` has one, and all rights on the tables.
fn guarded(settings: &[&str]) -> (Server, Database) {
    let server = Server::start(settings);
    let database = with_orders(server.database());
    database.run(
        "CREATE ROLE ann LOGIN PASSWORD 'S3CRET'; \
         GRANT SELECT, INSERT, UPDATE ON snowmint_worker, snowmint_segment TO ann; \
         GRANT SELECT, UPDATE ON snowmint_schema TO ann",
    );
    let rules = server.run("SHOW hba_file");
    fs::write(rules, "host all postgres all trust\nhost all all all scram-sha-256\n").unwrap();
    server.run("SELECT pg_reload_conf()");
    let unnamed = as_user(&database, "ann");
    wait_until("the rules", || open_store(&unnamed).is_err());
    (server, database)
}

fn as_user(database: &Database, user: &str) -> String {
    database.url_with("postgres@", &format!("{user}@"))
}

#[test]
fn passwords_of_urls_and_files() {
    let (_server, database) = guarded(&[]);
    take(&*open_store(&as_user(&database, "ann:S3CRET")).unwrap()).unwrap();
    let plain = format!("{}&password=S3CRET", as_user(&database, "ann"));
    take(&*open_store(&plain).unwrap()).unwrap();
    for wrong in ["ann:WRONG", "ann", "bob:S3CRET"] {
        let error = open_store(&as_user(&database, wrong)).map(drop).unwrap_err();
        let shown = format!("{error} {error:?}");
        assert_eq!(error.code(), Code::StoreDenied, "{shown}");
        assert!(!shown.contains("WRONG") && !shown.contains("S3CRET"), "{shown}");
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pgpass");
    fs::write(&file, "other:*:*:*:WRONG\n*:*:*:ann:S3CRET\n").unwrap();
    let by_file = format!("{}&passfile={}", as_user(&database, "ann"), file.display());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let message = refused(open_store(&by_file).map(drop), Code::StoreDenied);
    assert!(message.contains("chmod 600"), "{message}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    take(&*open_store(&by_file).unwrap()).unwrap();
}

#[test]
fn a_database_that_is_not_there_is_said() {
    let database = database();
    let url = database.url_with(&format!("/{}?", database.name()), "/none?");
    let message = refused(open_store(&url).map(drop), Code::StoreMissing);
    assert!(message.contains("no such database"), "{message}");
}

#[test]
fn a_role_without_rights_is_told_which_it_needs() {
    let database = database();
    let reader = format!("reader_{}", database.name());
    database.run(&format!("CREATE ROLE {reader} LOGIN"));
    let url = as_user(&database, &reader);
    let message = refused(open_store(&url).map(drop), Code::StoreDenied);
    assert!(message.contains("GRANT SELECT"), "{message}");
    database.run(&format!(
        "GRANT SELECT ON snowmint_worker, snowmint_segment, snowmint_schema TO {reader}"
    ));
    let store = open_store(&url).unwrap();
    assert_eq!(store.tags().unwrap().len(), 1);
    let message = refused(take(&*store), Code::StoreDenied);
    assert!(message.contains("GRANT SELECT, INSERT, UPDATE"), "{message}");
    refused(store.acquire(&request("a"), &long()), Code::StoreDenied);
    let create = TagOptions::default();
    refused(store.create_tag(&Tag::new("b").unwrap(), create), Code::StoreDenied);
    // What the message says is enough.
    database.run(&format!(
        "GRANT INSERT, UPDATE ON snowmint_worker, snowmint_segment TO {reader}; \
         GRANT UPDATE ON snowmint_schema TO {reader}"
    ));
    assert_eq!(take(&*store).unwrap(), 1);
    store.acquire(&request("a"), &long()).unwrap();
    store.create_tag(&Tag::new("b").unwrap(), create).unwrap();
    database.run(&format!("DROP OWNED BY {reader}; DROP ROLE {reader}"));
}

#[test]
fn a_server_without_a_connection_left_is_said() {
    let server = Server::start(&["max_connections=4", "superuser_reserved_connections=1"]);
    let database = with_orders(server.database());
    database.run("CREATE ROLE ann LOGIN");
    let sessions: Vec<_> = (0..3)
        .map(|_| {
            let mut session = database.session();
            session.run("SELECT 1");
            session
        })
        .collect();
    let message = refused(open_store(&as_user(&database, "ann")).map(drop), Code::StoreUnavailable);
    assert!(message.contains("max_connections"), "{message}");
    drop(sessions);
}

fn openssl(directory: &Path, arguments: &str) {
    let command =
        Command::new("openssl").args(arguments.split(' ')).current_dir(directory).output();
    let output = command.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An authority, and a certificate of its for `localhost`.
fn certificates(directory: &Path) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(directory, &format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=ca"));
    openssl(directory, &format!("req {key} -keyout server.key -out server.csr -subj /CN=server"));
    fs::write(directory.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    openssl(
        directory,
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
         -extfile names -out server.pem"
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .as_str(),
    );
    openssl(
        directory,
        &format!("req -x509 {key} -keyout no.key -out other.pem -days 2 -subj /CN=no"),
    );
}

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
