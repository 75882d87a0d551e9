//! The tables, made by their own command.

use snowmint::{migrate, migration};

use super::*;

/// Counts the tables.
pub(super) const TABLES: &str =
    "SELECT count(*) FROM information_schema.tables WHERE table_schema = database()";
/// Changes of tables, and what is said of each.
pub(super) const CHANGES: &[(&str, &str)] = &[
    ("DROP TABLE snowmint_worker", "sees snowmint_schema and snowmint_segment alone"),
    ("ALTER TABLE snowmint_segment DROP COLUMN previous", "has lost its column previous"),
    (
        "ALTER TABLE snowmint_worker MODIFY owner text NOT NULL",
        "owner of snowmint_worker is of type text",
    ),
    ("ALTER TABLE snowmint_worker DROP PRIMARY KEY", "snowmint_worker has lost its primary key"),
    ("UPDATE snowmint_schema SET version = 2", "of version 2, and this knows 1"),
    ("DELETE FROM snowmint_schema", "has lost its row"),
];

#[test]
fn a_plan_can_be_run_by_hand() {
    let database = Server::shared().database();
    let planned = migration(&database.url).unwrap().statements;
    database.run(&planned.join(";\n"));
    assert!(migrate(&database.url).unwrap().statements.is_empty());
    other(&database).create_tag(&orders(), TagOptions::default()).unwrap();
    assert_eq!(take(&other(&database)).unwrap(), 1);
}
