//! Many who want something of one database at once.

use super::asking::crowds::{self, CONNECTIONS};
use super::*;

/// A server with room for all, and these settings.
fn with_room(settings: &[&str]) -> (Server, Database) {
    let connections = format!("max-connections={CONNECTIONS}");
    let server = Server::start(&[&[&*connections], settings].concat());
    let database = with_orders(server.database());
    (server, database)
}

#[test]
fn ranges_of_a_crowd_have_no_gaps() {
    let (_server, database) = with_room(&[]);
    crowds::ranges_of_a_crowd_have_no_gaps(&|| Box::new(other(&database)));
}

#[test]
fn many_ranges_of_a_crowd_have_no_gaps() {
    let (_server, database) = with_room(&["loose-debug-no-sync=1"]);
    crowds::many_ranges_of_a_crowd_have_no_gaps(&|| Box::new(other(&database)));
}

#[test]
fn a_crowd_that_leases_is_in_nobodys_way() {
    let (_server, database) = with_room(&[]);
    crowds::a_crowd_that_leases_is_in_nobodys_way(&|| Box::new(other(&database)));
}
