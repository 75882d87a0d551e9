//! A server that takes another's place, and what it does not know.

use snowmint::{Code, Mint, TagChange, WorkerStore};

use crate::asking::failovers::{self, Succession};
use crate::asking::{long, orders, refused, wait_until};
use crate::failovers::{Failover, IN_A_YEAR_MS, NOW_MS, url_of_both};
use crate::{database, other};

/// The one worker ID is given again while what the store knows of it is long over.
#[test]
fn leases_that_a_failover_loses_meet_no_others() {
    failovers::leases_that_are_lost_meet_no_others(&mut Failover::new());
}

/// A lost lease may have reserved a little more than the longest reservation that is known.
#[test]
fn an_eighth_more_than_any_reservation_is_noted() {
    let database = database();
    failovers::an_eighth_more_is_noted(&other(&database), &|statements| database.run(statements));
}

/// Rows tell times of which the new server's clock knows nothing yet.
#[test]
fn l1_leases_of_a_clock_that_was_ahead_are_over() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    failovers::leases_of_a_clock_that_was_ahead_are_over(&other(&database), &run);
}

/// It was noted by a clock that was ahead.
#[test]
fn a_wait_that_is_too_long_is_ended_by_hand() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    failovers::a_long_wait_is_ended_by_hand(&other(&database), &run, IN_A_YEAR_MS);
}

/// The lease may be as short as possible and begin right after the wait.
#[test]
fn a_lease_that_is_taken_after_the_wait_is_renewed() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    failovers::a_lease_after_the_wait_is_renewed(&other(&database), &run, NOW_MS);
}

#[test]
fn ranges_that_a_successor_lacks_are_not_given_again() {
    failovers::ranges_that_are_lost_are_not_given_again(&mut Failover::new());
}

/// It names both servers, and what was at hand is its own.
#[test]
fn a_source_goes_on_once_its_tag_is_raised() {
    let mut failover = Failover::new();
    let url = format!("segment+{}&tag=orders", url_of_both(&failover.database, &failover.copy));
    let source = snowmint::open(&url).unwrap();
    let mut last = source.next_id().unwrap();
    failover.part();
    let store = failover.happen();
    wait_until("the refusal", || match source.next_id() {
        Ok(id) => {
            assert_eq!(id, last + 1);
            last = id;
            false
        }
        Err(error) => error.code() == Code::IncarnationChanged,
    });
    store.change_tag(&orders(), TagChange::default().next(1000)).unwrap();
    let mut next = 0;
    wait_until("the first number above", || source.next_id().map(|id| next = id).is_ok());
    assert_eq!(next, 1000);
}

/// Its row bears the token already, and the time of an earlier call.
#[test]
fn a_repeat_of_a_renewal_is_refused_as_any() {
    let database = database();
    let store = other(&database);
    let lease = store.acquire(&failovers::short("a", 1), &long()).unwrap();
    let renewal = long();
    store.renew(&lease, 1, &renewal).unwrap();
    database.run("UPDATE snowmint_schema SET incarnation = 'another'");
    refused(store.renew(&lease, 1, &renewal), Code::LeaseLost);
}
