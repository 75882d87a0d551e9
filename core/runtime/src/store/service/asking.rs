//! What the servers of one call come to.

use std::sync::Arc;
use std::time::Instant;

use snowmint_engine::Code;

use super::fault;
use super::lists::told;
use super::server::Server;
use crate::error::{Error, Result};
use crate::events::{EventKind, deliver};
use crate::store::remote::members::Fault;

/// What a server came to.
pub(super) enum Verdict<T> {
    /// That is the answer.
    Told(T),
    /// No server would do better.
    Refused(Error),
    /// Another one may.
    GoesOn,
}

/// The servers that were asked in vain so far.
#[derive(Default)]
pub(super) struct Asking {
    /// Whether there is one server alone.
    is_alone: bool,
    failure: Option<Error>,
    /// Whether one that failed may have done it.
    may_be_done: bool,
    /// Of a server on another store than it should be.
    strange: Option<Error>,
    /// Of one that does not serve this client: a token it does not know, a rate that is used up, no
    /// store to lease from. Each server says so for itself.
    unwilling: Option<Error>,
    /// Of those that know nothing of it, which others may.
    unknowing: Vec<(Arc<Server>, Error)>,
}

impl Asking {
    /// Of a call for which there are so many servers.
    pub(super) fn among(servers: usize) -> Asking {
        Asking { is_alone: servers == 1, ..Asking::default() }
    }

    /// Notes what a server answered: an error within is of one on another store.
    pub(super) fn note<T>(
        &mut self,
        server: &Arc<Server>,
        told: Result<Result<T>, Fault>,
        begun: Instant,
    ) -> Verdict<T> {
        let now = Instant::now();
        let took = now.saturating_duration_since(begun);
        match told {
            // It found that out by itself.
            Err(Fault::Refused(why)) if why.code() == Code::IncarnationChanged => {
                self.refuse_as_strange(server, why, now);
            }
            Ok(Ok(answer)) => {
                server.answered(took, now);
                self.unknowing.iter().for_each(|(one, why)| {
                    self.refuse(one, why.code(), &fault::unknowing(one, server, why), now);
                });
                return Verdict::Told(answer);
            }
            Ok(Err(why)) => self.refuse_as_strange(server, why, now),
            Err(Fault::Refused(why)) if fault::is_of_store(why.code()) => {
                server.answered(took, now);
                self.unknowing.push((Arc::clone(server), why));
            }
            Err(fault @ (Fault::Unasked(_) | Fault::Passing(_))) => {
                self.may_be_done |= matches!(fault, Fault::Passing(_));
                let why = fault.error();
                if fault::is_of_certificate(&why) {
                    self.refuse(server, why.code(), &why.to_string(), now);
                } else {
                    server.failed(took, now);
                }
                self.failure = Some(why);
            }
            Err(Fault::Refused(why)) if why.code() == Code::Overloaded => {
                server.answered(took, now);
                self.unwilling = Some(why);
            }
            Err(Fault::LoggedOut(why)) => {
                self.refuse(server, why.code(), &why.to_string(), now);
                self.unwilling = Some(why);
            }
            Err(Fault::Refused(why)) if why.code() == Code::Unsupported => {
                self.refuse(server, why.code(), &why.to_string(), now);
                self.unwilling = Some(why);
            }
            Err(fault) => return Verdict::Refused(fault.error()),
        }
        Verdict::GoesOn
    }

    fn refuse_as_strange(&mut self, server: &Server, why: Error, now: Instant) {
        self.refuse(server, why.code(), &why.to_string(), now);
        self.strange = Some(why);
    }

    /// Passes over a server for what it is, and tells it once.
    fn refuse(&self, server: &Server, code: Code, why: &str, now: Instant) {
        if server.refused(now) {
            let others = if self.is_alone { "" } else { ", and others are asked" };
            let message = format!("{server} is refused{others}: {why}");
            deliver(&told(EventKind::ServerRefused, Some(code), &message));
        }
    }

    /// What it comes to where no server is left.
    pub(super) fn failure(self, last_error: Option<&str>) -> Error {
        let Asking { failure, may_be_done, strange, unwilling, mut unknowing, .. } = self;
        let failure = match (unwilling, failure) {
            // Who is gone may serve it once back: it is worth asking again.
            (Some(why), Some(failure)) if !why.is_transient() => {
                let message = format!("{failure}; and {why}");
                Some(Error::new(failure.code(), message).caused_by(why))
            }
            (unwilling, failure) => unwilling.or(failure),
        };
        match (unknowing.pop(), strange, failure) {
            (Some((_, why)), _, None) => why,
            (None, Some(why), None) => why,
            // Those that failed may be the ones that are right.
            (_, Some(why), Some(failure)) => {
                let message = format!("{failure}; and {why}");
                Error::new(Code::StoreUnavailable, message).caused_by(why)
            }
            (Some((_, why)), None, Some(_)) => why,
            (None, None, Some(failure)) if may_be_done => Fault::Passing(failure).of_change(),
            (None, None, Some(failure)) => failure,
            (None, None, None) => fault::nobody(last_error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;
    use crate::events::on_event;
    use crate::store::remote::members::Member;

    #[test]
    fn others_are_spoken_of_where_there_are_some() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let hearing = Arc::clone(&told);
        let _listening = on_event(move |event| {
            if event.message.contains(".asking.test") {
                let mut told = hearing.lock().unwrap_or_else(PoisonError::into_inner);
                told.push(event.message.clone());
            }
        });
        for (servers, name) in [(1, "one.asking.test"), (2, "two.asking.test")] {
            let member = Member { name: name.to_owned(), port: 8064 };
            let server = Arc::new(Server::new(member.into()));
            let why = Error::new(Code::StoreDenied, "no such token");
            let mut asking = Asking::among(servers);
            asking.note::<()>(&server, Err(Fault::LoggedOut(why)), Instant::now());
        }
        let told = told.lock().unwrap();
        assert_eq!(told[0], "one.asking.test:8064 is refused: no such token");
        assert_eq!(told[1], "two.asking.test:8064 is refused, and others are asked: no such token");
    }
}
