//! Members that were started again, and clusters or ensembles that went back.

use crate::values::{self, Row};
use crate::*;

fn with_row<T>(database: &Database, work: impl FnOnce(&Row<'_>) -> T) -> T {
    work(&Row {
        read: &|| database.get("tags/orders"),
        write: &|text| database.put("tags/orders", text),
    })
}

#[test]
fn a_member_that_was_killed_lacks_nothing() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let restart = || {
        server.end();
        server.start_again();
    };
    values::a_server_that_was_killed_lacks_nothing(&|| Box::new(other(&database)), restart);
}

#[test]
fn a_source_of_a_cluster_that_went_back_stops_until_its_tag_is_raised() {
    let database = database();
    let (url, store) = (format!("segment+{}?tag=orders", database.url()), other(&database));
    with_row(&database, |row| {
        values::a_source_of_what_went_back_stops_until_its_tag_is_raised(&url, &store, row);
    });
}

#[test]
fn a_cluster_that_went_back_is_refused_by_who_knew_it() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let mut restart = |files: &str| server.restart_with_files(files);
    values::a_store_that_went_back_is_refused(&|| Box::new(other(&database)), &mut restart);
}

#[test]
fn a_row_put_back_repeats_for_a_new_store() {
    let database = database();
    with_row(&database, |row| {
        values::a_row_put_back_repeats_for_a_new_store(&|| Box::new(other(&database)), row);
    });
}
