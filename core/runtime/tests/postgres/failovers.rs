//! A standby that takes its primary's place, and what it does not know.

use std::sync::Arc;

use snowmint::Vouch;

use super::asking::failovers::{self, Succession, short};
use super::standby::Standby;
use super::*;

/// A database of a primary, and its copy, of which the last part is missing.
pub(super) struct Failover {
    primary: Option<Server>,
    pub(super) standby: Standby,
    pub(super) database: Database,
    pub(super) copy: Database,
}

impl Failover {
    /// Before anything happens.
    pub(super) fn with(settings: &[&str]) -> Failover {
        let primary = Server::start(settings);
        let standby = Standby::of(&primary);
        let database = with_orders(primary.database());
        let copy = standby.named(database.name());
        Failover { primary: Some(primary), standby, database, copy }
    }
}

/// Of whichever of two servers takes changes.
pub(super) fn url_of_both(database: &Database, copy: &Database) -> String {
    let [before, after] = [database, copy].map(Database::host_and_port);
    let both = format!("{}:{},{}:{}", before.0, before.1, after.0, after.1);
    let url = database.url_with(&format!("{}:{}", before.0, before.1), &both);
    format!("{url}&target_session_attrs=read-write")
}

impl Succession for Failover {
    fn before(&self) -> Arc<dyn Store> {
        Arc::new(other(&self.database))
    }

    fn run(&self, statements: &str) -> String {
        self.database.run(statements)
    }

    fn part(&self) {
        self.standby.catch_up(self.primary.as_ref().unwrap());
        self.standby.part();
    }

    fn happen(&mut self) -> Arc<dyn Store> {
        drop(self.primary.take());
        self.standby.promote();
        Arc::new(other(&self.copy))
    }

    fn successor(&self) -> String {
        server_of(&self.copy)
    }
}

/// The one worker ID is given again while what the store knows of it is long over.
#[test]
fn leases_that_a_failover_loses_meet_no_others() {
    failovers::leases_that_are_lost_meet_no_others(&mut Failover::with(&[]));
}

/// What was lost may have asked for a little more than what is known.
#[test]
fn an_eighth_more_than_any_slab_is_noted() {
    let database = database();
    failovers::an_eighth_more_is_noted(&other(&database), &|statements| database.run(statements));
}

/// Rows tell times of which the new server's clock knows nothing yet.
#[test]
fn l1_leases_of_a_clock_that_was_ahead_are_over() {
    let database = database();
    let run = |statements: &str| database.run(statements);
    failovers::leases_of_a_clock_that_was_ahead_are_over(&other(&database), &run);
}

/// It was noted by a clock that was ahead.
#[test]
fn a_wait_that_is_too_long_is_ended_by_hand() {
    let database = database();
    let in_a_year_ms = "floor(extract(epoch FROM now() + interval '1 year') * 1000)";
    let run = |statements: &str| database.run(statements);
    failovers::a_long_wait_is_ended_by_hand(&other(&database), &run, in_a_year_ms);
}

/// However short it is, and however soon after the wait.
#[test]
fn a_lease_that_is_taken_after_the_wait_is_renewed() {
    let database = database();
    let now_ms = "floor(extract(epoch FROM clock_timestamp()) * 1000)";
    let run = |statements: &str| database.run(statements);
    failovers::a_lease_after_the_wait_is_renewed(&other(&database), &run, now_ms);
}

#[test]
fn ranges_that_no_standby_confirmed_are_not_given_again() {
    failovers::ranges_that_are_lost_are_not_given_again(&mut Failover::with(&[]));
}

/// It names both servers, and what was at hand is its own.
#[test]
fn a_source_goes_on_once_its_tag_is_raised() {
    let mut failover = Failover::with(&[]);
    let url = format!("segment+{}&tag=orders", url_of_both(&failover.database, &failover.copy));
    let source = snowmint::open(&url).unwrap();
    let mut last = source.next_id().unwrap();
    failover.part();
    let store = failover.happen();
    wait_until("the refusal", || match source.next_id() {
        Ok(id) => {
            assert_eq!(id, last + 1);
            last = id;
            false
        }
        Err(error) => error.code() == Code::IncarnationChanged,
    });
    store.change_tag(&orders(), TagChange::default().next(1000)).unwrap();
    let mut next = 0;
    wait_until("the first number above", || source.next_id().map(|id| next = id).is_ok());
    assert_eq!(next, 1000);
}

