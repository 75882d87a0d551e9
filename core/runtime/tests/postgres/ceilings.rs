//! Ranges below a ceiling that standbys have confirmed.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use snowmint::doctor::Verdict;

use super::asking::failovers::Succession;
use super::failovers::{Failover, url_of_both};
use super::*;

/// Raises it by so many numbers, ten steps of the tag.
const CHUNK: u64 = 100;

/// A store that shares nothing with others, and gives ranges below ceilings.
fn below(database: &Database) -> PostgresStore {
    let (host, port) = database.host_and_port();
    let builder = PostgresStore::builder().host(host, port).database(database.name());
    builder.user("postgres").ceiling(CHUNK).open().unwrap()
}

fn ceilings_of(database: &Database) -> String {
    database.run("SELECT ceiling, pending FROM snowmint_segment WHERE tag = 'orders'")
}

/// Has commits wait for them.
pub(super) fn name_standbys(database: &Database, names: &str) {
    database.run(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"));
    database.run("SELECT pg_reload_conf()");
    let setting = "SELECT current_setting('synchronous_standby_names')";
    wait_until("the setting", || database.run(setting) == names);
}

/// A primary whose commits one standby has to confirm.
fn confirmed() -> Failover {
    Failover::with(&["synchronous_standby_names=copy"])
}

/// Nobody has to vouch, and what is skipped is the rest below the ceiling. With and without it.
#[test]
fn ranges_below_a_ceiling_wait_for_nobody_and_are_not_given_again() {
    let mut failover = confirmed();
    let store = below(&failover.database);
    assert_eq!(take(&store).unwrap(), 1);
    assert_eq!(ceilings_of(&failover.database), "101|101");
    failover.part();
    for start in [11, 21, 31] {
        assert_eq!(take(&store).unwrap(), start);
    }
    drop(store);

    let plain = failover.happen();
    assert_eq!(take(&*plain).unwrap(), 101);
    let store = below(&failover.copy);
    let message = refused(take(&store), Code::UnsafeSetting);
    assert!(message.contains("synchronous_standby_names = '2 (a, b)'"), "{message}");
    assert_eq!(take(&*plain).unwrap(), 111);
}

/// Waiting for nobody is not waiting for its own disk either.
#[test]
fn a_range_below_a_ceiling_outlives_a_crash() {
    let primary = Server::start(&["wal_writer_delay=10s"]);
    let database = with_orders(primary.database());
    let _standby = standby::Standby::of(&primary);
    // Ends before both.
    let mut primary = primary;
    name_standbys(&database, "copy");
    let store = below(&database);
    assert_eq!((take(&store).unwrap(), take(&store).unwrap()), (1, 11));
    primary.restart();
    assert_eq!(patiently(|| take(&store)), 21);
}

/// It names both servers, and an ID of what was lost is not seen again.
#[test]
fn a_source_goes_on_by_itself() {
    let mut failover = confirmed();
    let both = url_of_both(&failover.database, &failover.copy);
    let source = snowmint::open(&format!("segment+{both}&ceiling={CHUNK}&tag=orders")).unwrap();
    let mut last = source.next_id().unwrap();
    let next = failover.database.run("SELECT pending FROM snowmint_segment");
    assert_eq!(next, "101");
    failover.part();
    for _ in 0..30 {
        assert_eq!(source.next_id().unwrap(), last + 1);
        last += 1;
    }
    failover.happen();
    // There is a standby of its own, by the same name.
    let _second = standby::Standby::of(failover.standby.server());
    name_standbys(&failover.copy, "copy");
    wait_until("the first number above", || {
        source.next_id().inspect(|id| last = *id).is_ok() && last > 100
    });
    assert_eq!(last, 101);
}

/// As soon as it can be confirmed on the server that took over; and by a third one again.
#[test]
fn a_server_that_took_over_begins_above_what_was_confirmed() {
    let mut failover = confirmed();
    let before = below(&failover.database);
    assert_eq!(take(&before).unwrap(), 1);
    failover.part();
    assert_eq!(take(&before).unwrap(), 11);
    failover.happen();
    let second = standby::Standby::of(failover.standby.server());
    let third = second.named(failover.copy.name());
    name_standbys(&failover.copy, "copy");
    let store = below(&failover.copy);
    assert_eq!(take(&store).unwrap(), 101);
    assert_eq!(ceilings_of(&failover.copy), "201|201");
    second.catch_up(failover.standby.server());
    second.part();
    assert_eq!(take(&store).unwrap(), 111);
    drop((store, failover));
    second.promote();
    assert_eq!(take(&other(&third)).unwrap(), 201);
}

/// Its wait is cancelled: what it asked for can be seen, and is not used.
#[test]
fn a_ceiling_that_no_standby_confirmed_is_not_used() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    name_standbys(&database, "copy");
    // Ends before the database, whose end would wait for a standby as well.
    let _server = server;
    let store = below(&database);
    for _ in 0..2 {
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| take(&store));
            let cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity \
                          WHERE wait_event = 'SyncRep' AND application_name = 'snowmint'";
            wait_until("the wait", || database.run(cancel) != "0" || waiting.is_finished());
            refused(waiting.join().unwrap(), Code::OutcomeUnknown);
        });
        assert_eq!(ceilings_of(&database), "0|101");
    }
}

