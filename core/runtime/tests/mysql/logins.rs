//! Tests of log-ins: users, passwords, TLS and rights.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::asking::certificates::certificates;
use super::*;

/// A database with a user of its own, who has a password and some rights.
fn guarded(rights: &str) -> (Database, String) {
    let database = database();
    let user = format!("ann_{}", database.name());
    let on = |table: &str| format!("GRANT {rights} ON {}.{table} TO {user}; ", database.name());
    database.run(&format!(
        "CREATE USER {user} IDENTIFIED BY 'S3CRET'; {}{}{}",
        on("snowmint_worker"),
        on("snowmint_segment"),
        on("snowmint_schema")
    ));
    (database, user)
}

fn as_user(database: &Database, user: &str) -> String {
    database.url_with("root@", &format!("{user}@"))
}

#[test]
fn passwords_of_urls_and_files() {
    let (database, ann) = guarded("SELECT, INSERT, UPDATE");
    take(&*open_store(&as_user(&database, &format!("{ann}:S3CRET"))).unwrap()).unwrap();
    let plain = format!("{}&password=S3CRET", as_user(&database, &ann));
    take(&*open_store(&plain).unwrap()).unwrap();
    for wrong in [format!("{ann}:WRONG"), ann.clone(), "bob:S3CRET".to_owned()] {
        let error = open_store(&as_user(&database, &wrong)).map(drop).unwrap_err();
        let shown = format!("{error} {error:?}");
        assert_eq!(error.code(), Code::StoreDenied, "{shown}");
        assert!(shown.contains("check user and password"), "{shown}");
        assert!(!shown.contains("WRONG") && !shown.contains("S3CRET"), "{shown}");
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("my.cnf");
    let (host, port) = database.host_and_port();
    let section = |password: &str| {
        let options = format!("user={ann}\npassword={password}\nhost={host}\nport={port}\n");
        fs::write(&file, format!("[client]\n{options}")).unwrap();
    };
    section("S3CRET");
    let by_file = format!("{}&defaults-file={}", as_user(&database, &ann), file.display());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let message = refused(open_store(&by_file).map(drop), Code::StoreDenied);
    assert!(message.contains("chmod 600"), "{message}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    take(&*open_store(&by_file).unwrap()).unwrap();
    // All but the database is in the file.
    let bare = format!("mysql:///{}?defaults-file={}", database.name(), file.display());
    let store = open_store(&bare).unwrap();
    assert!(!format!("{store:p}").is_empty());
    // Another password from now on, which an open store finds as well.
    database.run(&format!("ALTER USER {ann} IDENTIFIED BY 'CHANGED'"));
    section("CHANGED");
    let sessions = || those_who(&database, &format!("user = '{ann}'"));
    // Those of dropped stores may be gone by now.
    sessions().lines().for_each(|id| drop(database.try_run(&format!("KILL {id}"))));
    wait_until("the end of her sessions", || sessions().is_empty());
    let before = other(&database).tag(&orders()).unwrap().unwrap().next;
    assert_eq!(take(&*store).unwrap(), before);
    database.run(&format!("DROP USER {ann}"));
}

#[test]
fn a_login_without_server_user_or_database_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("none.cnf").display().to_string();
    for (url, says) in [
        (format!("mysql:///ids?defaults-file={file}"), "no server is named"),
        (format!("mysql://db/ids?defaults-file={file}"), "no user is named"),
        (format!("mysql://ann@db?defaults-file={file}"), "no database is named"),
    ] {
        let message = refused(open_store(&url).map(drop), Code::InvalidParameter);
        assert!(message.contains(says) && message.contains("mysql://"), "{message}");
    }
}

#[test]
fn a_database_that_is_not_there_is_said() {
    let (database, ann) = guarded("SELECT");
    let url = database.url_with(&format!("/{}?", database.name()), "/none?");
    let message = refused(open_store(&url).map(drop), Code::StoreMissing);
    assert!(message.contains("no such database"), "{message}");
    // The server does not tell a user without rights if the database exists.
    let url = url.replace("root@", &format!("{ann}:S3CRET@"));
    let message = refused(open_store(&url).map(drop), Code::StoreDenied);
    assert!(message.contains("check its name"), "{message}");
    database.run(&format!("DROP USER {ann}"));
}

#[test]
fn a_user_without_rights_is_told_which_it_needs() {
    let (database, reader) = guarded("SELECT");
    let store = open_store(&as_user(&database, &format!("{reader}:S3CRET"))).unwrap();
    assert_eq!(store.tags().unwrap().len(), 1);
    let message = refused(take(&*store), Code::StoreDenied);
    assert!(message.contains("and SELECT, UPDATE ON snowmint_schema"), "{message}");
    refused(store.acquire(&request("a"), &long()), Code::StoreDenied);
    let create = TagOptions::default();
    refused(store.create_tag(&Tag::new("b").unwrap(), create), Code::StoreDenied);
    // The rights that the message names are enough.
    for table in ["snowmint_worker", "snowmint_segment"] {
        let on = format!("{}.{table}", database.name());
        database.run(&format!("GRANT INSERT, UPDATE ON {on} TO {reader}"));
    }
    database.run(&format!("GRANT UPDATE ON {}.snowmint_schema TO {reader}", database.name()));
    assert_eq!(take(&*store).unwrap(), 1);
    store.acquire(&request("a"), &long()).unwrap();
    store.create_tag(&Tag::new("b").unwrap(), create).unwrap();
    database.run(&format!("DROP USER {reader}"));
}

#[test]
fn a_user_who_may_not_see_the_tables_is_told_so() {
    let (database, ann) = guarded("SELECT");
    let own = format!("{}.own", database.name());
    database.run(&format!("REVOKE ALL, GRANT OPTION FROM {ann}; CREATE TABLE {own} (a INT)"));
    database.run(&format!("GRANT SELECT ON {own} TO {ann}"));
    let url = as_user(&database, &format!("{ann}:S3CRET"));
    let message = refused(open_store(&url).map(drop), Code::StoreMissing);
    assert!(message.contains("that this user may see"), "{message}");
    assert!(message.contains("the user's rights"), "{message}");
    database.run(&format!("DROP USER {ann}"));
}

#[test]
fn a_server_without_a_connection_left_is_said() {
    let (database, ann) = guarded("SELECT, INSERT, UPDATE");
    database.run(&format!("ALTER USER {ann} WITH MAX_USER_CONNECTIONS 1"));
    let url = as_user(&database, &format!("{ann}:S3CRET"));
    let store = open_store(&url).unwrap();
    // The same user's second connection, of another store.
    let second = open_store(&format!("{url}&connect_timeout=9")).map(drop);
    let message = refused(second, Code::StoreUnavailable);
    assert!(message.contains("what the user may have"), "{message}");
    drop(store);
    database.run(&format!("DROP USER {ann}"));
}

#[test]
fn a_proof_that_is_not_known_is_named() {
    if !has_mariadb("ed25519") {
        return;
    }
    let database = database();
    database.run("INSTALL SONAME 'auth_ed25519'");
    let ann = format!("ed_{}", database.name());
    database.run(&format!(
        "CREATE USER {ann} IDENTIFIED VIA ed25519 USING PASSWORD('S3CRET'); \
         GRANT ALL ON {}.* TO {ann}",
        database.name()
    ));
    let error = open_store(&as_user(&database, &format!("{ann}:S3CRET"))).map(drop).unwrap_err();
    let shown = format!("{error} {error:?}");
    assert_eq!(error.code(), Code::StoreDenied, "{shown}");
    assert!(shown.contains("client_ed25519") && !shown.contains("S3CRET"), "{shown}");
    database.run(&format!("DROP USER {ann}"));
}

#[test]
fn tls_is_what_ssl_mode_says() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let file = |name: &str| directory.path().join(name).display().to_string();
    let settings =
        [format!("ssl-cert={}", file("server.pem")), format!("ssl-key={}", file("server.key"))];
    let secured = Server::start(&settings.each_ref().map(String::as_str));
    let database = with_orders(secured.database());
    secured.run(
        "CREATE USER ann IDENTIFIED BY 'S3CRET' REQUIRE SSL; GRANT ALL ON *.* TO ann; \
         CREATE USER bob IDENTIFIED BY 'S3CRET'; GRANT ALL ON *.* TO bob",
    );
    let url = as_user(&database, "ann:S3CRET").replace("?ssl-mode=disabled", "?");
    let open = |parameters: &str| {
        let store = open_store(&format!("{url}{parameters}"))?;
        take(&*store)
    };
    let (ca, none) = (file("ca.pem"), file("other.pem"));
    open("").unwrap();
    open("ssl-mode=PREFERRED").unwrap();
    open("sslmode=require").unwrap();
    open(&format!("ssl-ca={ca}")).unwrap();
    open(&format!("ssl-mode=verify_ca&ssl-ca={ca}")).unwrap();
    refused(open("ssl-mode=disabled"), Code::StoreDenied);
    let bob = as_user(&database, "bob:S3CRET");
    take(&*open_store(&bob).unwrap()).unwrap();
    for unverified in
        [format!("ssl-mode=verify_ca&ssl-ca={none}"), "ssl-mode=verify_identity".to_owned()]
    {
        let message = refused(open(&unverified), Code::StoreUnavailable);
        assert!(message.contains("ssl-ca"), "{unverified}: {message}");
        assert!(!message.contains("S3CRET"), "{message}");
    }
    // The certificate is for the name, not for the address.
    let full = format!("ssl-mode=VERIFY_IDENTITY&ssl-ca={ca}");
    let message = refused(open(&full), Code::StoreUnavailable);
    assert!(message.contains("host name"), "{message}");
    let by_name = url.replace("127.0.0.1", "localhost");
    open_store(&format!("{by_name}{full}")).unwrap();
    for (wrong, says) in [("none.pem", "cannot be read"), ("server.key", "no certificate")] {
        let parameters = format!("ssl-mode=verify_identity&ssl-ca={}", file(wrong));
        let message = refused(open(&parameters), Code::InvalidParameter);
        assert!(message.contains(says), "{message}");
    }
}

