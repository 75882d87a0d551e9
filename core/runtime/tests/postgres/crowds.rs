//! Many who want something of one database at once.

use super::asking::crowds::{self, CONNECTIONS};
use super::*;

fn with_room() -> (Server, Database) {
    let server = Server::start(&[&format!("max_connections={CONNECTIONS}")]);
    let database = with_orders(server.database());
    (server, database)
}

#[test]
fn ranges_of_a_crowd_have_no_gaps() {
    let (_server, database) = with_room();
    crowds::ranges_of_a_crowd_have_no_gaps(&|| Box::new(other(&database)));
}

#[test]
fn a_crowd_that_leases_is_in_nobodys_way() {
    let (_server, database) = with_room();
    crowds::a_crowd_that_leases_is_in_nobodys_way(&|| Box::new(other(&database)));
}
