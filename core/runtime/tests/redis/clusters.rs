//! Clusters: our keys lie on one node, wherever that is at the moment.

use snowmint::Mint;
use std::process::Command;

use super::asking::of_sources;
use super::*;

const KEYS: [&str; 2] = ["{snowmint}:schema", "{snowmint}:tags"];

/// Three nodes that are one cluster, without replicas.
fn cluster() -> [Server; 3] {
    let nodes = [(); 3].map(|()| {
        let port = format!("cluster-port={}", own_server::free_port());
        Server::start(&["cluster-enabled=yes", &port, "cluster-node-timeout=5000"])
    });
    let mut command = Command::new("redis-cli");
    command.args(["--cluster", "create"]).args(nodes.each_ref().map(address));
    let output = command.arg("--cluster-yes").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    for node in &nodes {
        let database = node.database_of("");
        let is_up = || database.run(&["CLUSTER", "INFO"]).contains("cluster_state:ok");
        asking::wait_until("the cluster", is_up);
    }
    nodes
}

fn address(node: &Server) -> String {
    node.url.strip_prefix("redis://").unwrap().to_owned()
}

/// Returns the index of the node that has our keys.
fn owner(nodes: &[Server; 3]) -> usize {
    let has = |node: &Server| node.database_of("").asked(&["EXISTS", KEYS[0]]).0 == "1";
    nodes.iter().position(has).unwrap()
}

#[test]
fn the_node_that_has_the_keys_is_asked_wherever_it_is() {
    let nodes = cluster();
    let nobody = format!("127.0.0.1:{}", own_server::free_port());
    let url = format!("redis+cluster://{nobody},{},{}", address(&nodes[0]), address(&nodes[1]));
    let store = open_store(&format!("{url}?create=true")).unwrap();
    store.create_tag(&orders(), TagOptions::default().step(10)).unwrap();
    let source = open(&format!("segment+{url}?tag=orders&step=10")).unwrap();
    let flake = open(&format!("snowflake+{url}")).unwrap();
    let (first, id) = (source.next_id().unwrap(), flake.next_id().unwrap());
    let lease = store.acquire(&of_sources("a"), &long()).unwrap();
    assert_eq!(store.workers().unwrap().len(), 2);

    move_keys(&nodes);
    let next = asking::patiently(|| take(&*store));
    assert!(next > first);
    let attempt = long();
    asking::patiently(|| store.renew(&lease, 60_000, &attempt));
    assert_eq!(store.workers().unwrap().len(), 2);
    assert!(flake.next_id().unwrap() > id);
    let mut taken: Vec<u64> = (0..50).map(|_| asking::patiently(|| source.next_id())).collect();
    taken.sort_unstable();
    taken.dedup();
    assert_eq!(taken.len(), 50);
    asking::examined(&url).has("key space", Verdict::Ok, "begun");
}

/// The slot, and all in it, to another node.
fn move_keys(nodes: &[Server; 3]) {
    let from = owner(nodes);
    let to = (from + 1) % nodes.len();
    let [source, target] = [from, to].map(|at| nodes[at].database_of(""));
    let slot = source.run(&["CLUSTER", "KEYSLOT", KEYS[0]]);
    let [source_id, target_id] = [&source, &target].map(|node| node.run(&["CLUSTER", "MYID"]));
    target.run(&["CLUSTER", "SETSLOT", &slot, "IMPORTING", &source_id]);
    source.run(&["CLUSTER", "SETSLOT", &slot, "MIGRATING", &target_id]);
    let (host, port) = target.host_and_port();
    loop {
        let keys = source.run(&["CLUSTER", "GETKEYSINSLOT", &slot, "10"]);
        if keys.is_empty() {
            break;
        }
        let port = port.to_string();
        let mut migrate = vec!["MIGRATE", &host, &port, "", "0", "5000", "KEYS"];
        migrate.extend(keys.lines());
        source.run(&migrate);
    }
    for node in [&target, &source] {
        node.run(&["CLUSTER", "SETSLOT", &slot, "NODE", &target_id]);
    }
}

#[test]
fn a_server_in_the_wrong_cluster_mode_is_refused() {
    let alone = Server::shared().database();
    let address = alone.url.strip_prefix("redis://").unwrap().split('/').next().unwrap();
    let message = refused(
        open_store(&format!("redis+cluster://{address}")).map(drop),
        Code::StoreUnavailable,
    );
    assert!(message.contains("cluster support disabled"), "{message}");
    let port = format!("cluster-port={}", own_server::free_port());
    let node = Server::start(&["cluster-enabled=yes", &port]);
    let url = format!("redis+cluster://{}", self::address(&node));
    let message = refused(open_store(&url).map(drop), Code::StoreUnavailable);
    assert!(message.contains("no node has slot"), "{message}");
    let message = refused(open_store(&node.url).map(drop), Code::StoreUnavailable);
    assert!(message.contains("nodes of its cluster are down"), "{message}");
    let counters = RedisStore::builder().cluster([("127.0.0.1", Some(1))]).counters();
    refused(counters.open().map(drop), Code::Unsupported);
}
