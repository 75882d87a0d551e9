//! The lease protocol, in every order in which its requests may arrive, late, twice or never, with
//! crashes, restarts, evictions, copied images and a store whose clock jumps: breadth-first search
//! through all states within the bounds below, by stateright.
//!
//! No clock of a node takes part in the protocol, so all of them are allowed: a node may issue any
//! tick of its lease at any moment.

mod laws;
mod model;
mod names;
mod node;
mod store;

use std::time::Instant;

use laws::UNIQUE;
use model::{Bounds, Protocol};
use snowmint_models::only_the_first;
use stateright::{Checker, HasDiscoveries, Model};
use store::Flaw;

const TWO_WORKER_IDS: Bounds = Bounds {
    workers: 2,
    last: 2,
    in_flight: 2,
    crashes: 0,
    timeouts: 0,
    repeats: 0,
    evictions: 0,
    changes: 0,
    copies: 0,
};

/// Both nodes are after the same worker ID, and more goes wrong.
const ONE_WORKER_ID: Bounds =
    Bounds { workers: 1, crashes: 2, timeouts: 1, repeats: 1, evictions: 1, ..TWO_WORKER_IDS };

/// An image is copied while it runs.
const COPIED_IMAGE: Bounds = Bounds { workers: 1, timeouts: 1, copies: 1, ..TWO_WORKER_IDS };

fn holds(name: &str, bounds: Bounds) {
    let started = Instant::now();
    let mut checker = Protocol { bounds, flaw: None }.checker();
    if let Some(first) = only_the_first() {
        // A state is cheap, and the first thousands have not issued anything.
        checker = checker.target_state_count(20 * first);
    }
    let checker = checker.spawn_bfs().join();
    let seconds = started.elapsed().as_secs_f32();
    let (states, depth) = (checker.unique_state_count(), checker.max_depth());
    println!("model protocol::{name}: {states} states, depth {depth}, {seconds:.1} s");
    checker.assert_properties();
}

#[test]
fn two_worker_ids_and_a_crash() {
    holds("two_worker_ids_and_a_crash", Bounds { crashes: 1, ..TWO_WORKER_IDS });
}

#[test]
fn two_worker_ids_and_a_lost_message() {
    holds("two_worker_ids_and_a_lost_message", Bounds { timeouts: 1, ..TWO_WORKER_IDS });
}

#[test]
fn two_worker_ids_and_a_change() {
    holds("two_worker_ids_and_a_change", Bounds { changes: 1, ..TWO_WORKER_IDS });
}

#[test]
fn one_worker_id() {
    holds("one_worker_id", ONE_WORKER_ID);
}

#[test]
fn a_copied_image() {
    holds("a_copied_image", COPIED_IMAGE);
}

/// The search finds the law broken.
fn breaks(flaw: Flaw, law: &'static str, bounds: Bounds) {
    let protocol = Protocol { bounds, flaw: Some(flaw) };
    let finish = HasDiscoveries::AllOf([law].into());
    let checker = protocol.checker().finish_when(finish).spawn_bfs().join();
    let path = checker.discovery(law).unwrap_or_else(|| panic!("{flaw:?} goes unnoticed"));
    println!("model protocol::{flaw:?}: not {law:?} by {:?}", path.into_actions());
}

#[test]
fn floor_is_now() {
    breaks(Flaw::FloorIsNow, UNIQUE, ONE_WORKER_ID);
}

#[test]
fn renewal_lowers_reserved() {
    breaks(Flaw::RenewalLowersReserved, UNIQUE, ONE_WORKER_ID);
}

#[test]
fn renewal_unchecked() {
    breaks(Flaw::RenewalUnchecked, UNIQUE, ONE_WORKER_ID);
}

#[test]
fn token_unchecked() {
    breaks(Flaw::TokenUnchecked, UNIQUE, COPIED_IMAGE);
}

#[test]
fn release_forgets_reserved() {
    breaks(Flaw::ReleaseForgetsReserved, UNIQUE, ONE_WORKER_ID);
}

#[test]
fn end_ignored() {
    breaks(Flaw::EndIgnored, UNIQUE, ONE_WORKER_ID);
}

#[test]
fn expiry_by_node_clock() {
    breaks(Flaw::ExpiryByNodeClock, UNIQUE, ONE_WORKER_ID);
}
