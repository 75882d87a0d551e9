//! An operator's word after a failover: until then no tag is made that may have been lost.

use snowmint::{Incarnation, Vouch};

use super::failovers::{Failover, incarnation_of, server_of};
use super::sql_servers::vouches::{self, create};
use super::standby::Standby;
use super::*;

#[test]
fn tags_made_in_what_was_lost_are_not_made_again() {
    let mut failover = Failover::new();
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
