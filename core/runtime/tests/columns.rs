//! Numbers in a table that is not ours, whatever database it is in.
#![cfg(all(unix, feature = "sqlite", feature = "postgres", feature = "mysql"))]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use rusqlite::Connection;
use snowmint::{Code, common_ids, largest_id};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "mysql/server.rs"]
mod mysql;
#[path = "own_server/mod.rs"]
#[allow(dead_code, reason = "what other tests need of it")]
mod own_server;
#[allow(dead_code, reason = "of more tests than these")]
#[path = "postgres/server.rs"]
mod postgres;

/// In a database without tables of ours.
fn is_read(url: &str, run: &dyn Fn(&str)) {
    let of = |column: &str| {
        let largest = largest_id(url, &column.parse().unwrap());
        largest.map_err(|error| (error.code(), error.to_string()))
    };
    run("CREATE TABLE orders (id bigint, small smallint, half double precision, name varchar(9))");
    assert_eq!(of("orders.id"), Ok(None));
    run("INSERT INTO orders VALUES (-5, -1, 0.5, '9')");
    assert_eq!(of("orders.id"), Ok(None));
    run("INSERT INTO orders VALUES (9007199254740993, 12, 1.5, '10'), (41, 13, 0, '11')");
    assert_eq!(of("orders.id"), Ok(Some(9_007_199_254_740_993)));
    assert_eq!(of("orders.small"), Ok(Some(13)));
    // 9 is the last of such texts.
    for (column, why) in [
        ("orders.name", "whole numbers"),
        ("orders.half", "whole numbers"),
        ("orders.nothing", "there is no orders.nothing"),
        ("nothing.id", "there is no nothing.id"),
        ("nowhere.orders.id", "there is no nowhere.orders.id"),
        ("orders\"; DROP TABLE orders; --.id", "there is no"),
    ] {
        let (code, message) = of(column).unwrap_err();
        assert_eq!(code, Code::InvalidParameter, "{column}: {message}");
        assert!(message.contains(why), "{column}: {message}");
    }
    run("INSERT INTO orders VALUES (9223372036854775807, 0, 0, '')");
    assert_eq!(of("orders.id"), Ok(Some(9_223_372_036_854_775_807)));
}

/// Two tables of one database, over a page of numbers each.
fn are_compared(url: &str, run: &dyn Fn(&str)) {
    let add = |table: &str, numbers: Vec<i64>| {
        let rows: Vec<_> = numbers.iter().map(|number| format!("({number})")).collect();
        run(&format!("CREATE TABLE {table} (id bigint)"));
        run(&format!("INSERT INTO {table} VALUES {}", rows.join(",")));
    };
    add("every", (0..10_500).collect());
    add("sevenths", (-14..10_500).filter(|it| it % 7 == 0).chain([7, 7, i64::MAX]).collect());
    add("evens", (0..10_500).filter(|it| it % 2 == 0).collect());
    add("odds", (0..10_500).filter(|it| it % 2 == 1).collect());
    let common = |one: &str, other: &str| {
        let (one, other) = (one.parse().unwrap(), other.parse().unwrap());
        let mut read = 0;
        let common = common_ids((url, &one), (url, &other), |count| read = count).unwrap();
        assert!(read > 0);
        (common.count, common.lowest)
    };
    let lowest: Vec<_> = (0..10).map(|it| it * 7).collect();
    assert_eq!(common("every.id", "sevenths.id"), (1500, lowest.clone()));
    assert_eq!(common("sevenths.id", "every.id"), (1500, lowest));
    assert_eq!(common("evens.id", "odds.id"), (0, vec![]));
    let (every, none) = ("every.id".parse().unwrap(), "none.id".parse().unwrap());
    let error = common_ids((url, &every), (url, &none), |_| {}).unwrap_err();
    assert_eq!(error.code(), Code::InvalidParameter);
}

#[test]
fn columns_of_sqlite_are_read_and_compared() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("shop.db");
    let connection = Connection::open(&path).unwrap();
    let url = format!("sqlite:{}", path.display());
    is_read(&url, &|statement| connection.execute_batch(statement).unwrap());
    are_compared(&url, &|statement| connection.execute_batch(statement).unwrap());
    let of = |column: &str| largest_id(&url, &column.parse().unwrap()).unwrap();
    let counted = "CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, other INTEGER);
        INSERT INTO counted (other) VALUES (9), (8), (7); DELETE FROM counted WHERE id > 1";
    connection.execute_batch(counted).unwrap();
    assert_eq!(
        (of("Counted.ID"), of("counted.other"), of("evens.id")),
        (Some(3), Some(9), Some(10_498))
    );
    let missing = largest_id(&format!("{url}x"), &"orders.id".parse().unwrap()).unwrap_err();
    assert_eq!(missing.code(), Code::StoreMissing);
    assert!(!directory.path().join("shop.dbx").exists());
}

#[test]
fn columns_of_postgres_are_read_and_compared() {
    let database = postgres::Server::shared().database();
    is_read(&database.url, &|statement| drop(database.run(statement)));
    are_compared(&database.url, &|statement| drop(database.run(statement)));
    database.run("CREATE SCHEMA \"Shop\"; CREATE TABLE \"Shop\".\"Order\" (\"Id\" numeric(20))");
    database.run("INSERT INTO \"Shop\".\"Order\" VALUES (99), (9223372036854775808)");
    let column = "Shop.Order.Id".parse().unwrap();
    assert_eq!(largest_id(&database.url, &column).unwrap_err().code(), Code::InvalidParameter);
    database.run("DELETE FROM \"Shop\".\"Order\" WHERE \"Id\" > 99");
    assert_eq!(largest_id(&database.url, &column).unwrap(), Some(99));
}

#[test]
fn columns_of_mariadb_are_read_and_compared() {
    let database = mysql::Server::shared().database();
    is_read(&database.url, &|statement| drop(database.run(statement)));
    are_compared(&database.url, &|statement| drop(database.run(statement)));
    database.run(
        "CREATE TABLE big (id bigint unsigned); INSERT INTO big VALUES (18446744073709551615)",
    );
    let column = "big.id".parse().unwrap();
    assert_eq!(largest_id(&database.url, &column).unwrap_err().code(), Code::InvalidParameter);
    let named = format!("{}.orders.small", database.name()).parse().unwrap();
    assert_eq!(largest_id(&database.url, &named).unwrap(), Some(13));
}

#[test]
fn a_store_without_tables_has_no_columns() {
    let error = largest_id("memory:", &"orders.id".parse().unwrap()).unwrap_err();
    assert_eq!(error.code(), Code::Unsupported);
}
