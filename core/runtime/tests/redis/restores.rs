//! Servers that were started again, and that went back.

use super::values::{self, Row};
use super::*;

fn with_row<T>(database: &Database, work: impl FnOnce(&Row<'_>) -> T) -> T {
    work(&Row {
        read: &|| database.run(&["HGET", "snowmint:tags", "orders"]),
        write: &|text| drop(database.run(&["HSET", "snowmint:tags", "orders", text])),
    })
}

#[test]
fn a_server_that_was_killed_lacks_nothing() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let restart = || server.restart();
    values::a_server_that_was_killed_lacks_nothing(&|| Box::new(other(&database)), restart);
}

#[test]
fn a_source_of_a_server_that_went_back_stops_until_its_tag_is_raised() {
    let database = database();
    let (url, store) = (format!("segment+{}?tag=orders", database.url), other(&database));
    with_row(&database, |row| {
        values::a_source_of_what_went_back_stops_until_its_tag_is_raised(&url, &store, row);
    });
}

#[test]
fn what_went_back_repeats_for_whoever_is_new() {
    let database = database();
    with_row(&database, |row| {
        values::what_went_back_repeats_for_whoever_is_new(&|| Box::new(other(&database)), row);
    });
}