/// Without a checked certificate, anybody may be at the end of a TLS connection, and chooses the
/// way in which a password is proven. Within this machine nobody can listen.
#[test]
fn a_password_is_shown_to_whom_somebody_vouches_for() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let ca = directory.path().join("ca.pem").display().to_string();
    let far = far_address();
    for (host, parameters, is_shown) in [
        (&*far, "".to_owned(), false),
        (&*far, "&ssl-mode=required".to_owned(), false),
        ("localhost", format!("&ssl-ca={ca}"), true),
        ("127.0.0.1", "".to_owned(), true),
    ] {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mysql/curious.py");
        let mut command = Command::new("python3");
        let command = command.args([script, host]).current_dir(directory.path());
        let mut server = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut output = std::io::BufReader::new(server.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut output, &mut line).unwrap();
            line.trim().to_owned()
        };
        let at = format!("{host}:{}", line());
        let url = format!("mysql://ann:S3CRET@{at}/ids?connect_timeout=20{parameters}");
        let error = open_store(&url).map(drop).unwrap_err();
        assert_eq!(line() == "S3CRET", is_shown, "{host}{parameters}: {error}");
        let code = if is_shown { Code::StoreUnavailable } else { Code::StoreDenied };
        assert_eq!(error.code(), code, "{host}{parameters}: {error}");
        server.wait().unwrap();
    }
}

