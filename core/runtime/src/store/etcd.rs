//! Worker leases and segments in etcd. Each row is a value; a transaction replaces it only if it
//! did not change in between.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Incarnation;
use super::remote::deadline::Deadline;
use super::remote::http::Answer;
use super::remote::members::Fault;
use super::remote::pool::Pool;
use super::values::begun::{self, Ground};
use super::values::memory::Memory;
use super::values::space::Space;
use super::values::{Seen, Swapped, Table, Values, of_values};
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::host::{Clock as _, System};

mod builder;
mod doctor;
mod endpoint;
mod errors;
mod fault;
mod messages;
mod session;
mod url;

pub use self::builder::EtcdBuilder;
use self::endpoint::Endpoint;
use self::messages::{Compare, Done, Operation, Response, TXN, Txn};
use self::session::Session;
pub(crate) use self::url::{SCHEME, builder_of};

/// The key of the mark of the key space, below the prefix.
const SCHEMA_KEY: &str = "schema";
const TAGS_KEY: &str = "tags/";
const WORKERS_KEY: &str = "workers/";

/// The last millisecond of a second.
const SECOND_MS: i64 = 999;

/// Worker leases and segments in etcd, for all machines that reach it. Uses the JSON gateway of
/// etcd 3.4 and later.
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::EtcdStore::builder().member("etcd-1", 2379).open()?;
/// # Ok(())
/// # }
/// ```
///
/// - *Keys*: `snowmint/tags/{tag}` and `snowmint/workers/{realm}/{id}` each hold a JSON value. The
///   store gives out nothing without `snowmint/schema`. If that key was deleted, begin the key
///   space again (`create`) and raise every tag before you mint.
/// - *Durability*: etcd acknowledges what most members have on their disks. Each change is a
///   transaction that compares the row it replaces. Reads are linearizable.
/// - *Restores*: a running process refuses members of another cluster, and a cluster whose revision
///   is below one that the process saw ([`IncarnationChanged`](crate::Code::IncarnationChanged)).
///   For example, that cluster was restored, or forced to continue with a member that lagged. Once
///   its revisions have passed that point, only a process that had numbers of a tag notices
///   ([`RangeRegressed`](crate::Code::RangeRegressed)). A new process cannot notice: raise every
///   tag and wait for the longest reservation before anything mints.
/// - *Commits*: a change fails with [`OutcomeUnknown`](crate::Code::OutcomeUnknown) if its answer
///   does not come in time, or comes from a member that has lost its leader. Its reservation is
///   never used.
/// - *Members*: if a member does not answer, a read goes to the next one.
/// - *Clock*: etcd has none. A member tells the second in the `Date` of its answer. This machine's
///   clock adds the millisecond, kept within that second.
/// - *Threads*: up to four connections a process, each with one call at a time; two are kept.
/// - *Fork*: a child opens its own connections and does not touch its parent's.
pub struct EtcdStore {
    endpoint: Endpoint,
    connections: PerProcess<Pool<Session>>,
    memory: Memory<String>,
    space: Space,
}

impl EtcdStore {
    fn unseen(builder: EtcdBuilder) -> Result<EtcdStore> {
        let space = Space::new(builder.key_space);
        let (endpoint, connections) = (Endpoint::new(builder)?, PerProcess::new());
        Ok(EtcdStore { endpoint, connections, memory: Memory::new(), space })
    }

    /// Opens a prefix whose keys belong to others, and needs no key space.
    pub(crate) fn for_reading(builder: EtcdBuilder) -> Result<EtcdStore> {
        EtcdStore::unseen(builder)
    }

    pub(crate) fn values_below_prefix(&self, deadline: Deadline) -> Result<Vec<(String, String)>> {
        let (mut found, _) =
            self.read(&[Operation::below(&self.endpoint.prefix, false)], deadline)?;
        Ok(found.pop().unwrap_or_default())
    }

    fn key(&self, rest: &str) -> String {
        format!("{}{rest}", self.endpoint.prefix)
    }

    /// Asks a member. If it fails or its answer does not fit, the next call tries another member
    /// first.
    fn ask<T: DeserializeOwned>(
        &self,
        path: &str,
        question: &impl Serialize,
        is_answered_by: impl Fn(&T) -> bool,
        deadline: Deadline,
    ) -> Result<Heard<T>, Fault> {
        let pool = self.connections.get_or_init(Pool::default);
        let connect_to = |member, deadline| self.endpoint.connect_to(member, deadline);
        self.endpoint.members.with_connection(&pool, deadline, connect_to, |session| {
            let member = session.member;
            let answer = session.ask(path, question, deadline);
            let answer = answer
                .map_err(|error| Fault::Passing(fault::unreachable(&self.endpoint, member, error)));
            let heard = answer.and_then(|answer| self.meant(answer, member, &is_answered_by));
            if let Err(fault) = &heard {
                session.end();
                if let Fault::Passing(_) = fault {
                    self.endpoint.members.pass_over(member);
                }
            }
            heard
        })
    }

