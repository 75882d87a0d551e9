//! Servers that could lose what they acknowledge, and those that take no changes.

use super::asking::refused_to_open;
use super::failovers::follow_and_take_changes;
use super::*;

#[test]
fn a_server_that_could_lose_a_commit_is_refused_and_the_cure_named() {
    let server = Server::start(&["log-bin", "sync-binlog=1"]);
    let database = with_orders(server.database());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    let mut next = 11;
    for (name, value) in [
        ("innodb_flush_log_at_trx_commit", 2),
        ("innodb_flush_log_at_trx_commit", 0),
        ("sync_binlog", 0),
    ] {
        server.run(&format!("SET GLOBAL {name} = {value}"));
        let says = format!("{name}={value}");
        // A store that was opened before finds out as well.
        for refusal in [
            refused(take(&store), Code::UnsafeSetting),
            refused(store.acquire(&request("a"), &long()), Code::UnsafeSetting),
            refused_to_open(&database.url, Code::UnsafeSetting),
        ] {
            assert!(refusal.contains(&says), "{refusal}");
            assert!(refusal.contains(&format!("SET GLOBAL {name} = 1")), "{refusal}");
            assert!(refusal.contains("durability=declared"), "{refusal}");
        }
        assert_eq!(store.tag(&orders()).unwrap().unwrap().next, next);
        let declared = open_store(&format!("{}&durability=declared", database.url)).unwrap();
        assert_eq!(take(&*declared).unwrap(), next);
        server.run(&format!("SET GLOBAL {name} = 1"));
        assert_eq!(take(&store).unwrap(), next + 10);
        next += 20;
    }
}

#[test]
fn a_server_that_never_syncs_is_refused() {
    for method in ["nosync", "littlesync"] {
        let server = Server::start(&[&format!("innodb-flush-method={method}")]);
        let mut database = server.database();
        let create = format!("{}&create=true", database.url);
        let message = refused_to_open(&create, Code::UnsafeSetting);
        assert!(message.contains(&format!("innodb_flush_method={method}")), "{message}");
        database.url = format!("{}&durability=declared", database.url);
        let database = with_orders(database);
        assert_eq!(take(&*open_store(&database.url).unwrap()).unwrap(), 1);
    }
}

/// A replica that lets this user write would give what its primary gives.
#[test]
fn a_replica_that_takes_changes_is_refused() {
    if !has_mariadb("sign of a replica that everybody may see") {
        return;
    }
    let primary = Server::start(&["log-bin", "sync-binlog=1", "server-id=1"]);
    let replica = Server::start(&["server-id=2"]);
    let database = with_orders(primary.database());
    let (host, port) = database.host_and_port();
    let store = other(&database);
    follow_and_take_changes(&replica, &database);
    let next = format!("SELECT max(next) FROM {}.snowmint_segment", database.name());
    let is_there = "SELECT count(*) FROM information_schema.tables \
                    WHERE table_name = 'snowmint_segment'";
    wait_until("its copy", || replica.run(is_there) == "1" && replica.run(&next) == "1");
    let copy = replica.named(database.name());
    let message = refused_to_open(&copy.url, Code::UnsafeSetting);
    assert!(message.contains("follows another") && message.contains("read_only = 1"), "{message}");
    let declared = open_store(&format!("{}&durability=declared", copy.url)).unwrap();
    // Nor is it taken for the other where that is vouched for.
    refused(take(&*declared), Code::IncarnationChanged);
    // Its primary is as any other server, and is found behind it.
    assert_eq!(take(&store).unwrap(), 1);
    let (there, behind) = copy.host_and_port();
    let both =
        copy.url_with(&format!("{there}:{behind}"), &format!("{there}:{behind},{host}:{port}"));
    assert_eq!(take(&*open_store(&both).unwrap()).unwrap(), 11);
}

/// It may have heard nothing of the other yet, and would go on where the other does.
#[test]
fn l1_a_former_primary_that_begins_to_follow_is_refused() {
    if !has_mariadb("sign of a replica that everybody may see") {
        return;
    }
    let server = Server::start(&["log-bin", "sync-binlog=1", "server-id=1"]);
    let database = with_orders(server.database());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    server.run(
        "CHANGE MASTER TO master_host = '127.0.0.1', master_port = 9, master_user = 'root', \
         master_use_gtid = current_pos; START SLAVE",
    );
    refused(take(&store), Code::UnsafeSetting);
    let declared = open_store(&format!("{}&durability=declared", database.url)).unwrap();
    refused(take(&*declared), Code::IncarnationChanged);
}

