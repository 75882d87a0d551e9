//! Tags that go on in another store.

use std::any::Any;
use std::collections::HashSet;
use std::thread;

use snowmint::{
    AllocationRequest, Code, MemoryStore, Mint, Move, SegmentAdmin as _, Source, Store, TagChange,
    TagOptions, move_tag, open, open_store,
};

use super::{long, orders, refused, take, wait_until};

/// Two databases, by URLs with parameters: the first has the tag.
pub(crate) struct Pair {
    pub(crate) from: String,
    pub(crate) to: String,
    /// A value that has to live as long as the databases.
    pub(crate) _kept: Box<dyn Any>,
}

/// A module of tests for pairs of a kind.
#[allow(unused_macros, reason = "not all who ask a store have such pairs")]
macro_rules! suite {
    ($kind:ident: $pair:expr) => {
        $crate::asking::moves::suite! { @tests $kind, $pair;
            numbers_that_are_taken_meanwhile_do_not_repeat a_move_is_ended_by_a_repeat
            a_tag_that_is_there_too_stays_as_it_is a_tag_without_a_number_left_does_not_move
            a_tag_moves_back a_repeat_of_a_move_that_is_over_changes_nothing
            an_arrival_beside_a_close_opens_nothing
        }
    };
    (@tests $kind:ident, $pair:expr; $($test:ident)+) => {
        mod $kind {
            use super::*;
            $(
                #[test]
                fn $test() {
                    moves::$test(&$pair);
                }
            )+
        }
    };
}
#[allow(unused_imports, reason = "as above")]
pub(crate) use suite;

impl Pair {
    fn stores(&self) -> (std::sync::Arc<dyn Store>, std::sync::Arc<dyn Store>) {
        (open_store(&self.from).unwrap(), open_store(&self.to).unwrap())
    }

    fn source(url: &str) -> Source {
        open(&format!("segment+{url}&tag=orders&wait_ms=60000")).unwrap()
    }
}

/// A file that is made when it is opened first.
pub(crate) fn file(directory: &tempfile::TempDir) -> String {
    format!("sqlite:{}?create=true", directory.path().join("there.db").display())
}

/// Numbers until there are none here, which are told where they go on.
fn mint_until_it_moved(source: &Source, place: &str) -> Vec<u64> {
    let mut numbers = Vec::new();
    loop {
        match source.next_id() {
            Ok(number) => numbers.push(number),
            Err(error) => {
                assert_eq!(error.code(), Code::TagMoved, "{error}");
                assert!(error.to_string().contains(place), "{error}");
                return numbers;
            }
        }
    }
}

/// Those who take numbers meanwhile use up what they have; none is given twice, and none is left out
/// but the one that the close took.
pub(crate) fn numbers_that_are_taken_meanwhile_do_not_repeat(pair: &Pair) {
    let (from, to) = pair.stores();
    from.change_tag(&orders(), TagChange::default().step(7)).unwrap();
    let sources = [(); 3].map(|()| Pair::source(&pair.from));
    let mut numbers = thread::scope(|scope| {
        let minting = sources.each_ref().map(|it| scope.spawn(|| mint_until_it_moved(it, "there")));
        wait_until("the first ranges", || from.tag(&orders()).unwrap().unwrap().next > 100);
        let row = move_tag(&*from, &orders(), &*to, "there").unwrap();
        assert_eq!((row.step, row.stride, row.moved_to), (7, 1, None));
        minting.into_iter().flat_map(|it| it.join().unwrap()).collect::<Vec<_>>()
    });
    let last = *numbers.iter().max().unwrap();
    let there = Pair::source(&pair.to);
    let after: Vec<_> = (0..1_000).map(|_| there.next_id().unwrap()).collect();
    assert_eq!(after[0], last + 2);
    numbers.extend(after);
    assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
}

/// One that was cut off after the close.
pub(crate) fn a_move_is_ended_by_a_repeat(pair: &Pair) {
    let (from, to) = pair.stores();
    take(&*from).unwrap();
    let closed = from.close_for_move(&orders(), &Move::new("a-move", "there")).unwrap();
    assert_eq!(closed.moved_to.as_deref(), Some("there"));
    for again in ["a-move", "another"] {
        assert_eq!(
            from.close_for_move(&orders(), &Move::new(again, "x")).unwrap().next,
            closed.next
        );
    }

    refused(take(&*from), Code::TagMoved);
    let raise = TagChange::default().next(1_000_000);
    for change in [raise, raise.step(9), TagChange::default().step(9), TagChange::default().max(9)]
    {
        refused(from.change_tag(&orders(), change), Code::TagMoved);
    }
    refused(from.create_tag(&orders(), TagOptions::default()), Code::TagExists);
    let message = refused(move_tag(&*from, &orders(), &*to, "elsewhere"), Code::TagMoved);
    assert!(message.contains("goes on at there"), "{message}");
    assert_eq!(to.tag(&orders()).unwrap(), None);

    let begun = move_tag(&*from, &orders(), &*to, "there").unwrap();
    assert_eq!(begun.next, closed.next);
    let first = take(&*to).unwrap();
    assert_eq!(first, closed.next);
    let again = move_tag(&*from, &orders(), &*to, "there").unwrap();
    assert_eq!(again.next, to.tag(&orders()).unwrap().unwrap().next);
    assert!(take(&*to).unwrap() > first);
}

