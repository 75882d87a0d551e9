//! An operator's word after a failover: until then no tag is made that may have been lost.

use super::failovers::Failover;
use super::sql_servers::vouches::{self, create};
use super::*;

#[test]
fn tags_made_in_what_was_lost_are_not_made_again() {
    vouches::tags_that_are_lost_are_not_made_again(&mut Failover::new());
}

/// A row that all who make tags, and all who renew, have in common is no queue of theirs.
#[test]
fn tags_are_made_and_leases_renewed_while_others_are() {
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&request("a"), &long()).unwrap();
    let mut another = database.session();
    another.run("BEGIN; SELECT 1 FROM snowmint_schema FOR UPDATE");
    create(&store, "new").unwrap();
    refused(create(&store, "new"), Code::TagExists);
    assert_eq!(take(&store).unwrap(), 1);
    store.renew(&lease, 1000, &long()).unwrap();
    another.run("ROLLBACK");
    // An acquisition waits for that row, so that nobody changes the layout in between.
    store.acquire(&request("b"), &long()).unwrap();
}
