//! The numbers of single days by themselves.

use super::*;
use snowmint::Mint;

#[test]
fn a_days_numbers_are_those_of_its_tag_and_of_nobody_else() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).step(10).open().unwrap();
    assert_eq!(daily.days().unwrap(), [20_260_820, 20_260_821, 20_260_822]);
    let today = daily.open_day(20_260_821).unwrap();
    assert_eq!(today.next_id().unwrap(), 1);
    assert_eq!(daily.next_id().unwrap(), 20_260_821_000_002);
    assert_eq!(today.next_id().unwrap(), 3);
    // Another instance has ranges of its own.
    let other = builder(&store, &host).step(10).open().unwrap();
    let theirs = other.open_day(20_260_821).unwrap().next_ids(30).unwrap();
    let ours = today.next_ids(30).unwrap();
    assert!(theirs.iter().all(|number| *number > 3 && !ours.contains(number)));
}

#[test]
fn days_that_begin_or_ended_go_on_by_the_source() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS + DAY_MS - 1));
    let daily = builder(&store, &host).step(10).open().unwrap();
    let tomorrow = daily.open_day(20_260_822).unwrap();
    assert_eq!(tomorrow.next_ids(3).unwrap(), [1, 2, 3]);
    host.set(AUGUST_21_MS + DAY_MS);
    let first = daily.next_id().unwrap();
    assert!(first > 20_260_822_000_003, "{first}");
    let yesterday = daily.open_day(20_260_821).unwrap();
    assert_eq!(yesterday.next_id().unwrap(), 1);
}

#[test]
fn a_day_that_is_over_begins_only_where_tags_stay() {
    let (store, host) = (Arc::<Watched>::default(), ByHand::at(AUGUST_21_MS));
    store.lets_go.store(true, Relaxed);
    let daily = builder(&store, &host).step(10).open().unwrap();
    assert_eq!(daily.open_day(20_260_820).unwrap_err().code(), Code::UnknownTag);
    assert_eq!(tag_names(&store), ["orders:20260821"]);
    assert_eq!(daily.open_day(20_260_822).unwrap().next_id().unwrap(), 1);
    host.set(AUGUST_21_MS + DAY_MS);
    let other = builder(&store, &host).step(10).open().unwrap();
    assert_eq!(other.open_day(20_260_821).unwrap().next_id().unwrap(), 1, "begun in its time");
    store.lets_go.store(false, Relaxed);
    host.set(AUGUST_21_MS);
    assert_eq!(daily.open_day(20_260_820).unwrap().next_id().unwrap(), 1);
}

#[test]
fn other_days_are_refused_and_make_no_tag() {
    let (store, host) = (Arc::default(), ByHand::at(AUGUST_21_MS));
    let daily = builder(&store, &host).zone("-05:00").open().unwrap();
    assert_eq!(daily.days().unwrap(), [20_260_819, 20_260_820, 20_260_821]);
    for date in [0, 20_260_818, 20_260_822, 20_260_800, 99_999_999, u32::MAX] {
        let error = daily.open_day(date).unwrap_err();
        assert_eq!(error.code(), Code::InvalidTime, "{date}");
    }
    assert_eq!(tag_names(&store), ["orders:20260820"]);
    daily.close().unwrap();
    assert_eq!(daily.open_day(20_260_820).unwrap_err().code(), Code::Closed);
}

#[test]
fn years_end_between_days() {
    let (store, host) = (Arc::default(), ByHand::at(1_798_675_200_000));
    let daily = builder(&store, &host).open().unwrap();
    assert_eq!(daily.days().unwrap(), [20_261_230, 20_261_231, 20_270_101]);
}