/// Returns the address by which this machine reaches others, for a server that seems to be far.
fn far_address() -> String {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    socket.connect("192.0.2.1:9").expect("this machine has a network"); // sends nothing
    socket.local_addr().unwrap().ip().to_string()
}

#[test]
fn a_file_of_options_says_how_connections_are_secured() {
    let database = database();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("my.cnf");
    fs::write(&file, "[client]\nssl-mode=REQUIRED\n").unwrap();
    fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    let at = format!("?defaults-file={}", file.display());
    let url = database.url.replace("?ssl-mode=disabled", &at);
    let message = refused(open_store(&url).map(drop), Code::StoreUnavailable);
    assert!(message.contains("has no TLS"), "{message}");
    open_store(&format!("{url}&ssl-mode=preferred")).unwrap();
}

#[test]
fn a_server_without_tls_is_left_where_that_is_asked_for() {
    let database = database();
    let url = database.url.replace("?ssl-mode=disabled", "?ssl-mode");
    take(&*open_store(&format!("{url}=preferred")).unwrap()).unwrap();
    for mode in ["required", "verify_identity"] {
        let message =
            refused(open_store(&format!("{url}={mode}")).map(drop), Code::StoreUnavailable);
        assert!(message.contains("has no TLS"), "{message}");
    }
}
