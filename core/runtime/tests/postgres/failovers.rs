//! A standby that takes its primary's place, and what it does not know.

use snowmint::{Lease, Vouch};

use super::sql_servers::failovers::short;
use super::standby::{Standby, name_standbys};
use super::*;

/// A database of a primary, and its copy, of which the last part is missing.
pub(super) struct Failover {
    primary: Option<Server>,
    pub(super) standby: Standby,
    pub(super) database: Database,
    pub(super) copy: Database,
}

/// SQL for the server's time in Unix milliseconds, and for the time in a year.
pub(super) const NOW_MS: &str = "floor(extract(epoch FROM clock_timestamp()) * 1000)";
pub(super) const IN_A_YEAR_MS: &str = "floor(extract(epoch FROM now() + interval '1 year') * 1000)";

impl Failover {
    pub(super) fn new() -> Failover {
        Failover::with(&[])
    }

    /// Before anything happens.
    pub(super) fn with(settings: &[&str]) -> Failover {
        let primary = Server::start(settings);
        let standby = Standby::of(&primary);
        let database = with_orders(primary.database());
        let copy = standby.named(database.name());
        Failover { primary: Some(primary), standby, database, copy }
    }
}

/// Returns a URL for the one of two servers that takes changes.
pub(super) fn url_of_both(database: &Database, copy: &Database) -> String {
    let url = database.url_at(&[database, copy].map(|it| it.host_and_port().1));
    format!("{url}&target_session_attrs=read-write")
}

impl Failover {
    /// A store of the first server, in which the tag `orders` has steps of 10.
    pub(crate) fn before(&self) -> PostgresStore {
        other(&self.database)
    }

    /// Runs statements on the first server, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        self.database.run(statements)
    }

    /// Separates the servers, so that later changes are lost.
    pub(crate) fn part(&self) {
        self.standby.catch_up(self.primary.as_ref().unwrap());
        self.standby.part();
    }

    /// The first server ends, and the other one takes its place.
    pub(crate) fn happen(&mut self) -> PostgresStore {
        drop(self.primary.take());
        self.standby.promote();
        other(&self.copy)
    }

    /// Returns the identity of the other server.
    pub(crate) fn successor(&self) -> String {
        server_of(&self.copy)
    }
}

/// And worker IDs are given after a while, although nobody renews one.
#[test]
fn ranges_that_a_standby_confirmed_go_on_after_it_took_over_by_an_operators_word() {
    let mut failover = Failover::with(&["synchronous_standby_names=copy"]);
    let store = other(&failover.database);
    assert_eq!((take(&store).unwrap(), take(&store).unwrap()), (1, 11));
    failover.run("UPDATE snowmint_schema SET longest_reserve_ms = 1");
    drop(store);
    let store = failover.happen();
    // No setting of a server tells that it has all.
    refused(take(&store), Code::IncarnationChanged);
    let new = Tag::new("new").unwrap();
    refused(store.create_tag(&new, TagOptions::default()), Code::IncarnationChanged);
    let store = open_store(&synchronous(&failover.copy.url)).unwrap();
    assert_eq!(take(&*store).unwrap(), 21);
    store.create_tag(&new, TagOptions::default()).unwrap();
    refused(store.acquire(&short("next", 1), &long()), Code::WorkersExhausted);
    wait_until("the end of the wait", || store.acquire(&short("next", 1), &long()).is_ok());
    // The range that this server gave it goes on with, whoever asks.
    assert_eq!(take(&other(&failover.copy)).unwrap(), 31);
}

/// The URL of a database whose standbys confirm each commit, by an operator's word.
fn synchronous(url: &str) -> String {
    format!("{url}&replication=synchronous")
}

/// Sessions see the name before commits wait for it, while the checkpointer is busy: 9 of 9 numbers
/// that were given then were given again.
#[test]
fn l1_a_named_standby_is_no_word_that_it_confirmed() {
    let mut failover = Failover::with(&[]);
    let store = other(&failover.database);
    assert_eq!(take(&store).unwrap(), 1);
    failover.part();
    let checkpointer = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
    let checkpointer: i32 = failover.run(checkpointer).parse().unwrap();
    // SAFETY: sends a signal to a process of this test's server.
    assert_eq!(unsafe { libc::kill(checkpointer, libc::SIGSTOP) }, 0);
    name_standbys(&failover.database, "copy");
    assert_eq!(take(&store).unwrap(), 11);
    // SAFETY: as above.
    assert_eq!(unsafe { libc::kill(checkpointer, libc::SIGCONT) }, 0);
    drop(store);
    let store = failover.happen();
    refused(take(&store), Code::IncarnationChanged);
}

