//! Tags without a number left.

use super::*;
use snowmint::Mint;

/// A tag whose last number is 1000, and a segment that had them all and has asked for more for long.
fn exhausted(host: &Hands) -> (Arc<Failing>, Segment) {
    let (store, orders) = (Arc::<Failing>::default(), tag("orders"));
    store.store.create_tag(&orders, TagOptions::default().max(1_000)).unwrap();
    let segment = segment(&store, "orders", host);
    segment.next_ids(1_000).unwrap();
    for _ in 0..60_000 {
        host.pass(1);
        assert_eq!(segment.next_id().unwrap_err().code(), Code::TagExhausted);
    }
    (store, segment)
}

#[test]
fn a_tag_that_was_widened_goes_on_within_a_second() {
    let host = Hands::default();
    let (store, segment) = exhausted(&host);
    assert!(store.asked.load(SeqCst) < 250, "{:?} in a minute", store.asked);
    store.store.change_tag(&tag("orders"), TagChange::default().max(2_000)).unwrap();
    host.pass(1_000);
    assert_eq!(segment.next_id().unwrap(), 1_001);
}

#[test]
fn a_caller_that_does_not_wait_hears_the_error_before_the_store_answers() {
    let host = Hands::default();
    let (store, segment) = exhausted(&host);
    host.pass(60_000);
    let asked = store.asked.load(SeqCst);
    for _ in 0..3 {
        let refused = segment.next_id_within(Duration::ZERO).unwrap_err();
        assert_eq!(refused.code(), Code::TagExhausted);
        assert!(!segment.stats().last_failure.unwrap().is_over);
    }
    assert_eq!(store.asked.load(SeqCst), asked, "the calls came before the answer");
    host.pass(1);
    assert_eq!(store.asked.load(SeqCst), asked + 1);
}

/// So that whoever looks at it sees that it has numbers again.
#[test]
fn a_look_at_a_tag_that_was_widened_has_it_asked() {
    let host = Hands::default();
    let (store, segment) = exhausted(&host);
    host.pass(60_000);
    let looks = || {
        Source::Segment(segment.clone()).look_at_store();
        (0..10).for_each(|_| host.pass(100));
    };
    let asked = store.asked.load(SeqCst);
    looks();
    assert_eq!(store.asked.load(SeqCst), asked, "it has none");
    store.store.change_tag(&tag("orders"), TagChange::default().max(2_000)).unwrap();
    looks();
    assert!(segment.stats().last_failure.unwrap().is_over);
}

/// Whoever tells others of it knows that its store is away, and that the tag will be at its end then.
#[test]
fn a_tag_at_its_end_is_so_while_its_store_is_away_and_after() {
    let host = Hands::default();
    let (store, segment) = exhausted(&host);
    let failure = || {
        let failure = segment.stats().last_failure.unwrap();
        (failure.code, failure.is_over, failure.is_at_end)
    };
    assert_eq!(failure(), (Code::TagExhausted, false, true));
    store.fail(Code::StoreUnavailable);
    Source::Segment(segment.clone()).look_at_store();
    host.pass(100);
    assert_eq!(failure(), (Code::StoreUnavailable, false, true));
    assert_eq!(segment.next_id().unwrap_err().code(), Code::StoreUnavailable);
    assert_eq!(failure(), (Code::StoreUnavailable, false, true));
    store.fail(None);
    (0..20).for_each(|_| host.pass(100));
    assert_eq!(failure(), (Code::TagExhausted, false, true));
    store.store.change_tag(&tag("orders"), TagChange::default().max(2_000)).unwrap();
    host.pass(1_000);
    assert_eq!(segment.next_id().unwrap(), 1_001);
    assert!(!segment.stats().last_failure.unwrap().is_at_end);
}

#[test]
fn a_ring_over_a_tag_that_was_widened_has_its_numbers() {
    let host = Hands::default();
    let (store, segment) = exhausted(&host);
    let ring = RingSource::builder(Source::Segment(segment)).capacity(16).host((*host).clone());
    let ring = ring.open().unwrap();
    assert_eq!(ring.next_id().unwrap_err().code(), Code::TagExhausted);
    store.store.change_tag(&tag("orders"), TagChange::default().max(2_000)).unwrap();
    // A ring does not wait for the store's answer, so it may hear of the end once more.
    let goes_on = || {
        host.pass(1_000);
        ring.next_id().ok()
    };
    assert_eq!((0..3).find_map(|_| goes_on()), Some(1_001));
}
