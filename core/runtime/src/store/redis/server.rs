//! A server's connections, and what is asked over them.

use redis_protocol::resp2::types::OwnedFrame;
use snowmint_engine::Code;

use super::builder::RedisBuilder;
use super::cluster;
use super::fault;
use super::guard::Told;
use super::place::{Place, is_replica};
use super::session::Session;
use crate::error::{Error, Result};
use crate::host::process::PerProcess;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::pool::{Busy, Pool};

/// A server, for all threads of a process.
pub(super) struct Server {
    pub(super) place: Place,
    /// Whether keys with an expiry may be of ours.
    keys_expire: bool,
    connections: PerProcess<Pool<Session>>,
}

/// Why a call failed.
struct Fault(Error);

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault(error)
    }
}

impl From<Busy> for Fault {
    fn from(_: Busy) -> Fault {
        let message = "all connections to Redis that this process may have are in use: ask again";
        Fault(Error::new(Code::StoreUnavailable, message))
    }
}

/// Whether another server has taken its place, or the keys.
fn is_of_another(answer: &OwnedFrame) -> bool {
    match answer {
        OwnedFrame::Error(said) => cluster::is_elsewhere(said),
        told => is_replica(told),
    }
}

impl Server {
    pub(super) fn new(builder: RedisBuilder, keys_expire: bool) -> Result<Server> {
        let place = Place::new(builder)?;
        Ok(Server { place, keys_expire, connections: PerProcess::new() })
    }

    fn with_session<T>(
        &self,
        deadline: Deadline,
        work: impl FnOnce(&mut Session) -> Result<T, Fault>,
    ) -> Result<T> {
        let pool = self.connections.get_or_init(Pool::default);
        let connect = || self.place.connect(deadline).map_err(Fault);
        pool.with(deadline, connect, work).map_err(|Fault(error)| error)
    }

    /// Answers to what changes nothing, from a server that keeps what it acknowledges.
    pub(super) fn guarded(
        &self,
        commands: &[&[&[u8]]],
        deadline: Deadline,
    ) -> Result<(Told, Vec<OwnedFrame>)> {
        let is_declared = self.place.builder.durability_declared;
        let (told, answers) = self.told(commands, !is_declared, deadline)?;
        told.check(is_declared, self.keys_expire)?;
        Ok((told, answers))
    }

    /// The same, and the server's time before.
    pub(super) fn timed(
        &self,
        commands: &[&[&[u8]]],
        deadline: Deadline,
    ) -> Result<(Vec<OwnedFrame>, i64)> {
        let mut all: Vec<&[&[u8]]> = vec![&[b"TIME"]];
        all.extend(commands);
        let (_, mut answers) = self.guarded(&all, deadline)?;
        let rest = answers.split_off(1);
        let time = answers.pop().ok_or_else(|| self.strange("a question"))?;
        let time = self.texts(time)?;
        let numbers: Vec<i64> = time.iter().filter_map(|text| text.parse().ok()).collect();
        let [seconds, micros] = numbers[..] else { return Err(self.strange("TIME")) };
        Ok((rest, seconds.saturating_mul(1000).saturating_add(micros / 1000)))
    }

    /// The same from any server; with its settings only where they are asked for, which not every
    /// user may.
    pub(super) fn told(
        &self,
        commands: &[&[&[u8]]],
        with_settings: bool,
        deadline: Deadline,
    ) -> Result<(Told, Vec<OwnedFrame>)> {
        let info: [&[u8]; 2] = [b"INFO", b"replication"];
        let [append, memory]: [[&[u8]; 3]; 2] =
            [[b"CONFIG", b"GET", b"*append*"], [b"CONFIG", b"GET", b"maxmemory*"]];
        let mut all: Vec<&[&[u8]]> = vec![&info];
        if with_settings {
            all.extend([&append[..], &memory[..]]);
        }
        let questions = all.len();
        all.extend(commands);
        let mut answers = self.with_session(deadline, |session| {
            let answers = session.ask(&all, deadline);
            let answers = answers.map_err(|error| fault::unreachable(&self.place, error))?;
            if answers.iter().any(is_of_another) {
                session.end();
            }
            Ok(answers)
        })?;
        let rest = answers.split_off(questions);
        let mut told = Told::default();
        for (at, answer) in answers.into_iter().enumerate() {
            match at {
                0 => told.add_info(&self.text(answer)?.unwrap_or_default()),
                _ => told.0.extend(self.pairs(answer)?),
            }
        }
        Ok((told, rest))
    }

    /// The answer to what changes something.
    pub(super) fn change(&self, command: &[&[u8]], deadline: Deadline) -> Result<OwnedFrame> {
        self.with_session(deadline, |session| {
            let answers = session.ask(&[command], deadline);
            let mut answers = answers.map_err(|error| fault::unknown(&self.place, error))?;
            match answers.pop() {
                Some(OwnedFrame::Error(text)) => {
                    session.end(); // another server may do better
                    Err(fault::said(&self.place, &text).into())
                }
                Some(answer) => Ok(answer),
                None => Err(self.strange("a change").into()),
            }
        })
    }

    /// What may be lost of what it acknowledged.
    pub(super) fn weaknesses(&self, told: &Told) -> Vec<(&'static str, String)> {
        told.weaknesses(self.keys_expire)
    }

    /// An answer that is no refusal.
    pub(super) fn sound(&self, answer: OwnedFrame) -> Result<OwnedFrame> {
        match answer {
            OwnedFrame::Error(text) => Err(fault::said(&self.place, &text)),
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
        fault::strange(&self.place, what)
    }
}
