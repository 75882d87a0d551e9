//! Combines the answers of all servers that one call asked.

use std::sync::Arc;
use std::time::Instant;

use snowmint_engine::Code;

use super::lists::told;
use super::server::Server;
use super::{errors, fault};
use crate::error::{Error, Result};
use crate::events::{EventKind, deliver};
use crate::store::remote::members::Fault;

/// The meaning of one server's answer for the call.
pub(super) enum Verdict<T> {
    /// The answer of the call.
    Acknowledged(T),
    /// An error that no other server would improve.
    Refused(Error),
    /// Another server may do better.
    GoesOn,
}

/// The failures of the call so far.
#[derive(Default)]
pub(super) struct CallFailures {
    /// True if the call has only one server.
    is_alone: bool,
    failure: Option<Error>,
    /// True if a server that failed may have done what was asked.
    may_be_done: bool,
    /// The error of a server on another store.
    strange: Option<Error>,
    /// The error of a server that does not serve this client, for example because it does not know
    /// the token or has no store to lease from. Another server may serve it.
    unwilling: Option<Error>,
    /// The servers that do not know the tag, realm or lease, which others may know.
    unknowing: Vec<(Arc<Server>, Error)>,
}

impl CallFailures {
    pub(super) fn among(servers: usize) -> CallFailures {
        CallFailures { is_alone: servers == 1, ..CallFailures::default() }
    }

    /// Notes a server's answer. An inner error means that the server is on another store.
    pub(super) fn note<T>(
        &mut self,
        server: &Arc<Server>,
        told: Result<Result<T>, Fault>,
        begun: Instant,
    ) -> Verdict<T> {
        let now = Instant::now();
        let took = now.saturating_duration_since(begun);
        match told {
            // The server itself found that it is of another key space.
            Err(Fault::Refused(why)) if why.code() == Code::IncarnationChanged => {
                self.refuse_as_strange(server, why, now);
            }
            Ok(Ok(answer)) => {
                server.answered(took, now);
                self.unknowing.iter().for_each(|(one, why)| {
                    self.refuse(one, why.code(), &fault::unknowing(one, server, why), now);
                });
                return Verdict::Acknowledged(answer);
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

    /// Skips a server that cannot serve this client, and reports that once.
    fn refuse(&self, server: &Server, code: Code, why: &str, now: Instant) {
        if server.refused(now) {
            let others = if self.is_alone { "" } else { ", and others are asked" };
            let message = format!("{server} is refused{others}: {why}");
            deliver(&told(EventKind::ServerRefused, Some(code), &message));
        }
    }

    /// Returns the error of the call when no server is left.
    pub(super) fn failure(self, last_error: Option<&str>) -> Error {
        let CallFailures { failure, may_be_done, strange, unwilling, mut unknowing, .. } = self;
        let failure = match (unwilling, failure) {
            // The failed server may serve this client once it is back, so its transient error
            // counts.
            (Some(why), Some(failure)) if !why.is_transient() => {
                Some(errors::failure_and_refusal(failure.code(), &failure, why))
            }
            (unwilling, failure) => unwilling.or(failure),
        };
        match (unknowing.pop(), strange, failure) {
            (Some((_, why)), _, None) => why,
            (None, Some(why), None) => why,
            // The servers that failed may be on the right store, so the error is transient.
            (_, Some(why), Some(failure)) => {
                errors::failure_and_refusal(Code::StoreUnavailable, &failure, why)
            }
            (Some((_, why)), None, Some(_)) => why,
            (None, None, Some(failure)) if may_be_done => Fault::Passing(failure).of_change(),
            (None, None, Some(failure)) => failure,
            (None, None, None) => {
                last_error.map_or_else(errors::nobody_asked_in_time, errors::servers_unknown)
            }
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
            let mut asking = CallFailures::among(servers);
            asking.note::<()>(&server, Err(Fault::LoggedOut(why)), Instant::now());
        }
        let told = told.lock().unwrap();
        assert_eq!(told[0], "one.asking.test:8064 is refused: no such token");
        assert_eq!(told[1], "two.asking.test:8064 is refused, and others are asked: no such token");
    }
}
