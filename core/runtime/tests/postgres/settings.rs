//! Servers whose settings let a crash of their machine take back what they acknowledged.

use snowmint::{Dialect, Mint, open};

use super::asking::refused_to_open;
use super::*;

/// The settings without which a server is refused.
const DURABLE: [&str; 2] = ["fsync", "full_page_writes"];

/// Has a server read its configuration anew, with another value in it.
fn set(server: &Server, name: &str, value: &str) {
    server.run(&format!("ALTER SYSTEM SET {name} = {value}"));
    server.run("SELECT pg_reload_conf()");
    wait_until("the setting", || server.run(&format!("SHOW {name}")) == value);
}

#[test]
fn a_server_that_could_lose_a_commit_is_refused_and_the_cure_named() {
    let server = Server::start(&[]);
    let (database, empty) = (with_orders(server.database()), server.database());
    let store = other(&database);
    let (host, port) = database.host_and_port();
    let builder = PostgresStore::builder().host(host, port).database(database.name());
    let builder = builder.user("postgres").ssl_mode(snowmint::SslMode::Disable);
    let mut lease = store.acquire(&request("a"), &long()).unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    let mut next = 11;
    for name in DURABLE {
        set(&server, name, "off");
        let create = format!("{}&create=true", empty.url);
        // A store that was opened before finds out as well, and by the same connection.
        for refusal in [
            refused(take(&store), Code::UnsafeSetting),
            refused(take(&*open_store(&database.url).unwrap()), Code::UnsafeSetting),
            refused(store.acquire(&request("b"), &long()), Code::UnsafeSetting),
            refused(store.renew(&lease, 60_000, &long()), Code::UnsafeSetting),
            refused(store.release(&lease, &long()), Code::UnsafeSetting),
            refused(
                store.create_tag(&Tag::new("new").unwrap(), TagOptions::default()),
                Code::UnsafeSetting,
            ),
            refused(store.change_tag(&orders(), TagChange::default().step(7)), Code::UnsafeSetting),
            refused_to_open(&create, Code::UnsafeSetting),
        ] {
            assert!(refusal.contains(&format!("{name}=off")), "{refusal}");
            assert!(refusal.contains(&format!("ALTER SYSTEM SET {name} = on")), "{refusal}");
            assert!(refusal.contains("durability=declared"), "{refusal}");
        }
        // Nothing was done, and what only looks is let.
        assert_eq!(empty.run("SELECT count(*) FROM pg_class WHERE relname ~ 'snowmint'"), "0");
        let rows = store.tags().unwrap();
        let rows: Vec<_> = rows.iter().map(|row| (row.tag.as_str(), row.next, row.step)).collect();
        assert_eq!(rows, [("orders", next, 10)]);
        assert_eq!(store.workers().unwrap().len(), 1);
        let by_url = open_store(&declared(&database.url)).unwrap();
        assert_eq!(take(&*by_url).unwrap(), next);
        let by_builder = builder.clone().durability_declared(true).open().unwrap();
        assert_eq!(take(&by_builder).unwrap(), next + 10);
        set(&server, name, "on");
        assert_eq!(take(&store).unwrap(), next + 20);
        lease = store.renew(&lease, 60_000, &long()).unwrap();
        next += 30;
    }
}

#[test]
fn a_source_that_runs_is_refused_from_the_next_range_on_until_it_is_cured() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let source = open(&format!("segment+{}&tag=orders&step=10", database.url)).unwrap();
    assert_eq!(source.next_id().unwrap(), 1);
    set(&server, "fsync", "off");
    let mut last = 1;
    let mut next = || source.next_id().map(|id| last = id);
    let refusal = (0..1000).find_map(|_| next().err()).expect("what is not reserved is not given");
    assert_eq!(refusal.code(), Code::UnsafeSetting, "{refusal}");
    assert_eq!(store(&database).tag(&orders()).unwrap().unwrap().next, last + 1);
    set(&server, "fsync", "on");
    wait_until("the next range", || source.next_id().is_ok_and(|id| id > last));
}

#[test]
fn tables_and_sequences_of_others_are_refused_likewise() {
    let server = Server::start(&[]);
    let database = server.database();
    database.run(
        "CREATE TABLE leaf_alloc (biz_tag varchar(128) PRIMARY KEY, max_id bigint NOT NULL, \
         step int NOT NULL, description varchar(256), update_time timestamp); \
         INSERT INTO leaf_alloc VALUES ('orders', 1, 10, NULL, now()); \
         CREATE SEQUENCE orders INCREMENT BY 10",
    );
    let kept = "SELECT max_id || ' ' || is_called FROM leaf_alloc, orders";
    for name in DURABLE {
        set(&server, name, "off");
        let before = database.run(kept);
        for dialect in [Dialect::Leaf, Dialect::Sequence] {
            let url = format!("{}&dialect={dialect}", database.url);
            let store = open_store(&url).unwrap();
            let refusal = refused(take(&*store), Code::UnsafeSetting);
            assert!(refusal.contains(&format!("{name}=off")), "{refusal}");
            assert!(store.tag(&orders()).unwrap().is_some(), "{dialect} can be looked at");
            assert_eq!(store.tags().unwrap().len(), 1);
        }
        // A value that is drawn is not given back.
        assert_eq!(database.run(kept), before);
        set(&server, name, "on");
    }
    set(&server, "fsync", "off");
    for (dialect, first) in [(Dialect::Leaf, 1), (Dialect::SequenceLo, 1)] {
        let url = declared(&format!("{}&dialect={dialect}", database.url));
        assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), first, "{dialect}");
    }
}
