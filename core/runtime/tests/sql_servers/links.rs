//! The way to a server: hosts, restarts, servers that do not answer.

use std::net::TcpListener;

use snowmint::doctor::Verdict;
use snowmint::{Code, Mint, WorkerStore, open_store};

use crate::asking::{examined, long, refused, request, take};
use crate::links::{MODES, NO_SOCKET};
use crate::own_server::free_port;
use crate::proxy::Proxy;
use crate::{SCHEME, Server, database, other, with_orders};

#[test]
fn a_restarted_server_is_found_again() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    let mut last = take(&store).unwrap();
    let lease = store.acquire(&request("a"), &long()).unwrap();
    for _ in 0..2 {
        server.restart();
        let next = take(&store).unwrap();
        assert!(next > last, "{next} after {last}");
        last = next;
    }
    assert!(store.renew(&lease, 60_000, &long()).is_ok());
    drop(server);
    refused(take(&store), Code::StoreUnavailable);
}

/// By URL it opens the store, then takes a worker ID or looks the tag up.
#[test]
fn opening_waits_for_a_server_that_is_about_to_start() {
    let database = database();
    let (_, port) = database.host_and_port();
    for source in ["snowflake", "segment"] {
        let proxy = Proxy::refusing(&database, 3);
        let url = database.url_with(&format!(":{port}/"), &format!(":{}/", proxy.port));
        let tag = if source == "segment" { "&tag=orders" } else { "" };
        let opened = snowmint::open(&format!("{source}+{url}{tag}&wait_ms=60000"));
        opened.unwrap().next_id().unwrap();
    }
}

#[test]
fn several_hosts_are_tried_in_their_order() {
    let database = database();
    let closed = free_port();
    let (host, port) = database.host_and_port();
    let there = format!("{host}:{port}");
    let both = database.url_with(&there, &format!("{host}:{closed},{there}"));
    assert_eq!(take(&*open_store(&both).unwrap()).unwrap(), 1);
    let none = database.url_with(&there, &format!("{host}:{closed},[::1]:{closed}"));
    let message = refused(open_store(&none).map(drop), Code::StoreUnavailable);
    assert!(message.contains(&format!("[::1]:{closed} cannot be reached")), "{message}");
}

#[test]
fn a_silent_server_is_given_up_after_the_connect_timeout() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    for mode in MODES {
        let url = format!("{SCHEME}://ann:S3CRET@127.0.0.1:{port}/ids?connect_timeout=1&{mode}");
        let message = refused(open_store(&url).map(drop), Code::StoreUnavailable);
        assert!(message.contains("in time") && !message.contains("S3CRET"), "{message}");
    }
}

#[test]
fn nobody_there_is_said() {
    let port = free_port();
    let [socket, named] = NO_SOCKET;
    for (place, names) in [
        (format!("//ann:S3CRET@127.0.0.1:{port}/ids"), format!("127.0.0.1:{port}")),
        ("//ann:S3CRET@no-such-host.invalid/ids".to_owned(), "no-such-host.invalid".to_owned()),
        (format!("///ids?{socket}&user=ann&password=S3CRET"), named.to_owned()),
    ] {
        let error = open_store(&format!("{SCHEME}:{place}")).map(drop).unwrap_err();
        assert_eq!(error.code(), Code::StoreUnavailable, "{error}");
        let shown = format!("{error} {error:?}");
        assert!(shown.contains(&names) && !shown.contains("S3CRET"), "{shown}");
    }
}

#[test]
fn a_server_that_is_not_there_is_one_finding() {
    let url = format!("{SCHEME}://ann:S3CRET@127.0.0.1:1/ids");
    examined(&url).has("server", Verdict::Refused, "cannot be reached").refuses(&["server"]);
    let shown = format!("{:?}", snowmint::doctor::examine(&url));
    assert!(!shown.contains("S3CRET"), "{shown}");
}
