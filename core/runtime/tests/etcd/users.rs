//! Tests of users' rights and log-ins, and of a full database.

use super::*;

const ROOT: &[&str] = &["--user", "root:S3CRET"];

#[test]
fn users_are_told_what_they_lack() {
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    let below = format!("{}/", database.prefix);
    let named = database.builder().user("ids");
    let message = refused(named.clone().password("S3CRET").open(), Code::StoreDenied);
    assert!(message.contains("leave out the user"), "{message}");
    for user in ["root", "ids", "none"] {
        database.run(&["user", "add", &format!("{user}:S3CRET")]);
    }
    database.run(&["role", "add", "ids"]);
    database.run(&["role", "grant-permission", "ids", "--prefix=true", "readwrite", &below]);
    database.run(&["user", "grant-role", "ids", "ids"]);
    database.run(&["user", "grant-role", "root", "root"]);
    database.run(&["auth", "enable"]);
    let message = refused(database.builder().open(), Code::StoreDenied);
    assert!(message.contains("name a user"), "{message}");
    let message = refused(named.clone().password("W0RD").open(), Code::StoreDenied);
    assert!(message.contains("check the user") && !message.contains("W0RD"), "{message}");
    let message = refused(named.clone().user("none").password("S3CRET").open(), Code::StoreDenied);
    assert!(message.contains("read and write the keys"), "{message}");
    let store = named.clone().password("S3CRET").open().unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    database.run(&[ROOT, &["user", "add", "new:S3CRET"]].concat());
    assert_eq!(take(&store).unwrap(), 11);
}

#[test]
fn a_log_in_that_is_over_is_made_again() {
    let server = Server::start(&["auth-token-ttl=1"]);
    let database = with_orders(server.database());
    database.run(&["user", "add", "root:S3CRET"]);
    database.run(&["user", "grant-role", "root", "root"]);
    database.run(&["auth", "enable"]);
    let store = database.builder().user("root").password("S3CRET").open().unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(take(&store).unwrap(), 11);
    let lease = store.acquire(&request("a"), &long()).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    store.renew(&lease, 60_000, &long()).unwrap();
}

#[test]
fn a_full_database_gives_nothing() {
    let server = Server::start(&["quota-backend-bytes=2000000"]);
    let database = with_orders(server.database());
    let store = other(&database);
    let filler = "x".repeat(100_000);
    let mut left = 100;
    let fills = || {
        let arguments = ["--endpoints", &server.address(), "put", "filler", &filler];
        std::process::Command::new("etcdctl").args(arguments).output().unwrap().status.success()
    };
    while fills() {
        left -= 1;
        assert!(left > 0);
    }
    let message = refused(take(&store), Code::StoreFull);
    assert!(message.contains("disarm the alarm"), "{message}");
    asking::examined(&database.url()).has("server", Verdict::Refused, "NOSPACE");
}
