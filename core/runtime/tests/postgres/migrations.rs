//! The tables, made by their own command.

use std::io::Write;
use std::process::{Command, Stdio};

use snowmint::{migrate, migration};

use super::failovers::incarnation_of;
use super::*;

/// Counts the tables.
pub(super) const TABLES: &str =
    "SELECT count(*) FROM pg_class WHERE relname LIKE 'snowmint%' AND relkind = 'r'";
/// Changes of tables, and what is said of each.
pub(super) const CHANGES: &[(&str, &str)] = &[
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
];
const NOTED: &str = "SELECT version, incarnation, tag_incarnation FROM snowmint_schema";

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
