//! Tests of the owners of nodes.

use super::*;

#[test]
fn users_are_told_what_they_lack() {
    let database = Server::shared().database();
    let named = database.builder().user("ids").password("S3CRET");
    let store = named.clone().create(true).open().unwrap();
    store.create_tag(&orders(), TagOptions::default().step(10)).unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    for stranger in [database.builder(), named.clone().password("W0RD"), named.clone().user("b")] {
        let message = refused(stranger.open(), Code::StoreDenied);
        assert!(message.contains("/schema: we may not"), "{message}");
        assert!(!message.contains("W0RD") && !message.contains("S3CRET"), "{message}");
    }
    let url = format!("{}?user=ids&password=S3CRET", database.url());
    assert_eq!(take(&*open_store(&url).unwrap()).unwrap(), 11);
}

#[test]
fn a_node_that_is_only_read_gives_nothing() {
    let database = database();
    let store = other(&database);
    database.run(&["setAcl", &database.path("tags/orders"), "world:anyone:r"]);
    let message = refused(take(&store), Code::StoreDenied);
    assert!(message.contains("/tags/orders: we may not"), "{message}");
    assert_eq!(store.tags().unwrap().len(), 1);
}
