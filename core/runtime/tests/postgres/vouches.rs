//! An operator's word after a failover: until then no tag is made that may have been lost.

use snowmint::{Incarnation, Vouch};

use super::asking::vouches::{self, create};
use super::failovers::{Failover, incarnation_of, server_of};
use super::standby::Standby;
use super::*;

#[test]
fn tags_made_in_what_was_lost_are_not_made_again() {
    let mut failover = Failover::with(&[]);
    let store = vouches::tags_that_are_lost_are_not_made_again(&mut failover);

    let second = Standby::of(failover.standby.server());
    let copy = second.named(failover.copy.name());
    drop((store, failover));
    second.promote();
    let store = other(&copy);
    refused(create(&store, "newer"), Code::IncarnationChanged);
    refused(take(&store), Code::IncarnationChanged);
    let rows = store.vouch(&Vouch::new(0)).unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.tag.as_str(), row.next, row.raises)).collect();
    assert_eq!(rows, [("lost", 3001, 1), ("new", 1, 1), ("orders", 51, 2)]);
    create(&store, "newer").unwrap();
    assert_eq!((take(&store).unwrap(), vouches::take_of(&store, "new").unwrap()), (51, 1));
}

/// Both are of one history, by its name, and each lacks what the other gave.
#[test]
fn l1_a_word_for_one_of_two_that_were_promoted_is_none_for_the_other() {
    let primary = Server::start(&[]);
    let database = with_orders(primary.database());
    assert_eq!(take(&other(&database)).unwrap(), 1);
    let standbys = [Standby::of(&primary), Standby::of(&primary)];
    standbys.iter().for_each(|standby| standby.catch_up(&primary));
    drop(primary);
    standbys.iter().for_each(Standby::promote);
    let copies = standbys.each_ref().map(|standby| standby.named(database.name()));
    let [one, two] = copies.each_ref().map(other);
    assert_eq!(incarnation_of(&copies[0]), incarnation_of(&copies[1]));
    let word = Vouch::new(1).server(Incarnation::from(server_of(&copies[0])));
    assert_eq!(one.vouch(&word).unwrap().len(), 1);
    assert_eq!(take(&one).unwrap(), 21);
    let message = refused(two.vouch(&word), Code::IncarnationChanged);
    assert!(message.contains(&server_of(&copies[1])), "{message}");
    refused(take(&two), Code::IncarnationChanged);
}

/// They make their tags themselves: at midnight, and for a section's first key.
#[test]
fn sources_that_make_tags_go_on_once_an_operator_vouched() {
    vouches::sources_that_make_tags_go_on(&mut Failover::with(&[]));
}

/// A row that all who make tags have in common is no queue of theirs.
#[test]
fn tags_are_made_while_others_are() {
    let database = database();
    let store = other(&database);
    let mut another = database.session();
    another.run("BEGIN; SELECT 1 FROM snowmint_schema FOR UPDATE");
    create(&store, "new").unwrap();
    refused(create(&store, "new"), Code::TagExists);
    another.run("ROLLBACK");
}

#[test]
fn two_who_vouch_raise_a_tag_once() {
    let database = database();
    database.run("UPDATE snowmint_segment SET incarnation = 'another'");
    let mut another = database.session();
    another.run("BEGIN; SELECT 1 FROM snowmint_schema FOR UPDATE");
    let rows = std::thread::scope(|scope| {
        let vouch = || other(&database).vouch(&Vouch::new(1)).unwrap();
        let waiting = [(); 2].map(|()| scope.spawn(vouch));
        let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                     AND datname = current_database()";
        wait_until("those who wait", || database.run(query) == "2");
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
    std::thread::scope(|scope| {
        let vouching = scope.spawn(|| other(&database).vouch(&all).unwrap().len());
        let query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                     AND datname = current_database()";
        wait_until("who vouches", || database.run(query) == "1");
        another.run("SELECT 1 FROM snowmint_segment WHERE tag = 'orders' FOR UPDATE NOWAIT");
        another.run("COMMIT");
        assert_eq!(vouching.join().unwrap(), 2);
    });
}
