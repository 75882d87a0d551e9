//! Tables of other generators, in PostgreSQL.

use snowmint::{Code, Dialect, Mint, open_store};

use super::asking::{examined, refused_to_open};
use super::owners::{self, Owner};
use super::proxy::Proxy;
use super::{Server, refused};

const LEAF: Owner = Owner {
    dialect: Dialect::Leaf,
    script: "
        CREATE TABLE leaf_alloc (
            biz_tag varchar(128) PRIMARY KEY DEFAULT '',
            max_id bigint NOT NULL DEFAULT 1,
            step int NOT NULL,
            description varchar(256),
            update_time timestamp NOT NULL DEFAULT now()
        );
        INSERT INTO leaf_alloc (biz_tag, step) VALUES ('orders', 10)",
    next: owners::leaf,
};
const TINYID: Owner = Owner {
    dialect: Dialect::Tinyid,
    script: "
        CREATE TABLE tiny_id_info (
            id bigserial PRIMARY KEY,
            biz_type varchar(63) NOT NULL DEFAULT '' UNIQUE,
            begin_id bigint NOT NULL DEFAULT 0,
            max_id bigint NOT NULL DEFAULT 0,
            step int DEFAULT 0,
            delta int NOT NULL DEFAULT 1,
            remainder int NOT NULL DEFAULT 0,
            create_time timestamp NOT NULL DEFAULT '2010-01-01 00:00:00',
            update_time timestamp NOT NULL DEFAULT '2010-01-01 00:00:00',
            version bigint NOT NULL DEFAULT 0
        );
        INSERT INTO tiny_id_info (biz_type, begin_id, max_id, step, delta, remainder, version)
        VALUES ('orders', 1, 1, 10, 2, 1, 1)",
    next: |run| owners::tinyid(run, &|update| format!("{update} RETURNING 1")),
};
const NETEASE: Owner = Owner {
    dialect: Dialect::Netease,
    script: "
        CREATE TABLE segment_id (
            id bigserial PRIMARY KEY,
            biz_type varchar(64) NOT NULL,
            max bigint DEFAULT 0,
            step bigint DEFAULT 10000
        );
        INSERT INTO segment_id (biz_type, step) VALUES ('orders', 10)",
    next: owners::netease,
};
const COSID: Owner = Owner {
    dialect: Dialect::Cosid,
    script: "
        CREATE TABLE cosid (
            name varchar(100) PRIMARY KEY,
            last_max_id bigint NOT NULL DEFAULT 0,
            last_fetch_time bigint NOT NULL
        );
        INSERT INTO cosid (name, last_fetch_time)
        VALUES ('orders', floor(extract(epoch FROM now())))",
    next: |run| owners::cosid(run, "floor(extract(epoch FROM now()))"),
};

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
    let url = format!(
        "postgres://postgres@127.0.0.1:{}/{}?sslmode=disable&dialect=leaf",
        proxy.port,
        database.name()
    );
    let store = open_store(&url).unwrap();
    owners::give_up_what_is_unknown(&*store, |fate| proxy.next(fate));
}

#[test]
fn a_row_that_nobody_can_use_is_named() {
    let database = Server::shared().database();
    for owner in [LEAF, TINYID, NETEASE, COSID] {
        database.run(owner.script);
    }
    use Code::{StoreSchema, TagExhausted, UnknownTag};
    owners::refuse_rows(
        &database.url,
        |statements| database.run(statements),
        &[
            (Dialect::Leaf, "UPDATE leaf_alloc SET step = 0", StoreSchema, "step = 0"),
            (Dialect::Leaf, "UPDATE leaf_alloc SET step = -1", StoreSchema, "step = -1"),
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
            (
                Dialect::Cosid,
                "UPDATE cosid SET last_max_id = 9223372036854775807",
                TagExhausted,
                "orders",
            ),
        ],
    );
    for (dialect, change, code, told) in [
        (Dialect::Leaf, "SELECT", Code::StoreMissing, "owner's script"),
        (Dialect::Netease, "SELECT", StoreSchema, "lacks step"),
        (
            Dialect::Cosid,
            "ALTER TABLE cosid ALTER COLUMN last_max_id TYPE text",
            StoreSchema,
            "last_max_id of type text",
        ),
    ] {
        database.run(change);
        let url = format!("{}&dialect={dialect}", database.url);
        let shown = refused_to_open(&url, code);
        assert!(shown.contains(told), "{shown}");
    }
}

