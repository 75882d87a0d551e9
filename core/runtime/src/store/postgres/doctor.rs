//! Reports what you should know about a database before you rely on it. It only reads.

use snowmint_engine::Code;

use super::rows::STATEMENTS;
use super::schema::{Schema, quoted};
use super::session::check_durable;
use super::statement::Statement;
use super::{CALL_WITHIN, Endpoint, Pool, PostgresBuilder, PostgresStore};
use crate::error::Result;
use crate::findings::Finding;
use crate::host::process::PerProcess;
use crate::store::Others;
use crate::store::doctor::clocks;
use crate::store::doctor::rows::{self, one};
use crate::store::doctor::servers::{self, FAILOVERS};
use crate::store::remote::link::Way;
use crate::store::sql::servers::Refusals;
use crate::store::sql::tags::named;

/// The parameter by which you vouch for a server's durability.
const DECLARED: &str = "durability=declared";
/// The oldest version that can replace triggers in one statement.
const VERSION: u32 = 140_000;

impl PostgresStore {
    pub(crate) fn examine(
        builder: PostgresBuilder,
        others: Option<Others>,
    ) -> Result<Vec<Finding>> {
        let words = (builder.durability_declared, builder.synchronous_replication);
        let others = others.map(|others| builder.clone().others(others));
        let store = PostgresStore {
            endpoint: Endpoint::new(builder)?,
            connections: PerProcess::<Pool<_>>::new(),
        };
        let (server, way) = match store.server() {
            Ok(server) => server,
            Err(error) => return Ok(vec![Finding::failed("server", &error)]),
        };
        let mut findings = vec![server.finding(&store.endpoint)];
        findings.extend(settings(&store, words).unwrap_or_else(|error| {
            vec![Finding::unseen("durability", &error), Finding::unseen("role", &error)]
        }));
        findings.extend(one("clock", clock(&store)));
        findings.push(servers::between(&way, server.port));
        findings.extend(one("TLS", secured(&store, &server, &way)));
        findings.extend(one("connections", room(&store)));
        findings.extend(match others {
            Some(others) => others.examine(),
            None => of_tables(&store, &server),
        });
        Ok(findings)
    }
}

fn of_tables(store: &PostgresStore, server: &Server) -> Vec<Finding> {
    match store.has_tables() {
        Ok(true) => {
            let mut findings = vec![Finding::ok("tables", "they are there, as they should be")];
            findings.extend(one("rights", rights(store, server)));
            findings.extend(one(FAILOVERS, failovers(store)));
            findings.extend(rows::examine(store));
            findings
        }
        Ok(false) => {
            [rows::no_tables()].into_iter().chain(one("rights", making(store, server))).collect()
        }
        Err(error) => {
            let failed = Finding::failed("tables", &error);
            [failed].into_iter().chain(one("rights", rights(store, server))).collect()
        }
    }
}

/// The server that answered.
struct Server {
    version: String,
    number: u32,
    database: String,
    /// The user's name as SQL spells it.
    user: String,
    /// The port from which the server sees this connection come.
    port: Option<u16>,
}

impl Server {
    fn finding(&self, endpoint: &Endpoint) -> Finding {
        let Server { version, database, user, .. } = self;
        let found = format!("{version} at {endpoint}, as {user} in {database}");
        if self.number >= VERSION {
            return Finding::ok("server", found);
        }
        let cure = "upgrade it to PostgreSQL 14 or later";
        Finding::weaker("server", format!("{found}: too old to make tables in"), cure)
    }
}

impl PostgresStore {
    /// Reads all rows of a query, each column as text. NULL becomes an empty text.
    fn ask(&self, query: &Statement) -> Result<Vec<Vec<String>>> {
        self.read(query.clone(), |row| {
            let column = |at| Ok(row.try_get::<_, Option<String>>(at)?.unwrap_or_default());
            (0..row.len()).map(column).collect()
        })
    }

    /// Reads the only row of a query.
    fn ask_one<const N: usize>(&self, query: &Statement) -> Result<[String; N]> {
        let row = self.ask(query)?.pop().unwrap_or_default();
        row.try_into().map_err(|_| rows::strange())
    }

