//! Forked children leave their parent's connections alone, and restored images their twin's.

use std::collections::HashSet;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::thread;

use super::*;

/// A child that gives numbers, beside what its parent does.
pub(crate) struct Forked {
    pub(crate) child: libc::pid_t,
    numbers: PipeReader,
    /// The child waits until this is closed, before it ends.
    stay: Option<PipeWriter>,
}

pub(crate) fn forked(in_child: impl FnOnce() -> Vec<u64>) -> Forked {
    let ((numbers, mut writer), (mut staying, stay)) = (pipe().unwrap(), pipe().unwrap());
    // SAFETY: the child allocates after the fork, which the allocators of glibc and musl allow,
    // uses nothing else of the parent's threads, and ends without unwinding into the harness.
    let child = unsafe { libc::fork() };
    if child == 0 {
        drop(stay);
        let bytes: Vec<u8> = in_child().into_iter().flat_map(u64::to_le_bytes).collect();
        let written = writer.write_all(&bytes);
        drop(writer);
        drop(staying.read(&mut [0]));
        // SAFETY: ends the child at once, without the parent's exit handlers.
        unsafe { libc::_exit(i32::from(written.is_err())) };
    }
    assert!(child > 0);
    Forked { child, numbers, stay: Some(stay) }
}

impl Forked {
    /// What the child gave, which is there still.
    pub(crate) fn numbers(&mut self) -> Vec<u64> {
        let mut bytes = Vec::new();
        self.numbers.read_to_end(&mut bytes).unwrap();
        bytes.chunks(8).map(|number| u64::from_le_bytes(number.try_into().unwrap())).collect()
    }
}

impl Drop for Forked {
    fn drop(&mut self) {
        drop(self.stay.take());
        let mut status = 0;
        // SAFETY: waits for a child of this process, and writes to the status alone.
        assert_eq!(unsafe { libc::waitpid(self.child, &raw mut status, 0) }, self.child);
    }
}

/// The processes that serve connections to a database.
fn backends(database: &Database) -> HashSet<String> {
    let query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'snowmint' \
                 AND datname = current_database()";
    database.run(query).lines().map(str::to_owned).collect()
}

#[test]
fn a_child_takes_a_connection_of_its_own_and_its_parent_keeps_its() {
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&request("parent"), &long()).unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    let before = backends(&database);
    for round in 0..3 {
        let mut child = forked(|| {
            let range = take(&store).unwrap();
            let lease = store.acquire(&request("child"), &long()).unwrap();
            drop(store.release(&lease, &long()));
            vec![range, u64::from(lease.worker_id)]
        });
        let numbers = child.numbers();
        assert_eq!(numbers[0], 11 + 20 * round);
        assert_ne!(numbers[1], u64::from(lease.worker_id));
        assert_eq!(take(&store).unwrap(), 21 + 20 * round);
        let present = backends(&database);
        assert!(present.is_superset(&before) && present.len() == before.len() + 1, "{present:?}");
        drop(child);
        wait_until("the child's end", || backends(&database) == before);
    }
    let mut lease = lease;
    for _ in 0..3 {
        lease = store.renew(&lease, 60_000, &long()).unwrap();
    }
    assert_eq!(backends(&database), before);
}

#[test]
fn a_child_of_a_call_leaves_the_call_alone() {
    let database = database();
    let store = other(&database);
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| take(&store).unwrap());
        let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                     AND datname = current_database()";
        wait_until("the one who waits", || database.run(query) == "1");
        let mut child = forked(|| {
            vec![u64::from(store.acquire(&request("child"), &long()).unwrap().worker_id)]
        });
        assert_eq!(child.numbers().len(), 1);
        operator.run("COMMIT");
        assert_eq!(waiting.join().unwrap(), 1);
    });
}

/// The copy that the child has would keep it open.
#[test]
fn what_a_parent_closes_is_closed_for_its_children() {
    let database = database();
    let store = other(&database);
    take(&store).unwrap();
    let mut child = forked(|| vec![1]);
    assert_eq!(child.numbers(), [1]);
    drop(store);
    wait_until("the connection's end", || backends(&database).is_empty());
}

/// A restored image begins anew, and does not end what its twin goes on with. In a process of its
/// own, as the others are not restored.
#[test]
fn a_restored_image_leaves_its_twins_connection_alone() {
    let database = database();
    let mut child = forked(|| {
        let store = other(&database);
        let before = take(&store).unwrap();
        snowmint::on_restore();
        vec![before, take(&store).unwrap()] // and the store is dropped
    });
    assert_eq!(child.numbers(), [1, 11]);
    wait_until("the end of the second connection", || backends(&database).len() == 1);
    drop(child);
    wait_until("the end of the first", || backends(&database).is_empty());
}

#[test]
fn ranges_of_processes_are_disjoint() {
    const EACH: usize = 40;
    let database = database();
    let store = other(&database);
    let ranges = || (0..EACH).map(|_| take(&store).unwrap()).collect::<Vec<_>>();
    let mut children: Vec<_> = (0..4).map(|_| forked(ranges)).collect();
    let mut all = ranges();
    for child in &mut children {
        all.extend(child.numbers());
    }
    assert_eq!(all.len(), 5 * EACH);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    assert_eq!(take(&store).unwrap(), 10 * all.len() as u64 + 1);
    // One that was forked later has what lets an earlier one stay.
    while children.pop().is_some() {}
}

#[test]
fn a_child_that_closes_leaves_its_parents_lease_alone() {
    let database = database();
    asking::parents::a_child_that_closes_leaves_its_parents_lease_alone(&database.url, |work| {
        forked(work).numbers()
    });
}
