//! The connections of a server, and the calls over them.

use redis_protocol::resp2::types::OwnedFrame;

use super::builder::RedisBuilder;
use super::endpoint::{Endpoint, is_replica};
use super::guard::{ServerFacts, Weakness};
use super::session::Session;
use super::{cluster, errors, fault};
use crate::error::{Error, Result};
use crate::host::process::PerProcess;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::pool::{Busy, Pool};

/// A server, shared by all threads of a process.
pub(super) struct Server {
    pub(super) endpoint: Endpoint,
    /// True if our own keys may have an expiry.
    keys_expire: bool,
    connections: PerProcess<Pool<Session>>,
}

/// The settings that decide whether a server keeps what it acknowledges.
const SETTINGS: [&str; 5] =
    ["appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory", "maxmemory-policy"];

/// Decides what a missing answer means: after a change, the outcome is unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommandKind {
    Question,
    Change,
}

/// The error of a call, as the pool needs it.
struct Fault(Error);

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault(error)
    }
}

impl From<Busy> for Fault {
    fn from(_: Busy) -> Fault {
        Fault(errors::connections_in_use())
    }
}

/// Returns true if the server has become a replica, or another node has the keys.
fn is_of_another(answer: &OwnedFrame) -> bool {
    match answer {
        OwnedFrame::Error(said) => cluster::is_elsewhere(said),
        told => is_replica(told),
    }
}

impl Server {
    pub(super) fn new(builder: RedisBuilder, keys_expire: bool) -> Result<Server> {
        let endpoint = Endpoint::new(builder)?;
        Ok(Server { endpoint, keys_expire, connections: PerProcess::new() })
    }

    fn with_session<T>(
        &self,
        deadline: Deadline,
        work: impl FnOnce(&mut Session) -> Result<T, Fault>,
    ) -> Result<T> {
        let pool = self.connections.get_or_init(Pool::default);
        let connect = || self.endpoint.connect(deadline).map_err(Fault);
        pool.with(deadline, connect, work).map_err(|Fault(error)| error)
    }

    /// Asks questions that change nothing. Refuses a server that may lose what it acknowledges.
    pub(super) fn guarded(
        &self,
        commands: &[&[&[u8]]],
        deadline: Deadline,
    ) -> Result<(ServerFacts, Vec<OwnedFrame>)> {
        let is_declared = self.endpoint.builder.durability_declared;
        let (told, answers) = self.told(commands, !is_declared, deadline)?;
        told.check(is_declared, self.keys_expire)?;
        Ok((told, answers))
    }

    /// Does the same as `guarded`, and returns the server's time before the questions.
    pub(super) fn timed(
        &self,
        commands: &[&[&[u8]]],
        deadline: Deadline,
    ) -> Result<(Vec<OwnedFrame>, i64)> {
        let mut all: Vec<&[&[u8]]> = vec![&[b"TIME"]];
        all.extend(commands);
        let (_, answers) = self.guarded(&all, deadline)?;
        self.after_time(answers)
    }

    /// Makes a change, and returns its answer and the server's time before it. If the server may
    /// lose what it acknowledges, the call fails although the change was made.
    pub(super) fn changed(
        &self,
        change: &[&[u8]],
        deadline: Deadline,
    ) -> Result<(OwnedFrame, i64)> {
        let is_declared = self.endpoint.builder.durability_declared;
        let all: [&[&[u8]]; 2] = [&[b"TIME"], change];
        let (told, answers) = self.asked(&all, !is_declared, CommandKind::Change, deadline)?;
        told.check(is_declared, self.keys_expire)?;
        let (mut answers, now_ms) = self.after_time(answers)?;
        let answer = answers.pop().ok_or_else(|| self.strange("a change"))?;
        Ok((self.sound(answer)?, now_ms))
    }

    /// Makes a change without returning the time.
    pub(super) fn change(&self, change: &[&[u8]], deadline: Deadline) -> Result<OwnedFrame> {
        self.changed(change, deadline).map(|(answer, _)| answer)
    }

