//! Commits that are not confirmed: what they reserved is given up, whatever became of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::asking::children::{is_alone, staying};
use super::proxy::{Fate, Proxy};
use super::*;

/// The clause for commits that wait for a standby that is not there.
const WAITING: &str = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' \
                       AND backend_type = 'client backend'";

/// Make a trigger that raises the code of a full disk, each a code.
pub(super) const FILLS: &[&str] =
    &["CREATE FUNCTION fills() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$; \
     CREATE TRIGGER fills AFTER UPDATE ON snowmint_segment \
     FOR EACH ROW EXECUTE FUNCTION fills()"];
pub(super) const EMPTIES: &str = "DROP TRIGGER fills ON snowmint_segment";
/// Makes a trigger that never ends.
pub(super) const NAPS: &str = "CREATE FUNCTION nap() RETURNS trigger LANGUAGE plpgsql AS \
     'BEGIN PERFORM pg_sleep(3600); RETURN NEW; END'; \
     CREATE TRIGGER nap BEFORE UPDATE ON snowmint_segment \
     FOR EACH ROW EXECUTE FUNCTION nap()";

/// The statements of a transaction are sent with its beginning.
#[test]
fn a_statement_done_in_no_transaction_has_an_unknown_outcome() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = through(&proxy, &database);
    let backend = "SELECT pid FROM pg_stat_activity WHERE application_name = 'snowmint' \
                   AND datname = current_database()";
    let before = database.run(backend);
    proxy.next(Fate::Garbled);
    refused(take(&store), Code::OutcomeUnknown);
    assert_ne!(database.run(backend), before, "its connection is kept");
    // Without the transaction's settings a statement gives nothing.
    assert_eq!(take(&store).unwrap(), 1);
}

/// In a process that is stopped while the statement before it is answered.
#[test]
fn a_commit_is_not_sent_once_the_deadline_has_passed() {
    if !is_alone("commits::a_commit_is_not_sent_once_the_deadline_has_passed") {
        return;
    }
    // A busy machine takes a while until the child is stopped.
    const WITHIN: Duration = Duration::from_secs(8);
    stopped_in_a_transaction(WITHIN, |_| thread::sleep(WITHIN));
}

