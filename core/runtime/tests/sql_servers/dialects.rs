//! Other generators on their tables, beside a store of ours.

use snowmint::{Code, Dialect, open_store};

use crate::Server;
use crate::asking::refused_to_open;
use crate::dialects::{
    CHANGED_ROWS, CHANGED_TABLES, COSID, LEAF, NETEASE, STARTED, TINYID, WORKER_NODE,
};
use crate::owners::{self, Owner};
use crate::proxy::Proxy;

fn stand_beside(owner: &Owner) {
    let database = Server::shared().database();
    owners::stand_beside(owner, &database.url, |statements| database.run(statements));
}

#[test]
fn leaf_and_we_never_meet() {
    stand_beside(&LEAF);
}

#[test]
fn tinyid_and_we_never_meet() {
    stand_beside(&TINYID);
}

#[test]
fn netease_and_we_never_meet() {
    stand_beside(&NETEASE);
}

#[test]
fn cosid_and_we_never_meet() {
    stand_beside(&COSID);
}

#[test]
fn tags_of_others_are_kept_as_they_keep_them() {
    for owner in [LEAF, TINYID, NETEASE, COSID] {
        let database = Server::shared().database();
        owners::keep_tags(&owner, &database.url, |statements| database.run(statements));
    }
}

#[test]
fn a_source_whose_tag_went_back_stops_until_it_is_opened_anew() {
    let database = Server::shared().database();
    let run = |statements: &str| database.run(statements);
    owners::stop_where_it_went_back(&LEAF, &database.url, run);
}

#[test]
fn a_range_whose_commit_is_unknown_is_given_up() {
    let database = Server::shared().database();
    database.run(LEAF.script);
    let proxy = Proxy::before(&database);
    let (host, port) = database.host_and_port();
    let there = format!("127.0.0.1:{}", proxy.port);
    let url = database.url_with(&format!("{host}:{port}"), &there);
    let store = open_store(&format!("{url}&dialect=leaf")).unwrap();
    owners::give_up_what_is_unknown(&*store, |fate| proxy.next(fate));
}

#[test]
fn a_row_that_nobody_can_use_is_named() {
    let database = Server::shared().database();
    for owner in [LEAF, TINYID, NETEASE, COSID] {
        database.run(owner.script);
    }
    use Code::{StoreSchema, TagExhausted, UnknownTag};
    let run = |statements: &str| database.run(statements);
    owners::refuse_rows(&database.url, run, CHANGED_ROWS);
    owners::refuse_rows(
        &database.url,
        run,
        &[
            (Dialect::Leaf, "UPDATE leaf_alloc SET step = 0", StoreSchema, "step = 0"),
            (
                Dialect::Leaf,
                "UPDATE leaf_alloc SET step = 10, max_id = -5",
                StoreSchema,
                "max_id = -5",
            ),
            (
                Dialect::Leaf,
                "UPDATE leaf_alloc SET max_id = 9223372036854775800",
                TagExhausted,
                "orders",
            ),
            (Dialect::Leaf, "DELETE FROM leaf_alloc", UnknownTag, "orders"),
            (Dialect::Leaf, "DROP TABLE leaf_alloc", Code::StoreMissing, "leaf_alloc"),
            (Dialect::Netease, "UPDATE segment_id SET max = NULL", StoreSchema, "max = NULL"),
            (
                Dialect::Netease,
                "UPDATE segment_id SET max = 0, step = NULL",
                StoreSchema,
                "step = NULL",
            ),
            (
                Dialect::Netease,
                "UPDATE segment_id SET step = 10;
                 INSERT INTO segment_id (biz_type) VALUES ('orders')",
                StoreSchema,
                "2 rows",
            ),
            (Dialect::Netease, "ALTER TABLE segment_id DROP COLUMN step", StoreSchema, "step"),
            (Dialect::Tinyid, "UPDATE tiny_id_info SET delta = 0", StoreSchema, "delta = 0"),
            (
                Dialect::Tinyid,
                "UPDATE tiny_id_info SET delta = 2, remainder = 2",
                StoreSchema,
                "remainder = 2",
            ),
        ],
    );
    for (dialect, change, code, told) in CHANGED_TABLES {
        database.run(change);
        let url = format!("{}&dialect={dialect}", database.url);
        let shown = refused_to_open(&url, *code);
        assert!(shown.contains(told), "{shown}");
    }
}

#[test]
fn baidus_worker_ids_and_ours_never_meet() {
    let database = Server::shared().database();
    owners::nodes::stand_beside(&database.url, WORKER_NODE, STARTED, |statements| {
        database.run(statements)
    });
}

#[test]
fn a_worker_id_of_a_row_is_renewed_by_its_token() {
    let database = Server::shared().database();
    owners::nodes::keep_leases(&database.url, WORKER_NODE, &|statements| database.run(statements));
}

#[test]
fn sources_mint_by_worker_ids_of_rows() {
    let database = Server::shared().database();
    owners::nodes::mint(&database.url, WORKER_NODE, &|statements| database.run(statements));
}
