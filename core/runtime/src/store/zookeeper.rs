//! Worker leases and segments in ZooKeeper. Each row is a node, replaced only at the version that
//! was read.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::Incarnation;
use super::remote::deadline::Deadline;
use super::remote::members::Fault;
use super::values::begun::{self, Ground};
use super::values::space::Space;
use super::values::{Named, Seen, Swapped, Table, Values, of_values};
use crate::error::Result;

mod builder;
mod doctor;
mod endpoint;
mod ensemble;
mod errors;
mod fault;
mod leaf;
mod messages;
mod session;
mod url;

pub use self::builder::ZookeeperBuilder;
use self::endpoint::Endpoint;
use self::ensemble::{CLOCK, Ensemble};
pub use self::leaf::{LeafNodes, LeafNodesBuilder};
use self::messages::{Answered, Question, Refusal, State};
use self::session::Session;
pub(crate) use self::url::SCHEME;

/// The node with the mark of the key space, below the root.
const SCHEMA: &str = "schema";
const TAGS: &str = "tags";
const WORKERS: &str = "workers";
/// The nodes of a key space besides its mark.
const MADE: [&str; 3] = [TAGS, WORKERS, CLOCK];

/// The characters that are percent-encoded in a node's name.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'_').remove(b'.').remove(b':').remove(b'-').remove(b',').remove(b'@');

/// Worker leases and segments in ZooKeeper, for all machines that reach it (3.5 and later).
///
/// ```no_run
/// # fn main() -> snowmint::Result<()> {
/// let store = snowmint::ZookeeperStore::builder().member("zk-1", 2181).open()?;
/// # Ok(())
/// # }
/// ```
///
/// - *Nodes*: `/snowmint/tags/{tag}` and `/snowmint/workers/{realm}/{id}` each hold JSON. The store
///   gives out nothing without `/snowmint/schema`. If that node was deleted, begin the key space
///   again (`create`) and raise every tag before you mint. All nodes are persistent, so none ends
///   with a session. Characters that a node's name cannot have are percent-encoded.
/// - *Durability*: ZooKeeper acknowledges what most members have on their disks (`forceSync`). Each
///   change names the version that was read, and each read follows a `sync`.
/// - *Restores*: a running process refuses a key space that was begun anew, and an ensemble whose
///   `/snowmint/clock` was written less often than the process saw
///   ([`IncarnationChanged`](crate::Code::IncarnationChanged)). For example, the ensemble was
///   restored, or an emptied member completed its majority. Once the node was written as often
///   again, only a process that had numbers of a tag notices
///   ([`RangeRegressed`](crate::Code::RangeRegressed)). A new process cannot notice: raise every
///   tag and wait for the longest reservation before anything mints.
/// - *Commits*: a change whose answer does not come fails with
///   [`OutcomeUnknown`](crate::Code::OutcomeUnknown). Its reservation is never used.
/// - *Members*: if a member does not answer, a read goes to the next one.
/// - *Clock*: the leader's. Each connection reads it once a minute by a write to `/snowmint/clock`.
/// - *Threads*: up to four connections a process, each with one call at a time; two are kept.
/// - *Fork*: a child opens its own connections and does not touch its parent's.
pub struct ZookeeperStore {
    ensemble: Ensemble,
    space: Space,
}

#[derive(Clone)]
pub(super) struct Node {
    text: String,
    version: i32,
}

impl AsRef<str> for Node {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl ZookeeperStore {
    fn unseen(builder: ZookeeperBuilder) -> Result<ZookeeperStore> {
        let space = Space::new(builder.key_space);
        Ok(ZookeeperStore { ensemble: Ensemble::new(Endpoint::new(builder)?), space })
    }

    fn path(&self, rest: &str) -> String {
        self.ensemble.endpoint.path(rest)
    }

