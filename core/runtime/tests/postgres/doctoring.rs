//! Tests of the doctor's findings on sound, weak and refused databases. It changes none.

use snowmint::doctor::Verdict::{Ok, Refused, Unseen, Weaker};
use snowmint::{Vouch, migrate};

use super::asking::examined;
use super::asking::refused_to_open;
use super::logins::as_user;
use super::standby::Standby;
use super::*;

/// All that is in the tables.
const CONTENT: &str = "SELECT s, t, w FROM snowmint_schema AS s, snowmint_segment AS t \
                       LEFT JOIN snowmint_worker AS w ON TRUE";

#[test]
fn a_sound_database_is_ok_and_stays_as_it_is() {
    let server = Server::start(&[]);
    let database = server.database();
    examined(&database.url)
        .has("tables", Refused, "snowmint migrate")
        .has("rights", Ok, "may make the tables in snowmint")
        .refuses(&["tables"]);
    assert_eq!(database.run("SELECT count(*) FROM pg_class WHERE relname ~ 'snowmint'"), "0");
    migrate(&database.url).unwrap();
    let store = other(&database);
    store.create_tag(&orders(), TagOptions::default()).unwrap();
    store.acquire(&request("a"), &long()).unwrap();
    let before = database.run(CONTENT);
    examined(&database.url)
        .has("server", Ok, "PostgreSQL 1")
        .has("durability", Ok, "fsync=on, full_page_writes=on")
        .has("role", Ok, "a primary with 0 connected standbys")
        .has("isolation", Ok, "read committed")
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
    assert_eq!(database.run(CONTENT), before);
}

