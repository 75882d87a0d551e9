//! A server with room for many.

use super::asking::crowds::CONNECTIONS;
use super::*;

/// With a database; whether it syncs what it commits.
pub(super) fn with_room(syncs: bool) -> (Server, Database) {
    let connections = format!("max-connections={CONNECTIONS}");
    let no_sync = if syncs { "loose-debug-no-sync=0" } else { "loose-debug-no-sync=1" };
    let server = Server::start(&[&connections, no_sync]);
    let database = with_orders(server.database());
    (server, database)
}

pub(super) fn client(database: &Database) -> Box<dyn Store> {
    Box::new(other(database))
}
