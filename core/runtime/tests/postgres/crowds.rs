//! A server with room for many.

use super::asking::crowds::CONNECTIONS;
use super::*;

/// With a database; whether it syncs what it commits.
pub(super) fn with_room(syncs: bool) -> (Server, Database) {
    let connections = format!("max_connections={CONNECTIONS}");
    let server = Server::start(&[&connections, if syncs { "fsync=on" } else { "fsync=off" }]);
    let database = server.database();
    make_orders(&declared(&database.url));
    (server, database)
}

pub(super) fn client(database: &Database) -> Box<dyn Store> {
    let (host, port) = database.host_and_port();
    let builder = PostgresStore::builder().host(host, port).database(database.name());
    let builder = builder.user("postgres").ssl_mode(snowmint::SslMode::Disable);
    Box::new(builder.durability_declared(true).open().unwrap())
}