#[test]
fn settings_that_lose_commits_are_refused_unless_somebody_vouches() {
    let settings = ["fsync=off", "full_page_writes=off", "max_connections=6", "max_wal_senders=0"];
    let server = Server::start(&settings);
    let database = server.database();
    examined(&database.url)
        .has("durability", Refused, "ALTER SYSTEM SET fsync = on")
        .refuses(&["durability", "tables"]);
    examined(&format!("{}&dialect=sequence", database.url))
        .has("tags", Ok, "")
        .refuses(&["durability"]);
    let declared = declared(&database.url);
    make_orders(&declared);
    database.run(&format!(
        "ALTER DATABASE {} SET default_transaction_isolation = serializable",
        database.name()
    ));
    examined(&declared)
        .has("durability", Weaker, "fsync=off, full_page_writes=off")
        .has("durability", Weaker, "taken by the word of durability=declared")
        .has("isolation", Ok, "serializable by default")
        .has("connections", Weaker, "of 3 connections are left")
        .refuses(&[]);
    let name = database.name();
    database.run(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on"));
    examined(&declared)
        .has("role", Refused, "SET default_transaction_read_only = off")
        .refuses(&["role"]);
}

#[test]
fn a_tag_near_its_end_is_weaker_and_one_at_it_refused() {
    let database = database();
    let store = other(&database);
    let raise = |next: u64| store.change_tag(&orders(), TagChange::default().next(next));
    raise(u64::MAX / 2 / 100 * 91).unwrap();
    examined(&database.url).has("tags", Weaker, "orders is at 8393").refuses(&[]);
    raise(u64::MAX / 2).unwrap();
    examined(&database.url).has("tags", Refused, "create a new tag").refuses(&["tags"]);
}

#[test]
fn tables_that_were_changed_are_refused_and_named() {
    let database = database();
    database.run("DROP TRIGGER snowmint_worker_rises ON snowmint_worker");
    examined(&database.url).has("tables", Refused, "lost its trigger").refuses(&["tables"]);
}

/// A primary whose standby need not confirm, that standby, and what it is once it took over.
#[test]
fn standbys_and_what_they_became_are_told() {
    let primary = Server::start(&[]);
    let database = with_orders(primary.database());
    let standby = Standby::of(&primary);
    let copy = standby.named(database.name());
    take(&other(&database)).unwrap();
    examined(&database.url)
        .has("role", Weaker, "a primary with 1 connected standbys")
        .has("role", Weaker, "and say replication=synchronous")
        .refuses(&[]);
    examined(&copy.url)
        .has("role", Refused, "target_session_attrs=read-write")
        .has("failovers", Unseen, "no incarnation of its own")
        .refuses(&["role"]);
    standby.catch_up(&primary);
    standby.promote();
    let findings = examined(&copy.url);
    findings.has("failovers", Refused, "1 tags give no range, and none is made");
    let refusal = refused(take(&other(&copy)), Code::IncarnationChanged);
    let present = refusal.split_once("--server ").unwrap().1.split(' ').next().unwrap();
    findings
        .has("failovers", Refused, &format!("snowmint recover --server {present} URL`"))
        .refuses(&["failovers"]);
    other(&copy).vouch(&Vouch::new(1)).unwrap();
    examined(&copy.url).has("failovers", Ok, present).refuses(&[]);
}

#[test]
fn a_primary_whose_standbys_confirm_by_an_operators_word_is_ok() {
    let primary = Server::start(&[]);
    let database = with_orders(primary.database());
    let _standby = Standby::of(&primary);
    primary.run("ALTER SYSTEM SET synchronous_standby_names = 'copy'");
    primary.run("SELECT pg_reload_conf()");
    wait_until("its word", || primary.run("SHOW synchronous_standby_names") == "copy");
    examined(&format!("{}&replication=synchronous", database.url))
        .has("role", Ok, "by the word of replication=synchronous")
        .refuses(&[]);
    drop(database); // which waits for the standby
}

#[test]
fn a_user_of_few_rights_is_told_what_is_denied_and_what_is_unseen() {
    let database = database();
    take(&other(&database)).unwrap();
    let user = format!("poor_{}", database.name());
    database.run(&format!("CREATE ROLE {user} LOGIN"));
    let url = as_user(&database, &user);
    examined(&url)
        .has("tables", Refused, "permission denied")
        .has(
            "rights",
            Refused,
            &format!("GRANT SELECT, UPDATE ON snowmint.snowmint_schema TO {user}"),
        )
        .has("durability", Ok, "fsync=on")
        .refuses(&["tables", "rights"]);
    database.run(&format!(
        "GRANT SELECT, INSERT, UPDATE ON snowmint_segment TO {user}; \
         GRANT SELECT, UPDATE ON snowmint_schema TO {user}; \
         REVOKE SELECT ON pg_stat_database FROM PUBLIC"
    ));
    examined(&url)
        .has("tables", Ok, "as they should be")
        .has("rights", Refused, "SELECT, INSERT, UPDATE ON snowmint.snowmint_worker")
        .has("connections", Unseen, "could not be seen")
        .has("worker IDs", Refused, "permission denied for table snowmint_worker")
        .refuses(&["rights", "worker IDs"]);
    database.run("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    examined(&url)
        .has("server", Refused, "GRANT EXECUTE ON FUNCTION pg_control_system()")
        .refuses(&["server"]);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

/// Rows that no policy shows look as if they were not there: that is told, wherever it would mislead.
#[test]
fn row_security_that_hides_rows_is_told() {
    const TABLES: [&str; 3] = ["snowmint_schema", "snowmint_segment", "snowmint_worker"];
    let database = database();
    let user = format!("poor_{}", database.name());
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; \
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA snowmint TO {user}"
    ));
    let url = as_user(&database, &user);
    let before = open_store(&url).unwrap();
    let lease = before.acquire(&request("a"), &long()).unwrap();
    for table in TABLES {
        database.run(&format!("ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"));
        let cure = format!("ALTER TABLE snowmint.{table} DISABLE ROW LEVEL SECURITY");
        examined(&url).has("tables", Refused, &cure).refuses(&["tables"]);
        let message = refused_to_open(&url, Code::StoreDenied);
        assert!(message.contains(&cure) && message.contains("BYPASSRLS"), "{message}");
        take(&other(&database)).unwrap(); // the tables' owner sees all
        database.run(&format!("ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"));
    }
    // A process that had it open before.
    for table in TABLES {
        database.run(&format!("ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"));
    }
    for refusal in [
        take(&*before).map(drop),
        before.renew(&lease, 60_000, &long()).map(drop), // it may be there still
        before.acquire(&request("b"), &long()).map(drop),
        before.create_tag(&Tag::new("bills").unwrap(), TagOptions::default()),
    ] {
        let message = refused(refusal, Code::StoreDenied);
        assert!(message.contains("row-level security"), "{message}");
    }
    // A user who may see the row learns that the lease is lost if another holder has it.
    let owners = other(&database);
    for (lease, code) in [
        (owners.renew(&lease, 60_000, &long()).unwrap(), Code::StoreDenied),
        (lease, Code::LeaseLost),
    ] {
        database.run("CREATE POLICY shown ON snowmint_worker FOR SELECT USING (true)");
        refused(before.renew(&lease, 60_000, &long()), code);
        database.run("DROP POLICY shown ON snowmint_worker");
        refused(before.renew(&lease, 60_000, &long()), Code::StoreDenied);
    }
    // A policy that hides nothing is as good as none, unless another one does.
    for table in TABLES {
        database.run(&format!("CREATE POLICY everything ON {table} USING (true)"));
    }
    examined(&url).has("tables", Ok, "as they should be");
    take(&*open_store(&url).unwrap()).unwrap();
    // So are three that are for one thing each, and what restricts others.
    for table in TABLES {
        database.run(&format!(
            "DROP POLICY everything ON {table}; \
             CREATE POLICY seen ON {table} FOR SELECT USING (true); \
             CREATE POLICY added ON {table} FOR INSERT WITH CHECK (true); \
             CREATE POLICY changed ON {table} FOR UPDATE TO {user} USING (true); \
             CREATE POLICY elsewhere ON {table} AS RESTRICTIVE TO pg_monitor USING (false)"
        ));
    }
    take(&*open_store(&url).unwrap()).unwrap();
    database.run("DROP POLICY added ON snowmint_segment");
    let message = refused_to_open(&url, Code::StoreDenied);
    assert!(message.contains("snowmint.snowmint_segment"), "{message}");
    database.run("CREATE POLICY added ON snowmint_segment FOR INSERT WITH CHECK (true)");
    database.run("CREATE POLICY others ON snowmint_segment AS RESTRICTIVE USING (tag <> 'orders')");
    examined(&url).has(
        "tables",
        Refused,
        "row-level security of the table snowmint.snowmint_segment",
    );
    let message = refused(take(&*before), Code::StoreDenied);
    assert!(message.contains("without a restrictive one"), "{message}");
    let refusal = before.create_tag(&orders(), TagOptions::default());
    refused(refusal, Code::StoreDenied);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

#[test]
fn a_pooler_is_seen_by_its_connection() {
    let pooler = Server::start_pooled(&[]);
    let database = with_orders(pooler.database());
    examined(&database.url)
        .has("way", Ok, "a pooler, a proxy or an address translation is between")
        .has("TLS", Unseen, "hides")
        .has("failovers", Ok, "nothing waits")
        .refuses(&[]);
}
