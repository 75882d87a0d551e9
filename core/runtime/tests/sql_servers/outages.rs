//! A server that is away for a while.

use std::cell::RefCell;

use crate::asking::outages;
use crate::{Server, with_orders};

#[test]
fn a_runway_outlasts_its_server() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let server = RefCell::new(server);
    let (end, start) = (|| server.borrow_mut().end(), || server.borrow_mut().start_again());
    outages::a_runway_outlasts_its_server(&database.url, end, start);
}