/// A range is asked for within some time by a process that is stopped while the server answers: once
/// it goes on it knows that nothing was reserved. What happens meanwhile can ask how many of its
/// connections are in a state.
fn stopped_in_a_transaction(within: Duration, meanwhile: impl FnOnce(&dyn Fn(&str) -> String)) {
    let database = database();
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let mut child = staying(|| {
        let failure = take_within(&other(&database), within).unwrap_err();
        vec![u64::from(failure.code().number())]
    });
    let state = |condition: &str| {
        let query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'snowmint' \
                     AND datname = current_database()";
        database.run(&format!("{query} AND {condition}"))
    };
    wait_until("the child's request", || state("wait_event_type = 'Lock'") == "1");
    // SAFETY: signals to a child of this process, which is there until it is waited for.
    assert_eq!(unsafe { libc::kill(child.child, libc::SIGSTOP) }, 0);
    operator.run("COMMIT");
    wait_until("the server's answer", || state("state = 'idle in transaction'") == "1");
    meanwhile(&state);
    // SAFETY: as above.
    assert_eq!(unsafe { libc::kill(child.child, libc::SIGCONT) }, 0);
    assert_eq!(child.numbers(), [u64::from(Code::StoreUnavailable.number())]);
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

/// In a process that is stopped for longer than the server lets a transaction be idle.
#[test]
fn a_transaction_that_was_idle_for_too_long_reserves_nothing() {
    if !is_alone("commits::a_transaction_that_was_idle_for_too_long_reserves_nothing") {
        return;
    }
    stopped_in_a_transaction(Duration::from_secs(10), |state| {
        wait_until("the end of its patience", || state("true") == "0");
    });
}

/// The trigger raises the code of a transaction that was idle for too long.
#[test]
fn a_commit_that_comes_too_late_for_the_server_is_refused() {
    let database = database();
    database.run(
        "CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         RAISE 'terminating' USING ERRCODE = 'idle_in_transaction_session_timeout'; END $$; \
         CREATE CONSTRAINT TRIGGER ends AFTER UPDATE ON snowmint_segment \
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ends()",
    );
    let store = other(&database);
    let message = refused(take(&store), Code::StoreUnavailable);
    assert!(message.contains("stood still"), "{message}");
    database.run("DROP TRIGGER ends ON snowmint_segment");
    assert_eq!(take(&store).unwrap(), 1);
}

#[test]
fn a_notice_from_a_trigger_leaves_a_commit_certain() {
    let database = database();
    let talks = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE";
    database.run(&format!(
        "CREATE FUNCTION notes() {talks} NOTICE 'noted'; RETURN NEW; END $$; \
         CREATE FUNCTION warns() {talks} WARNING 'warned'; RETURN NEW; END $$; \
         CREATE TRIGGER warns BEFORE UPDATE ON snowmint_segment \
         FOR EACH ROW EXECUTE FUNCTION warns(); \
         CREATE CONSTRAINT TRIGGER notes AFTER UPDATE ON snowmint_segment \
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION notes()"
    ));
    let store = other(&database);
    assert_eq!((take(&store).unwrap(), take(&store).unwrap()), (1, 11));
}

/// The server sends warnings without an end, in the commit or before it.
#[test]
fn a_server_that_never_stops_talking_is_late() {
    let database = database();
    // To its client alone.
    let talks = "RETURNS trigger LANGUAGE plpgsql SET log_min_messages = panic \
                 AS $$ BEGIN LOOP RAISE WARNING 'again'; END LOOP; END $$";
    database.run(&format!(
        "CREATE FUNCTION talks() {talks}; \
         CREATE CONSTRAINT TRIGGER talks AFTER UPDATE ON snowmint_segment \
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION talks()"
    ));
    let store = other(&database);
    refused(take_within(&store, Duration::from_millis(500)), Code::OutcomeUnknown);
    database.run("DROP TRIGGER talks ON snowmint_segment");
    database.run(
        "CREATE TRIGGER talks BEFORE UPDATE ON snowmint_segment \
                  FOR EACH ROW EXECUTE FUNCTION talks()",
    );
    refused(take_within(&store, Duration::from_millis(500)), Code::StoreUnavailable);
    database.run("DROP TRIGGER talks ON snowmint_segment");
    assert_eq!(take(&store).unwrap(), 1);
}

/// The role's settings for other sessions make no difference.
#[test]
fn a_wait_for_a_standby_that_was_cancelled_is_unknown() {
    let server = Server::start(&["synchronous_standby_names=nobody"]);
    let database = locally(&server);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                database.run(&format!("SELECT pg_cancel_backend(pid) {WAITING}"));
            }
        });
        let _over = Raised(&is_over);
        for setting in ["synchronous_commit = off", "client_min_messages = error"] {
            let alter = format!("ALTER ROLE postgres SET {setting}");
            database.run(&format!("SET synchronous_commit = local; {alter}"));
            let store = other(&database);
            let before = store.tag(&orders()).unwrap().unwrap().next;
            for count in 1..=5 {
                let message = refused(take(&store), Code::OutcomeUnknown);
                assert!(message.contains("replication"), "{message}");
                assert_eq!(store.tag(&orders()).unwrap().unwrap().next, before + 10 * count);
            }
            // Each takes a worker ID that nobody has, as no standby confirms it.
            let attempt = long();
            for _ in 0..3 {
                let message = refused(store.acquire(&request("a"), &attempt), Code::OutcomeUnknown);
                assert!(message.contains("replication"), "{message}");
            }
        }
        assert_eq!(other(&database).workers().unwrap().len(), 6);
    });
}

/// Raises a flag when dropped, so that a test that fails ends.
struct Raised<'a>(&'a AtomicBool);

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_commit_that_waits_for_a_standby_is_not_cancelled() {
    let server = Server::start(&["synchronous_standby_names=nobody"]);
    let database = locally(&server);
    let store = other(&database);
    refused(take_within(&store, Duration::from_millis(800)), Code::OutcomeUnknown);
    assert_eq!(database.run(&format!("SELECT count(*) {WAITING}")), "1");
    // The row is locked as long as it waits.
    refused(take_within(&store, Duration::from_millis(800)), Code::StoreLocked);
    assert_eq!(database.run(&format!("SELECT count(*) {WAITING}")), "1");
    assert_eq!(store.tag(&orders()).unwrap().unwrap().next, 1);
}

/// The tables and the tag, made without waiting for the standby.
fn locally(server: &Server) -> Database {
    let local = "SET synchronous_commit = local";
    server.run(&format!("{local}; ALTER ROLE postgres {local}"));
    let database = server.database();
    let incarnation = include_str!("../../src/store/postgres/incarnation.sql");
    let incarnation = incarnation.replace(":is_synchronous", "0");
    let schema = include_str!("../../src/store/postgres/schema.sql").replace("\n\n", ";\n");
    let row = include_str!("../../src/store/postgres/schema_row.sql");
    let place = "CREATE SCHEMA snowmint; SET search_path = snowmint";
    database.run(&format!("{place}; {schema}; {incarnation}; {row}"));
    database.run(
        "INSERT INTO snowmint_segment (tag, previous, next, step, stride, updated_ms, incarnation) \
         SELECT 'orders', 1, 1, 10, 1, 0, incarnation FROM snowmint_schema",
    );
    database
}