    /// Reads an answer, unless it is a refusal or belongs to another question.
    fn meant<T: DeserializeOwned>(
        &self,
        answer: Answer,
        member: usize,
        is_answered_by: impl Fn(&T) -> bool,
    ) -> Result<Heard<T>, Fault> {
        let name = self.endpoint.members.get(member);
        let Answer { date_ms, body, .. } = fault::sound(name, answer)?;
        let told = self.told(&body, member)?;
        if !is_answered_by(&told) {
            return Err(Fault::Passing(errors::strange_answer(name, "a question")));
        }
        Ok(Heard { told, date_ms, member })
    }

    /// Asks a question that changes nothing, of one member after another until one answers.
    fn ask_any<T: DeserializeOwned>(
        &self,
        path: &str,
        question: &impl Serialize,
        is_answered_by: impl Fn(&T) -> bool,
        deadline: Deadline,
    ) -> Result<Heard<T>> {
        let ask = |deadline| self.ask(path, question, &is_answered_by, deadline);
        self.endpoint.members.any(deadline, ask).map_err(Fault::error)
    }

    /// Returns the result of each operation, and a lower bound of the time by the member's clock.
    fn read(&self, operations: &[Operation], deadline: Deadline) -> Result<(Vec<Pairs>, i64)> {
        let sent = self.sent();
        let question = Reading { success: operations };
        let is_answered_by = |done: &Done| messages::are_answered_by(operations, done);
        let heard = self.ask_any(TXN, &question, is_answered_by, deadline)?;
        let TransactionResult { found, now_ms, .. } = self.heard(heard, &sent)?;
        Ok((found, now_ms))
    }

    /// Makes a change, or returns the results of `failure` if the comparison fails. Asks one member
    /// only, because a member that failed may have made the change.
    fn change(&self, txn: &Txn, deadline: Deadline) -> Result<TransactionResult> {
        let sent = self.sent();
        let heard = self.ask(TXN, txn, |done| txn.is_answered_by(done), deadline);
        self.heard(heard.map_err(Fault::of_change)?, &sent)
    }

    fn sent(&self) -> Sent {
        Sent { own_ms: System.now_ms(), reached: self.endpoint.progress.reached() }
    }

    /// Checks the cluster, the revision and the time in an answer to a transaction.
    fn heard(&self, heard: Heard<Done>, sent: &Sent) -> Result<TransactionResult> {
        let Heard { told: Done { header, succeeded, responses }, date_ms, member } = heard;
        let strange = || errors::strange_answer(self.endpoint.members.get(member), "a question");
        let second_ms = date_ms.ok_or_else(strange)?;
        self.endpoint.check_cluster(member, &header.cluster_id)?;
        let revision = header.revision.parse().map_err(|_| strange())?;
        self.endpoint.progress.note(sent.reached, revision, &self.name())?;
        let found = responses.iter().map(|found| pairs(found).ok_or_else(strange));
        let (found, now_ms) =
            (found.collect::<Result<_>>()?, within_second(sent.own_ms, second_ms));
        Ok(TransactionResult { is_done: succeeded, found, now_ms })
    }

    fn told<T: DeserializeOwned>(&self, body: &[u8], member: usize) -> Result<T> {
        let strange = |_| errors::strange_answer(self.endpoint.members.get(member), "a question");
        serde_json::from_slice(body).map_err(strange)
    }

    /// Reads below a key. Fails if no key space was begun.
    fn seen(&self, operation: Operation, deadline: Deadline) -> Result<Seen<Pairs>> {
        let mark = Operation::get(&self.key(SCHEMA_KEY));
        let (mut found, now_ms) = self.read(&[mark, operation], deadline)?;
        let what = found.pop().unwrap_or_default();
        self.space.note(found.pop().and_then(value_of_one).as_deref())?;
        Ok(Seen { what, now_ms })
    }
}

type Pairs = Vec<(String, String)>;

/// An answer, and the second by the clock of the member that gave it.
struct Heard<T> {
    told: T,
    date_ms: Option<i64>,
    member: usize,
}

/// This machine's time and the cluster's revision when a question was sent.
struct Sent {
    own_ms: i64,
    reached: u64,
}

/// The result of a transaction: the pairs of each operation, and a lower bound of the time by the
/// member's clock.
struct TransactionResult {
    is_done: bool,
    found: Vec<Pairs>,
    now_ms: i64,
}

/// A transaction that only reads.
#[derive(Serialize)]
struct Reading<'a> {
    success: &'a [Operation],
}

/// Returns this machine's time, or the nearest time in the second that a member told.
fn within_second(own_ms: i64, second_ms: i64) -> i64 {
    own_ms.clamp(second_ms, second_ms + SECOND_MS)
}

fn pairs(found: &Response) -> Option<Pairs> {
    found.pairs().iter().map(messages::Pair::texts).collect()
}

fn value_of_one(mut found: Pairs) -> Option<String> {
    found.pop().map(|(_, value)| value)
}

impl Ground for EtcdStore {
    fn name(&self) -> String {
        format!("etcd {}", self.endpoint)
    }

    fn mark(&self, deadline: Deadline) -> Result<Option<String>> {
        let (mut found, _) = self.read(&[Operation::get(&self.key(SCHEMA_KEY))], deadline)?;
        Ok(found.pop().and_then(value_of_one))
    }

