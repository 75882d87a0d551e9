//! The tables, made by their own command.

use snowmint::{migrate, migration};

use super::*;

const TABLES: &str =
    "SELECT count(*) FROM information_schema.tables WHERE table_schema = database()";

#[test]
fn tables_are_made_once_and_a_plan_makes_none() {
    let database = Server::shared().database();
    let planned = migration(&database.url).unwrap().statements;
    assert_eq!(database.run(TABLES), "0");
    assert_eq!(migrate(&database.url).unwrap().statements, planned);
    assert_eq!(database.run(TABLES), "3");
    for done in [migrate(&database.url).unwrap(), migration(&database.url).unwrap()] {
        assert!(done.statements.is_empty(), "{done:?}");
        assert!(done.place.ends_with(&format!("database {}", database.name())), "{done:?}");
    }
    store(&database).create_tag(&orders(), TagOptions::default()).unwrap();
}

#[test]
fn a_plan_can_be_run_by_hand() {
    let database = Server::shared().database();
    let planned = migration(&database.url).unwrap().statements;
    database.run(&planned.join(";\n"));
    assert!(migrate(&database.url).unwrap().statements.is_empty());
    other(&database).create_tag(&orders(), TagOptions::default()).unwrap();
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

#[test]
fn an_altered_schema_is_named_and_left_as_it_is() {
    for (change, says) in [
        ("DROP TABLE snowmint_worker", "sees snowmint_schema and snowmint_segment alone"),
        ("ALTER TABLE snowmint_segment DROP COLUMN previous", "has lost its column previous"),
        (
            "ALTER TABLE snowmint_worker MODIFY owner text NOT NULL",
            "owner of snowmint_worker is of type text",
        ),
        (
            "ALTER TABLE snowmint_worker DROP PRIMARY KEY",
            "snowmint_worker has lost its primary key",
        ),
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
