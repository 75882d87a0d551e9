//! Forked children leave their parent's connections alone.

use super::asking::children::{is_alone, staying};
use super::*;

/// The child's copy would keep it open, for as long as a server has patience.
#[test]
fn a_connection_of_no_use_is_closed_for_a_child() {
    if !is_alone("forks::a_connection_of_no_use_is_closed_for_a_child") {
        return;
    }
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    take(&store).unwrap();
    let mut child = staying(|| vec![1]);
    assert_eq!(child.numbers(), [1]);
    server.run("SET GLOBAL read_only = 1");
    assert!(take(&store).is_err());
    drop(store);
    wait_until("the connection's end", || connections(&database).is_empty());
}
