//! Answers that do not come.

use std::time::Duration;

use snowmint::Code;

use crate::asking::{refused, take, take_within};
use crate::proxy::{Fate, Proxy};
use crate::{database, values};

#[test]
fn a_lost_answer_is_unknown_and_its_range_given_up() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = database.builder_at(proxy.port).open().unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    proxy.next(Fate::Unanswered);
    let message = refused(take(&store), Code::OutcomeUnknown);
    assert!(message.contains("is not used"), "{message}");
    assert_eq!(take(&store).unwrap(), 21);
    proxy.next(Fate::Lost);
    refused(take(&store), Code::OutcomeUnknown);
    assert_eq!(take(&store).unwrap(), 31);
    proxy.next(Fate::Withheld);
    refused(take_within(&store, Duration::from_secs(2)), Code::OutcomeUnknown);
    assert_eq!(take(&store).unwrap(), 41);
}

#[test]
fn lost_answers_are_asked_for_again() {
    let database = database();
    let proxy = Proxy::before(&database);
    let lose = || proxy.next(Fate::Unanswered);
    let store = database.builder_at(proxy.port).open().unwrap();
    values::lost_answers_are_asked_for_again(&store, lose);
}