/// And worker IDs are given after a while, although nobody renews one.
#[test]
fn ranges_that_a_standby_confirmed_go_on_after_it_took_over() {
    let mut failover = Failover::with(&["synchronous_standby_names=copy"]);
    let store = other(&failover.database);
    assert_eq!((take(&store).unwrap(), take(&store).unwrap()), (1, 11));
    failover.run("UPDATE snowmint_schema SET longest_slab_ms = 1");
    drop(store);
    let store = failover.happen();
    assert_eq!(take(&*store).unwrap(), 21);
    store.create_tag(&Tag::new("new").unwrap(), TagOptions::default()).unwrap();
    refused(store.acquire(&short("next", 1), &long()), Code::WorkersExhausted);
    wait_until("the end of the wait", || store.acquire(&short("next", 1), &long()).is_ok());
}

/// A standby that did not confirm may be promoted where not all of them have to.
#[test]
fn ranges_are_confirmed_by_all_standbys_or_none() {
    let database = database();
    let incarnation = incarnation_of(&database);
    let statement = include_str!("../../src/store/postgres/incarnation.sql");
    let setting = "current_setting('synchronous_standby_names')";
    for (names, is_confirmed) in [
        ("", false),
        ("a", true),
        (" \"a, b\" ", true),
        ("first", true),
        ("*", false),
        ("\"*\"", false),
        ("a, b", false),
        ("1 (a, b)", false),
        ("ANY 1 (a, b)", false),
        ("ANY 1 (a)", true),
        ("2 (a, b)", true),
        ("first 2(a,\"b (c), d\")", true),
        (" Any 2 ( a , b ) ", true),
        ("2 (a, *)", false),
        ("2 (a, a)", false),
        ("2 (a, b, c)", false),
        // Standbys without a name of their own have this one, and case does not tell names apart.
        ("walreceiver", false),
        ("2 (a, \"WalReceiver\")", false),
        ("2 (a, A)", false),
        ("2 (a, \"A\")", false),
    ] {
        let told = untold(&database, statement, &[(setting, &format!("'{names}'"))]);
        let unconfirmed = if is_confirmed { "" } else { &incarnation };
        let server = server_of(&database);
        assert_eq!(told, format!("{incarnation}|{unconfirmed}|{server}"), "{names}");
    }
}

/// As an operator's word names it.
pub(super) fn server_of(database: &Database) -> String {
    let started =
        "SELECT to_hex((extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint)";
    format!("{}.{}", incarnation_of(database), database.run(started))
}

pub(super) fn incarnation_of(database: &Database) -> String {
    database.run(
        "SELECT system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) \
         FROM pg_control_system()",
    )
}

/// Roles of a database of which the one may ask for the incarnation, and the other may not.
pub(super) fn seer_and_blind(database: &Database) -> [String; 2] {
    let roles = ["seer", "blind"].map(|role| format!("{role}_{}", database.name()));
    database.run("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    for role in &roles {
        database.run(&format!(
            "CREATE ROLE {role} LOGIN; GRANT SELECT, INSERT, UPDATE \
             ON snowmint_worker, snowmint_segment, snowmint_schema TO {role}"
        ));
    }
    database.run(&format!("GRANT EXECUTE ON FUNCTION pg_control_system() TO {}", roles[0]));
    roles
}

