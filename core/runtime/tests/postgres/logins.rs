//! Tests of log-ins: users, passwords and rights.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::*;

/// A server on which passwords count: `ann` has one, and all rights on the tables.
pub(crate) fn guarded(settings: &[&str]) -> (Server, Database) {
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

pub(crate) fn as_user(database: &Database, user: &str) -> String {
    database.url_with("postgres@", &format!("{user}@"))
}

/// The variable with the URL that another process opens.
const OPENS: &str = "SNOWMINT_TEST_OPENS";

/// Opens a URL in a process with this home and environment, and returns the first number of a
/// range, or the error's code and message.
pub(crate) fn opened_elsewhere(url: &str, home: &Path, environment: &[(&str, &str)]) -> String {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "logins::as_a_process_of_its_own", "--ignored", "--nocapture"]);
    for name in ["PGPASSWORD", "PGPASSFILE", "PGUSER"] {
        process.env_remove(name);
    }
    process.env(OPENS, url).env("HOME", home).envs(environment.iter().copied());
    let output = process.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (_, said) = said.split_once("it says ").unwrap_or_else(|| panic!("{said}"));
    said.split_once(" and ends").unwrap().0.to_owned()
}

#[test]
#[ignore = "opened_elsewhere runs it"]
fn as_a_process_of_its_own() {
    // Whoever runs all that is ignored runs it as well.
    let Ok(url) = std::env::var(OPENS) else { return };
    let taken = open_store(&url).and_then(|store| take(&*store));
    match taken {
        Ok(number) => println!("it says {number} and ends"),
        Err(error) => println!("it says {}: {error} and ends", error.code().name()),
    }
}

#[test]
fn passwords_of_urls_and_files() {
    let (_server, database) = guarded(&[]);
    take(&*open_store(&as_user(&database, "ann:S3CRET")).unwrap()).unwrap();
    let (host, port) = database.host_and_port();
    let builder = PostgresStore::builder().host(host, port).database(database.name());
    let store = builder.user("ann").password("S3CRET").open().unwrap();
    assert!(!format!("{store:?}").contains("S3CRET"), "{store:?}");
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
    secret_file(&file, "other:*:*:*:WRONG\n*:*:*:ann:S3CRET\n");
    let by_file = format!("{}&passfile={}", as_user(&database, "ann"), file.display());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let message = refused(open_store(&by_file).map(drop), Code::StoreDenied);
    assert!(message.contains("chmod 600"), "{message}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    take(&*open_store(&by_file).unwrap()).unwrap();
}

fn secret_file(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_user_whom_no_url_names_has_the_password_of_the_file() {
    let (_server, database) = guarded(&[]);
    let nobody = database.url_with("postgres@", "");
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".pgpass");
    secret_file(&file, "*:*:*:bob:WRONG\n*:*:*:ann:S3CRET\n");
    let ann = [("PGUSER", "ann")];
    opened_elsewhere(&nobody, home.path(), &ann).parse::<u64>().unwrap();
    // The system's user, with the system's name.
    let me = Command::new("id").arg("-un").output().unwrap().stdout;
    let me = String::from_utf8(me).unwrap().trim().to_owned();
    database.run(&format!("CREATE ROLE \"{me}\" LOGIN PASSWORD 'OTHER'; GRANT ann TO \"{me}\""));
    secret_file(&file, &format!("*:*:*:{me}:OTHER\n"));
    for environment in [&[][..], &[("PGUSER", "")]] {
        let said = opened_elsewhere(&nobody, home.path(), environment);
        said.parse::<u64>().unwrap_or_else(|_| panic!("{said}"));
    }
    let said = opened_elsewhere(&nobody, home.path(), &[("PGUSER", "ann")]);
    assert!(said.starts_with("store_denied"), "{said}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let said = opened_elsewhere(&nobody, home.path(), &[]);
    assert!(said.starts_with("store_denied"), "{said}");
    let cure = format!("chmod 600 {}", file.display());
    assert!(said.contains(&cure) && !said.contains("OTHER"), "{said}");
}

/// As it is where passwords are rotated: no store is opened again for that.
#[test]
fn a_password_that_is_changed_is_read_again() {
    let (_server, database) = guarded(&[]);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pgpass");
    secret_file(&file, "*:*:*:ann:S3CRET\n");
    let url = format!("{}&passfile={}", as_user(&database, "ann"), file.display());
    let store = open_store(&url).unwrap();
    assert_eq!(take(&*store).unwrap(), 1);
    let disconnect = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                      WHERE usename = 'ann'";
    database.run("ALTER ROLE ann PASSWORD 'CHANGED'");
    wait_until("the end of its connections", || database.run(disconnect) == "0");
    let message = refused(take(&*store), Code::StoreDenied);
    assert!(!message.contains("S3CRET"), "{message}");
    secret_file(&file, "*:*:*:ann:CHANGED\n");
    assert_eq!(take(&*store).unwrap(), 11);
    // The message names the new fault of the file.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    wait_until("the end of its connections", || database.run(disconnect) == "0");
    let message = refused(take(&*store), Code::StoreDenied);
    assert!(message.contains("chmod 600"), "{message}");
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
    assert!(message.contains("GRANT USAGE ON SCHEMA snowmint"), "{message}");
    database.run(&format!(
        "GRANT SELECT ON snowmint_worker, snowmint_segment, snowmint_schema TO {reader}"
    ));
    let store = open_store(&url).unwrap();
    assert_eq!(store.tags().unwrap().len(), 1);
    let message = refused(take(&*store), Code::StoreDenied);
    assert!(message.contains("and SELECT, INSERT, UPDATE ON ALL TABLES"), "{message}");
    refused(store.acquire(&request("a"), &long()), Code::StoreDenied);
    let create = TagOptions::default();
    refused(store.create_tag(&Tag::new("b").unwrap(), create), Code::StoreDenied);
    // The rights that the message names are enough.
    database.run(&format!(
        "GRANT INSERT, UPDATE ON snowmint_worker, snowmint_segment TO {reader}; \
         GRANT UPDATE ON snowmint_schema TO {reader}"
    ));
    assert_eq!(take(&*store).unwrap(), 1);
    store.acquire(&request("a"), &long()).unwrap();
    store.create_tag(&Tag::new("b").unwrap(), create).unwrap();
    database.run(&format!("DROP OWNED BY {reader}; DROP ROLE {reader}"));
}

/// The errors name the user's settings that are in the way, and the right values.
#[test]
fn a_users_settings_that_are_in_the_way_are_named() {
    let database = database();
    let user = format!("bound_{}", database.name());
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; GRANT SELECT, INSERT, UPDATE \
         ON snowmint_worker, snowmint_segment, snowmint_schema TO {user}"
    ));
    let url = as_user(&database, &user);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    database.run(&format!("ALTER ROLE {user} SET statement_timeout = 300"));
    // Each in a process-wide pool of its own.
    let named = |name: &str| open_store(&format!("{url}&application_name={name}"));
    let message = refused(take(&*named("bound").unwrap()), Code::StoreLocked);
    assert!(message.contains("statement_timeout"), "{message}");
    operator.run("ROLLBACK");
    database.run(&format!(
        "ALTER ROLE {user} RESET ALL; ALTER ROLE {user} SET default_transaction_read_only = on"
    ));
    let message = refused(take(&*named("reads").unwrap()), Code::StoreReadOnly);
    assert!(message.contains("default_transaction_read_only = off"), "{message}");
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
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
