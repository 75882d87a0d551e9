//! Worker leases and segments in ZooKeeper: rows are nodes, replaced at the version that was read.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::key_space::{self, KeySpace, MARK};
use super::remote::deadline::Deadline;
use super::remote::members::Fault;
use super::remote::pool::Pool;
use super::values::{Named, Seen, Table, Values, of_values};
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::migrate::Migration;

mod builder;
mod doctor;
mod fault;
mod messages;
mod place;
mod session;
mod url;

pub use self::builder::ZookeeperBuilder;
use self::messages::{ANY_VERSION, Answer, Answered, Question, Refusal, State};
use self::place::Place;
use self::session::Session;
pub(crate) use self::url::{PARAMETERS, builder_of};

/// The mark of the key space; below the root, as all nodes.
const SCHEMA: &str = "schema";
const TAGS: &str = "tags";
const WORKERS: &str = "workers";
/// What is written to be told the leader's time.
const CLOCK: &str = "clock";

/// The leader's clock is asked again after this time: until then this machine's may go by so little
/// faster or slower that nobody notices.
const BEAT: Duration = Duration::from_secs(60);

/// What a node's name keeps as it is.
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
/// - *Nodes*: `/snowmint/tags/{tag}` and `/snowmint/workers/{realm}/{id}`, each with JSON, and
///   `/snowmint/schema`, without which nothing is given: after that was deleted an operator has to
///   begin the key space again (`create`), and raise every tag first. All are persistent: nothing of
///   ours ends with a session. What names of nodes cannot have is percent-encoded.
/// - *Durability*: ZooKeeper acknowledges what most members have on their disks (`forceSync`). Each
///   change is of the version that was read, and each question is asked after a `sync`.
/// - *Restores*: an ensemble that was put back is found out by processes that had numbers of it,
///   which then stop ([`RangeRegressed`](crate::Code::RangeRegressed)). A new process cannot know:
///   raise every tag, and wait as long as the longest slab, before it mints. One that lives refuses a
///   key space that was begun anew ([`IncarnationChanged`](crate::Code::IncarnationChanged)).
/// - *Commits*: a change whose answer does not come is
///   [`OutcomeUnknown`](crate::Code::OutcomeUnknown), and what it reserved is never used.
/// - *Members*: what changes nothing is asked of the next one where one does not answer.
/// - *Clock*: the leader's, as a write to `/snowmint/clock` tells it once a minute of each
///   connection.
/// - *Threads*: up to four connections a process, each with one call at a time; two are kept.
/// - *Fork*: a child opens connections of its own and leaves its parent's alone.
pub struct ZookeeperStore {
    place: Place,
    connections: PerProcess<Pool<Session>>,
}