    /// Asks a question in a key space that was begun, and applies `work` to the answer in the same
    /// session. The time is a lower bound by the leader's clock.
    fn seen<T>(
        &self,
        question: &Question<'_>,
        deadline: Deadline,
        work: impl Fn(&mut Session, Answered, Deadline) -> Result<T, Fault>,
    ) -> Result<Seen<T>> {
        let seen = |deadline| {
            self.ensemble.with_session(deadline, |session| {
                let (answer, now_ms) = self.checked(session, question, deadline)?;
                Ok(Seen { what: work(session, answer, deadline)?, now_ms })
            })
        };
        self.ensemble.endpoint.members.any(deadline, seen).map_err(Fault::error)
    }

    /// Reads a node, if it exists, after a `sync`: it shows everything acknowledged before.
    fn newest(&self, path: &str, deadline: Deadline) -> Result<Option<(String, State)>> {
        let ask = |deadline| {
            self.ensemble.with_session(deadline, |session| {
                let questions = [Question::Sync(&self.ensemble.endpoint.root), Question::Get(path)];
                let [_, found] = self.ensemble.ask(session, &questions, deadline)?;
                self.ensemble.node(session, path, found)
            })
        };
        self.ensemble.endpoint.members.any(deadline, ask).map_err(Fault::error)
    }

    /// Does the same in one given session, without `work`.
    fn checked(
        &self,
        session: &mut Session,
        question: &Question<'_>,
        deadline: Deadline,
    ) -> Result<(Answered, i64), Fault> {
        let now_ms = self.ensemble.now_ms(session, deadline)?;
        let (mark, endpoint) = (self.path(SCHEMA), &self.ensemble.endpoint);
        let questions = [Question::Sync(&endpoint.root), Question::Get(&mark), question.clone()];
        let [_, found, answer] = self.ensemble.ask(session, &questions, deadline)?;
        let found = self.ensemble.node(session, &mark, found)?;
        self.space.note(found.as_ref().map(|(text, _)| text.as_str()))?;
        if let Some((_, state)) = found {
            endpoint.check_mark(state)?;
        }
        let member = endpoint.members.get(session.member);
        let no_clock = || fault::refused(member, &self.path(CLOCK), Refusal::NO_NODE);
        Ok((answer, now_ms.ok_or_else(no_clock)?))
    }
}

impl Ground for ZookeeperStore {
    fn name(&self) -> String {
        format!("ZooKeeper {}", self.ensemble.endpoint)
    }

    fn mark(&self, deadline: Deadline) -> Result<Option<String>> {
        let found = self.newest(&self.path(SCHEMA), deadline)?;
        if let Some((_, state)) = found {
            self.ensemble.endpoint.check_mark(state)?;
        }
        Ok(found.map(|(text, _)| text))
    }

    /// Lists parents first, because a node needs its parent.
    fn beginning(&self, mark: &str, deadline: Deadline) -> Result<Vec<String>> {
        let root = &self.ensemble.endpoint.root;
        let above = root.match_indices('/').skip(1).map(|(end, _)| root[..end].to_owned());
        let below = MADE.map(|name| self.path(name));
        let mut creates = Vec::new();
        for path in above.chain([root.clone()]).chain(below) {
            if self.newest(&path, deadline)?.is_none() {
                creates.push(format!("create {path}"));
            }
        }
        creates.push(format!("create {} '{mark}'", self.path(SCHEMA)));
        Ok(creates)
    }

    /// Creates the mark last.
    fn begin(&self, mark: &str, deadline: Deadline) -> Result<()> {
        for name in MADE {
            self.ensemble.create_all(&self.path(name), deadline)?;
        }
        self.ensemble.create(&self.path(SCHEMA), mark, deadline).map(drop)
    }

    fn around(&self, deadline: Deadline) -> Result<Option<String>> {
        for outer in begun::outer(&self.ensemble.endpoint.root) {
            if self.newest(&format!("{outer}/{SCHEMA}"), deadline)?.is_some() {
                return Ok(Some(outer.to_owned()));
            }
        }
        Ok(None)
    }
}

/// Returns a name as a node can have it.
fn node_name(name: &str) -> Cow<'_, str> {
    match name {
        "." => "%2E".into(),
        ".." => "%2E%2E".into(),
        _ => utf8_percent_encode(name, PLAIN).into(),
    }
}