#[test]
fn a_server_that_takes_no_changes_is_passed_over() {
    let replica = Server::start(&[]);
    let there = with_orders(replica.database());
    let alone = other(&there);
    // The superuser may write all the same, and is not to.
    replica.run("SET GLOBAL read_only = 1");
    let message = refused(take(&alone), Code::StoreReadOnly);
    assert!(message.contains("name the primary"), "{message}");
    refused_to_open(&there.url, Code::StoreReadOnly);
    let primary = Server::shared();
    primary.run(&format!("CREATE DATABASE {}", there.name()));
    let (_, port) = there.host_and_port();
    let database = primary.named(there.name());
    let database = with_orders(database);
    let (_, primary_port) = database.host_and_port();
    let both = there.url_at(&[port, primary_port]);
    assert_eq!(take(&*open_store(&both).unwrap()).unwrap(), 1);
    assert_eq!(there.run("SELECT next FROM snowmint_segment"), "1");
    replica.run("SET GLOBAL read_only = 0");
    assert_eq!(take(&alone).unwrap(), 1);
}

/// A connection to what was the primary is not kept.
#[test]
fn a_primary_that_becomes_a_replica_is_left() {
    let server = Server::start(&[]);
    let there = with_orders(server.database());
    Server::shared().run(&format!("CREATE DATABASE {}", there.name()));
    let successor = with_orders(Server::shared().named(there.name()));
    // As one that follows it has.
    let key_space = there.run("SELECT key_space FROM snowmint_schema");
    successor.run(&format!("UPDATE snowmint_schema SET key_space = '{key_space}'"));
    let builder = [&there, &successor].iter().fold(MysqlStore::builder(), |builder, database| {
        let (host, port) = database.host_and_port();
        builder.host(host, port)
    });
    let store = builder.user("root").database(there.name()).open().unwrap();
    assert_eq!((take(&store).unwrap(), take(&store).unwrap()), (1, 11));
    server.run("SET GLOBAL read_only = 1");
    refused(take(&store), Code::StoreReadOnly);
    assert_eq!(take(&store).unwrap(), 1, "the successor's first");
}

/// The error names a setting of all sessions that is in the way.
#[test]
fn settings_that_are_in_the_way_are_named() {
    if !has_mariadb("max_statement_time") {
        return;
    }
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    server.run("SET GLOBAL max_statement_time = 0.3");
    let message = refused(take(&other(&database)), Code::StoreLocked);
    assert!(message.contains("max_statement_time"), "{message}");
    operator.run("ROLLBACK");
    server.run("SET GLOBAL max_statement_time = 0");
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

/// The server's settings for other users make no difference.
#[test]
fn modes_and_levels_of_the_server_change_nothing() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let (mode, isolation, read_only) = match server.is_mariadb() {
        true => ("ORACLE", "tx_isolation", "tx_read_only"),
        false => ("ANSI", "transaction_isolation", "transaction_read_only"),
    };
    for setting in [
        "sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES'",
        &format!("sql_mode = '{mode}'"),
        "time_zone = '-11:00'",
        &format!("{isolation} = 'SERIALIZABLE'"),
        "autocommit = 0",
        &format!("{read_only} = 1"),
        "completion_type = 'CHAIN'",
        "completion_type = 'RELEASE'",
        "sql_safe_updates = 1",
    ] {
        server.run(&format!("SET GLOBAL {setting}"));
        let store = other(&database);
        let before = store.tag(&orders()).unwrap().unwrap().next;
        assert_eq!(take(&store).unwrap(), before, "{setting}");
        let lease = store.acquire(&request("a"), &long()).unwrap();
        let now_ms = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis() as i64;
        assert!((lease.now_ms - now_ms).abs() < 3_600_000, "{setting}: {lease:?}");
        store.renew(&lease, 1000, &long()).unwrap();
        assert_eq!(take(&store).unwrap(), before + 10, "{setting}");
        assert_eq!(other(&database).tag(&orders()).unwrap().unwrap().next, before + 20);
        server.run(&format!("SET GLOBAL {read_only} = 0; SET GLOBAL completion_type = 0"));
    }
}