    fn server(&self) -> Result<(Server, Way)> {
        let asked = Statement::plain(include_str!("doctor/server.sql"));
        let [version, number, database, user, port] = self.ask_one(&asked)?;
        let way = self.with_session(CALL_WITHIN, |session, _| Ok(session.way()))?;
        let number = number.parse().map_err(|_| rows::strange())?;
        Ok((Server { version, number, database, user, port: port.parse().ok() }, way))
    }

    fn schema(&self) -> Result<Schema> {
        self.with_session(CALL_WITHIN, |session, _| session.schema().cloned())
    }
}

/// Reports on durability, standbys and isolation, and on what the operator states about them.
fn settings(
    store: &PostgresStore,
    (is_declared, is_synchronous): (bool, bool),
) -> Result<Vec<Finding>> {
    let asked = Statement::plain(include_str!("doctor/settings.sql"));
    let [fsync, pages, commit, isolation, read_only, recovers, names, standbys] =
        store.ask_one(&asked)?;
    let mut findings = vec![durability(&store.endpoint, [&fsync, &pages], &commit, is_declared)];
    findings.push(match (&*recovers, &*read_only) {
        ("true", _) => refused_role("a standby, which takes no changes"),
        (_, "on") => refused_role("default_transaction_read_only is on for it, or this user"),
        _ => primary(&names, &standbys, is_synchronous),
    });
    let found = format!("{isolation} by default; each transaction here is READ COMMITTED");
    findings.push(Finding::ok("isolation", found));
    Ok(findings)
}

/// Judges durability as each transaction does. If the caller vouches, a refusal becomes a weakness.
fn durability(
    endpoint: &Endpoint,
    settings: [&str; 2],
    commit: &str,
    is_declared: bool,
) -> Finding {
    let [fsync, pages] = settings;
    let found = format!(
        "fsync={fsync}, full_page_writes={pages}, synchronous_commit={commit} (at least on in each \
         transaction here)"
    );
    let Err(fault) = check_durable(settings.map(Some)) else {
        return Finding::ok("durability", found);
    };
    let error = fault.explain(&endpoint.place());
    if is_declared {
        let found = format!("{found}, taken by the word of {DECLARED}: {error}");
        return Finding::weaker("durability", found, "make it so, and leave the word out");
    }
    let cure = "the setting that is named, or your word for it";
    Finding::refused("durability", error.code(), format!("{found}: {error}"), cure)
}

fn refused_role(found: &str) -> Finding {
    let cure = "name the primary, or several hosts with target_session_attrs=read-write; or ALTER \
                ROLE … SET default_transaction_read_only = off";
    Finding::refused("role", Code::StoreReadOnly, found, cure)
}

/// Reports how a standby takes a primary's place: by itself, or by an operator's word.
fn primary(names: &str, standbys: &str, is_synchronous: bool) -> Finding {
    let shown = if names.is_empty() { "none named" } else { names };
    let found = format!(
        "a primary with {standbys} connected standbys (synchronous_standby_names: {shown})"
    );
    match (is_synchronous, names) {
        (true, "") => {
            let found = found
                + ", none of which has to confirm a commit, as replication=synchronous \
                                 states";
            let cure = "name each that may be promoted, as synchronous_standby_names = '2 (a, b)' \
                        does, or leave out replication=synchronous";
            Finding::weaker("role", found, cure)
        }
        (true, _) => {
            let found =
                found + ", which confirm each commit by the word of replication=synchronous";
            Finding::ok("role", found)
        }
        (false, "") if standbys == "0" => Finding::ok("role", found),
        (false, _) => {
            let found =
                found + ": one that takes over gives no range of a tag until an operator vouches";
            let cure = "have each that may be promoted confirm each commit, as by \
                        synchronous_standby_names = '2 (a, b)', and say replication=synchronous, or \
                        know `snowmint recover`";
            Finding::weaker("role", found, cure)
        }
    }
}

fn clock(store: &PostgresStore) -> Result<Finding> {
    let asked = Statement::plain(include_str!("doctor/clock.sql"));
    clocks::compare(|| {
        let [us] = store.ask_one(&asked)?;
        us.parse().map_err(|_| rows::strange())
    })
}

