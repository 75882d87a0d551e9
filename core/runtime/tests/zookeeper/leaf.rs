//! Worker IDs of Leaf's own nodes, beside its servers.

use std::path::Path;
use std::thread::sleep;
use std::time::{SystemTime, UNIX_EPOCH};

use snowmint::{LeafNodes, Lease, Mint};

use super::*;

const HOUR_MS: i64 = 3_600_000;
const ADDRESS: &str = "10.0.0.7:8080";

fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis().try_into().unwrap()
}

fn at(database: &Database, address: &str) -> LeafNodes {
    database.builder().leaf(address).open().unwrap()
}

fn cached(database: &Database, directory: &Path) -> LeafNodes {
    database.builder().leaf(ADDRESS).cache(directory).open().unwrap()
}

fn take_of(nodes: &LeafNodes) -> snowmint::Result<Lease> {
    let mut request = request("one");
    request.max_worker_id = 1023;
    request.reserve_ms = 2_000;
    nodes.acquire(&request, &long())
}

/// As one of Leaf's servers makes its node, and writes it every three seconds.
fn leafs_server(database: &Database, address: &str, told_ms: i64) {
    let (ip, port) = address.split_once(':').unwrap();
    let data = format!(r#"{{"ip":"{ip}","port":"{port}","timestamp":{told_ms}}}"#);
    database.run(&["create", "-s", &database.path(&format!("forever/{address}-")), &data]);
}

/// Nodes of a Leaf that has none yet.
fn leafs() -> Database {
    let database = Server::shared().database();
    // The call makes the nodes above.
    asking::patiently(|| at(&database, "10.0.0.1:8080").workers());
    database
}

#[test]
fn each_address_has_a_number_for_ever() {
    let database = Server::shared().database();
    let (first, second) = (at(&database, ADDRESS), at(&database, "10.0.0.8:8080"));
    let lease = take_of(&first).unwrap();
    assert_eq!((lease.worker_id, take_of(&second).unwrap().worker_id), (0, 1));
    let told = database.get(&format!("forever/{ADDRESS}-0000000000"));
    let wanted =
        format!(r#"{{"ip": "10.0.0.7", "port": "8080", "timestamp": {}}}"#, lease.reserved_ms);
    assert_eq!(told, wanted);
    let rows = first.workers().unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.worker_id, row.owner.as_str())).collect();
    assert_eq!(rows, [(0, ADDRESS), (1, "10.0.0.8:8080")]);
    sleep(Duration::from_secs(3));
    assert_eq!(take_of(&at(&database, ADDRESS)).unwrap().worker_id, 0);
}

#[test]
fn one_of_two_servers_with_an_address_waits_and_the_other_loses_it() {
    let database = Server::shared().database();
    let (first, second) = (at(&database, ADDRESS), at(&database, ADDRESS));
    let before = take_of(&first).unwrap();
    let message = refused(take_of(&second), Code::WorkersExhausted);
    assert!(message.contains(ADDRESS), "{message}");
    refused(take_of(&first), Code::WorkersExhausted);
    let renewed = first.renew(&before, 2_000, &long()).unwrap();
    assert!(renewed.reserved_ms > before.reserved_ms);
    let after = asking::patiently(|| take_of(&second));
    assert!(after.floor_ms >= renewed.reserved_ms);
    refused(first.renew(&renewed, 2_000, &long()), Code::LeaseLost);
    second.renew(&after, 2_000, &long()).unwrap();
}

#[test]
fn a_lease_begins_above_the_time_a_server_of_leafs_told() {
    let database = leafs();
    let told_ms = now_ms() + 500;
    leafs_server(&database, ADDRESS, told_ms);
    let lease = asking::patiently(|| take_of(&at(&database, ADDRESS)));
    assert!(lease.floor_ms >= told_ms + 3_000);
}

#[test]
fn a_clock_far_behind_its_own_node_is_refused() {
    let database = leafs();
    leafs_server(&database, ADDRESS, now_ms() + HOUR_MS);
    let message = refused(take_of(&at(&database, ADDRESS)), Code::WorkersExhausted);
    let is_an_hour =
        ["35", "36"].iter().any(|it| message.contains(&format!("may be free in {it}")));
    assert!(is_an_hour, "{message}");
}

/// Leaf lets it in by the file: its own check is undone by what it does when a check fails.
#[test]
fn a_clock_an_hour_off_among_three_is_refused_and_the_cache_is_no_way_round() {
    let directory = tempfile::tempdir().unwrap();
    let database = leafs();
    let lease = asking::patiently(|| take_of(&cached(&database, directory.path())));
    sleep(Duration::from_secs(3));
    for peer in ["10.0.0.1:1", "10.0.0.2:1", "10.0.0.3:1"] {
        leafs_server(&database, peer, now_ms() + HOUR_MS);
    }
    for nodes in [at(&database, ADDRESS), cached(&database, directory.path())] {
        let message = refused(take_of(&nodes), Code::ClockDiffers);
        assert!(message.contains("ms behind the average"), "{message}");
    }
    let url = format!("{}?dialect=leaf&address=10.0.0.9:1", database.url());
    asking::examined(&url).has("clock", Verdict::Refused, "behind the average");
    // Once they are gone, or mended, it has what it had.
    sleep(Duration::from_secs(10));
    let again = take_of(&cached(&database, directory.path())).unwrap();
    assert_eq!(again.worker_id, lease.worker_id);
}

