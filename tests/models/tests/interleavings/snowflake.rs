//! [`SharedSnowflake`](snowmint_models::SharedSnowflake): threads issue while the owner extends,
//! opens, closes or jumps.

use snowmint_models::sync::Arc;
use snowmint_models::thread;
use snowmint_models::{Code, Lane, Layout, Pace, SharedSnowflake};

use crate::history::{check, check_order, drain, flake, lane, layout, one, ones, run};
use crate::{CALLS, explore};

#[test]
fn extend() {
    explore("snowflake::extend", 2, || {
        let flake = Arc::new(flake(lane(1, 0, 1)));
        let other = Arc::clone(&flake);
        let taker = thread::spawn(move || [one(&other), one(&other)].concat());
        let third = Arc::clone(&flake);
        let batch = thread::spawn(move || run(&third, 2));
        flake.owner().unwrap().extend(3);
        flake.owner().unwrap().extend(2);
        let issued = [taker.join().unwrap(), batch.join().unwrap(), drain(&flake)];
        check(&issued, &[lane(1, 0, 3)]);
        check_order(&issued);
        assert_eq!(issued.concat().len(), 6, "every slot of the grant, and no other: {issued:x?}");
    });
}

#[test]
fn open_another_worker() {
    explore("snowflake::open_another_worker", 2, || {
        let (first, second) = (lane(1, 0, 2), lane(2, 0, 4));
        let flake = Arc::new(flake(first));
        let mine = one(&flake);
        let other = Arc::clone(&flake);
        let taker = thread::spawn(move || ones(&other, CALLS));
        let third = Arc::clone(&flake);
        let batch = thread::spawn(move || run(&third, 2));
        flake.owner().unwrap().open(second).unwrap();
        let after = one(&flake);
        let issued = [taker.join().unwrap(), batch.join().unwrap(), [mine, after].concat()];
        check(&issued, &[first, second]);
        check_order(&issued);
        let left = drain(&flake);
        check_order(&[[issued.concat().into_iter().max().into_iter().collect(), left].concat()]);
    });
}

/// The second lane begins where the first one's ticks end: a claim that mixed the first one's bits
/// with the second one's end would issue a tick that was not granted.
#[test]
fn open_where_the_last_grant_ends() {
    explore("snowflake::open_where_the_last_grant_ends", 2, || {
        let (first, second) = (lane(1, 0, 1), lane(2, 1, 3));
        let flake = Arc::new(flake(first));
        let mine = one(&flake);
        let takers = [1, 2].map(|n| {
            let flake = Arc::clone(&flake);
            thread::spawn(move || ones(&flake, n * CALLS))
        });
        flake.owner().unwrap().open(second).unwrap();
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        let issued = [a, b, [mine, drain(&flake)].concat()];
        check(&issued, &[first, second]);
        check_order(&issued);
    });
}

/// The same worker again, above what it issued: a new lease of the worker ID.
#[test]
fn open_the_same_worker() {
    explore("snowflake::open_the_same_worker", 2, || {
        let (first, second) = (lane(1, 0, 2), lane(1, 0, 4));
        let flake = Arc::new(flake(first));
        let other = Arc::clone(&flake);
        let taker = thread::spawn(move || ones(&other, CALLS));
        let third = Arc::clone(&flake);
        let batch = thread::spawn(move || run(&third, 2));
        flake.owner().unwrap().open(second).unwrap();
        let issued = [taker.join().unwrap(), batch.join().unwrap(), drain(&flake)];
        check(&issued, &[first, second]);
        check_order(&issued);
    });
}

