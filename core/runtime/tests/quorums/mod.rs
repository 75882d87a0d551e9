//! Tests that etcd and ZooKeeper have in common. Each binary that includes them defines, by the names
//! that they import, its server and its members.

use snowmint::{Code, LeaseRequest, SegmentAdmin, Tag, TagOptions, WorkerAdmin, WorkerStore};

use crate::asking::{long, patiently, refused, request, take, wait_until};
use crate::server::{Database, Server};
use crate::values::{database, other, with_orders};

mod links;
pub(crate) mod members;

#[test]
fn a_key_space_is_not_begun_among_the_rows_of_another() {
    let outer = database();
    let open = |below: &str, create| {
        let inner = Database { prefix: format!("{}{below}", outer.prefix), ..outer.clone() };
        inner.builder().create(create).open().map(drop)
    };
    for below in ["/tags", "/workers/realm"] {
        let message = refused(open(below, true), Code::InvalidUrl);
        assert!(message.contains("keeps its rows"), "{message}");
        refused(open(below, false), Code::StoreMissing);
    }
    open("/tagsy", true).unwrap();
}

#[test]
fn a_tag_that_was_deleted_is_unknown() {
    let database = database();
    database.delete("tags/orders");
    refused(take(&other(&database)), Code::UnknownTag);
}

#[test]
fn realms_and_tags_may_have_names_that_nodes_cannot() {
    let mut database = database();
    database.prefix += "/deep/er";
    let store = database.builder().create(true).open().unwrap();
    for realm in ["a", "a/b", "a/b/7", "..", "%2E"] {
        let mut request = LeaseRequest::new(realm, "one");
        request.past_reserved = true; // of no layout
        store.acquire(&request, &long()).unwrap();
    }
    let rows = store.workers().unwrap();
    let realms: Vec<_> = rows.iter().map(|row| row.realm.as_str()).collect();
    assert_eq!(realms, ["%2E", "..", "a", "a/b", "a/b/7"]);
    let names = ["...", "a:b", "shop/orders"];
    for name in names {
        store.create_tag(&Tag::of_row(name).unwrap(), TagOptions::default()).unwrap();
    }
    let tags = store.tags().unwrap();
    assert_eq!(tags.iter().map(|row| row.tag.as_str()).collect::<Vec<_>>(), names);
}

/// Its files are those of before, and its name is the same.
#[test]
fn a_cluster_that_went_back_is_refused_by_who_knew_it() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    server.restart_with_files("keep");
    assert_eq!(patiently(|| take(&store)), 11);
    server.restart_with_files("back");
    let is_refused = || take(&store).is_err_and(|it| it.code() == Code::IncarnationChanged);
    wait_until("the refusal", is_refused);
    // Even once as much was done as before.
    for _ in 0..5 {
        patiently(|| take(&other(&database)));
    }
    refused(take(&store), Code::IncarnationChanged);
    refused(store.acquire(&request("a"), &long()), Code::IncarnationChanged);
}
