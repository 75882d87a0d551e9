//! Tables of other generators, in PostgreSQL.

use snowmint::{Code, Dialect, Mint, open_store};

use super::asking::{examined, refused_to_open};
use super::owners::{self, Owner};
use super::{Server, refused};

pub(super) const LEAF: Owner = Owner {
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
pub(super) const TINYID: Owner = Owner {
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
pub(super) const NETEASE: Owner = Owner {
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
pub(super) const COSID: Owner = Owner {
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

/// What makes a row of no use, with the code, and a part of the message.
pub(super) const CHANGED_ROWS: &[(Dialect, &str, Code, &str)] = &[
    (Dialect::Leaf, "UPDATE leaf_alloc SET step = -1", Code::StoreSchema, "step = -1"),
    (
        Dialect::Cosid,
        "UPDATE cosid SET last_max_id = 9223372036854775807",
        Code::TagExhausted,
        "orders",
    ),
];
/// The same of a table.
pub(super) const CHANGED_TABLES: &[(Dialect, &str, Code, &str)] = &[
    (Dialect::Leaf, "SELECT", Code::StoreMissing, "owner's script"),
    (Dialect::Netease, "SELECT", Code::StoreSchema, "lacks step"),
    (
        Dialect::Cosid,
        "ALTER TABLE cosid ALTER COLUMN last_max_id TYPE text",
        Code::StoreSchema,
        "last_max_id of type text",
    ),
];

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

pub(super) const WORKER_NODE: &str = "
    CREATE TABLE WORKER_NODE (
        ID bigserial PRIMARY KEY,
        HOST_NAME varchar(64) NOT NULL,
        PORT varchar(64) NOT NULL,
        TYPE int NOT NULL,
        LAUNCH_DATE date NOT NULL,
        MODIFIED timestamp NOT NULL,
        CREATED timestamp NOT NULL
    )";
pub(super) const STARTED: &str = "INSERT INTO WORKER_NODE
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
