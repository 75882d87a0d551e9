//! Tests of the doctor's findings on sound, weak and refused databases. It changes none.

use snowmint::doctor::Verdict::{Ok, Refused, Weaker};
use snowmint::migrate;

use super::asking::examined;
use super::failovers::follow_and_take_changes;
use super::*;

#[test]
fn a_sound_database_is_ok_and_stays_as_it_is() {
    let database = Server::shared().database();
    examined(&database.url).has("tables", Refused, "snowmint migrate").refuses(&["tables"]);
    assert_eq!(database.run("SHOW TABLES"), "");
    migrate(&database.url).unwrap();
    let store = other(&database);
    store.create_tag(&orders(), TagOptions::default()).unwrap();
    store.acquire(&request("a"), &long()).unwrap();
    let content = "CHECKSUM TABLE snowmint_schema, snowmint_segment, snowmint_worker";
    let before = database.run(content);
    examined(&database.url)
        .has("server", Ok, &database.run("SELECT version()"))
        .has("durability", Ok, "innodb_flush_log_at_trx_commit=1")
        .has("role", Ok, "it takes changes, and follows no other")
        .has("isolation", Ok, "REPEATABLE-READ by default")
        .has("clock", Ok, "give or take")
        .has("way", Ok, "as it was opened here")
        .has("TLS", Ok, "leaves no machine")
        .has("connections", Ok, "are left")
        .has("tables", Ok, "as they should be")
        .has("rights", Ok, "all that are needed")
        .has("failovers", Ok, "nothing waits for an operator")
        .has("tags", Ok, "none of 1 has used more than 90 %")
        .has("worker IDs", Ok, "1 of 1 are held in realm")
        .refuses(&[]);
    assert_eq!(database.run(content), before);
}

#[test]
fn settings_that_lose_commits_are_refused_unless_somebody_vouches() {
    let server = Server::start(&["log-bin", "sync-binlog=0", "binlog-format=STATEMENT"]);
    let database = server.database();
    let declared = format!("{}&durability=declared", database.url);
    examined(&database.url)
        .has("durability", Refused, "SET GLOBAL sync_binlog = 1")
        .has("isolation", Refused, "SET GLOBAL binlog_format = 'MIXED'")
        .refuses(&["durability", "isolation", "tables"]);
    migrate(&declared).unwrap();
    // The server confirms the finding about its log.
    let store = open_store(&declared).unwrap();
    let message = store.create_tag(&orders(), TagOptions::default()).unwrap_err().to_string();
    assert!(message.contains("BINLOG_FORMAT = STATEMENT"), "{message}");
    examined(&declared)
        .has("durability", Weaker, "taken by the word of durability=declared")
        .refuses(&["isolation"]);
    server.run("SET GLOBAL binlog_format = 'MIXED'; SET GLOBAL sync_binlog = 1");
    examined(&database.url).has("durability", Ok, "sync_binlog=1").refuses(&[]);
    server.run("SET GLOBAL read_only = 1");
    examined(&database.url).has("role", Refused, "it takes no changes").refuses(&["role"]);
}

#[test]
fn a_server_that_never_syncs_is_refused() {
    let server = Server::start(&["innodb-flush-method=nosync"]);
    let database = server.database();
    let findings = examined(&database.url);
    findings.has("durability", Refused, "innodb_flush_method=nosync");
    findings.refuses(&["durability", "tables"]);
}

#[test]
fn a_server_that_replicates_is_told() {
    if !has_mariadb("count of replicas that everybody may see") {
        return;
    }
    let primary = Server::start(&["log-bin", "sync-binlog=1", "server-id=1"]);
    let replica = Server::start(&["server-id=2"]);
    let database = with_orders(primary.database());
    follow_and_take_changes(&replica, &database);
    let connected = "SELECT variable_value FROM information_schema.global_status \
                     WHERE variable_name = 'Slaves_connected'";
    wait_until("the replica", || primary.run(connected) == "1");
    examined(&database.url).has("role", Weaker, "with 1 replicas connected");
    let copied = "SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'snowmint%'";
    wait_until("the tables of its copy", || replica.run(copied) == "3");
    let rows = format!("SELECT count(*) FROM {}.snowmint_segment", database.name());
    wait_until("their rows", || replica.run(&rows) == "1");
    let copy = replica.named(database.name());
    replica.run("STOP SLAVE");
    examined(&copy.url).has("role", Weaker, "no tag goes on by itself").has(
        "failovers",
        Refused,
        "1 tags give no range, and none is made",
    );
}

#[test]
fn a_user_of_few_rights_is_told_what_is_denied_and_what_is_unseen() {
    let database = database();
    let user = format!("poor_{}", database.name());
    let grant = |rights: &str, table: &str| {
        database.run(&format!("GRANT {rights} ON {}.{table} TO {user}", database.name()));
    };
    database.run(&format!("CREATE USER {user}"));
    grant("SELECT", "snowmint_schema");
    grant("SELECT", "snowmint_segment");
    grant("INSERT", "snowmint_worker");
    let url = database.url_with("root@", &format!("{user}@"));
    examined(&url)
        .has("tables", Ok, "as they should be")
        .has("rights", Refused, "5 of 8 statements are refused")
        .has("worker IDs", Refused, "denied")
        .has("tags", Ok, "none of 1")
        .refuses(&["rights", "worker IDs"]);
    grant("SELECT, INSERT, UPDATE", "snowmint_segment");
    grant("SELECT, UPDATE", "snowmint_worker");
    grant("UPDATE", "snowmint_schema");
    examined(&url).has("rights", Ok, "all that are needed").refuses(&[]);
    assert_eq!(database.run("SELECT count(*) FROM snowmint_segment, snowmint_schema"), "1");
    database.run(&format!("DROP USER {user}"));
}
