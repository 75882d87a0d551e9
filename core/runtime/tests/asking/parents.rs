//! Parents that mint while they fork.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use snowmint::{Mint, SegmentStore, Source, WorkerRow, open, open_store};

use super::children::{forked, staying};
use super::{patiently, take, wait_until};

const RENEWALS: usize = 3;

/// The child mints and closes its copy of the source; the parent's next renewals succeed.
pub(crate) fn a_child_that_closes_leaves_its_parents_lease_alone(url: &str) {
    let store = patiently(|| open_store(url));
    let source = open(&format!("snowflake+{url}&reserve_ms=1000&wait_ms=60000")).unwrap();
    let mut ids = vec![source.next_id().unwrap()];
    let worker_id = source.stats().worker_id.unwrap();
    let row = || -> WorkerRow {
        let rows = patiently(|| store.workers());
        rows.into_iter().find(|row| row.worker_id == worker_id).unwrap()
    };
    let before = row();
    let (minted, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let minting = scope.spawn(|| mint_until(&source, &minted, &over));
        wait_until("an ID beside", || minted.load(Ordering::SeqCst) > 0);
        let in_child = || {
            let ids = (0..100).map(|_| source.next_id().unwrap()).collect();
            source.close().unwrap();
            ids
        };
        ids.extend(forked(in_child).numbers());
        let mut expired = HashSet::from([row().expires_ms]);
        wait_until("the renewals", || {
            let now = row();
            assert_eq!((&now.owner, now.epoch), (&before.owner, before.epoch));
            expired.insert(now.expires_ms);
            expired.len() > RENEWALS
        });
        over.store(true, Ordering::SeqCst);
        ids.extend(minting.join().unwrap());
    });
    assert_eq!(source.stats().worker_id, Some(worker_id));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "an ID was given twice");
}

/// Ranges of ten numbers each, of a parent and of children that go on beside it.
pub(crate) fn ranges_of_processes_are_disjoint(store: &dyn SegmentStore) {
    const EACH: usize = 40;
    let ranges = || (0..EACH).map(|_| take(store).unwrap()).collect::<Vec<_>>();
    ranges();
    let mut children: Vec<_> = (0..4).map(|_| staying(ranges)).collect();
    let mut all = ranges();
    for child in &mut children {
        all.extend(child.numbers());
    }
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 5 * EACH);
    assert_eq!(take(store).unwrap(), 10 * 6 * EACH as u64 + 1);
    // One that was forked later has what lets an earlier one stay.
    while children.pop().is_some() {}
}

fn mint_until(source: &Source, minted: &AtomicUsize, over: &AtomicBool) -> Vec<u64> {
    let mut ids = Vec::new();
    while !over.load(Ordering::SeqCst) {
        ids.push(source.next_id().unwrap());
        minted.store(ids.len(), Ordering::SeqCst);
        thread::yield_now();
    }
    ids
}
