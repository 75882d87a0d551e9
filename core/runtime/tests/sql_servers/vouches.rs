//! An operator's word after a failover: until then no tag is made that may have been lost.

use std::thread;

use snowmint::{SegmentAdmin, Vouch};

use crate::asking::vouches::{self, create};
use crate::asking::{take, wait_until};
use crate::failovers::Failover;
use crate::{blocked, database, other};

/// They make their tags themselves: at midnight, and for a section's first key.
#[test]
fn sources_that_make_tags_go_on_once_an_operator_vouched() {
    vouches::sources_that_make_tags_go_on(&mut Failover::new());
}

#[test]
fn two_who_vouch_raise_a_tag_once() {
    let database = database();
    database.run("UPDATE snowmint_segment SET incarnation = 'another'");
    let mut another = database.session();
    another.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let rows = thread::scope(|scope| {
        let vouch = || other(&database).vouch(&Vouch::new(1)).unwrap();
        let waiting = [(); 2].map(|()| scope.spawn(vouch));
        wait_until("those who wait", || blocked(&database) == 2);
        another.run("COMMIT");
        waiting.map(|waiting| waiting.join().unwrap().len())
    });
    assert_eq!(rows.iter().sum::<usize>(), 1);
    assert_eq!(take(&other(&database)).unwrap(), 11);
}

#[test]
fn a_vouch_has_limits() {
    let database = database();
    vouches::a_vouch_has_limits(&other(&database), &|statements| database.run(statements));
}

#[test]
fn a_tag_that_may_lack_ranges_is_not_closed() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    vouches::a_tag_that_may_lack_ranges_is_not_closed(&other(&database), &run);
}

#[test]
fn l1_a_tag_that_may_lack_ranges_is_not_opened_again() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    vouches::l1_a_tag_that_may_lack_ranges_is_not_opened_again(&other(&database), &run);
}

/// A source may ask for far more than the tag's step.
#[test]
fn a_range_longer_than_a_step_counts_as_one() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    vouches::a_range_longer_than_a_step_counts_as_one(&other(&database), &run);
}

/// As where what was lost was confirmed, as far as the store knows.
#[test]
fn every_tag_is_raised_where_an_operator_asks_for_it() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    vouches::every_tag_is_raised_where_that_is_asked_for(&other(&database), &run);
}

/// Two databases that share a tag by its stride go on to do so.
#[test]
fn new_tags_begin_where_an_operator_says() {
    vouches::new_tags_begin_where_an_operator_says(&other(&database()));
}

/// Those who take several do so in the order of their tags.
#[test]
fn a_vouch_for_all_tags_locks_them_in_their_order() {
    let database = database();
    let store = other(&database);
    create(&store, "a").unwrap();
    // The row of `a` is the last one by its place in the table.
    let mut another = database.session();
    another.run("BEGIN; SELECT 1 FROM snowmint_segment WHERE tag = 'a' FOR UPDATE");
    let all = Vouch::new(1).all(true);
    thread::scope(|scope| {
        let vouching = scope.spawn(|| other(&database).vouch(&all).unwrap().len());
        wait_until("who vouches", || blocked(&database) == 1);
        another.run("SELECT 1 FROM snowmint_segment WHERE tag = 'orders' FOR UPDATE NOWAIT");
        another.run("COMMIT");
        assert_eq!(vouching.join().unwrap(), 2);
    });
}

#[test]
fn l1_tags_go_on_above_rows_of_another_store() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    vouches::l1_tags_go_on_above_rows_of_another_store(&other(&database), &run);
}