/// Nothing is raised where one that did not confirm it may be promoted.
#[test]
fn a_ceiling_needs_the_word_of_all_standbys() {
    let database = database();
    let store = below(&database);
    refused(take(&store), Code::UnsafeSetting);
    assert_eq!(ceilings_of(&database), "0|0");
    let plain = other(&database);
    assert_eq!(take(&plain).unwrap(), 1);
    let url = format!("{}&ceiling={CHUNK}", database.url);
    asking::examined(&url)
        .has("ceiling", Verdict::Refused, "may be promoted")
        .refuses(&["ceiling"]);
    for wrong in ["ceiling=0", "ceiling=1073741825", "ceiling=1&dialect=sequence"] {
        let opened = open_store(&format!("{}&{wrong}", database.url)).map(drop);
        refused(opened, Code::InvalidParameter);
    }
}

/// A way to a server on which each message takes 5 ms, there and back; gives its port.
fn long_way(to: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for near in listener.incoming() {
            let near = near.unwrap();
            let far = TcpStream::connect(("127.0.0.1", to)).unwrap();
            near.set_nodelay(true).unwrap();
            far.set_nodelay(true).unwrap();
            for (mut from, mut to) in [
                (near.try_clone().unwrap(), far.try_clone().unwrap()),
                (far.try_clone().unwrap(), near.try_clone().unwrap()),
            ] {
                std::thread::spawn(move || {
                    let mut chunk = [0; 65_536];
                    while let Ok(length @ 1..) = from.read(&mut chunk) {
                        std::thread::sleep(Duration::from_millis(5));
                        if to.write_all(&chunk[..length]).is_err() {
                            break;
                        }
                    }
                });
            }
        }
    });
    port
}

/// A standby 10 ms away, and disks that both servers write to. What a range then costs is printed,
/// of so many:
///
/// ```text
/// SNOWMINT_RANGES=1000 cargo test -p snowmint --all-features --test postgres far_away -- --nocapture
/// ```
#[test]
fn ranges_follow_each_other_whoever_confirms_them_far_away() {
    let times: u64 = std::env::var("SNOWMINT_RANGES").map_or(20, |count| count.parse().unwrap());
    let primary = Server::start(&[]);
    let database = with_orders(primary.database());
    let standby = standby::Standby::of(&primary);
    // Ends before both.
    let _primary = primary;
    let (host, port) = database.host_and_port();
    let way = format!("host={host} port={} user=postgres", long_way(port));
    let server = standby.server();
    server.run(&format!("ALTER SYSTEM SET primary_conninfo = '{way}'"));
    server.run("SELECT pg_reload_conf()");
    let receiver = "SELECT count(*) FROM pg_stat_wal_receiver WHERE status = 'streaming' \
                    AND conninfo NOT LIKE '%port={port} %'";
    let receiver = receiver.replace("{port}", &port.to_string());
    wait_until("the way", || server.run(&receiver) == "1");

    let figure = |what: &str, store: PostgresStore| {
        let first = take(&store).unwrap();
        let began = std::time::Instant::now();
        for nth in 1..=times {
            assert_eq!(take(&store).unwrap(), first + 10 * nth, "{what}");
        }
        println!("{what}: {:?} a range", began.elapsed().div_f64(times as f64));
    };
    figure("confirmed by nobody", other(&database));
    name_standbys(&database, "copy");
    figure("confirmed by a standby", other(&database));
    let builder = PostgresStore::builder().host(host, port).database(database.name());
    let below = builder.user("postgres").ceiling(1000).open().unwrap();
    figure("one of 100 ranges confirmed by a standby", below);
}