#[test]
fn a_user_that_may_not_write_their_table_is_told_so() {
    let database = Server::shared().database();
    database.run(LEAF.script);
    let user = format!("reader_{}", database.name());
    database.run(&format!("CREATE ROLE {user} LOGIN; GRANT SELECT ON leaf_alloc TO {user}"));
    let url = database.url_with("//postgres@", &format!("//{user}@"));
    let store = open_store(&format!("{url}&dialect=leaf")).unwrap();
    examined(&format!("{url}&dialect=leaf")).refuses_by(Code::StoreDenied);
    let told = refused(super::take(&*store), Code::StoreDenied);
    assert!(told.contains("UPDATE ON leaf_alloc"), "{told}");
    drop(store);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

const WORKER_NODE: &str = "
    CREATE TABLE WORKER_NODE (
        ID bigserial PRIMARY KEY,
        HOST_NAME varchar(64) NOT NULL,
        PORT varchar(64) NOT NULL,
        TYPE int NOT NULL,
        LAUNCH_DATE date NOT NULL,
        MODIFIED timestamp NOT NULL,
        CREATED timestamp NOT NULL
    )";
const STARTED: &str = "INSERT INTO WORKER_NODE
    (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
    VALUES ('10.0.0.1', '1764000000000-123', 2, current_date, now(), now())
    RETURNING ID";

#[test]
fn a_table_of_another_name_is_named() {
    let database = Server::shared().database();
    let run = |statements: &str| database.run(statements);
    run("CREATE SCHEMA shop");
    owners::name_tables(
        &database.url,
        &run,
        &[
            (
                Dialect::Leaf,
                LEAF.script,
                "ALTER TABLE leaf_alloc RENAME TO \"T_leaf:x\"",
                "T_leaf:x",
            ),
            (
                Dialect::Tinyid,
                TINYID.script,
                "ALTER TABLE tiny_id_info SET SCHEMA shop",
                "shop.tiny_id_info",
            ),
        ],
    );
    run(&format!("{WORKER_NODE}; ALTER TABLE WORKER_NODE RENAME TO \"WORKER_NODE\""));
    let url = format!("{}&dialect=worker-node", database.url);
    refused_to_open(&url, Code::StoreMissing);
    let source = snowmint::open(&format!("snowflake+{url}&table=WORKER_NODE")).unwrap();
    source.next_id().unwrap();
    owners::name_no_rows(&database.url, &run, LEAF.script);
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

#[test]
fn l1_tables_that_a_crash_empties_are_refused() {
    let database = Server::shared().database();
    for (dialect, script, table) in
        [("leaf", LEAF.script, "leaf_alloc"), ("worker-node", WORKER_NODE, "WORKER_NODE")]
    {
        database.run(script);
        database.run(&format!("ALTER TABLE {table} SET UNLOGGED"));
        let url = format!("{}&dialect={dialect}", database.url);
        let message = refused_to_open(&url, Code::StoreSchema);
        assert!(message.contains("SET LOGGED"), "{message}");
        database.run(&format!(
            "ALTER TABLE {table} RENAME TO base; CREATE VIEW {table} AS SELECT * FROM base"
        ));
        refused_to_open(&url, Code::StoreSchema);
        database.run(&format!("DROP VIEW {table}; DROP TABLE base"));
    }
}