/// A node as it was read.
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
    /// A store on an ensemble that is described first.
    pub fn builder() -> ZookeeperBuilder {
        ZookeeperBuilder::default()
    }

    fn open(builder: ZookeeperBuilder) -> Result<ZookeeperStore> {
        let create = builder.create;
        let store = ZookeeperStore::unseen(builder);
        store.look(create)?;
        Ok(store)
    }

    fn unseen(builder: ZookeeperBuilder) -> ZookeeperStore {
        ZookeeperStore { place: Place::new(builder), connections: PerProcess::new() }
    }

    /// Finds the key space, or begins one where that is asked for and none is there.
    pub(crate) fn look(&self, create: bool) -> Result<()> {
        key_space::look(self, create)
    }

    /// Begins a key space where there is none, or says how.
    pub(crate) fn migrate(builder: ZookeeperBuilder, is_dry: bool) -> Result<Migration> {
        key_space::migrate(&ZookeeperStore::unseen(builder), is_dry)
    }

    fn path(&self, rest: &str) -> String {
        format!("{}/{rest}", self.place.root)
    }

    /// Works with a session; one that fails is not used again, and its member not tried first.
    fn with_session<T>(
        &self,
        deadline: Deadline,
        mut work: impl FnMut(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let pool = self.connections.get_or_init(Pool::default);
        let connect_to = |member, deadline| self.place.connect_to(member, deadline);
        self.place.members.with_connection(&pool, deadline, connect_to, |session| {
            let done = work(session);
            if let Err(fault) = &done {
                session.end();
                if let Fault::Passing(_) = fault {
                    self.place.members.pass_over(session.member);
                }
            }
            done
        })
    }

    fn ask<const N: usize>(
        &self,
        session: &mut Session,
        questions: &[Question<'_>; N],
        deadline: Deadline,
    ) -> Result<[Answered; N], Fault> {
        let member = self.place.members.get(session.member);
        let answers = session.ask(questions, deadline);
        let answers = answers.map_err(|error| fault::unreachable(member, error))?;
        answers.try_into().map_err(|_| fault::strange(member).into())
    }

    /// The answer to a question in a key space that was begun, and what `work` makes of it in the same
    /// session; and the time before by the leader's clock.
    fn seen<T>(
        &self,
        question: &Question<'_>,
        deadline: Deadline,
        work: impl Fn(&mut Session, Answered, Deadline) -> Result<T, Fault>,
    ) -> Result<Seen<T>> {
        let seen = |deadline| {
            self.with_session(deadline, |session| {
                let (answer, now_ms) = self.checked(session, question, deadline)?;
                Ok(Seen { what: work(session, answer, deadline)?, now_ms })
            })
        };
        self.place.members.any(deadline, seen).map_err(Fault::error)
    }

    /// The same of one session: it sees all that was acknowledged before.
    fn checked(
        &self,
        session: &mut Session,
        question: &Question<'_>,
        deadline: Deadline,
    ) -> Result<(Answered, i64), Fault> {
        let (mark, clock) = (self.path(SCHEMA), self.path(CLOCK));
        if session.now_ms(BEAT).is_none() {
            let beat = Question::Set { path: &clock, data: "", version: ANY_VERSION };
            let member = self.place.members.get(session.member);
            match self.ask(session, &[beat], deadline)? {
                [Ok(Answer::State(state))] => session.note_beat(state.changed_ms),
                // What else is not there is told below.
                [Err(Refusal::NO_NODE)] => {}
                [Err(refusal)] => return Err(fault::refused(member, &clock, refusal)),
                [Ok(_)] => return Err(fault::strange(member).into()),
            }
        }
        let questions = [Question::Sync(&self.place.root), Question::Get(&mark), question.clone()];
        let [_, found, answer] = self.ask(session, &questions, deadline)?;
        let found = self.node(session, &mark, found)?;
        key_space::check(found.as_ref().map(|(text, _)| text.as_str()))?;
        if let Some((_, state)) = found {
            self.place.check_mark(state)?;
        }
        let no_clock =
            || fault::refused(self.place.members.get(session.member), &clock, Refusal::NO_NODE);
        Ok((answer, session.now_ms(Duration::MAX).ok_or_else(no_clock)?))
    }

    /// A node that may not be there.
    fn node(
        &self,
        session: &Session,
        path: &str,
        found: Answered,
    ) -> Result<Option<(String, State)>, Fault> {
        let member = self.place.members.get(session.member);
        match found {
            Ok(Answer::Node(text, state)) => Ok(Some((text, state))),
            Ok(_) => Err(fault::strange(member).into()),
            Err(Refusal::NO_NODE) => Ok(None),
            Err(refusal) => Err(fault::refused(member, path, refusal)),
        }
    }

    /// The names of what is below a node that may not be there.
    fn names(&self, session: &Session, path: &str, found: Answered) -> Result<Vec<String>, Fault> {
        let member = self.place.members.get(session.member);
        match found {
            Ok(Answer::Names(names)) => Ok(names),
            Ok(_) => Err(fault::strange(member).into()),
            Err(Refusal::NO_NODE) => Ok(Vec::new()),
            Err(refusal) => Err(fault::refused(member, path, refusal)),
        }
    }

    /// Changes something; which of the expected refusals it met instead.
    fn change(
        &self,
        path: &str,
        question: &Question<'_>,
        expected: &[Refusal],
        deadline: Deadline,
    ) -> Result<Option<Refusal>> {
        let changed = self.with_session(deadline, |session| {
            let [answer] = self.ask(session, std::array::from_ref(question), deadline)?;
            match answer {
                Ok(_) => Ok(None),
                Err(refusal) if expected.contains(&refusal) => Ok(Some(refusal)),
                Err(refusal) => {
                    Err(fault::refused(self.place.members.get(session.member), path, refusal))
                }
            }
        });
        changed.map_err(Fault::of_change)
    }

    /// Makes a node, unless there is one, or none above.
    fn create(&self, path: &str, data: &str, deadline: Deadline) -> Result<Option<Refusal>> {
        let create = Question::Create { path, data, owner: self.place.owner(), is_numbered: false };
        self.change(path, &create, &[Refusal::NODE_EXISTS, Refusal::NO_NODE], deadline)
    }

    /// Makes a node with nothing in it, and those above, as far as they are not there.
    fn create_all(&self, path: &str, deadline: Deadline) -> Result<()> {
        for (end, _) in path.match_indices('/').skip(1).chain([(path.len(), "")]) {
            self.create(&path[..end], "", deadline)?;
        }
        Ok(())
    }
}

impl KeySpace for ZookeeperStore {
    fn name(&self) -> String {
        format!("ZooKeeper {}", self.place)
    }

    fn mark(&self, deadline: Deadline) -> Result<Option<String>> {
        let path = self.path(SCHEMA);
        let ask = |deadline| {
            self.with_session(deadline, |session| {
                let questions = [Question::Sync(&self.place.root), Question::Get(&path)];
                let [_, found] = self.ask(session, &questions, deadline)?;
                self.node(session, &path, found)
            })
        };
        let found = self.place.members.any(deadline, ask).map_err(Fault::error)?;
        if let Some((_, state)) = found {
            self.place.check_mark(state)?;
        }
        Ok(found.map(|(text, _)| text))
    }

    fn beginning(&self) -> String {
        format!("create {} {MARK}", self.path(SCHEMA))
    }

    /// Last of all its mark.
    fn begin(&self, deadline: Deadline) -> Result<()> {
        for name in [TAGS, WORKERS, CLOCK] {
            self.create_all(&self.path(name), deadline)?;
        }
        self.create(&self.path(SCHEMA), MARK, deadline).map(drop)
    }
}

/// As a node can be called.
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

    fn all(&self, table: Table<'_>, deadline: Deadline) -> Result<Seen<Named<Node>>> {
        let above = self.table(table);
        self.seen(&Question::Children(&above), deadline, |session, answer, deadline| {
            let names = self.names(session, &above, answer)?;
            let paths: Vec<_> = names.iter().map(|name| format!("{above}/{name}")).collect();
            let questions: Vec<_> = paths.iter().map(|path| Question::Get(path)).collect();
            let member = self.place.members.get(session.member);
            let answers = session.ask(&questions, deadline);
            let answers = answers.map_err(|error| fault::unreachable(member, error))?;
            let mut found = Vec::new();
            for ((name, path), answer) in names.iter().zip(&paths).zip(answers) {
                let node = self.node(session, path, answer)?;
                found.extend(node.map(|(text, State { version, .. })| {
                    (name_of_node(name), Node { text, version })
                }));
            }
            Ok(found)
        })
    }

    fn one(&self, table: Table<'_>, name: &str, deadline: Deadline) -> Result<Seen<Option<Node>>> {
        let path = format!("{}/{}", self.table(table), node_name(name));
        self.seen(&Question::Get(&path), deadline, |session, answer, _| {
            let found = self.node(session, &path, answer)?;
            Ok(found.map(|(text, State { version, .. })| Node { text, version }))
        })
    }

    fn swap(
        &self,
        table: Table<'_>,
        name: &str,
        known: Option<&Node>,
        new: &str,
        deadline: Deadline,
    ) -> Result<bool> {
        let above = self.table(table);
        let path = format!("{above}/{}", node_name(name));
        let Some(Node { version, .. }) = known else {
            let refusal = self.create(&path, new, deadline)?;
            if refusal == Some(Refusal::NO_NODE) {
                self.create_all(&above, deadline)?;
            }
            return Ok(refusal.is_none());
        };
        let set = Question::Set { path: &path, data: new, version: *version };
        let others = [Refusal::OTHER_VERSION, Refusal::NO_NODE];
        Ok(self.change(&path, &set, &others, deadline)?.is_none())
    }

    fn realms(&self, deadline: Deadline) -> Result<Vec<String>> {
        let above = self.path(WORKERS);
        let seen = self.seen(&Question::Children(&above), deadline, |session, answer, _| {
            self.names(session, &above, answer)
        })?;
        let mut realms: Vec<_> = seen.what.iter().map(|name| name_of_node(name)).collect();
        realms.sort();
        Ok(realms)
    }
}

of_values!(ZookeeperStore);

/// Without a password.
impl fmt::Debug for ZookeeperStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        f.debug_struct("ZookeeperStore").field("place", &place).finish_non_exhaustive()
    }
}

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
