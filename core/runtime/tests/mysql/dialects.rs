//! Tables of other generators, in MariaDB.

use snowmint::{Code, Dialect, Mint, open_store};

use super::owners::{self, Owner};
use super::{Server, refused};

pub(super) const LEAF: Owner = Owner {
    dialect: Dialect::Leaf,
    script: "
        CREATE TABLE `leaf_alloc` (
            `biz_tag` varchar(128) NOT NULL DEFAULT '',
            `max_id` bigint(20) NOT NULL DEFAULT '1',
            `step` int(11) NOT NULL,
            `description` varchar(256) DEFAULT NULL,
            `update_time` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
                ON UPDATE CURRENT_TIMESTAMP,
            PRIMARY KEY (`biz_tag`)
        ) ENGINE=InnoDB;
        INSERT INTO leaf_alloc (biz_tag, max_id, step, description) VALUES ('orders', 1, 10, '')",
    next: owners::leaf,
};
pub(super) const TINYID: Owner = Owner {
    dialect: Dialect::Tinyid,
    script: "
        CREATE TABLE `tiny_id_info` (
            `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
            `biz_type` varchar(63) NOT NULL DEFAULT '',
            `begin_id` bigint(20) NOT NULL DEFAULT '0',
            `max_id` bigint(20) NOT NULL DEFAULT '0',
            `step` int(11) DEFAULT '0',
            `delta` int(11) NOT NULL DEFAULT '1',
            `remainder` int(11) NOT NULL DEFAULT '0',
            `create_time` timestamp NOT NULL DEFAULT '2010-01-01 00:00:00',
            `update_time` timestamp NOT NULL DEFAULT '2010-01-01 00:00:00',
            `version` bigint(20) NOT NULL DEFAULT '0',
            PRIMARY KEY (`id`),
            UNIQUE KEY `uniq_biz_type` (`biz_type`)
        ) ENGINE=InnoDB DEFAULT CHARSET=utf8;
        INSERT INTO tiny_id_info (biz_type, begin_id, max_id, step, delta, remainder, version)
        VALUES ('orders', 1, 1, 10, 2, 1, 1)",
    next: |run| owners::tinyid(run, &|update| format!("{update}; SELECT row_count()")),
};
pub(super) const NETEASE: Owner = Owner {
    dialect: Dialect::Netease,
    script: "
        CREATE TABLE segment_id (
            id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
            biz_type varchar(64) NOT NULL,
            max bigint DEFAULT 0,
            step bigint DEFAULT 10000
        ) ENGINE=InnoDB;
        INSERT INTO segment_id (biz_type, step) VALUES ('orders', 10)",
    next: owners::netease,
};
pub(super) const COSID: Owner = Owner {
    dialect: Dialect::Cosid,
    script: "
        CREATE TABLE cosid (
            name            varchar(100)    NOT NULL COMMENT '{namespace}.{name}',
            last_max_id     bigint unsigned NOT NULL DEFAULT 0,
            last_fetch_time bigint unsigned NOT NULL DEFAULT 0,
            CONSTRAINT cosid_pk PRIMARY KEY (name)
        ) ENGINE=InnoDB;
        INSERT INTO cosid (name, last_max_id, last_fetch_time) VALUE ('orders', 0, unix_timestamp())",
    next: |run| owners::cosid(run, "unix_timestamp()"),
};

/// What makes a row of no use, with the code, and a part of the message.
pub(super) const CHANGED_ROWS: &[(Dialect, &str, Code, &str)] = &[(
    Dialect::Cosid,
    "UPDATE cosid SET last_max_id = 18446744073709551615",
    Code::TagExhausted,
    "orders",
)];
/// The same of a table.
pub(super) const CHANGED_TABLES: &[(Dialect, &str, Code, &str)] = &[
    (Dialect::Leaf, "SELECT 1", Code::StoreMissing, "owner's script"),
    (Dialect::Netease, "SELECT 1", Code::StoreSchema, "lacks step"),
    (
        Dialect::Cosid,
        "ALTER TABLE cosid MODIFY last_max_id varchar(20)",
        Code::StoreSchema,
        "last_max_id of type varchar",
    ),
    (
        Dialect::Tinyid,
        "ALTER TABLE tiny_id_info ENGINE = MyISAM",
        Code::StoreSchema,
        "kept by MyISAM",
    ),
    (
        Dialect::Tinyid,
        "RENAME TABLE tiny_id_info TO base; CREATE VIEW tiny_id_info AS SELECT * FROM base",
        Code::StoreSchema,
        "is a view",
    ),
];

#[test]
fn a_table_of_another_name_is_named() {
    let database = Server::shared().database();
    let run = |statements: &str| database.run(statements);
    let elsewhere = Server::shared().database();
    let moved = format!("RENAME TABLE tiny_id_info TO {}.tiny_id_info", elsewhere.name());
    let there = format!("{}.tiny_id_info", elsewhere.name());
    owners::name_tables(
        &database.url,
        &run,
        &[
            (Dialect::Leaf, LEAF.script, "RENAME TABLE leaf_alloc TO `T_leaf:x`", "T_leaf:x"),
            (Dialect::Tinyid, TINYID.script, &moved, &there),
        ],
    );
    run(&WORKER_NODE.replace("WORKER_NODE", "worker_node"));
    let url = format!("{}&dialect=worker-node&table=worker_node", database.url);
    snowmint::open(&format!("snowflake+{url}")).unwrap().next_id().unwrap();
    owners::name_no_rows(&database.url, &run, LEAF.script);
}

#[test]
fn native_sequences_are_no_dialect_here() {
    let database = Server::shared().database();
    for dialect in ["sequence", "sequence-lo"] {
        let url = format!("{}&dialect={dialect}", database.url);
        let told = refused(open_store(&url).map(drop), Code::Unsupported);
        assert!(told.contains("loses"), "{told}");
    }
}

pub(super) const WORKER_NODE: &str = "
    CREATE TABLE WORKER_NODE (
        ID BIGINT NOT NULL AUTO_INCREMENT COMMENT 'auto increment id',
        HOST_NAME VARCHAR(64) NOT NULL COMMENT 'host name',
        PORT VARCHAR(64) NOT NULL COMMENT 'port',
        TYPE INT NOT NULL COMMENT 'node type: ACTUAL or CONTAINER',
        LAUNCH_DATE DATE NOT NULL COMMENT 'launch date',
        MODIFIED TIMESTAMP NOT NULL COMMENT 'modified time',
        CREATED TIMESTAMP NOT NULL COMMENT 'created time',
        PRIMARY KEY(ID)
    ) COMMENT='DB WorkerID Assigner for UID Generator', ENGINE = INNODB";
pub(super) const STARTED: &str = "INSERT INTO WORKER_NODE
    (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
    VALUES ('10.0.0.1', '1764000000000-123', 2, current_date(), now(), now());
    SELECT last_insert_id()";
