//! Servers of which any one can answer for all. A server that does not answer is skipped.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::deadline::Deadline;
use super::errors;
use super::pool::{Busy, Connection, Pool};
use crate::error::Error;

/// The number of log-ins of a call: that of each connection in the pool may have expired.
const LOG_INS: u32 = 3;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) port: u16,
}

/// The form in messages and in addresses.
impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Member { name, port } = self;
        if name.contains(':') { write!(f, "[{name}]:{port}") } else { write!(f, "{name}:{port}") }
    }
}

#[derive(Debug)]
pub(crate) enum Fault {
    /// No member could be asked.
    Unasked(Error),
    /// Another member may succeed; this one may have done what was requested.
    Passing(Error),
    /// The log-in or the session is no longer valid, and nothing was done.
    LoggedOut(Error),
    /// No other member would succeed, and nothing was done.
    Refused(Error),
}

impl Fault {
    pub(crate) fn error(self) -> Error {
        match self {
            Fault::Unasked(error)
            | Fault::Passing(error)
            | Fault::LoggedOut(error)
            | Fault::Refused(error) => error,
        }
    }

    /// Returns the error of a change: a member that failed may have made it.
    pub(crate) fn of_change(self) -> Error {
        match self {
            Fault::Passing(error) => errors::change_unconfirmed(error),
            fault => fault.error(),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Refused(error)
    }
}

impl From<Busy> for Fault {
    fn from(_: Busy) -> Fault {
        // A connection to another member may be free.
        Fault::Unasked(errors::connections_in_use())
    }
}

/// The members, and a counter that tells which one is tried first.
pub(crate) struct Members {
    all: Vec<Member>,
    first: AtomicUsize,
}

impl Members {
    /// Creates the list, which must not be empty.
    pub(crate) fn new(all: Vec<Member>) -> Members {
        Members { all, first: AtomicUsize::new(0) }
    }

    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, member: usize) -> &Member {
        &self.all[member]
    }

    /// Makes another member the first one, unless that has happened already.
    pub(crate) fn pass_over(&self, member: usize) {
        let first = self.first.load(Ordering::Relaxed);
        if first % self.all.len() == member {
            // A thread that does the same at once stores the same value.
            self.first.store(first.wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// Runs `work` on a pooled connection, or on a new one to the first member that accepts one.
    pub(crate) fn with_connection<C: Connection, T>(
        &self,
        pool: &Pool<C>,
        deadline: Deadline,
        connect_to: impl Fn(usize, Deadline) -> Result<C, Fault>,
        mut work: impl FnMut(&mut C) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut left = LOG_INS;
        loop {
            left -= 1;
            let connect = || self.connect(deadline, &connect_to);
            match pool.with(deadline, connect, &mut work) {
                Err(Fault::LoggedOut(_)) if left > 0 => {}
                done => return done,
            }
        }
    }

    fn connect<C>(
        &self,
        deadline: Deadline,
        connect_to: impl Fn(usize, Deadline) -> Result<C, Fault>,
    ) -> Result<C, Fault> {
        let mut left = self.shares();
        loop {
            let member = self.first.load(Ordering::Relaxed) % self.all.len();
            match connect_to(member, deadline.share(left)) {
                Err(Fault::Passing(_)) if left > 1 => self.pass_over(member),
                Err(Fault::Passing(error)) => return Err(Fault::Unasked(error)),
                connected => return connected,
            }
            left -= 1;
        }
    }

    /// Runs a request that changes nothing on whichever member answers.
    pub(crate) fn any<T>(
        &self,
        deadline: Deadline,
        mut ask: impl FnMut(Deadline) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut left = self.shares();
        loop {
            match ask(deadline.share(left)) {
                Err(Fault::Passing(_)) if left > 1 => left -= 1,
                answered => return answered,
            }
        }
    }

    fn shares(&self) -> u32 {
        u32::try_from(self.all.len()).unwrap_or(u32::MAX)
    }
}

/// Lists all members, separated by commas.
impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, member) in self.all.iter().enumerate() {
            write!(f, "{}{member}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}