pub(super) fn drop_roles(database: &Database, roles: &[String]) {
    for role in roles {
        database.run(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
    }
}

/// As some that speak PostgreSQL's language, or one that lets no user of this database ask.
#[test]
fn a_server_that_does_not_tell_its_incarnation_is_always_the_same() {
    let database = database();
    let roles = seer_and_blind(&database);
    forget_incarnation(&database);
    let store = open_store(&logins::as_user(&database, &roles[1])).unwrap();
    let range = take_within(&*store, Duration::from_secs(60)).unwrap();
    assert_eq!((range.range.start(), range.incarnation), (1, None));
    let lease = store.acquire(&request("a"), &long()).unwrap();
    assert_eq!(store.renew(&lease, 1000, &long()).unwrap().incarnation, None);
    drop_roles(&database, &roles);
}

/// What a statement gives with these values, and without settings of a transaction.
pub(super) fn untold(database: &Database, statement: &str, values: &[(&str, &str)]) -> String {
    let filled = |text: String, (name, value): &(&str, &str)| text.replace(name, value);
    database.run(&values.iter().fold(statement.to_owned(), filled))
}

#[test]
fn who_may_not_ask_for_the_incarnation_undoes_nothing() {
    let database = database();
    let roles = seer_and_blind(&database);
    let [seer, blind] =
        roles.each_ref().map(|it| open_store(&logins::as_user(&database, it)).unwrap());
    assert_eq!(take(&*seer).unwrap(), 1);
    for incarnation in ["incarnation", "'another'"] {
        database.run(&format!(
            "UPDATE snowmint_schema SET incarnation = {incarnation}; \
             UPDATE snowmint_segment SET incarnation = {incarnation}"
        ));
        let message = refused(take(&*blind), Code::StoreDenied);
        assert!(message.contains("GRANT EXECUTE ON FUNCTION pg_control_system()"), "{message}");
        refused(blind.acquire(&request("a"), &long()), Code::StoreDenied);
        let raise = TagChange::default().next(100);
        refused(blind.change_tag(&orders(), raise), Code::StoreDenied);
        let new = Tag::new("new").unwrap();
        refused(blind.create_tag(&new, TagOptions::default()), Code::StoreDenied);
        // Nor where nobody looks before.
        let allocate = include_str!("../../src/store/postgres/allocate.sql");
        let values = [(":tag", "'orders'"), (":count", "NULL")];
        assert_eq!(untold(&database, allocate, &values), "");
        let acquire = include_str!("../../src/store/postgres/acquire.sql");
        let numbers = [(":first", "0"), (":avoid", "NULL"), (":reach_ms", "0"), (":slab_ms", "1")];
        let names = [(":realm", "'a'"), (":owner", "'b'"), (":max_worker_id", "9")];
        let values = [&numbers[..], &names, &[(":token", "repeat('x', 16)")]].concat();
        assert_eq!(untold(&database, acquire, &values), "");
    }
    refused(take(&*seer), Code::IncarnationChanged);
    refused(seer.acquire(&request("a"), &long()), Code::WorkersExhausted);
    // A tag's own is enough.
    let incarnation = database.run("SELECT incarnation FROM snowmint_schema");
    database.run("UPDATE snowmint_schema SET incarnation = NULL");
    refused(take(&*blind), Code::StoreDenied);
    database.run(&format!("UPDATE snowmint_schema SET incarnation = '{incarnation}'"));
    // What the message says is enough.
    database.run(&format!("GRANT EXECUTE ON FUNCTION pg_control_system() TO {}", roles[1]));
    refused(take(&*blind), Code::IncarnationChanged);
    blind.change_tag(&orders(), TagChange::default().next(100)).unwrap();
    assert_eq!(take(&*seer).unwrap(), 100);
    // A tag whose ranges were all confirmed has none of its own.
    database.run("UPDATE snowmint_segment SET incarnation = NULL");
    let allocate = include_str!("../../src/store/postgres/allocate.sql");
    assert_eq!(untold(&database, allocate, &[(":tag", "'orders'"), (":count", "NULL")]), "");
    drop_roles(&database, &roles);
}

/// Where one of them loses the right in the middle, or the tables come from a server that has it.
#[test]
fn statements_without_the_incarnation_undo_nothing() {
    let database = database();
    let store = other(&database);
    store.acquire(&request("a"), &long()).unwrap();
    assert_eq!(take(&store).unwrap(), 1);
    let renew = include_str!("../../src/store/postgres/renew.sql");
    let token = "(SELECT token FROM snowmint_worker)";
    let lease = [
        (":realm", "'realm'"),
        (":worker_id", "(SELECT worker_id FROM snowmint_worker)"),
        (":epoch", "1"),
        (":owner", "'a'"),
        (":token", token),
        (":next", token),
        (":slab_ms", "1"),
    ];
    assert_eq!(untold(&database, renew, &lease), "");
    let change = include_str!("../../src/store/postgres/change_tag.sql");
    untold(
        &database,
        change,
        &[(":tag", "'orders'"), (":next", "100"), (":step", "NULL"), (":ends", "NULL")],
    );
    let given_by = database.run("SELECT incarnation FROM snowmint_segment");
    assert_eq!(given_by, incarnation_of(&database));
    let fenced = include_str!("../../src/store/postgres/fenced.sql");
    for incarnation in ["incarnation", "NULL", "'untold'"] {
        database.run(&format!("UPDATE snowmint_segment SET incarnation = {incarnation}"));
        assert_eq!(untold(&database, fenced, &[(":tag", "'orders'")]), "unknown", "{incarnation}");
    }
    database.run("UPDATE snowmint_schema SET incarnation = NULL");
    assert_eq!(untold(&database, fenced, &[(":tag", "'orders'")]), "");
}

/// A failover between the two would not have been seen.
#[test]
fn ranges_of_who_was_not_told_are_not_given_again() {
    let database = database();
    let roles = seer_and_blind(&database);
    forget_incarnation(&database);
    let [seer, blind] =
        roles.each_ref().map(|it| open_store(&logins::as_user(&database, it)).unwrap());
    let made = Tag::new("made").unwrap();
    blind.create_tag(&made, TagOptions::default()).unwrap();
    assert_eq!((take(&*blind).unwrap(), take(&*blind).unwrap()), (1, 11));
    let message = refused(take(&*seer), Code::IncarnationChanged);
    assert!(message.contains("may not ask which server"), "{message}");
    let asked = [AllocationRequest::new(made, None)];
    refused(seer.allocate(&asked, &long()).unwrap().pop().unwrap(), Code::IncarnationChanged);
    // Who is not told goes on, and his raise is no word on what this server has.
    blind.change_tag(&orders(), TagChange::default().next(50)).unwrap();
    refused(take(&*seer), Code::IncarnationChanged);
    assert_eq!(take(&*blind).unwrap(), 50);
    seer.change_tag(&orders(), TagChange::default().next(100)).unwrap();
    assert_eq!(take(&*seer).unwrap(), 100);
    drop_roles(&database, &roles);
}

/// As some have it that speak PostgreSQL's language, and are given a copy of its tables.
#[test]
fn tables_of_a_server_with_an_incarnation_are_refused_where_there_is_none() {
    let database = database();
    assert_eq!(take(&other(&database)).unwrap(), 1);
    other(&database).acquire(&request("a"), &long()).unwrap();
    database.run("ALTER FUNCTION pg_control_system() RENAME TO pg_control_hidden");
    let store = other(&database);
    refused(store.acquire(&request("b"), &long()), Code::StoreSchema);
    refused(store.change_tag(&orders(), TagChange::default().next(100)), Code::StoreSchema);
    let message = refused(take(&store), Code::StoreSchema);
    // What it says is enough.
    let (_, cure) = message.split_once("in use, ").unwrap();
    database.run(cure);
    assert_eq!(take(&store).unwrap(), 11);
    store.acquire(&request("b"), &long()).unwrap();
}

#[test]
fn a_right_to_ask_that_is_lost_is_named() {
    let database = database();
    let roles = seer_and_blind(&database);
    let seer = open_store(&logins::as_user(&database, &roles[0])).unwrap();
    assert_eq!(take(&*seer).unwrap(), 1);
    for function in ["pg_control_system()", "pg_walfile_name(pg_lsn)", "pg_current_wal_lsn()"] {
        let right = format!("EXECUTE ON FUNCTION {function}");
        database.run(&format!("REVOKE {right} FROM PUBLIC; REVOKE {right} FROM {}", roles[0]));
        // By a connection that had it, and by a new one.
        for _ in 0..2 {
            let message = refused(take(&*seer), Code::StoreDenied);
            let (_, rights) = message.split_once("EXECUTE ON FUNCTION ").unwrap();
            assert!(rights.split_once(" TO").unwrap().0.contains(function), "{message}");
        }
        database.run(&format!("GRANT {right} TO {}", roles[0]));
    }
    assert_eq!(take(&*seer).unwrap(), 11);
    drop_roles(&database, &roles);
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
    store.vouch(&Vouch::default()).unwrap();
    store.create_tag(&tag, options).unwrap();
    let request = AllocationRequest::new(tag, None);
    let range = store.allocate(&[request], &long()).unwrap().pop().unwrap().unwrap();
    let told = range.incarnation.unwrap();
    assert_eq!(*told, *incarnation_of(&copy));
    assert_ne!(*told, *before);
}