#[test]
fn close() {
    explore("snowflake::close", 2, || {
        let first = lane(1, 0, 4);
        let flake = Arc::new(flake(first));
        let takers = [1, 2].map(|n| {
            let flake = Arc::clone(&flake);
            thread::spawn(move || [one(&flake), run(&flake, n)].concat())
        });
        let reached = flake.owner().unwrap().close();
        assert_eq!(flake.next_id(0).unwrap_err().code(), Code::Closed);
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        let issued = [a, b, drain(&flake)];
        check(&issued, &[lane(1, 0, reached), first]);
        for id in issued.concat() {
            assert!((layout().parts(id).unix_ms as u64) < reached, "{id:#x} at or past the end");
        }
    });
}

/// The jump leads to the very slot at which the old lane stands. What the count of jumps is for: a
/// taker that read the state before would find it unchanged and issue under the old worker ID in a
/// tick granted to the new one alone.
#[test]
fn jump_to_the_same_slot() {
    explore("snowflake::jump_to_the_same_slot", 2, || {
        let (first, second) = (lane(1, 0, 1), lane(2, 1, 3));
        let flake = Arc::new(flake(first));
        let mine = run(&flake, 2);
        let takers = [1, 2].map(|_| {
            let flake = Arc::clone(&flake);
            thread::spawn(move || ones(&flake, CALLS))
        });
        flake.owner().unwrap().jump(second).unwrap();
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        let issued = [a, b, [mine, drain(&flake)].concat()];
        check(&issued, &[first, second]);
        assert_eq!(issued.concat().len(), 6, "every slot of both grants: {issued:x?}");
    });
}

/// There and back again between two worker IDs, each time with a new grant and to a lower slot.
#[test]
fn jump_there_and_back() {
    explore("snowflake::jump_there_and_back", 2, || {
        let lanes = [lane(1, 4, 6), lane(2, 2, 4), lane(1, 2, 4)];
        let flake = Arc::new(flake(lanes[0]));
        let other = Arc::clone(&flake);
        let taker = thread::spawn(move || [one(&other), run(&other, 2)].concat());
        flake.owner().unwrap().jump(lanes[1]).unwrap();
        let between = one(&flake);
        flake.owner().unwrap().jump(lanes[2]).unwrap();
        check(&[taker.join().unwrap(), between, drain(&flake)], &lanes);
    });
}

/// Rollback counts of one worker under one grant: each goes on where it was left.
#[test]
fn count_rollbacks() {
    explore("snowflake::count_rollbacks", 2, || {
        let zero = lane(1, 0, 4);
        let one_more = Lane { rollback: 1, ..zero };
        let flake = Arc::new(flake(zero));
        let other = Arc::clone(&flake);
        let taker = thread::spawn(move || [one(&other), run(&other, 2)].concat());
        flake.owner().unwrap().jump(one_more).unwrap();
        let between = one(&flake);
        flake.owner().unwrap().jump(zero).unwrap();
        check(&[taker.join().unwrap(), between, drain(&flake)], &[zero, one_more]);
    });
}

/// No bit is left to count a jump in, and the lane jumped to goes by the slot at which a claim of the
/// lane before was about to be made: without regard for the jump, that claim would find the state
/// unchanged and issue a slot of the old lane that another thread had issued before it.
#[test]
fn jump_without_a_count() {
    explore("snowflake::jump_without_a_count", 2, || {
        let fields = "rollback:1,time:62,sequence:1";
        let layout = Layout::builder().fields(fields).and_then(|it| it.build()).unwrap();
        let pace = Pace { max_ahead_ms: 100, ..Pace::default() };
        let zero = Lane::of_worker(0);
        let flake = Arc::new(SharedSnowflake::new(layout, zero, pace).unwrap());
        let other = Arc::clone(&flake);
        let taker = thread::spawn(move || one(&other));
        let mine = one(&flake);
        flake.owner().unwrap().jump(Lane { rollback: 1, ..zero }).unwrap();
        let between = one(&flake);
        let mut issued = [taker.join().unwrap(), mine, between, one(&flake)].concat();
        issued.sort_unstable();
        assert!(issued.is_sorted_by(|a, b| a < b), "an ID twice: {issued:x?}");
    });
}
