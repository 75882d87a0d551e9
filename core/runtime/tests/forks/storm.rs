//! Forks from several threads at once, and from their children, while others mint.

use super::*;
use snowmint::Mint;

pub(super) fn begin_child(work: impl FnOnce()) -> libc::pid_t {
    children::begin_by(fork, work)
}

/// Three threads do `work` from the moment they begin; two others fork meanwhile, several children
/// at a time that do it, too, some with children of their own.
fn storm(work: impl Fn() + Sync) {
    let over = AtomicBool::new(false);
    let forks = || {
        for _ in 0..rounds() {
            let mut children: Vec<_> = (0..3).map(|_| begin_child(&work)).collect();
            children.push(begin_child(|| {
                let grandchildren = [begin_child(&work), begin_child(&work)];
                work();
                grandchildren.into_iter().for_each(await_child);
            }));
            children.into_iter().for_each(await_child);
        }
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    work();
                }
            });
        }
        let forking = [scope.spawn(forks), scope.spawn(forks)];
        let ended = forking.map(thread::ScopedJoinHandle::join);
        over.store(true, Ordering::Relaxed);
        ended.into_iter().for_each(|ended| ended.unwrap());
    });
}

#[test]
fn no_child_of_a_storm_waits_for_a_thread_of_its_parent() {
    if !is_alone("storm::no_child_of_a_storm_waits_for_a_thread_of_its_parent") {
        return; // what is made at first use is then made here
    }
    let directory = tempfile::tempdir().unwrap();
    let (store, tag) = (store(directory.path()), Tag::new("orders").unwrap());
    let daily = Daily::builder(store.clone(), tag.clone()).digits(9).wait(PATIENCE);
    let daily = daily.open().unwrap();
    storm(|| drop(daily.next_ids(500).unwrap()));
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let segment = Segment::builder(store.clone(), tag).wait(PATIENCE).open().unwrap();
    storm(|| drop(segment.next_ids(500).unwrap()));
    let layout = snowmint::names::layout("time:41,worker:12,sequence:10").unwrap();
    let flake = Snowflake::builder().layout(layout).wait(PATIENCE).lease_from(store);
    let flake = flake.open().unwrap();
    storm(|| drop(flake.next_ids(500).unwrap()));
    let ring = RingSource::builder(Source::Snowflake(flake)).capacity(256).open().unwrap();
    storm(|| drop(ring.next_ids(500).unwrap()));
}

#[test]
fn no_child_that_opens_a_zone_waits_for_a_thread_of_its_parent() {
    if !is_alone("storm::no_child_that_opens_a_zone_waits_for_a_thread_of_its_parent") {
        return; // the zones are then first looked up by the threads below
    }
    let directory = tempfile::tempdir().unwrap();
    let (store, tag) = (store(directory.path()), Tag::new("orders").unwrap());
    let parent = std::process::id();
    storm(|| {
        let in_zone = |zone| Daily::builder(store.clone(), tag.clone()).zone(zone);
        if std::process::id() != parent {
            // A zone that nobody has looked up yet.
            in_zone("America/Lima").wait(PATIENCE).open().unwrap().next_id().unwrap();
            return;
        }
        for zone in ["Asia/Shanghai", "Europe/Berlin", "No/Such"] {
            // Refused before the store is called: hardly anything but the zone is looked up.
            assert!(in_zone(zone).digits(0).open().is_err());
        }
    });
}

/// Rust's library takes a lock as its threads begin and end, which a child can inherit as it is. Every
/// other run met that while the library's own threads were Rust's.
#[test]
fn no_child_waits_for_a_thread_that_began_beside_its_fork() {
    if !is_alone("storm::no_child_waits_for_a_thread_that_began_beside_its_fork") {
        return; // no thread of another test ends meanwhile
    }
    let directory = tempfile::tempdir().unwrap();
    let (store, tag) = (store(directory.path()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let segment = Segment::builder(store, tag).wait(PATIENCE).open().unwrap();
    let ring = RingSource::builder(Source::Segment(segment)).capacity(256).open().unwrap();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    thread::spawn(|| ()).join().unwrap();
                }
            });
        }
        for _ in 0..300 {
            // A thread that the child starts fills its ring.
            await_child(begin_child(|| assert!(ring.next_id().unwrap() > 0)));
        }
        over.store(true, Ordering::Relaxed);
    });
}
