//! Servers that were started again, and that went back.

use snowmint::{Code, MAX_RESERVE_MS, Mint, SegmentAdmin, TagChange, WorkerStore, open};

use super::{database, other, with_orders};
use crate::Server;
use crate::asking::{changed, long, orders, request, take, wait_until};

#[test]
fn a_server_that_was_killed_lacks_nothing() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    // The reservation lasts longer than the restarts.
    let lasting = changed(request("a"), |it| it.reserve_ms = MAX_RESERVE_MS);
    let lease = store.acquire(&lasting, &long()).unwrap();
    for round in 0..3 {
        assert_eq!(take(&store).unwrap(), 1 + 10 * round);
        server.restart();
    }
    let again = other(&database).acquire(&request("b"), &long()).unwrap();
    assert_ne!(again.worker_id, lease.worker_id);
    store.renew(&lease, MAX_RESERVE_MS, &long()).unwrap();
}

/// It had numbers above.
#[test]
fn a_source_of_a_server_that_went_back_stops_until_its_tag_is_raised() {
    let database = database();
    let before = database.get("tags/orders");
    let source = open(&format!("segment+{}?tag=orders", database.url())).unwrap();
    let mut last = 0;
    for _ in 0..50 {
        last = source.next_id().unwrap();
    }
    database.put("tags/orders", &before);
    let error = loop {
        match source.next_id() {
            Ok(number) => {
                assert!(number > last);
                last = number;
            }
            Err(error) if error.code() == Code::WaitTimeout => {}
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), Code::RangeRegressed);
    other(&database).change_tag(&orders(), TagChange::default().next(1_000)).unwrap();
    wait_until("a number", || source.next_id().is_ok_and(|number| number >= 1_000));
}

/// As the documents say: only who had numbers can tell.
#[test]
fn a_row_put_back_repeats_for_a_new_store() {
    let database = database();
    let before = database.get("tags/orders");
    let first = take(&other(&database)).unwrap();
    database.put("tags/orders", &before);
    assert_eq!(take(&other(&database)).unwrap(), first);
}
