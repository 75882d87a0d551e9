//! Reports what you should know about a database before you rely on it. It only reads.

use snowmint_engine::Code;

use super::rows::STATEMENTS;
use super::session::{Session, incarnation};
use super::statement::{self, Statement};
use super::{CALL_WITHIN, Endpoint, MysqlBuilder, MysqlStore};
use crate::error::{Error, Result};
use crate::findings::Finding;
use crate::host::process::PerProcess;
use crate::store::Others;
use crate::store::doctor::clocks;
use crate::store::doctor::rows::{self, one};
use crate::store::doctor::servers::{self, FAILOVERS};
use crate::store::remote::link::Way;
use crate::store::sql::Row as _;
use crate::store::sql::servers::Refusals;
use crate::store::sql::tags::named;

/// The oldest versions that are supported, of MariaDB and of MySQL.
const OLDEST: [(u32, u32); 2] = [(10, 6), (8, 0)];
/// The parameter by which you vouch for a server's durability.
const DECLARED: &str = "durability=declared";

impl MysqlStore {
    /// Examines a database, even one whose commits are not durable.
    pub(crate) fn examine(builder: MysqlBuilder, others: Option<Others>) -> Result<Vec<Finding>> {
        let is_declared = builder.durability_declared;
        let others = others.map(|others| builder.clone().others(others));
        let endpoint = Endpoint::new(builder.durability_declared(true))?;
        let store = MysqlStore { endpoint, connections: PerProcess::new() };
        Ok(match store.server() {
            Ok((server, way)) => {
                let mut findings = of_server(&store, &server, &way, is_declared);
                findings.extend(match others {
                    Some(others) => others.examine(),
                    None => of_tables(&store, &server),
                });
                findings
            }
            Err(error) => vec![Finding::failed("server", &error)],
        })
    }
}

fn of_server(store: &MysqlStore, server: &Server, way: &Way, is_declared: bool) -> Vec<Finding> {
    let mut findings = vec![server.finding(&store.endpoint)];
    findings.extend(settings(store, is_declared).unwrap_or_else(|error| {
        vec![Finding::unseen("durability", &error), Finding::unseen("role", &error)]
    }));
    findings.extend(one("clock", clock(store)));
    findings.push(servers::between(way, server.port));
    findings.extend(one("TLS", secured(store, server, way)));
    findings.extend(one("connections", room(store)));
    findings
}

fn of_tables(store: &MysqlStore, server: &Server) -> Vec<Finding> {
    match store.has_tables() {
        Ok(true) => {
            let mut findings = vec![Finding::ok("tables", "they are there, as they should be")];
            findings.extend(one("rights", rights(store, server)));
            findings.extend(one(FAILOVERS, failovers(store)));
            findings.extend(rows::examine(store));
            findings
        }
        Ok(false) => vec![rows::no_tables()],
        Err(error) => vec![Finding::failed("tables", &error)],
    }
}

/// The server that answered.
struct Server {
    version: String,
    comment: String,
    database: String,
    user: String,
    /// The port from which the server sees this connection come.
    port: Option<u16>,
}

impl Server {
    fn finding(&self, endpoint: &Endpoint) -> Finding {
        let Server { version, comment, database, user, .. } = self;
        let comment = comment.trim_matches(['(', ')']);
        let found = format!("{version} ({comment}) at {endpoint}, as {user} in {database}");
        let oldest = OLDEST[usize::from(!version.contains("MariaDB"))];
        let mut numbers = version.split(['.', '-']).map_while(|it| it.parse::<u32>().ok());
        let number = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        if number >= oldest {
            return Finding::ok("server", found);
        }
        Finding::weaker(
            "server",
            format!("{found}: nobody tried it on one as old"),
            "upgrade it to MariaDB 10.6, MySQL 8 or later",
        )
    }
}

impl MysqlStore {
    /// Reads the only row of a query, each column as text. NULL becomes an empty text.
    fn ask_one<const N: usize>(&self, query: &str) -> Result<[String; N]> {
        let rows = self.read(Statement::plain(query), |row| {
            let column = |at| if row.is_null(at) { Ok(String::new()) } else { row.text(at) };
            (0..N).map(column).collect::<Result<Vec<_>, _>>()
        })?;
        let row = rows.into_iter().next().unwrap_or_default();
        row.try_into().map_err(|_| rows::strange())
    }