    /// Returns the answers after the one to `TIME`, and that time in milliseconds.
    fn after_time(&self, mut answers: Vec<OwnedFrame>) -> Result<(Vec<OwnedFrame>, i64)> {
        let rest = answers.split_off(1);
        let time = answers.pop().ok_or_else(|| self.strange("a question"))?;
        let time = self.texts(time)?;
        let numbers: Vec<i64> = time.iter().filter_map(|text| text.parse().ok()).collect();
        let [seconds, micros] = numbers[..] else { return Err(self.strange("TIME")) };
        Ok((rest, seconds.saturating_mul(1000).saturating_add(micros / 1000)))
    }

    /// Asks any server, and reads its state after the answers. Reads the settings only on request,
    /// because not every user may read them.
    pub(super) fn told(
        &self,
        commands: &[&[&[u8]]],
        with_settings: bool,
        deadline: Deadline,
    ) -> Result<(ServerFacts, Vec<OwnedFrame>)> {
        self.asked(commands, with_settings, CommandKind::Question, deadline)
    }

    fn asked(
        &self,
        commands: &[&[&[u8]]],
        with_settings: bool,
        asked: CommandKind,
        deadline: Deadline,
    ) -> Result<(ServerFacts, Vec<OwnedFrame>)> {
        let settings = SETTINGS.map(|name| [&b"CONFIG"[..], b"GET", name.as_bytes()]);
        let mut all: Vec<&[&[u8]]> = commands.to_vec();
        all.push(&[b"INFO", b"replication"]);
        if with_settings {
            all.push(&[b"INFO", b"persistence"]);
            all.extend(settings.iter().map(|setting| &setting[..]));
        }
        let mut answers = self.with_session(deadline, |session| {
            let answers = session.ask(&all, deadline).map_err(|error| match asked {
                CommandKind::Question => fault::unreachable(&self.endpoint, error),
                CommandKind::Change => errors::change_unconfirmed(&self.endpoint, error),
            })?;
            let is_refused = |answer: &OwnedFrame| matches!(answer, OwnedFrame::Error(_));
            let is_over = |answer| match asked {
                CommandKind::Question => is_of_another(answer),
                CommandKind::Change => is_of_another(answer) || is_refused(answer),
            };
            if answers.iter().any(is_over) {
                session.end(); // another server may do better
            }
            Ok(answers)
        })?;
        let mut told = ServerFacts::default();
        for answer in answers.split_off(commands.len()) {
            match self.sound(answer)? {
                OwnedFrame::Array(pairs) => told.0.extend(self.pairs(OwnedFrame::Array(pairs))?),
                info => told.add_info(&self.text(info)?.unwrap_or_default()),
            }
        }
        Ok((told, answers))
    }

    pub(super) fn weaknesses(&self, told: &ServerFacts) -> Vec<Weakness> {
        told.weaknesses(self.keys_expire)
    }

    /// Returns an answer, or the error of a refusal.
    pub(super) fn sound(&self, answer: OwnedFrame) -> Result<OwnedFrame> {
        match answer {
            OwnedFrame::Error(text) => Err(fault::said(&self.endpoint, &text)),
            answer => Ok(answer),
        }
    }

    pub(super) fn text(&self, answer: OwnedFrame) -> Result<Option<String>> {
        match self.sound(answer)? {
            OwnedFrame::Null => Ok(None),
            OwnedFrame::BulkString(bytes) | OwnedFrame::SimpleString(bytes) => {
                String::from_utf8(bytes).map(Some).map_err(|_| self.strange("for a text"))
            }
            _ => Err(self.strange("for a text")),
        }
    }

    pub(super) fn number(&self, answer: OwnedFrame) -> Result<i64> {
        match self.sound(answer)? {
            OwnedFrame::Integer(number) => Ok(number),
            _ => Err(self.strange("for a number")),
        }
    }

    pub(super) fn texts(&self, answer: OwnedFrame) -> Result<Vec<String>> {
        let OwnedFrame::Array(all) = self.sound(answer)? else {
            return Err(self.strange("for texts"));
        };
        let text = |it| self.text(it)?.ok_or_else(|| self.strange("for texts"));
        all.into_iter().map(text).collect()
    }

    pub(super) fn pairs(&self, answer: OwnedFrame) -> Result<Vec<(String, String)>> {
        let texts = self.texts(answer)?;
        let (pairs, rest) = texts.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(self.strange("for pairs"));
        }
        Ok(pairs.iter().map(|[name, value]| (name.clone(), value.clone())).collect())
    }

    pub(super) fn strange(&self, what: &str) -> Error {
        errors::strange_answer(&self.endpoint, what)
    }
}
