//! A replica that takes its primary's place, and what it does not know.

use snowmint::Vouch;

use super::sql_servers::failovers::short;
use super::sql_servers::vouches;
use super::*;

/// A database of a primary, and its copy, of which the last part is missing.
pub(super) struct Failover {
    primary: Option<Server>,
    replica: Server,
    pub(super) database: Database,
    pub(super) copy: Database,
}

/// A server that others can follow, and that can follow others.
pub(super) fn server(id: u32) -> Server {
    let id = format!("server-id={id}");
    let gtids = ["loose-gtid-mode=ON", "loose-enforce-gtid-consistency=ON"]; // MySQL's
    let log = ["log-bin", "loose-log-slave-updates", "sync-binlog=1"];
    Server::start(&[&gtids[..], &log, &[&id]].concat())
}

/// Has a server follow another, and take no changes but its own.
pub(super) fn follow(replica: &Server, primary: &Database) {
    replica.run("SET GLOBAL read_only = 1");
    follow_and_take_changes(replica, primary);
}

pub(super) fn follow_and_take_changes(replica: &Server, primary: &Database) {
    let (_, port) = primary.host_and_port();
    replica.run(&match replica.is_mariadb() {
        true => format!(
            "CHANGE MASTER TO master_host = '127.0.0.1', master_port = {port}, \
             master_user = 'root', master_use_gtid = slave_pos, master_ssl = 0; START SLAVE"
        ),
        false => format!(
            "CHANGE REPLICATION SOURCE TO source_host = '127.0.0.1', source_port = {port}, \
             source_user = 'root', source_auto_position = 1, source_ssl = 0; \
             START REPLICA"
        ),
    });
}

pub(super) fn catch_up(replica: &Server, primary: &Database) {
    let (behind, waited) = match replica.is_mariadb() {
        true => ("@@gtid_binlog_pos", "MASTER_GTID_WAIT"),
        false => ("@@gtid_executed", "WAIT_FOR_EXECUTED_GTID_SET"),
    };
    let behind = primary.run(&format!("SELECT {behind}"));
    let query = format!("SELECT {waited}('{behind}', 60)");
    assert_eq!(replica.run(&query), "0", "the replica is behind");
}

pub(super) fn stop_following(replica: &Server) {
    replica.run(if replica.is_mariadb() { "STOP SLAVE" } else { "STOP REPLICA" });
}

pub(super) fn promote(replica: &Server) {
    stop_following(replica);
    replica.run(if replica.is_mariadb() { "RESET SLAVE ALL" } else { "RESET REPLICA ALL" });
    replica.run("SET GLOBAL read_only = 0");
}

pub(super) fn incarnation_of(database: &Database) -> String {
    database.run(match Server::shared().is_mariadb() {
        true => {
            "SELECT concat_ws('-', @@server_id, \
             left(sha2(concat_ws(' ', database(), @@gtid_slave_pos), 256), 8))"
        }
        false => "SELECT concat_ws('-', @@server_uuid, left(sha2(database(), 256), 8))",
    })
}

/// SQL for the server's time in Unix milliseconds, and for the time in a year.
pub(super) const NOW_MS: &str = "floor(unix_timestamp(now(3)) * 1000)";
pub(super) const IN_A_YEAR_MS: &str = "floor(unix_timestamp(now() + INTERVAL 1 YEAR) * 1000)";

/// Returns a URL for the one of two servers that takes changes.
pub(super) fn url_of_both(database: &Database, copy: &Database) -> String {
    database.url_at(&[database, copy].map(|it| it.host_and_port().1))
}

impl Failover {
    /// Before anything happens.
    pub(super) fn new() -> Failover {
        let (primary, replica) = (server(1), server(2));
        let database = with_orders(primary.database());
        follow(&replica, &database);
        let copy = replica.named(database.name());
        Failover { primary: Some(primary), replica, database, copy }
    }
}

impl Failover {
    /// A store of the first server, in which the tag `orders` has steps of 10.
    pub(crate) fn before(&self) -> MysqlStore {
        other(&self.database)
    }

    /// Runs statements on the first server, and returns their output.
    pub(crate) fn run(&self, statements: &str) -> String {
        self.database.run(statements)
    }

    /// Separates the servers, so that later changes are lost.
    pub(crate) fn part(&self) {
        catch_up(&self.replica, &self.database);
        stop_following(&self.replica);
    }

    /// The first server ends, and the other one takes its place.
    pub(crate) fn happen(&mut self) -> MysqlStore {
        drop(self.primary.take());
        promote(&self.replica);
        other(&self.copy)
    }

    /// Returns the identity of the other server.
    pub(crate) fn successor(&self) -> String {
        incarnation_of(&self.copy)
    }
}

/// Its own number is that of before: what it is told from is where it stopped following the other.
#[test]
fn a_server_that_took_its_place_back_is_another() {
    if !has_mariadb("place where it stopped following another") {
        return;
    }
    let (first, second) = (server(1), server(2));
    let database = with_orders(first.database());
    let copy = second.named(database.name());
    let store = other(&database);
    assert_eq!(take(&store).unwrap(), 1);
    let over = store.acquire(&short("over", 1), &long()).unwrap();
    follow(&second, &database);
    catch_up(&second, &database);
    let before = incarnation_of(&database);
    first.run("SET GLOBAL read_only = 1");
    promote(&second);
    // It goes on with all that it has, and the first one hears nothing of what it gives.
    let successor = other(&copy);
    first.run(&format!("SET GLOBAL gtid_slave_pos = '{}'", second.run("SELECT @@gtid_slave_pos")));
    copy.run("CREATE TABLE heard (at integer)");
    follow(&first, &copy);
    catch_up(&first, &copy);
    stop_following(&first);
    successor.vouch(&Vouch::new(0)).unwrap();
    assert_eq!(take(&successor).unwrap(), 11);
    promote(&first);

    let store = other(&database);
    assert_ne!(incarnation_of(&database), before);
    refused(take(&store), Code::IncarnationChanged);
    refused(vouches::create(&store, "new"), Code::IncarnationChanged);
    refused(store.renew(&over, 1000, &long()), Code::LeaseLost);
    let message = refused(store.acquire(&request("next"), &long()), Code::WorkersExhausted);
    assert!(message.contains("took another's place"), "{message}");
    let rows = store.vouch(&Vouch::new(1)).unwrap();
    assert_eq!((rows.len(), take(&store).unwrap()), (1, 21));
    // Nor does it become another by itself.
    assert_eq!(take(&store).unwrap(), 31);
}

/// No transaction of ours is without it; what is run by hand is given nothing.
#[test]
fn a_statement_without_the_incarnation_gives_nothing() {
    let database = database();
    let allocate = include_str!("../../src/store/mysql/allocate.sql");
    database.run(&allocate.replace(":tag", "'orders'").replace(":count", "NULL"));
    assert_eq!(database.run("SELECT tag, next FROM snowmint_segment"), "orders\t1");
}
