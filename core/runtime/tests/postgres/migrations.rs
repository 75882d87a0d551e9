//! The tables, made by their own command.

use std::io::Write;
use std::process::{Command, Stdio};

use snowmint::{migrate, migration};

use super::failovers::incarnation_of;
use super::*;

const TABLES: &str =
    "SELECT count(*) FROM pg_class WHERE relname LIKE 'snowmint%' AND relkind = 'r'";
const NOTED: &str = "SELECT version, incarnation, tag_incarnation FROM snowmint_schema";

#[test]
fn tables_are_made_once_and_a_plan_makes_none() {
    let database = Server::shared().database();
    let mut planned = migration(&database.url).unwrap().statements;
    assert_eq!(database.run(TABLES), "0");
    assert!(planned.iter().any(|it| it.starts_with("CREATE TABLE IF NOT EXISTS snowmint_worker")));
    let mut made = migrate(&database.url).unwrap().statements;
    // This statement bounds waits by the rest of the call's time, which differs.
    assert!(planned.remove(1).contains("lock_timeout") && made.remove(1).contains("lock_timeout"));
    assert_eq!(made, planned);
    assert_eq!(database.run(TABLES), "3");
    for done in [migrate(&database.url).unwrap(), migration(&database.url).unwrap()] {
        assert!(done.statements.is_empty(), "{done:?}");
        assert!(done.place.ends_with(&format!("database {}", database.name())), "{done:?}");
    }
    store(&database).create_tag(&orders(), TagOptions::default()).unwrap();
}

/// Run by hand, it makes what the command makes, and notes the same server.
#[test]
fn a_plan_can_be_run_by_hand() {
    let (database, by_hand) = (Server::shared().database(), Server::shared().database());
    let planned = migrate(&database.url).unwrap().statements;
    let mut client = Command::new("psql");
    client.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", &by_hand.url]);
    let mut process = client.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let script = planned.join(";\n") + ";\n";
    process.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(process.wait().unwrap().success());
    assert!(migrate(&by_hand.url).unwrap().statements.is_empty());
    let incarnation = incarnation_of(&by_hand);
    assert_eq!(by_hand.run(NOTED), format!("1|{incarnation}|{incarnation}"));
    other(&by_hand).create_tag(&orders(), TagOptions::default()).unwrap();
    assert_eq!(take(&other(&by_hand)).unwrap(), 1);
}

#[test]
fn an_altered_schema_is_named_and_left_as_it_is() {
    for (change, says) in [
        ("DROP TABLE snowmint_worker", "snowmint has snowmint_schema and snowmint_segment alone"),
        ("DROP TRIGGER snowmint_segment_rises ON snowmint_segment", "has lost its trigger"),
        (
            "ALTER TABLE snowmint_segment DROP COLUMN raises",
            "snowmint_segment has lost its column raises",
        ),
        ("ALTER TABLE snowmint_worker ALTER COLUMN owner TYPE varchar(255)", "character varying"),
        ("ALTER TABLE snowmint_worker DROP CONSTRAINT snowmint_worker_pkey", "its primary key"),
        ("UPDATE snowmint_schema SET version = 2", "of version 2, and this knows 1"),
        ("DELETE FROM snowmint_schema", "has lost its row"),
    ] {
        let database = database();
        database.run(change);
        for done in [migrate(&database.url), migration(&database.url)] {
            let message = refused(done, Code::StoreSchema);
            assert!(message.contains(says), "{change}: {message}");
        }
    }
}

#[test]
fn a_user_that_may_not_make_tables_is_told_so() {
    let database = Server::shared().database();
    let user = format!("poor_{}", database.name());
    database.run(&format!("CREATE ROLE {user} LOGIN"));
    let url = database.url_with("postgres@", &format!("{user}@"));
    let message = refused(migrate(&url), Code::StoreDenied);
    assert!(message.contains("to make them, CREATE ON DATABASE"), "{message}");
    assert!(!migration(&url).unwrap().statements.is_empty());
    database.run(&format!("DROP ROLE {user}"));
}