fn secured(store: &PostgresStore, server: &Server, way: &Way) -> Result<Finding> {
    let cipher = store.ask(&Statement::plain(include_str!("doctor/tls.sql")))?.pop();
    let cipher = cipher.and_then(|row| row.into_iter().next());
    let is_verified = store.endpoint.is_verified();
    let way = servers::Secured { way, seen: server.port, cipher: cipher.as_deref(), is_verified };
    Ok(way.finding("sslmode=verify-full"))
}

fn room(store: &PostgresStore) -> Result<Finding> {
    let asked = Statement::plain(include_str!("doctor/connections.sql"));
    let [max, used] = store.ask_one(&asked)?.map(|text| text.parse().ok());
    match (max, used) {
        (Some(max), Some(used)) => Ok(servers::room(max, used)),
        _ => Err(rows::strange()),
    }
}

fn rights(store: &PostgresStore, server: &Server) -> Result<Finding> {
    let missing = store.ask(&Statement::plain(include_str!("doctor/privileges.sql")))?;
    let on = format!(" ON {}.", store.schema()?);
    let missing: Vec<_> = missing.iter().map(|row| row.join(&on)).collect();
    if missing.is_empty() {
        return Ok(Finding::ok("rights", "this user has all that are needed"));
    }
    let found = format!("{} has not the rights {}", server.user, missing.join(", "));
    let grant = |right: &String| format!("GRANT {right} TO {}", server.user);
    let cure = missing.iter().map(grant).collect::<Vec<_>>().join("; ");
    Ok(Finding::refused("rights", Code::StoreDenied, found, cure))
}

fn making(store: &PostgresStore, server: &Server) -> Result<Finding> {
    let schema = store.schema()?;
    let asked = Statement::new(include_str!("doctor/making.sql"), &schema.parameter());
    let [may] = store.ask_one(&asked)?;
    let user = &server.user;
    Ok(match &*may {
        "true" => Finding::ok("rights", format!("{user} may make the tables in {schema}")),
        _ => Finding::weaker(
            "rights",
            format!("{user} may not make the tables in {schema}"),
            format!(
                "have the database's owner run `snowmint migrate`, or GRANT CREATE ON DATABASE {}, \
                 or on the schema where it is there",
                quoted(&server.database)
            ),
        ),
    })
}

/// Reports whether this server took another's place, and what it refuses until an operator vouches.
fn failovers(store: &PostgresStore) -> Result<Finding> {
    let asked = Statement::plain("SELECT current_setting('snowmint.server')");
    let [server] = store.ask_one(&asked)?;
    if server.is_empty() {
        return Ok(Finding::hidden(FAILOVERS, "a standby has no incarnation of its own"));
    }
    store.with_session(CALL_WITHIN, |session, deadline| {
        let database = session.read(&Statement::plain(STATEMENTS.database), deadline)?;
        let database = database.first().ok_or_else(rows::strange)?;
        let tags = session.read(&Statement::new(STATEMENTS.tags, &[named(None)]), deadline)?;
        Ok(servers::failovers(&server, &Refusals::new(database, &tags)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Verdict;

    #[test]
    fn an_unsafe_setting_is_refused_unless_durability_is_declared() {
        let endpoint = Endpoint::new(PostgresBuilder::default().host("db", 1).user("ann")).unwrap();
        for (settings, is_declared, verdict) in [
            (["on", "on"], false, Verdict::Ok),
            (["off", "on"], false, Verdict::Refused),
            (["on", "off"], false, Verdict::Refused),
            (["on", "off"], true, Verdict::Weaker),
        ] {
            let finding = durability(&endpoint, settings, "off", is_declared);
            assert_eq!(finding.verdict, verdict, "{finding:?}");
        }
    }

    #[test]
    fn standbys_that_confirm_nothing_are_weaker() {
        for (names, standbys, is_synchronous, verdict) in [
            ("", "0", false, Verdict::Ok),
            ("", "1", false, Verdict::Weaker),
            ("2 (a, b)", "2", false, Verdict::Weaker),
            ("2 (a, b)", "2", true, Verdict::Ok),
            ("", "0", true, Verdict::Weaker),
        ] {
            assert_eq!(primary(names, standbys, is_synchronous).verdict, verdict, "{names}");
        }
    }
}