    fn beginning(&self, mark: &str, _deadline: Deadline) -> Result<Vec<String>> {
        Ok(vec![format!("put {} '{mark}'", self.key(SCHEMA_KEY))])
    }

    fn begin(&self, mark: &str, deadline: Deadline) -> Result<()> {
        let key = self.key(SCHEMA_KEY);
        let begin = Txn {
            compare: vec![Compare::is(&key, None)],
            success: vec![Operation::put(&key, mark), Operation::get(&key)],
            ..Txn::default()
        };
        self.change(&begin, deadline).map(drop)
    }

    fn around(&self, deadline: Deadline) -> Result<Option<String>> {
        for outer in begun::outer(&self.endpoint.prefix) {
            let mark = Operation::get(&format!("{outer}/{SCHEMA_KEY}"));
            if self.read(&[mark], deadline)?.0.pop().and_then(value_of_one).is_some() {
                return Ok(Some(outer.to_owned()));
            }
        }
        Ok(None)
    }
}

fn table_key(table: Table<'_>) -> String {
    match table {
        Table::Tags => TAGS_KEY.to_owned(),
        Table::Workers(realm) => format!("{WORKERS_KEY}{realm}/"),
    }
}

impl Values for EtcdStore {
    type Value = String;

    fn space(&self) -> &Space {
        &self.space
    }

    fn swap_mark(&self, new: &str, deadline: Deadline) -> Result<()> {
        let key = self.key(SCHEMA_KEY);
        let swap = Txn {
            compare: vec![Compare::is(&key, Some(&self.space.text()))],
            success: vec![Operation::put(&key, new), Operation::get(&key)],
            ..Txn::default()
        };
        self.change(&swap, deadline).map(drop)
    }

    fn memory(&self) -> Option<&Memory<String>> {
        Some(&self.memory)
    }

    fn members(&self) -> u32 {
        u32::try_from(self.endpoint.members.count()).unwrap_or(u32::MAX)
    }

    fn incarnation(&self) -> Option<Incarnation> {
        self.endpoint.incarnation()
    }

    fn all(&self, table: Table<'_>, deadline: Deadline) -> Result<Seen<Pairs>> {
        let below = self.key(&table_key(table));
        let Seen { what, now_ms } = self.seen(Operation::below(&below, false), deadline)?;
        // A realm's name may contain slashes, a worker ID never does.
        let is_of = |name: &str| matches!(table, Table::Tags) || !name.contains('/');
        let name = |key: &str| key.strip_prefix(&below).filter(|it| is_of(it)).map(str::to_owned);
        let what = what.into_iter().filter_map(|(key, value)| Some((name(&key)?, value)));
        Ok(Seen { what: what.collect(), now_ms })
    }

    fn one(
        &self,
        table: Table<'_>,
        name: &str,
        deadline: Deadline,
    ) -> Result<Seen<Option<String>>> {
        let key = self.key(&(table_key(table) + name));
        let Seen { what, now_ms } = self.seen(Operation::get(&key), deadline)?;
        Ok(Seen { what: value_of_one(what), now_ms })
    }

    fn swap(
        &self,
        table: Table<'_>,
        name: &str,
        known: &Seen<Option<String>>,
        new: &str,
        deadline: Deadline,
    ) -> Result<Swapped<String>> {
        let (key, mark) = (self.key(&(table_key(table) + name)), self.key(SCHEMA_KEY));
        let txn = Txn {
            compare: vec![
                Compare::is(&mark, Some(&self.space.text())),
                Compare::is(&key, known.what.as_deref()),
            ],
            success: vec![Operation::put(&key, new), Operation::get(&key)],
            failure: vec![Operation::get(&mark), Operation::get(&key)],
        };
        let TransactionResult { is_done, mut found, now_ms } = self.change(&txn, deadline)?;
        if is_done {
            return Ok(Swapped::Done(Seen { what: new.to_owned(), now_ms }));
        }
        let present = found.pop().and_then(value_of_one);
        self.space.note(found.pop().and_then(value_of_one).as_deref())?;
        Ok(Swapped::Other(Seen { what: present, now_ms }))
    }

    fn realms(&self, deadline: Deadline) -> Result<Vec<String>> {
        let below = self.key(WORKERS_KEY);
        let Seen { what, .. } = self.seen(Operation::below(&below, true), deadline)?;
        let realm = |key: &str| Some(key.strip_prefix(&below)?.rsplit_once('/')?.0.to_owned());
        let mut realms: Vec<_> = what.iter().filter_map(|(key, _)| realm(key)).collect();
        realms.sort();
        realms.dedup();
        Ok(realms)
    }
}

of_values!(EtcdStore, EtcdBuilder);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_clock_says_no_more_than_the_millisecond() {
        const HOUR_MS: i64 = 3_600_000;
        for (own_ms, wanted) in [(5_300, 5_300), (5_300 + HOUR_MS, 5_999), (5_300 - HOUR_MS, 5_000)]
        {
            assert_eq!(within_second(own_ms, 5_000), wanted);
        }
    }
}
