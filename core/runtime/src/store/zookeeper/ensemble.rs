//! An ensemble and the sessions with its members. Any member may answer.

use std::time::Duration;

use super::endpoint::Endpoint;
use super::messages::{ANY_VERSION, Answer, Answered, Question, Refusal, State};
use super::session::Session;
use super::{errors, fault};
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::members::Fault;
use crate::store::remote::pool::Pool;

/// The node that is written to learn the leader's time.
pub(super) const CLOCK: &str = "clock";
/// The interval between reads of the leader's clock. Within it, this machine's clock drifts by a
/// negligible time.
const BEAT: Duration = Duration::from_secs(60);

pub(super) struct Ensemble {
    pub(super) endpoint: Endpoint,
    sessions: PerProcess<Pool<Session>>,
}

impl Ensemble {
    pub(super) fn new(endpoint: Endpoint) -> Ensemble {
        Ensemble { endpoint, sessions: PerProcess::new() }
    }

    /// Works with a session. After a failure, the session is not used again and its member is not
    /// tried first.
    pub(super) fn with_session<T>(
        &self,
        deadline: Deadline,
        mut work: impl FnMut(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let pool = self.sessions.get_or_init(Pool::default);
        let connect_to = |member, deadline| self.endpoint.connect_to(member, deadline);
        self.endpoint.members.with_connection(&pool, deadline, connect_to, |session| {
            let done = work(session);
            if let Err(fault) = &done {
                session.end();
                if let Fault::Passing(_) = fault {
                    self.endpoint.members.pass_over(session.member);
                }
            }
            done
        })
    }

    pub(super) fn ask<const N: usize>(
        &self,
        session: &mut Session,
        questions: &[Question<'_>; N],
        deadline: Deadline,
    ) -> Result<[Answered; N], Fault> {
        let member = self.endpoint.members.get(session.member);
        let answers = session.ask(questions, deadline);
        let answers = answers.map_err(|error| fault::unreachable(member, error))?;
        answers.try_into().map_err(|_| errors::strange_answer(member).into())
    }

    /// Reads the answer for a node that may be missing.
    pub(super) fn node(
        &self,
        session: &Session,
        path: &str,
        found: Answered,
    ) -> Result<Option<(String, State)>, Fault> {
        let member = self.endpoint.members.get(session.member);
        match found {
            Ok(Answer::Node(text, state)) => Ok(Some((text, state))),
            Ok(_) => Err(errors::strange_answer(member).into()),
            Err(Refusal::NO_NODE) => Ok(None),
            Err(refusal) => Err(fault::refused(member, path, refusal)),
        }
    }

    /// Reads the names of children. A missing node has none.
    pub(super) fn names(
        &self,
        session: &Session,
        path: &str,
        found: Answered,
    ) -> Result<Vec<String>, Fault> {
        let member = self.endpoint.members.get(session.member);
        match found {
            Ok(Answer::Names(names)) => Ok(names),
            Ok(_) => Err(errors::strange_answer(member).into()),
            Err(Refusal::NO_NODE) => Ok(Vec::new()),
            Err(refusal) => Err(fault::refused(member, path, refusal)),
        }
    }

    /// Reads the children with these names, except those that are gone by now.
    pub(super) fn below(
        &self,
        session: &mut Session,
        above: &str,
        names: Vec<String>,
        deadline: Deadline,
    ) -> Result<Vec<(String, String, State)>, Fault> {
        let paths: Vec<_> = names.iter().map(|name| format!("{above}/{name}")).collect();
        let questions: Vec<_> = paths.iter().map(|path| Question::Get(path)).collect();
        let member = self.endpoint.members.get(session.member);
        let answers = session.ask(&questions, deadline);
        let answers = answers.map_err(|error| fault::unreachable(member, error))?;
        let mut found = Vec::new();
        for ((name, path), answer) in names.into_iter().zip(&paths).zip(answers) {
            let node = self.node(session, path, answer)?;
            found.extend(node.map(|(text, state)| (name, text, state)));
        }
        Ok(found)
    }

    /// Returns a lower bound of the time by the leader's clock; `None` if the clock's node is
    /// missing.
    pub(super) fn now_ms(
        &self,
        session: &mut Session,
        deadline: Deadline,
    ) -> Result<Option<i64>, Fault> {
        if let Some(now_ms) = session.now_ms(BEAT) {
            return Ok(Some(now_ms));
        }
        let clock = self.endpoint.path(CLOCK);
        let reached = self.endpoint.progress.reached().saturating_add(1); // this write counts too
        let beat = Question::Set { path: &clock, data: "", version: ANY_VERSION };
        let member = self.endpoint.members.get(session.member);
        match self.ask(session, &[beat], deadline)? {
            [Ok(Answer::State(state))] => {
                let count = u64::try_from(state.version).unwrap_or(0);
                self.endpoint.progress.note(
                    reached,
                    count,
                    &format!("ZooKeeper {}", self.endpoint),
                )?;
                session.note_beat(state.changed_ms);
                Ok(Some(state.changed_ms))
            }
            [Err(Refusal::NO_NODE)] => Ok(None),
            [Err(refusal)] => Err(fault::refused(member, &clock, refusal)),
            [Ok(_)] => Err(errors::strange_answer(member).into()),
        }
    }

    /// Makes a change. Returns the refusal if it is one of the expected ones.
    pub(super) fn change(
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
                    Err(fault::refused(self.endpoint.members.get(session.member), path, refusal))
                }
            }
        });
        changed.map_err(Fault::of_change)
    }

    /// Creates a node. Returns a refusal if the node exists or its parent is missing.
    pub(super) fn create(
        &self,
        path: &str,
        data: &str,
        deadline: Deadline,
    ) -> Result<Option<Refusal>> {
        let create =
            Question::Create { path, data, owner: self.endpoint.owner(), is_numbered: false };
        self.change(path, &create, &[Refusal::NODE_EXISTS, Refusal::NO_NODE], deadline)
    }

    /// Creates an empty node and its parents, as far as they are missing.
    pub(super) fn create_all(&self, path: &str, deadline: Deadline) -> Result<()> {
        for (end, _) in path.match_indices('/').skip(1).chain([(path.len(), "")]) {
            self.create(&path[..end], "", deadline)?;
        }
        Ok(())
    }
}
