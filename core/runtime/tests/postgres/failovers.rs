//! A standby that takes its primary's place, and what it does not know.

use super::standby::Standby;
use super::*;

fn incarnation_of(database: &Database) -> String {
    database.run(
        "SELECT system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) \
         FROM pg_control_system()",
    )
}

#[test]
fn a_connection_that_began_on_a_standby_tells_what_it_became() {
    let primary = Server::start(&[]);
    let database = with_orders(primary.database());
    let before = incarnation_of(&database);
    let standby = Standby::of(&primary);
    let copy = standby.named(database.name());
    let store = other(&copy);
    refused(take(&store), Code::StoreReadOnly);
    // One of its connections saw no change refused, and stays.
    store.tags().unwrap();
    standby.promote();
    let (tag, options) = (Tag::new("new").unwrap(), TagOptions::default());
    store.create_tag(&tag, options).unwrap();
    let request = AllocationRequest::new(tag, None);
    let range = store.allocate(&[request], &long()).unwrap().pop().unwrap().unwrap();
    let told = range.incarnation.unwrap();
    assert_eq!(*told, *incarnation_of(&copy));
    assert_ne!(*told, *before);
}
