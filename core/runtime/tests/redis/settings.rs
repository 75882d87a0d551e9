//! Servers that could lose what they acknowledged, and what users may not do.

use super::*;

#[test]
fn a_setting_that_could_lose_data_is_refused_unless_declared() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    for _ in 0..3 {
        take(&store).unwrap();
    }
    for (name, weak, right) in [
        ("appendfsync", "everysec", "always"),
        ("no-appendfsync-on-rewrite", "yes", "no"),
        ("appendonly", "no", "yes"),
    ] {
        database.run(&["CONFIG", "SET", name, weak]);
        let message = refused(take(&store), Code::UnsafeSetting);
        assert!(message.contains(name) && message.contains("durability=declared"), "{message}");
        refused(database.builder().open(), Code::UnsafeSetting);
        let declared = database.builder().durability_declared(true).open().unwrap();
        take(&declared).unwrap();
        let url = format!("{}?durability=declared", database.url);
        asking::examined(&url).has("durability", Verdict::Weaker, name);
        asking::examined(&database.url).has("durability", Verdict::Refused, name);
        database.run(&["CONFIG", "SET", name, right]);
    }
    asking::wait_until("the file", || take(&store).is_ok());
    database.run(&["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]);
    take(&store).unwrap();
    database.run(&["CONFIG", "SET", "maxmemory", "100mb"]);
    refused(take(&store), Code::UnsafeSetting);
    database.run(&["CONFIG", "SET", "maxmemory-policy", "volatile-lru"]);
    take(&store).unwrap();
}

/// A change that a server acknowledges before its first file is written is in no file.
#[test]
fn a_file_that_is_being_written_is_waited_for() {
    let mut server = Server::start(&["rdb-key-save-delay=20000"]);
    let database = with_orders(server.database());
    let store = other(&database);
    database.run(&["EVAL", "for i = 1, 500 do redis.call('SET', 'key' .. i, i) end", "0"]);
    assert_eq!(take(&store).unwrap(), 1);
    for value in ["no", "yes"] {
        database.run(&["CONFIG", "SET", "appendonly", value]);
    }
    for refused_all in [take(&store), database.builder().open().and_then(|new| take(&new))] {
        let message = refused(refused_all, Code::UnsafeSetting);
        assert!(message.contains("wait until INFO persistence"), "{message}");
    }
    asking::examined(&database.url).has("durability", Verdict::Refused, "wait until");
    server.restart();
    let numbers = [(); 2].map(|()| asking::patiently(|| take(&store)));
    assert_eq!(numbers, [11, 21]);
    database.run(&["CONFIG", "SET", "rdb-key-save-delay", "0"]);
    database.run(&["BGREWRITEAOF"]);
    asking::wait_until("the file", || take(&store).is_ok());
}

#[test]
fn a_server_without_memory_gives_nothing() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    database.run(&["CONFIG", "SET", "maxmemory", "1"]);
    refused(take(&other(&database)), Code::StoreFull);
    database.run(&["CONFIG", "SET", "maxmemory", "0"]);
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

#[test]
fn a_server_that_takes_nobody_else_in_is_overloaded() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    database.run(&["CONFIG", "SET", "maxclients", "1"]);
    let message = refused(database.builder().open(), Code::Overloaded);
    assert!(message.contains("maxclients"), "{message}");
    assert_eq!(take(&store).unwrap(), 1);
    drop(store);
    assert_eq!(asking::patiently(|| take(&database.builder().open()?)), 11);
}

#[test]
fn a_server_that_reads_its_file_is_waited_for() {
    // It looks up from that once in a thousand keys.
    let mut server = Server::start(&["key-load-delay=1000"]);
    let database = with_orders(server.database());
    database.run(&["EVAL", "for i = 1, 6000 do redis.call('SET', 'key' .. i, i) end", "0"]);
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    server.end();
    std::thread::scope(|scope| {
        let start = scope.spawn(|| server.start_again());
        asking::wait_until("a refusal", || {
            let message = refused(take(&store), Code::StoreUnavailable);
            message.contains("LOADING") && message.contains("ask again when that is done")
        });
        start.join().unwrap();
    });
    assert_eq!(asking::patiently(|| take(&store)), 11);
}

#[test]
fn replicas_are_refused_and_so_are_servers_that_have_some() {
    let (server, follower) = (Server::start(&[]), Server::start(&[]));
    let (database, replica) = (with_orders(server.database()), follower.database());
    let (store, (host, port)) = (other(&database), database.host_and_port());
    replica.run(&["REPLICAOF", &host, &port.to_string()]);
    let told = || database.run(&["INFO", "replication"]);
    asking::wait_until("the replica", || told().contains("connected_slaves:1"));
    let message = refused(take(&store), Code::UnsafeSetting);
    assert!(message.contains("1 replicas"), "{message}");
    take(&database.builder().durability_declared(true).open().unwrap()).unwrap();
    for is_declared in [false, true] {
        let opened = replica.builder().durability_declared(is_declared).open();
        refused(opened, Code::StoreReadOnly);
    }
    asking::examined(&replica.url).has("server", Verdict::Refused, "replica");
}

#[test]
fn users_are_told_what_they_lack() {
    let server = Server::start(&[]);
    let anonymous = with_orders(server.database_of("")).builder();
    server.database().run(&["CONFIG", "SET", "requirepass", "S3CRET"]);
    let database = server.database_of("S3CRET");
    let message = refused(anonymous.clone().open(), Code::StoreDenied);
    assert!(message.contains("REDISCLI_AUTH"), "{message}");
    let message = refused(anonymous.clone().password("W0RD").open(), Code::StoreDenied);
    assert!(message.contains("check the user") && !message.contains("W0RD"), "{message}");
    assert_eq!(take(&anonymous.clone().password("S3CRET").open().unwrap()).unwrap(), 1);
    database.run(&[
        "ACL",
        "SETUSER",
        "ids",
        "on",
        ">S3CRET",
        "~snowmint:*",
        "+eval",
        "+time",
        "+info",
        "+config|get",
        "+select",
        "+hget",
        "+hgetall",
        "+hkeys",
        "+hlen",
        "+hset",
        "+hsetnx",
        "+pttl",
    ]);
    database.run(&["ACL", "SETUSER", "open", "on", "nopass", "~snowmint:*", "+@all"]);
    assert_eq!(take(&anonymous.clone().user("open").open().unwrap()).unwrap(), 11);
    let ids = anonymous.user("ids").password("S3CRET");
    assert_eq!(take(&ids.clone().open().unwrap()).unwrap(), 21);
    database.run(&["ACL", "SETUSER", "ids", "-config"]);
    let message = refused(ids.clone().open(), Code::StoreDenied);
    assert!(message.contains("CONFIG|GET"), "{message}");
    assert_eq!(take(&ids.durability_declared(true).open().unwrap()).unwrap(), 31);
}