/// Standbys confirmed nothing of a restored dump's rows, even if it replaces the original.
#[test]
fn l1_no_word_is_for_rows_of_other_tables() {
    let database = database();
    assert_eq!(take(&other(&database)).unwrap(), 1);
    let lease = other(&database).acquire(&request("held"), &long()).unwrap();
    let server = Server::start(&[]);
    for copy in [server.database(), Server::shared().database()] {
        copy.run_script(&database.dump());
        check_copy(&copy, &lease);
    }
    let dump = database.dump();
    database.run("DROP SCHEMA snowmint CASCADE");
    database.run_script(&dump);
    check_copy(&database, &lease);
}

fn check_copy(copy: &Database, lease: &Lease) {
    for url in [copy.url.clone(), synchronous(&copy.url)] {
        let store = open_store(&url).unwrap();
        refused(take(&*store), Code::IncarnationChanged);
        let new = store.create_tag(&Tag::new("new").unwrap(), TagOptions::default());
        refused(new, Code::IncarnationChanged);
        // The original may still give and renew them.
        refused(store.acquire(&request("a"), &long()), Code::IncarnationChanged);
        refused(store.renew(lease, 1_000, &long()), Code::LeaseLost);
    }
    other(copy).vouch(&Vouch::new(1)).unwrap();
    assert_eq!(take(&other(copy)).unwrap(), 21);
    refused(other(copy).acquire(&request("a"), &long()), Code::WorkersExhausted);
}

/// As an operator's word names it.
pub(super) fn server_of(database: &Database) -> String {
    let started =
        "SELECT to_hex((extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint)";
    format!("{}.{}", incarnation_of(database), database.run(started))
}

pub(super) fn incarnation_of(database: &Database) -> String {
    database.run(
        "SELECT concat_ws('-', system_identifier, oid, CAST('snowmint_schema'::regclass AS oid), \
         left(pg_walfile_name(pg_current_wal_lsn()), 8)) FROM pg_control_system(), pg_database WHERE datname = current_database()",
    )
}

/// Nothing would be refused that a failover may have lost.
#[test]
fn a_user_that_may_not_ask_for_the_incarnation_is_refused() {
    let database = database();
    let user = format!("blind_{}", database.name());
    database.run(&format!(
        "CREATE ROLE {user} LOGIN; \
         GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA snowmint TO {user}"
    ));
    let url = logins::as_user(&database, &user);
    let store = open_store(&url).unwrap();
    assert_eq!(take(&*store).unwrap(), 1);
    for function in ["pg_control_system()", "pg_walfile_name(pg_lsn)", "pg_current_wal_lsn()"] {
        let right = format!("EXECUTE ON FUNCTION {function}");
        database.run(&format!("REVOKE {right} FROM PUBLIC"));
        // By a connection that had it, and by a new one.
        for _ in 0..2 {
            let message = refused(take(&*store), Code::StoreDenied);
            let (_, rights) = message.split_once("EXECUTE ON FUNCTION ").unwrap();
            assert!(rights.split_once(" TO").unwrap().0.contains(function), "{message}");
        }
        database.run(&format!("GRANT {right} TO {user}"));
    }
    assert_eq!(take(&*store).unwrap(), 11);
    database.run(&format!("DROP OWNED BY {user}; DROP ROLE {user}"));
}

/// As some have it that speak PostgreSQL's language. Tables of others need none.
#[test]
fn a_server_without_an_incarnation_is_refused() {
    let database = database();
    database.run(
        "CREATE SEQUENCE others; ALTER FUNCTION pg_control_system() RENAME TO pg_control_hidden",
    );
    refused(open_store(&database.url).map(drop), Code::Unsupported);
    let others = open_store(&format!("{}&dialect=sequence", database.url)).unwrap();
    let asked = [AllocationRequest::new(Tag::new("others").unwrap(), None)];
    let range = others.allocate(&asked, &long()).unwrap().pop().unwrap().unwrap();
    assert_eq!((range.range.start(), range.incarnation), (1, None));
}

#[test]
fn a_connection_that_began_on_a_standby_tells_what_it_became() {
    let primary = Server::start(&[]);
    let database = with_orders(primary.database());
    let before = incarnation_of(&database);
    let standby = Standby::of(&primary);
    let copy = standby.named(database.name());
    let store = other(&copy);
    refused(take(&store), Code::StoreReadOnly);
    // One of its connections saw no change refused, and stays.
    store.tags().unwrap();
    standby.promote();
    let (tag, options) = (Tag::new("new").unwrap(), TagOptions::default());
    store.vouch(&Vouch::new(0)).unwrap();
    store.create_tag(&tag, options).unwrap();
    let request = AllocationRequest::new(tag, None);
    let range = store.allocate(&[request], &long()).unwrap().pop().unwrap().unwrap();
    let told = range.incarnation.unwrap();
    assert_eq!(*told, *incarnation_of(&copy));
    assert_ne!(*told, *before);
}
