//! Commits that are not confirmed: what they reserved is given up, whatever became of them.

use std::thread;

use super::asking::children::{is_alone, staying};
use super::proxy::{Fate, Proxy};
use super::*;

/// Those whose commit waits, for a lock or for a replica.
const COMMITS: &str = "info = 'COMMIT'";

/// Make a trigger that raises the code of a full disk, or of a table that may not grow.
pub(super) const FILLS: &[&str] = &[
    "CREATE TRIGGER fills AFTER UPDATE ON snowmint_segment FOR EACH ROW \
     SIGNAL SQLSTATE 'HY000' SET MESSAGE_TEXT = 'full', MYSQL_ERRNO = 1021",
    "CREATE TRIGGER fills AFTER UPDATE ON snowmint_segment FOR EACH ROW \
     SIGNAL SQLSTATE 'HY000' SET MESSAGE_TEXT = 'full', MYSQL_ERRNO = 1114",
];
pub(super) const EMPTIES: &str = "DROP TRIGGER fills";
/// Makes a trigger that never ends.
pub(super) const NAPS: &str =
    "CREATE TRIGGER nap BEFORE UPDATE ON snowmint_segment FOR EACH ROW DO SLEEP(3600)";

/// The statements of a transaction are sent with its beginning, which the server may refuse.
#[test]
fn statements_after_a_refused_beginning_are_not_done() {
    let database = database();
    let proxy = Proxy::before(&database);
    let store = through(&proxy, &database);
    proxy.next(Fate::Garbled);
    refused(take(&store), Code::StoreUnavailable);
    assert_eq!(store.tag(&orders()).unwrap().unwrap().next, 1);
    assert_eq!(take(&store).unwrap(), 1);
}

/// In a process that is stopped while the statement before it is answered.
#[test]
fn a_commit_is_not_sent_once_the_deadline_has_passed() {
    if !is_alone("commits::a_commit_is_not_sent_once_the_deadline_has_passed") {
        return;
    }
    const WITHIN: Duration = Duration::from_secs(6);
    let database = database();
    let mut operator = database.session();
    operator.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
    let mut child = staying(|| {
        let failure = take_within(&other(&database), WITHIN).unwrap_err();
        vec![u64::from(failure.code().number())]
    });
    wait_until("the child's request", || !those_who(&database, WAITS_FOR_A_ROW).is_empty());
    let id = those_who(&database, WAITS_FOR_A_ROW);
    // SAFETY: signals to a child of this process, which is there until it is waited for.
    assert_eq!(unsafe { libc::kill(child.child, libc::SIGSTOP) }, 0);
    operator.run("COMMIT");
    let answered = format!("id = {id} AND command = 'Sleep'");
    wait_until("the server's answer", || !those_who(&database, &answered).is_empty());
    thread::sleep(WITHIN);
    // SAFETY: as above.
    assert_eq!(unsafe { libc::kill(child.child, libc::SIGCONT) }, 0);
    assert_eq!(child.numbers(), [u64::from(Code::StoreUnavailable.number())]);
    assert_eq!(take(&other(&database)).unwrap(), 1);
}

/// A note, as MariaDB makes of statements that a log of statements could not repeat safely.
#[test]
fn a_note_from_a_trigger_leaves_a_commit_certain() {
    let database = database();
    database.run(
        "CREATE TRIGGER notes BEFORE UPDATE ON snowmint_segment FOR EACH ROW \
         SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'noted', MYSQL_ERRNO = 1592",
    );
    let store = other(&database);
    assert_eq!((take(&store).unwrap(), take(&store).unwrap()), (1, 11));
}

/// Commits stand still while an operator has all of the server's tables to himself.
#[test]
fn a_commit_that_is_killed_is_unknown() {
    if !has_mariadb("BACKUP STAGE") {
        return;
    }
    let server = Server::start(&[]);
    let database = with_orders(server.database());
    for kill in ["KILL QUERY", "KILL CONNECTION"] {
        let store = other(&database);
        let mut operator = database.session();
        let mut blocker = database.session();
        blocker.run("BEGIN; SELECT 1 FROM snowmint_segment FOR UPDATE");
        thread::scope(|scope| {
            let taking = scope.spawn(|| take(&store));
            wait_until("the one who waits", || !those_who(&database, WAITS_FOR_A_ROW).is_empty());
            operator.run("FLUSH TABLES snowmint_schema WITH READ LOCK");
            operator.run("UNLOCK TABLES; BACKUP STAGE START; BACKUP STAGE BLOCK_COMMIT");
            blocker.run("ROLLBACK");
            wait_until("the commit", || !those_who(&database, COMMITS).is_empty());
            let id = those_who(&database, COMMITS);
            database.run(&format!("{kill} {id}"));
            let message = refused(taking.join().unwrap(), Code::OutcomeUnknown);
            assert!(message.contains("given up"), "{message}");
            operator.run("BACKUP STAGE END");
        });
        let next = store.tag(&orders()).unwrap().unwrap().next;
        assert_eq!(take(&store).unwrap(), next);
    }
}

/// A server whose commits wait for a replica that is not there: it has to end before its database,
/// whose end would wait as well.
fn lonely() -> (Database, Server) {
    let server = Server::start(&["log-bin", "sync-binlog=1"]);
    let database = with_orders(server.database());
    server.run(
        "SET GLOBAL rpl_semi_sync_master_timeout = 3600000; \
         SET GLOBAL rpl_semi_sync_master_wait_no_slave = ON; \
         SET GLOBAL rpl_semi_sync_master_enabled = ON",
    );
    (database, server)
}

#[test]
fn a_commit_that_waits_for_a_replica_is_not_killed() {
    if !has_mariadb("semi-synchronous replication by the same settings") {
        return;
    }
    let (database, server) = lonely();
    let store = other(&database);
    refused(take_within(&store, Duration::from_millis(800)), Code::OutcomeUnknown);
    assert_eq!(those_who(&database, COMMITS).lines().count(), 1);
    server.run("SET GLOBAL rpl_semi_sync_master_enabled = OFF");
    wait_until("the commit's end", || those_who(&database, COMMITS).is_empty());
    assert_eq!(take(&store).unwrap(), 11);
}

/// It is committed all the same, here alone.
#[test]
fn a_commit_whose_wait_for_a_replica_is_killed_is_unknown() {
    if !has_mariadb("semi-synchronous replication by the same settings") {
        return;
    }
    let (database, server) = lonely();
    let store = other(&database);
    thread::scope(|scope| {
        let taking = scope.spawn(|| take(&store));
        wait_until("the commit", || !those_who(&database, COMMITS).is_empty());
        database.run(&format!("KILL {}", those_who(&database, COMMITS)));
        refused(taking.join().unwrap(), Code::OutcomeUnknown);
    });
    server.run("SET GLOBAL rpl_semi_sync_master_enabled = OFF");
    assert_eq!(store.tag(&orders()).unwrap().unwrap().next, 11);
}
