//! Forked children leave their parent's connections alone, and restored images their twin's.

use std::collections::HashSet;
use std::thread;

use snowmint::WorkerStore;

use crate::asking::children::{is_alone, staying};
use crate::asking::{long, parents, request, take, wait_until};
use crate::{blocked, connections, database, other};

#[test]
fn a_child_takes_a_connection_of_its_own_and_its_parent_keeps_its() {
    if !is_alone(
        "sql_servers::forks::a_child_takes_a_connection_of_its_own_and_its_parent_keeps_its",
    ) {
        return;
    }
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&request("parent"), &long()).unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    let before = connections(&database);
    for round in 0..3 {
        let mut child = staying(|| {
            let range = take(&store).unwrap();
            let lease = store.acquire(&request("child"), &long()).unwrap();
            drop(store.release(&lease, &long()));
            vec![range, u64::from(lease.worker_id)]
        });
        let numbers = child.numbers();
        assert_eq!(numbers[0], 11 + 20 * round);
        assert_ne!(numbers[1], u64::from(lease.worker_id));
        assert_eq!(take(&store).unwrap(), 21 + 20 * round);
        let present = connections(&database);
        assert!(present.is_superset(&before) && present.len() == before.len() + 1, "{present:?}");
        drop(child);
        wait_until("the child's end", || connections(&database) == before);
    }
    let mut lease = lease;
    for _ in 0..3 {
        lease = store.renew(&lease, 60_000, &long()).unwrap();
    }
    assert_eq!(connections(&database), before);
}

#[test]
fn a_child_of_a_call_leaves_the_call_alone() {
    if !is_alone("sql_servers::forks::a_child_of_a_call_leaves_the_call_alone") {
        return;
    }
    let database = database();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| take(&store).unwrap());
        wait_until("the one who waits", || blocked(&database) == 1);
        let mut child = staying(|| {
            vec![u64::from(store.acquire(&request("child"), &long()).unwrap().worker_id)]
        });
        assert_eq!(child.numbers().len(), 1);
        operator.run("COMMIT");
        assert_eq!(waiting.join().unwrap(), 1);
    });
}

/// The copy that the child has would keep it open.
#[test]
fn a_connection_its_parent_closes_is_closed_for_a_child() {
    if !is_alone("sql_servers::forks::a_connection_its_parent_closes_is_closed_for_a_child") {
        return;
    }
    let database = database();
    let store = other(&database);
    take(&store).unwrap();
    let mut child = staying(|| vec![1]);
    assert_eq!(child.numbers(), [1]);
    drop(store);
    wait_until("the connection's end", || connections(&database).is_empty());
}

/// A restored image begins anew, and does not end what its twin goes on with. In a process of its
/// own, as the others are not restored.
#[test]
fn a_restored_image_leaves_its_twins_connection_alone() {
    if !is_alone("sql_servers::forks::a_restored_image_leaves_its_twins_connection_alone") {
        return;
    }
    let database = database();
    let mut child = staying(|| {
        let store = other(&database);
        let before = take(&store).unwrap();
        let connection = connections(&database).into_iter().next().unwrap();
        snowmint::on_restore();
        // The store is dropped then.
        vec![before, take(&store).unwrap(), connection.parse().unwrap()]
    });
    let [1, 11, connection] = child.numbers()[..] else { panic!("other ranges") };
    let first = HashSet::from([connection.to_string()]);
    wait_until("the end of the second connection", || connections(&database) == first);
    drop(child);
    wait_until("the end of the first", || connections(&database).is_empty());
}

#[test]
fn ranges_of_processes_are_disjoint() {
    if !is_alone("sql_servers::forks::ranges_of_processes_are_disjoint") {
        return;
    }
    let database = database();
    parents::ranges_of_processes_are_disjoint(&other(&database));
}

#[test]
fn a_child_that_closes_leaves_its_parents_lease_alone() {
    if !is_alone("sql_servers::forks::a_child_that_closes_leaves_its_parents_lease_alone") {
        return;
    }
    let database = database();
    parents::a_child_that_closes_leaves_its_parents_lease_alone(&database.url);
}