    fn server(&self) -> Result<(Server, Way)> {
        let asked = include_str!("doctor/server.sql");
        let [version, comment, database, user, host] = self.ask_one(asked)?;
        let way = self.with_session(CALL_WITHIN, |session, _| Ok(session.way()))?;
        let port = host.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        Ok((Server { version, comment, database, user, port }, way))
    }
}

/// Reports on durability, replicas and isolation.
fn settings(store: &MysqlStore, is_declared: bool) -> Result<Vec<Finding>> {
    let asked = include_str!("doctor/settings.sql");
    let [flush, log, sync, format, read_only, isolation, followed, replicas] =
        store.ask_one(asked)?;
    let method = store.ask_one::<1>(include_str!("flush_method.sql"));
    let method = method.map_or_else(|_| "unknown".to_owned(), |[method]| method);
    let found = format!(
        "innodb_flush_log_at_trx_commit={flush}, log_bin={log}, sync_binlog={sync}, \
         innodb_flush_method={method}"
    );
    let checked = store.with_session(CALL_WITHIN, Session::check_all);
    let mut findings = vec![durability(&found, checked, is_declared)];
    findings.push(role(&read_only, &followed, &replicas));
    findings.push(isolated(&isolation, &log, &format));
    Ok(findings)
}

/// Judges durability as each transaction does. If the caller vouches, a refusal becomes a weakness.
fn durability(found: &str, checked: Result<()>, is_declared: bool) -> Finding {
    match checked {
        Ok(()) => Finding::ok("durability", found),
        // The finding on the role reports this.
        Err(error) if error.code() == Code::StoreReadOnly => Finding::ok("durability", found),
        Err(error) if error.code() != Code::UnsafeSetting => Finding::unseen("durability", &error),
        Err(error) if is_declared => {
            let found = format!("{found}, taken by the word of {DECLARED}: {error}");
            Finding::weaker("durability", found, "make it so, and leave the word out")
        }
        Err(error) => {
            let cure = "the setting that is named, or your word for it";
            Finding::refused("durability", error.code(), format!("{found}: {error}"), cure)
        }
    }
}

fn role(read_only: &str, followed: &str, replicas: &str) -> Finding {
    if !["0", "OFF", "off"].contains(&read_only) {
        let cure =
            "name the server that takes changes, or SET GLOBAL read_only = 0 where this is it";
        let found = format!("read_only={read_only}: it takes no changes");
        return Finding::refused("role", Code::StoreReadOnly, found, cure);
    }
    let has_replicas = replicas.parse().is_ok_and(|count: u64| count > 0);
    if followed.is_empty() && !has_replicas {
        let seen = if replicas.is_empty() { "; whether others follow, is not seen" } else { "" };
        return Finding::ok("role", format!("it takes changes, and follows no other{seen}"));
    }
    let found = format!(
        "it takes changes, with {replicas} replicas connected (gtid_slave_pos={followed:?}): which of \
         its commits they have is never certain, so that after a failover no tag goes on by itself"
    );
    let cure = "none is needed before; after one, find out what was lost, and raise the tags or \
                `snowmint recover`";
    Finding::weaker("role", found, cure)
}

/// Reports whether this server took another's place, and what it refuses until an operator vouches.
fn failovers(store: &MysqlStore) -> Result<Finding> {
    store.with_session(CALL_WITHIN, |session, deadline| {
        session.define(incarnation(), deadline)?;
        let mut read = |statement| session.read(&statement, deadline);
        let present = read(Statement::plain(include_str!("vouched.sql")))?;
        let database = read(Statement::plain(STATEMENTS.database))?;
        let tags = read(Statement::new(STATEMENTS.tags, &[named(None)]))?;
        let (Some(present), Some(database)) = (present.first(), database.first()) else {
            return Err(rows::strange().into());
        };
        Ok(servers::failovers(&present.text(0)?, &Refusals::new(database, &tags)?))
    })
}

fn isolated(isolation: &str, log: &str, format: &str) -> Finding {
    let found = format!("{isolation} by default; each transaction here is READ COMMITTED");
    if ["1", "ON"].contains(&log) && format.eq_ignore_ascii_case("STATEMENT") {
        let found = format!("{found}, which binlog_format={format} refuses to log");
        let cure = "SET GLOBAL binlog_format = 'MIXED', or ROW, also in its configuration";
        return Finding::refused("isolation", Code::StoreUnavailable, found, cure);
    }
    Finding::ok("isolation", found)
}

