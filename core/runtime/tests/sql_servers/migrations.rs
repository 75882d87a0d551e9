//! The tables, made by their own command.

use snowmint::{Code, Migration, TagOptions, migrate, migration};

use crate::asking::{orders, refused};
use crate::migrations::{CHANGES, TABLES};
use crate::{Server, database, store};

/// Without the bound of waits by the rest of the call's time, which differs.
fn statements(of: Migration) -> Vec<String> {
    of.statements.into_iter().filter(|it| !it.contains("lock_timeout")).collect()
}

#[test]
fn tables_are_made_once_and_a_plan_makes_none() {
    let database = Server::shared().database();
    let planned = statements(migration(&database.url).unwrap());
    assert_eq!(database.run(TABLES), "0");
    assert!(planned.iter().any(|it| it.starts_with("CREATE TABLE IF NOT EXISTS snowmint_worker")));
    assert_eq!(statements(migrate(&database.url).unwrap()), planned);
    assert_eq!(database.run(TABLES), "3");
    for done in [migrate(&database.url).unwrap(), migration(&database.url).unwrap()] {
        assert!(done.statements.is_empty(), "{done:?}");
        assert!(done.place.ends_with(&format!("database {}", database.name())), "{done:?}");
    }
    store(&database).create_tag(&orders(), TagOptions::default()).unwrap();
}

#[test]
fn an_altered_schema_is_named_and_left_as_it_is() {
    for (change, says) in CHANGES {
        let database = database();
        database.run(change);
        for done in [migrate(&database.url), migration(&database.url)] {
            let message = refused(done, Code::StoreSchema);
            assert!(message.contains(says), "{change}: {message}");
        }
    }
}
