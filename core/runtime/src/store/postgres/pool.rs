//! A process's connections to a server.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::fault::Fault;
use super::session::Session;
use super::socket::Deadline;

/// So many at once: who renews need not wait for who waits for a row.
const CONNECTIONS_MAX: usize = 4;
/// So many are kept while none is needed.
const IDLE_MAX: usize = 2;

/// The connections of a process, each used by one call at a time.
#[derive(Default)]
pub(super) struct Pool {
    connections: Mutex<Connections>,
    freed: Condvar,
}

#[derive(Default)]
struct Connections {
    idle: Vec<Session>,
    /// Those that calls have.
    in_use: usize,
}

/// A connection that a call has; it is closed unless it is given back.
pub(super) struct Taken<'a> {
    pool: &'a Pool,
    session: Option<Session>,
}

impl Pool {
    /// A connection that was kept, or one that `connect` makes.
    pub(super) fn take(
        &self,
        deadline: Deadline,
        connect: impl FnOnce() -> Result<Session, Fault>,
    ) -> Result<Taken<'_>, Fault> {
        let mut connections = self.connections();
        while connections.in_use >= CONNECTIONS_MAX {
            let left = deadline.left();
            if left.is_zero() {
                return Err(Fault::Busy);
            }
            let waited = self.freed.wait_timeout(connections, left);
            connections = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        connections.in_use += 1;
        let kept = connections.idle.pop();
        drop(connections);
        // From here on it is freed again whatever happens.
        let mut taken = Taken { pool: self, session: kept };
        if !taken.session.as_mut().is_some_and(Session::is_of_use) {
            taken.session = None;
            taken.session = Some(connect()?);
        }
        Ok(taken)
    }

    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken<'_> {
    /// Does something with it, and keeps it for the next call if it is of use still.
    pub(super) fn with<T>(
        mut self,
        work: impl FnOnce(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(mut session) = self.session.take() else { return Err(Fault::Closed) };
        let done = work(&mut session);
        self.session = session.is_of_use().then_some(session);
        done
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut connections = self.pool.connections();
        connections.in_use -= 1;
        let room = connections.idle.len() < IDLE_MAX;
        let spare = match self.session.take() {
            Some(session) if room && !std::thread::panicking() => {
                connections.idle.push(session);
                None
            }
            session => session,
        };
        drop(connections);
        self.pool.freed.notify_one();
        drop(spare);
    }
}