fn clock(store: &MysqlStore) -> Result<Finding> {
    clocks::compare(|| {
        let [us] = store.ask_one(include_str!("doctor/clock.sql"))?;
        us.parse().map_err(|_| rows::strange())
    })
}

fn secured(store: &MysqlStore, server: &Server, way: &Way) -> Result<Finding> {
    let [_, cipher] = store.ask_one(include_str!("doctor/tls.sql"))?;
    let cipher = (!cipher.is_empty()).then_some(&*cipher);
    let is_verified = store.endpoint.is_verified();
    let way = servers::Secured { way, seen: server.port, cipher, is_verified };
    Ok(way.finding("ssl-mode=verify_identity"))
}

fn room(store: &MysqlStore) -> Result<Finding> {
    let [max] = store.ask_one(include_str!("doctor/room.sql"))?;
    let [_, used] = store.ask_one(include_str!("doctor/used.sql"))?;
    match (max.parse(), used.parse()) {
        (Ok(max), Ok(used)) => Ok(servers::room(max, used)),
        _ => Err(rows::strange()),
    }
}

/// Runs each statement that needs a right, and reports those that are refused.
fn rights(store: &MysqlStore, server: &Server) -> Result<Finding> {
    let mut missing: Vec<Error> = Vec::new();
    for query in statement::parts(include_str!("doctor/rights.sql")) {
        match store.read(query, |_| Ok(())) {
            Err(error) if error.code() == Code::StoreDenied => missing.push(error),
            Err(error) => return Err(error),
            Ok(_) => {}
        }
    }
    let Some(first) = missing.first() else {
        return Ok(Finding::ok("rights", "this user has all that are needed"));
    };
    let found = format!("{} of 8 statements are refused, the first so: {first}", missing.len());
    let cure = format!(
        "GRANT SELECT, INSERT, UPDATE on snowmint_worker and snowmint_segment, SELECT and UPDATE on \
         snowmint_schema, to {}",
        server.user
    );
    Ok(Finding::refused("rights", Code::StoreDenied, found, cure))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Verdict;

    #[test]
    fn an_unsafe_setting_is_refused_unless_durability_is_declared() {
        let error = |code| Err(Error::new(code, "sync_binlog=0"));
        for (checked, is_declared, verdict) in [
            (Ok(()), false, Verdict::Ok),
            (error(Code::UnsafeSetting), false, Verdict::Refused),
            (error(Code::UnsafeSetting), true, Verdict::Weaker),
            (error(Code::StoreReadOnly), false, Verdict::Ok),
            (error(Code::StoreUnavailable), false, Verdict::Unseen),
        ] {
            let finding = durability("found", checked, is_declared);
            assert_eq!(finding.verdict, verdict, "{finding:?}");
        }
    }

    #[test]
    fn a_server_is_as_old_as_it_says() {
        let endpoint =
            Endpoint::new(MysqlBuilder::default().host("db", 1).user("ann").database("ids"));
        let endpoint = endpoint.unwrap();
        for (version, verdict) in [
            ("10.11.19-MariaDB-0+deb12u1", Verdict::Ok),
            ("10.5.9-MariaDB", Verdict::Weaker),
            ("9.7.4-2", Verdict::Ok),
            ("8.0.36", Verdict::Ok),
            ("5.7.44", Verdict::Weaker),
        ] {
            let [comment, database, user] = [(); 3].map(|()| String::new());
            let server =
                Server { version: version.to_owned(), comment, database, user, port: None };
            assert_eq!(server.finding(&endpoint).verdict, verdict, "{version}");
        }
    }

    #[test]
    fn a_log_of_statements_and_a_replica_are_told() {
        assert_eq!(isolated("x", "1", "STATEMENT").verdict, Verdict::Refused);
        assert_eq!(isolated("x", "0", "STATEMENT").verdict, Verdict::Ok);
        assert_eq!(isolated("x", "1", "MIXED").verdict, Verdict::Ok);
        for (read_only, followed, replicas, verdict) in [
            ("0", "", "0", Verdict::Ok),
            ("OFF", "", "", Verdict::Ok),
            ("1", "", "0", Verdict::Refused),
            ("NO_LOCK", "", "0", Verdict::Refused),
            ("0", "0-1-5", "0", Verdict::Weaker),
            ("0", "", "1", Verdict::Weaker),
        ] {
            assert_eq!(role(read_only, followed, replicas).verdict, verdict, "{read_only}");
        }
    }
}
