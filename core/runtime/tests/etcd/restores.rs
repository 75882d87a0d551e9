//! Members that were started again, and clusters that went back.

use super::*;

#[test]
fn a_member_that_was_killed_lacks_nothing() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    let lease = store.acquire(&request("a"), &long()).unwrap();
    for round in 0..3 {
        assert_eq!(take(&store).unwrap(), 1 + 10 * round);
        server.end();
        server.start_again();
    }
    let again = other(&database).acquire(&request("b"), &long()).unwrap();
    assert_ne!(again.worker_id, lease.worker_id);
    store.renew(&lease, 60_000, &long()).unwrap();
}

/// It had numbers above.
#[test]
fn a_source_of_a_cluster_that_went_back_stops_until_its_tag_is_raised() {
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
    let store = other(&database);
    store.change_tag(&orders(), TagChange::default().next(1_000)).unwrap();
    asking::wait_until("a number", || source.next_id().is_ok_and(|number| number >= 1_000));
}

/// As the documents say: only who had numbers can tell.
#[test]
fn what_went_back_repeats_for_whoever_is_new() {
    let database = database();
    let before = database.get("tags/orders");
    let first = take(&other(&database)).unwrap();
    database.put("tags/orders", &before);
    assert_eq!(take(&other(&database)).unwrap(), first);
}
