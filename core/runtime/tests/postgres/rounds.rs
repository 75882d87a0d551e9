//! Failover after failover, of a standby that lags, with waits that are cancelled.

use std::sync::Mutex;

use super::failovers::url_of_both;
use super::sql_servers::rounds::{Numbers, Taker, failovers, play, taker};
use super::standby::{Standby, name_standbys};
use super::*;

/// The name of a process that takes ranges, as the server shows it.
const TAKER: &str = "taker";
/// A statement as others have it, content with the disk of the server that answers.
const NAIVE: &str = "SET synchronous_commit = local; \
                     UPDATE naive SET next = next + 10 RETURNING next - 10";

/// The servers before a round.
pub(super) struct Chain {
    primary: Mutex<Option<Primary>>,
    standby: Standby,
    database: Database,
    copy: Database,
    is_naive: bool,
    is_fenced: bool,
}

/// A primary, by the value whose drop ends it.
enum Primary {
    First(Server),
    Promoted(Standby),
}

impl Primary {
    fn server(&self) -> &Server {
        match self {
            Primary::First(server) => server,
            Primary::Promoted(standby) => standby.server(),
        }
    }
}

impl Chain {
    fn of(primary: Primary, database: Database, is_naive: bool, is_fenced: bool) -> Chain {
        let standby = Standby::of(primary.server());
        // The standby replays its changes late.
        standby.server().run("ALTER SYSTEM SET recovery_min_apply_delay = '200ms'");
        standby.server().run("SELECT pg_reload_conf()");
        name_standbys(&database, "copy");
        let copy = standby.named(database.name());
        let primary = Mutex::new(Some(primary));
        Chain { primary, standby, database, copy, is_naive, is_fenced }
    }

    /// The servers, of which one at most takes changes unless the first one goes on.
    fn both(&self) -> String {
        let url = url_of_both(&self.database, &self.copy);
        format!("{url}&application_name={TAKER}")
    }

    /// The one that took over is the next round's first.
    fn next(self, is_fenced: bool) -> Chain {
        let Chain { standby, copy, is_naive, .. } = self;
        Chain::of(Primary::Promoted(standby), copy, is_naive, is_fenced)
    }
}

impl Chain {
    /// Those who take ranges of one tag from whichever server is there.
    pub(crate) fn takers(&self) -> Vec<Taker<'_>> {
        let url = format!("{}&replication=synchronous", self.both());
        (0..4).map(|_| if self.is_naive { self.naive() } else { taker(url.clone()) }).collect()
    }

    /// Ends some waits and some connections, whichever they are; no server may be there.
    pub(crate) fn disturb(&self) {
        let some = format!(
            "SELECT CASE WHEN random() < 0.7 THEN pg_cancel_backend(pid) \
             ELSE pg_terminate_backend(pid) END FROM ( \
                 SELECT pid FROM pg_stat_activity WHERE application_name = '{TAKER}' \
                 AND (wait_event = 'SyncRep' OR random() < 0.02) OFFSET 0 \
             ) AS some"
        );
        for database in [&self.database, &self.copy] {
            drop(database.try_run(&some));
        }
    }

    /// Separates the servers, so that the other one lacks all later commits.
    pub(crate) fn part(&self) {
        self.standby.part();
    }

    /// The first server ends as in a crash.
    pub(crate) fn kill(&self) {
        drop(self.primary.lock().unwrap().take());
    }

    /// The other one takes its place.
    pub(crate) fn promote(&self) {
        self.standby.promote();
    }

    /// Nothing: each standby confirmed what was given, and goes on.
    pub(crate) fn resume(&self, _: u64) {}

    /// Returns true if the first server ends before the other one takes its place.
    pub(crate) fn is_fenced(&self) -> bool {
        self.is_fenced
    }
}

impl Chain {
    fn naive(&self) -> Taker<'_> {
        let url = self.both();
        Box::new(move || {
            let said = server::try_psql(&url, NAIVE)?;
            let start = said.lines().last()?.parse().ok()?;
            Some((start, start + 10))
        })
    }
}

/// The ranges of as many failovers as are played.
pub(super) fn played(is_naive: bool) -> Mutex<Vec<Numbers>> {
    let primary = Server::start(&[]);
    let database = with_orders(primary.database());
    database.run("CREATE TABLE naive AS SELECT 1 AS next");
    let taken = Mutex::default();
    let mut chain = Chain::of(Primary::First(primary), database, is_naive, true);
    for round in 1..=failovers() {
        if round > 1 {
            // Every other primary goes on for a while beside the one that took its place.
            chain = chain.next(round % 2 == 1);
        }
        play(&chain, &taken);
        chain.kill();
    }
    taken
}