#[test]
fn with_a_cache_it_goes_on_while_zookeeper_is_away() {
    let mut server = Server::start(&[]);
    let (database, directory) = (server.database(), tempfile::tempdir().unwrap());
    let (kept, without) = (cached(&database, directory.path()), at(&database, "10.0.0.8:8080"));
    let (lease, other) = (answered(|| take_of(&kept)), asking::patiently(|| take_of(&without)));
    let file = std::fs::read_to_string(directory.path().join("workerID.properties")).unwrap();
    assert_eq!(file, "workerID=0");
    server.end();
    // The renewal may have been sent before the connection was found to be gone.
    let code = without.renew(&other, 2_000, &long()).unwrap_err().code();
    assert!([Code::StoreUnavailable, Code::OutcomeUnknown].contains(&code), "{code}");
    let renewed = kept.renew(&lease, 2_000, &long()).unwrap();
    assert!(renewed.reserved_ms > lease.reserved_ms);
    refused(take_of(&cached(&database, directory.path())), Code::WorkerInUse);
    // Killed, and started again before ZooKeeper is.
    drop(kept);
    let again = cached(&database, directory.path());
    refused(take_of(&again), Code::WorkersExhausted);
    let again_lease = asking::patiently(|| take_of(&again));
    assert!(again_lease.floor_ms >= renewed.reserved_ms);
    refused(take_of(&at(&database, "10.0.0.8:8080")), Code::StoreUnavailable);
    server.start_again();
    // Renewals go on by the cache until there is a connection.
    let mut back = again_lease;
    asking::wait_until("ZooKeeper is told", || {
        back = asking::patiently(|| again.renew(&back, 2_000, &long()));
        let told = database.get(&format!("forever/{ADDRESS}-0000000000"));
        told.contains(&back.reserved_ms.to_string())
    });
}

/// Takes a lease from a server that is up. With a cache, a server that does not answer in time is
/// taken for one that is away.
fn answered(take: impl Fn() -> snowmint::Result<Lease>) -> Lease {
    let is_away = |it: &snowmint::Result<Lease>| {
        it.as_ref().is_err_and(|error| error.code() == Code::StateMissing)
    };
    asking::patiently(|| (0..20).map(|_| take()).find(|it| !is_away(it)).unwrap())
}

/// The cure in the message is enough, and the address keeps its worker ID.
#[test]
fn a_cache_that_was_overwritten_is_deleted_while_zookeeper_is_up() {
    let (database, directory) = (Server::shared().database(), tempfile::tempdir().unwrap());
    let again = || take_of(&cached(&database, directory.path()));
    let lease = answered(again);
    let mark = directory.path().join("worker-0.mark");
    std::fs::write(&mark, "by hand").unwrap();
    let message = refused(again(), Code::StateCorrupt);
    assert!(
        message.contains("ZooKeeper, which knows the rest, must be up")
            && message.contains("Delete it"),
        "{message}"
    );
    std::fs::remove_file(&mark).unwrap();
    let again = answered(again);
    assert_eq!(again.worker_id, lease.worker_id);
    assert!(again.floor_ms >= lease.reserved_ms);
}

/// It takes connections, and says nothing: a lease is shorter than what a call may take.
#[test]
fn a_source_with_a_cache_goes_on_while_zookeeper_is_silent() {
    let (mut database, directory) = (Server::shared().database(), tempfile::tempdir().unwrap());
    let cache = directory.path().display();
    let leaf = format!("dialect=leaf&address={ADDRESS}&cache={cache}&layout=leaf&wait_ms=2000");
    let url = |database: &Database| format!("snowflake+{}?{leaf}", database.url());
    let before = open(&url(&database)).unwrap().next_id().unwrap();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    database.addresses = vec![silent.local_addr().unwrap().to_string()];
    let source = asking::patiently(|| open(&url(&database)));
    let mut last = asking::patiently(|| source.next_id());
    assert!(last > before);
    for _ in 0..200 {
        sleep(Duration::from_millis(40));
        let id = source.next_id().unwrap();
        assert!(id > last);
        last = id;
    }
}

#[test]
fn a_node_or_request_that_does_not_suit_leaf_is_refused() {
    let database = leafs();
    database.run(&["create", "-s", &database.path(&format!("forever/{ADDRESS}-")), "none"]);
    refused(take_of(&at(&database, ADDRESS)), Code::StoreSchema);
    let nodes = at(&database, "10.0.0.9:1");
    let mut small = request("one");
    small.max_worker_id = 0;
    let message = refused(nodes.acquire(&small, &long()), Code::WorkersExhausted);
    assert!(message.contains("worker IDs end at 0"), "{message}");
    refused(nodes.create_tag(&orders(), TagOptions::default()), Code::Unsupported);
    let url = format!("{}?dialect=leaf&address=a", database.url());
    refused(open_store(&url).map(drop), Code::InvalidParameter);
    refused(snowmint::migrate(&url.replace("=a", "=a:1")), Code::Unsupported);
}

/// With its own renewals: one that is killed and starts again at its address repeats nothing.
#[test]
fn sources_mint_by_url() {
    let database = Server::shared().database();
    let url = format!("snowflake+{}?dialect=leaf&address={ADDRESS}&layout=leaf", database.url());
    let source = open(&url).unwrap();
    let first = source.next_id().unwrap();
    sleep(Duration::from_secs(5));
    let last = source.next_id().unwrap();
    assert!(last > first);
    let reserved_ms = at(&database, ADDRESS).workers().unwrap()[0].reserved_ms;
    assert!(reserved_ms <= now_ms() + 3_000, "as often as Leaf tells the time");
    source.close_within(Duration::from_secs(10)).unwrap();
    let again = asking::patiently(|| open(&url));
    assert!(asking::patiently(|| again.next_id()) > last);
}
