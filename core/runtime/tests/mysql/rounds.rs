//! Failover after failover, of a semi-synchronous replica, with waits for it that are killed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failovers::{catch_up, follow, promote, server, stop_following, url_of_both};
use super::sql_servers::rounds::{Numbers, Taker, failovers, play, taker};
use super::*;

/// A statement as others have it.
const NAIVE: &str = "UPDATE naive SET next = last_insert_id(next) + 10; SELECT last_insert_id()";
/// An operator raises by more than was lost.
const ROOM: u64 = 1000;

/// The servers before a round.
pub(super) struct Chain {
    primary: Mutex<Option<Server>>,
    replica: Server,
    database: Database,
    copy: Database,
    is_naive: bool,
    is_promoted: AtomicBool,
}

impl Chain {
    /// The replica confirms what is committed, for which is waited as long as it takes.
    fn of(primary: Server, database: Database, is_naive: bool, id: u32) -> Chain {
        let replica = server(id);
        replica.run("SET GLOBAL rpl_semi_sync_slave_enabled = ON");
        follow(&replica, &database);
        catch_up(&replica, &database);
        database.run(
            "SET GLOBAL rpl_semi_sync_master_timeout = 3600000; \
             SET GLOBAL rpl_semi_sync_master_enabled = ON",
        );
        let copy = replica.named(database.name());
        let primary = Mutex::new(Some(primary));
        Chain { primary, replica, database, copy, is_naive, is_promoted: AtomicBool::new(false) }
    }

    /// The one that took over is the next round's first.
    fn next(self, id: u32) -> Chain {
        Chain::of(self.replica, self.copy, self.is_naive, id)
    }

    fn naive(&self) -> Taker<'_> {
        Box::new(move || {
            let is_promoted = self.is_promoted.load(Ordering::SeqCst);
            let database = if is_promoted { &self.copy } else { &self.database };
            let start = database.try_run(NAIVE)?.trim().parse().ok()?;
            Some((start, start + 10))
        })
    }
}

impl Chain {
    /// Those who take ranges of one tag from whichever server is there.
    pub(crate) fn takers(&self) -> Vec<Taker<'_>> {
        let url = url_of_both(&self.database, &self.copy);
        (0..4).map(|_| if self.is_naive { self.naive() } else { taker(url.clone()) }).collect()
    }

    /// Ends some waits and some connections, whichever they are; no server may be there.
    pub(crate) fn disturb(&self) {
        let some = format!(
            "SELECT concat(CASE WHEN state LIKE 'Waiting for semi-sync%' THEN 'KILL QUERY ' \
             ELSE 'KILL ' END, id, ';') FROM information_schema.processlist \
             WHERE db = '{}' AND id <> connection_id() \
             AND (state LIKE 'Waiting for semi-sync%' OR rand() < 0.02)",
            self.database.name()
        );
        for database in [&self.database, &self.copy] {
            if let Some(kills) = database.try_run(&some) {
                drop(database.try_run(&kills));
            }
        }
    }

    /// Separates the servers, so that the other one lacks all later commits.
    pub(crate) fn part(&self) {
        stop_following(&self.replica);
    }

    /// The first server ends as in a crash.
    pub(crate) fn kill(&self) {
        drop(self.primary.lock().unwrap().take());
    }

    /// The other one takes its place.
    pub(crate) fn promote(&self) {
        promote(&self.replica);
        self.is_promoted.store(true, Ordering::SeqCst);
    }

    /// Does the operator's part, who knows that all numbers in use are below `above`.
    pub(crate) fn resume(&self, above: u64) {
        let raise = TagChange::default().next(above + ROOM);
        patiently(|| other(&self.copy).change_tag(&orders(), raise));
    }

    /// A first server that went on would answer OK, though no replica has what it gave.
    pub(crate) fn is_fenced(&self) -> bool {
        true
    }
}

/// The ranges of as many failovers as are played.
pub(super) fn played(is_naive: bool) -> Mutex<Vec<Numbers>> {
    let primary = server(1);
    let database = with_orders(primary.database());
    database.run("CREATE TABLE naive ENGINE = InnoDB AS SELECT 1 AS next");
    let taken = Mutex::default();
    let mut chain = Chain::of(primary, database, is_naive, 2);
    for round in 1..=failovers() {
        if round > 1 {
            chain = chain.next(1 + round as u32);
        }
        play(&chain, &taken);
        chain.kill();
    }
    taken
}

/// The answer does not say that no replica has the change, so snowmint cannot trust replicas.
#[test]
fn a_wait_for_a_replica_that_is_killed_is_answered_as_any_other() {
    if !has_mariadb("semi-synchronous replication by the same settings") {
        return;
    }
    let primary = server(1);
    let database = with_orders(primary.database());
    let chain = Chain::of(primary, database, true, 2);
    chain.part();
    std::thread::scope(|scope| {
        let change = "UPDATE snowmint_segment SET raises = 1; SHOW WARNINGS";
        let changing = scope.spawn(|| chain.database.run(change));
        wait_until("the end of the wait", || {
            let waiting = those_who(&chain.database, "state LIKE 'Waiting for semi-sync%'");
            if !waiting.is_empty() {
                chain.database.run(&format!("KILL QUERY {waiting}"));
            }
            changing.is_finished()
        });
        assert_eq!(changing.join().unwrap(), "");
    });
    chain.kill();
    chain.promote();
    assert_eq!(chain.copy.run("SELECT raises FROM snowmint_segment"), "0");
}

/// Nor would it do to know which replica has acknowledged a commit.
#[test]
fn a_commit_that_a_replica_acknowledged_but_did_not_apply_is_lost() {
    if !has_mariadb("semi-synchronous replication by the same settings") {
        return;
    }
    let primary = server(1);
    let database = with_orders(primary.database());
    let chain = Chain::of(primary, database, true, 2);
    chain.replica.run("STOP SLAVE SQL_THREAD");
    chain.database.run("UPDATE snowmint_segment SET raises = 1");
    let acknowledged = "SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_master_yes_tx'";
    assert_eq!(chain.database.run(acknowledged), "Rpl_semi_sync_master_yes_tx\t1");
    chain.kill();
    chain.promote();
    assert_eq!(chain.copy.run("SELECT raises FROM snowmint_segment"), "0");
}