/// Nothing is closed for it.
pub(crate) fn a_tag_that_is_there_too_stays_as_it_is(pair: &Pair) {
    let (from, to) = pair.stores();
    to.create_tag(&orders(), TagOptions::default().start(5_000)).unwrap();
    refused(move_tag(&*from, &orders(), &*to, "there"), Code::TagExists);
    refused(move_tag(&*from, &orders(), &*from, "here"), Code::TagExists);
    refused(move_tag(&*from, &orders(), &*to, ""), Code::InvalidParameter);
    refused(move_tag(&*from, &orders(), &*to, &"x".repeat(256)), Code::InvalidParameter);
    assert_eq!(take(&*from).unwrap(), 1);
    assert_eq!(to.tag(&orders()).unwrap().unwrap().next, 5_000);
}

/// One whose last number the close would take stays open: its max can be raised here.
pub(crate) fn a_tag_without_a_number_left_does_not_move(pair: &Pair) {
    let (from, to) = pair.stores();
    let tag = snowmint::Tag::new("last").unwrap();
    from.create_tag(&tag, TagOptions::default().start(10).max(10)).unwrap();
    refused(move_tag(&*from, &tag, &*to, "there"), Code::TagExhausted);
    assert_eq!(to.tag(&tag).unwrap(), None);
    let row = from.tag(&tag).unwrap().unwrap();
    assert_eq!((row.next, row.moved_to), (10, None));
    from.change_tag(&tag, TagChange::default().max(11)).unwrap();
    assert_eq!(move_tag(&*from, &tag, &*to, "there").unwrap().next, 11);
}

/// There and back, twice; what stayed closed meanwhile does not go on beside it.
pub(crate) fn a_tag_moves_back(pair: &Pair) {
    let ((from, to), third) = (pair.stores(), &MemoryStore::new());
    let options = TagOptions::default().stride(4).step(10).max(1_000_000).start(3);
    let tag = snowmint::Tag::new("classes").unwrap();
    from.create_tag(&tag, options).unwrap();
    let request = AllocationRequest::new(tag.clone(), None);
    let take = |store: &dyn Store| {
        let range =
            store.allocate(std::slice::from_ref(&request), &long()).unwrap().pop().unwrap()?.range;
        Ok(range.start())
    };
    let mut last = 0;
    for _ in 0..2 {
        for (one, other, place) in [(&from, &to, "there"), (&to, &from, "here")] {
            let row = move_tag(&**one, &tag, &**other, place).unwrap();
            assert_eq!((row.stride, row.max, row.moved_to), (4, 1_000_000, None));
            refused(take(&**one), Code::TagMoved);
            let number = take(&**other).unwrap();
            assert!(number > last && number % 4 == 3, "{number} after {last}");
            last = number;
        }
    }
    // In a circle.
    move_tag(&*from, &tag, &*to, "there").unwrap();
    move_tag(&*to, &tag, third, "a third").unwrap();
    let number = take(third).unwrap();
    assert!(number > last);
    move_tag(third, &tag, &*from, "here").unwrap();
    assert!(take(&*from).unwrap() > number);
    refused(take(&*to), Code::TagMoved);
    refused(take(third), Code::TagMoved);
    // One of the name that had no part in it.
    let apart = MemoryStore::new();
    apart.create_tag(&tag, options).unwrap();
    refused(move_tag(&apart, &tag, &*to, "there"), Code::TagExists);
    refused(take(&*to), Code::TagMoved);
}

/// It came late, when the tag had come back already.
pub(crate) fn a_repeat_of_a_move_that_is_over_changes_nothing(pair: &Pair) {
    let ((from, to), third) = (pair.stores(), MemoryStore::new());
    let there = from.close_for_move(&orders(), &Move::new("there", "there")).unwrap();
    to.adopt_moved(&there).unwrap();
    let back = to.close_for_move(&orders(), &Move::new("back", "here")).unwrap();
    from.adopt_moved(&back).unwrap();
    let repeated = from.close_for_move(&orders(), &Move::new("there", "there")).unwrap();
    assert_eq!(repeated.moved_to, None);
    refused(to.adopt_moved(&there), Code::TagMoved);
    let number = take(&*from).unwrap();
    assert_eq!(from.adopt_moved(&back).unwrap().moved_to, None);
    assert!(take(&*from).unwrap() > number);
    // The moves since then stay known.
    let tag = snowmint::Tag::new("travels").unwrap();
    third.create_tag(&tag, TagOptions::default()).unwrap();
    let first = third.close_for_move(&tag, &Move::new("first", "there")).unwrap();
    to.adopt_moved(&first).unwrap();
    move_tag(&*to, &tag, &*from, "here").unwrap();
    move_tag(&*from, &tag, &*to, "there").unwrap();
    to.adopt_moved(&first).unwrap();
    move_tag(&*to, &tag, &*from, "here").unwrap();
    // A move whose name is part of an earlier one's is another move.
    let part = from.close_for_move(&orders(), &Move::new("bac", "there")).unwrap();
    assert_eq!(part.moved_to.as_deref(), Some("there"));
}

/// A repeated arrival opens nothing while another call moves the tag on.
pub(crate) fn an_arrival_beside_a_close_opens_nothing(pair: &Pair) {
    let (from, to) = pair.stores();
    for round in 0..30 {
        let there = format!("there-{round}");
        let closed = from.close_for_move(&orders(), &Move::new(&there, "there")).unwrap();
        to.adopt_moved(&closed).unwrap();
        let name = format!("back-{round}");
        let back = thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..5 {
                    drop(to.adopt_moved(&closed));
                }
            });
            to.close_for_move(&orders(), &Move::new(&name, "here")).unwrap()
        });
        let row = to.tag(&orders()).unwrap().unwrap();
        assert_eq!(row.moved_to.as_deref(), Some("here"));
        from.adopt_moved(&back).unwrap();
    }
}
