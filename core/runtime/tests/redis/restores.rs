//! Servers that were started again without anybody looking.

use super::*;

/// Whoever is new is told by its run ID, and goes on once an operator has looked.
#[test]
fn a_start_that_nobody_vouched_for_gives_nothing() {
    let mut server = Server::start(&["save=3600 1"]);
    let database = server.database_of("");
    let url = format!("{}?restarts=vouched", database.url);
    let began = open_store(&format!("{url}&create=true")).unwrap();
    began.create_tag(&orders(), TagOptions::default().step(10)).unwrap();
    assert_eq!((take(&*began).unwrap(), take(&*open_store(&url).unwrap()).unwrap()), (1, 11));
    // Back to a file of before, of which this server knows nothing.
    let older = database.run(&["HGET", "snowmint:tags", "orders"]);
    assert_eq!(take(&*began).unwrap(), 21);
    database.run(&["HSET", "snowmint:tags", "orders", &older]);
    server.restart();
    for refused_all in [take(&*began), open_store(&url).and_then(|new| take(&*new))] {
        let message = refused(refused_all, Code::IncarnationChanged);
        assert!(message.contains("snowmint recover --server "), "{message}");
    }
    let source = open(&format!("segment+{url}&tag=orders&wait_ms=0"));
    refused(source.map(drop), Code::IncarnationChanged);
    let vouch = snowmint::Vouch::new(2);
    refused(began.vouch(&vouch.clone().server(Some("b".into()))), Code::IncarnationChanged);
    refused(began.vouch(&vouch.clone().new_from(7)), Code::Unsupported);
    refused(take(&*began), Code::IncarnationChanged);
    // An operator has nothing open.
    let raised = open_store(&url).unwrap().vouch(&vouch.clone().new_from(1)).unwrap();
    assert_eq!((raised.len(), raised[0].next, raised[0].raises), (1, 41, 1));
    assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), 41);
    let attempt = long();
    began.acquire(&asking::request("a"), &attempt).unwrap();
    a_raise_passes_a_max_that_was_wider(&mut server, &url);
    // A store that does not ask for vouching has nothing to vouch for.
    let trusting = open_store(&database.url).unwrap();
    refused(trusting.vouch(&vouch), Code::Unsupported);
    refused(database.builder().restarts_vouched(true).counters().open(), Code::Unsupported);
}

/// A max that was widened is narrow again in a file of before.
fn a_raise_passes_a_max_that_was_wider(server: &mut Server, url: &str) {
    let narrow = TagOptions::default().step(10).max(5);
    let seats = snowmint::Tag::new("seats").unwrap();
    open_store(url).unwrap().create_tag(&seats, narrow).unwrap();
    server.restart();
    let vouch = snowmint::Vouch::new(2);
    open_store(url).unwrap().vouch(&vouch).unwrap();
    let store = open_store(url).unwrap();
    assert_eq!(store.tag(&seats).unwrap().unwrap().next, 21);
    let wide = TagChange::default().max(100);
    assert_eq!(store.change_tag(&seats, wide).unwrap().next, 21);
}