fn name_of_node(name: &str) -> String {
    percent_decode_str(name).decode_utf8_lossy().into_owned()
}

impl ZookeeperStore {
    fn table(&self, table: Table<'_>) -> String {
        match table {
            Table::Tags => self.path(TAGS),
            Table::Workers(realm) => format!("{}/{}", self.path(WORKERS), node_name(realm)),
        }
    }
}

impl Values for ZookeeperStore {
    type Value = Node;

    fn space(&self) -> &Space {
        &self.space
    }

    fn changes_under_mark(&self) -> bool {
        false
    }

    fn swap_mark(&self, new: &str, deadline: Deadline) -> Result<()> {
        let path = self.path(SCHEMA);
        let Some((text, State { version, .. })) = self.newest(&path, deadline)? else {
            return Ok(());
        };
        if text == self.space.text() {
            let set = Question::Set { path: &path, data: new, version };
            let others = [Refusal::OTHER_VERSION, Refusal::NO_NODE];
            self.ensemble.change(&path, &set, &others, deadline)?;
        }
        Ok(())
    }

    fn incarnation(&self) -> Option<Incarnation> {
        self.ensemble.endpoint.incarnation()
    }

    fn all(&self, table: Table<'_>, deadline: Deadline) -> Result<Seen<Named<Node>>> {
        let above = self.table(table);
        self.seen(&Question::Children(&above), deadline, |session, answer, deadline| {
            let names = self.ensemble.names(session, &above, answer)?;
            let found = self.ensemble.below(session, &above, names, deadline)?;
            let named = |(name, text, State { version, .. }): (String, _, _)| {
                (name_of_node(&name), Node { text, version })
            };
            Ok(found.into_iter().map(named).collect())
        })
    }

    fn one(&self, table: Table<'_>, name: &str, deadline: Deadline) -> Result<Seen<Option<Node>>> {
        let path = format!("{}/{}", self.table(table), node_name(name));
        self.seen(&Question::Get(&path), deadline, |session, answer, _| {
            let found = self.ensemble.node(session, &path, answer)?;
            Ok(found.map(|(text, State { version, .. })| Node { text, version }))
        })
    }

    fn swap(
        &self,
        table: Table<'_>,
        name: &str,
        known: &Seen<Option<Node>>,
        new: &str,
        deadline: Deadline,
    ) -> Result<Swapped<Node>> {
        let above = self.table(table);
        let path = format!("{above}/{}", node_name(name));
        let (refusal, version) = match &known.what {
            Some(Node { version, .. }) => {
                let set = Question::Set { path: &path, data: new, version: *version };
                let others = [Refusal::OTHER_VERSION, Refusal::NO_NODE];
                (self.ensemble.change(&path, &set, &others, deadline)?, version.wrapping_add(1))
            }
            None => (self.ensemble.create(&path, new, deadline)?, 0),
        };
        match refusal {
            None => {
                let what = Node { text: new.to_owned(), version };
                return Ok(Swapped::Done(Seen { what, now_ms: known.now_ms }));
            }
            Some(Refusal::NO_NODE) if known.what.is_none() => {
                self.ensemble.create_all(&above, deadline)?;
            }
            Some(_) => {}
        }
        self.one(table, name, deadline).map(Swapped::Other)
    }

    fn realms(&self, deadline: Deadline) -> Result<Vec<String>> {
        let above = self.path(WORKERS);
        let seen = self.seen(&Question::Children(&above), deadline, |session, answer, _| {
            self.ensemble.names(session, &above, answer)
        })?;
        let mut realms: Vec<_> = seen.what.iter().map(|name| name_of_node(name)).collect();
        realms.sort();
        Ok(realms)
    }
}

of_values!(ZookeeperStore, ZookeeperBuilder);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_one_node() {
        for name in [".", "..", "...", "a/b", "a%2Fb", "orders", "time:41,worker:10@2010-11-04"] {
            let node = node_name(name);
            assert!(!node.contains('/') && !matches!(&*node, "." | ".."), "{node}");
            assert_eq!(name_of_node(&node), name);
        }
    }
}
