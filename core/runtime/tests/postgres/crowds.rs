//! Many who want something of one database at once.

use super::asking::crowds::{self, CONNECTIONS};
use super::*;

/// A server with room for all; whether it syncs what it commits.
fn with_room(fsync: &str) -> (Server, Database) {
    let connections = format!("max_connections={CONNECTIONS}");
    let server = Server::start(&[&connections, &format!("fsync={fsync}")]);
    let database = server.database();
    make_orders(&declared(&database.url));
    (server, database)
}

fn client(database: &Database) -> Box<dyn Store> {
    let (host, port) = database.host_and_port();
    let builder = PostgresStore::builder().host(host, port).database(database.name());
    let builder = builder.user("postgres").ssl_mode(snowmint::SslMode::Disable);
    Box::new(builder.durability_declared(true).open().unwrap())
}

#[test]
fn ranges_of_a_crowd_have_no_gaps() {
    let (_server, database) = with_room("on");
    crowds::ranges_of_a_crowd_have_no_gaps(&|| client(&database));
}

#[test]
fn many_ranges_of_a_crowd_have_no_gaps() {
    let (_server, database) = with_room("off");
    crowds::many_ranges_of_a_crowd_have_no_gaps(&|| client(&database));
}

#[test]
fn a_crowd_that_leases_is_in_nobodys_way() {
    let (_server, database) = with_room("on");
    crowds::a_crowd_that_leases_is_in_nobodys_way(&|| client(&database));
}
