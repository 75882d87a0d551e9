//! Many who want something of one database at once. The long form, of 64 who take 100 ranges each, and
//! of 1,000 leases taken beside 200 that are renewed; and, of a server that syncs nothing, 10,000 each:
//!
//! ```text
//! SNOWMINT_CROWD=64 cargo test --release -p snowmint --all-features crowds -- --nocapture
//! SNOWMINT_CROWD=64 SNOWMINT_CROWD_RANGES=10000 cargo test … many_ranges_of_a_crowd …
//! ```

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use snowmint::{Lease, MAX_RESERVE_MS, Store};

use super::{call, changed, orders, request, take_within, wait_until};

/// The function by which a client opens a store of its own.
pub(crate) type Open<'a> = &'a (dyn Fn() -> Box<dyn Store> + Sync);

/// Nothing here takes so long, on any machine.
const FOREVER: Duration = Duration::from_secs(600);
/// A crowd's connections, beside those that everything has.
pub(crate) const CONNECTIONS: u32 = 200;

fn variable(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |count| count.parse().unwrap())
}

/// Returns the number of clients.
fn clients() -> usize {
    variable("SNOWMINT_CROWD", 8)
}

fn patient() -> snowmint::Call {
    call(FOREVER)
}

/// Runs `work` in all clients at once, and returns their results.
fn at_once<T: Send>(
    count: usize,
    open: Open<'_>,
    work: impl Fn(usize, &dyn Store) -> T + Sync,
) -> Vec<T> {
    thread::scope(|scope| {
        let work = &work;
        let all: Vec<_> = (0..count).map(|at| scope.spawn(move || work(at, &*open()))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

/// The ranges of one tag are together all numbers from the first to the last.
pub(crate) fn ranges_of_a_crowd_have_no_gaps(open: Open<'_>) {
    ranges_have_no_gaps(if clients() < 64 { 10 } else { 100 }, open);
}

/// The same of a server that syncs nothing, and so gives many more.
pub(crate) fn many_ranges_of_a_crowd_have_no_gaps(open: Open<'_>) {
    ranges_have_no_gaps(variable("SNOWMINT_CROWD_RANGES", 100), open);
}

fn ranges_have_no_gaps(ranges_each: usize, open: Open<'_>) {
    let taken = at_once(clients(), open, |_, store| {
        let take = || take_within(store, FOREVER).unwrap().range;
        (0..ranges_each).map(|_| take()).map(|it| (it.start(), it.end())).collect::<Vec<_>>()
    });
    let mut taken: Vec<_> = taken.into_iter().flatten().collect();
    taken.sort_unstable();
    assert_eq!(taken.first().unwrap().0, 1);
    assert!(taken.windows(2).all(|pair| pair[0].1 == pair[1].0), "{taken:?}");
    let next = open().tag(&orders()).unwrap().unwrap().next;
    assert_eq!(taken.last().unwrap().1, next);
    println!("{} clients, {} ranges, disjoint and without a gap", clients(), taken.len());
}

/// Each gets a worker ID of its own, and whoever has one keeps it.
pub(crate) fn a_crowd_that_leases_is_in_nobodys_way(open: Open<'_>) {
    let (leases, renewed) = (clients() * 16, clients() * 4);
    // Leases that outlast the test, however slow the machine is.
    let request = |at: usize| {
        changed(request(&format!("{at}")), |it| {
            (it.max_worker_id, it.reserve_ms) = (u32::MAX, MAX_RESERVE_MS);
        })
    };
    let first = open();
    let mut held: Vec<Lease> =
        (0..renewed).map(|at| first.acquire(&request(at), &patient()).unwrap()).collect();
    let (over, rounds) = (AtomicBool::new(false), AtomicBool::new(false));
    let taken = thread::scope(|scope| {
        let renewing = scope.spawn(|| {
            while !(over.load(Ordering::SeqCst) && rounds.load(Ordering::SeqCst)) {
                for lease in &mut held {
                    *lease = first.renew(lease, MAX_RESERVE_MS, &patient()).unwrap();
                }
                rounds.store(true, Ordering::SeqCst);
            }
        });
        wait_until("a renewal", || rounds.load(Ordering::SeqCst));
        let taken = at_once(clients(), open, |client, store| {
            let mine = (renewed..renewed + leases).filter(|at| at % clients() == client);
            mine.map(|at| store.acquire(&request(at), &patient()).unwrap()).collect::<Vec<_>>()
        });
        over.store(true, Ordering::SeqCst);
        renewing.join().unwrap();
        taken
    });
    let all: Vec<_> = taken.into_iter().flatten().chain(held).map(|it| it.worker_id).collect();
    assert_eq!(all.len(), leases + renewed);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "two have one worker ID");
    println!("{leases} leases taken by {} clients beside {renewed} that were renewed", clients());
}
