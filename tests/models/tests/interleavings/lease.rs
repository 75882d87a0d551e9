//! The change of a lease, as the runtime's holder does it: callers that look at the clocks extend
//! the present lease's horizon under a lock, the scheduler opens the next lease under the same lock, and
//! all issue without it.

use snowmint_models::sync::{Arc, Mutex};
use snowmint_models::thread;
use snowmint_models::{Grant, Lane};

use crate::history::{check, check_order, drain, flake, lane, one, ones};
use crate::{CALLS, explore};

/// A horizon that ends before the lease does.
fn bounded(lease: Lane) -> Lane {
    let reserved = lease.grant.floor + 1;
    Lane { grant: Grant { reserved, ..lease.grant }, ..lease }
}

#[test]
fn change_of_a_lease() {
    explore("lease::change_of_a_lease", 1, || {
        let (old, new) = (lane(1, 0, 2), lane(2, 2, 4));
        let flake = Arc::new(flake(bounded(old)));
        let held = Arc::new(Mutex::new(old));

        let (issues, holds) = (Arc::clone(&flake), Arc::clone(&held));
        let caller = thread::spawn(move || {
            let at_once = one(&issues);
            let lease = holds.lock().unwrap();
            issues.owner().unwrap().extend(lease.grant.reserved);
            drop(lease);
            [at_once, ones(&issues, CALLS)].concat()
        });
        let (issues, holds) = (Arc::clone(&flake), Arc::clone(&held));
        let scheduler = thread::spawn(move || {
            let mut lease = holds.lock().unwrap();
            issues.owner().unwrap().open(bounded(new)).unwrap();
            *lease = new;
        });
        let mine = ones(&flake, CALLS);
        scheduler.join().unwrap();
        let issued = [caller.join().unwrap(), [mine, drain(&flake)].concat()];
        check(&issued, &[old, new]);
        check_order(&issued);
    });
}

/// A renewal and a change: the renewal's extension must not reach into the lane of another lease.
#[test]
fn renewal_beside_a_change() {
    explore("lease::renewal_beside_a_change", 2, || {
        let (old, new) = (lane(1, 0, 1), lane(2, 1, 2));
        let renewed = lane(1, 0, 3);
        let flake = Arc::new(flake(old));
        let held = Arc::new(Mutex::new(old));

        let (issues, holds) = (Arc::clone(&flake), Arc::clone(&held));
        let renewal = thread::spawn(move || {
            let mut lease = holds.lock().unwrap();
            if lease.worker_id == renewed.worker_id {
                issues.owner().unwrap().extend(renewed.grant.reserved);
                *lease = renewed;
            }
        });
        let (issues, holds) = (Arc::clone(&flake), Arc::clone(&held));
        let change = thread::spawn(move || {
            let mut lease = holds.lock().unwrap();
            issues.owner().unwrap().open(new).unwrap();
            *lease = new;
        });
        let mine = ones(&flake, 2 + CALLS);
        renewal.join().unwrap();
        change.join().unwrap();
        let issued = [[mine, drain(&flake)].concat()];
        check(&issued, &[renewed, new]);
        check_order(&issued);
    });
}
