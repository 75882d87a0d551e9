//! Servers of which any one answers for all: one that does not answer is passed over.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use snowmint_engine::Code;

use super::deadline::Deadline;
use super::pool::{Busy, Connection, Pool};
use crate::error::Error;

/// So often a call logs in anew: each connection that was kept may be one whose log-in is over.
const LOG_INS: u32 = 3;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) port: u16,
}

/// As messages show it, and as it is addressed.
impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Member { name, port } = self;
        if name.contains(':') { write!(f, "[{name}]:{port}") } else { write!(f, "{name}:{port}") }
    }
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// No member could be asked.
    Unasked(Error),
    /// Another member may do better; what was asked for may have been done.
    Passing(Error),
    /// The log-in, or the session, holds no longer, and nothing was done.
    LoggedOut(Error),
    /// No member would do better, and nothing was done.
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

    /// Of a change, which a member that has failed may have made.
    pub(crate) fn of_change(self) -> Error {
        match self {
            Fault::Passing(error) => unknown(error),
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
        let message =
            "all connections to the store that this process may have are in use: ask again";
        // Another member's may be free.
        Fault::Unasked(Error::new(Code::StoreUnavailable, message))
    }
}

/// A change that may have been made.
fn unknown(error: Error) -> Error {
    let message = format!(
        "a change was sent, and what became of it is not known ({error}); what it reserved is not \
         used"
    );
    Error::new(Code::OutcomeUnknown, message).caused_by(error)
}

/// All of them, and which is tried first.
pub(crate) struct Members {
    all: Vec<Member>,
    first: AtomicUsize,
}

impl Members {
    /// At least one.
    pub(crate) fn new(all: Vec<Member>) -> Members {
        Members { all, first: AtomicUsize::new(0) }
    }

    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, member: usize) -> &Member {
        &self.all[member]
    }

    /// Has another member be tried first, unless one is already.
    pub(crate) fn pass_over(&self, member: usize) {
        let first = self.first.load(Ordering::Relaxed);
        if first % self.all.len() == member {
            // Whoever is faster does the same.
            self.first.store(first.wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// Works with a connection that was kept, or one to the first member that takes one.
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

    /// What changes nothing, by whichever member answers.
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

/// All, with commas between them.
impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, member) in self.all.iter().enumerate() {
            write!(f, "{}{member}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}
