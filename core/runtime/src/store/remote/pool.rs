//! A process's connections to a server.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::deadline::Deadline;

/// So many at once: who renews need not wait for who waits for a row.
const CONNECTIONS_MAX: usize = 4;
/// So many are kept while none is needed.
const IDLE_MAX: usize = 2;

/// A connection that may be kept.
pub(crate) trait Connection {
    /// Whether it can be asked: this process made it, and nothing is known against it.
    fn is_of_use(&mut self) -> bool;
}

/// All connections that this process may have are in use.
pub(crate) struct Busy;

/// The connections of a process, each used by one call at a time.
pub(crate) struct Pool<C> {
    connections: Mutex<Connections<C>>,
    freed: Condvar,
}

struct Connections<C> {
    idle: Vec<C>,
    /// Those that calls have.
    in_use: usize,
}

impl<C> Default for Pool<C> {
    fn default() -> Pool<C> {
        let connections = Connections { idle: Vec::new(), in_use: 0 };
        Pool { connections: Mutex::new(connections), freed: Condvar::new() }
    }
}

/// A connection that a call has; it is closed unless it is given back.
pub(crate) struct Taken<'a, C> {
    pool: &'a Pool<C>,
    connection: Option<C>,
}

impl<C: Connection> Pool<C> {
    /// Does something with a connection that was kept, or with one that `connect` makes, and keeps
    /// it for the next call if it is of use still.
    pub(crate) fn with<T, E: From<Busy>>(
        &self,
        deadline: Deadline,
        connect: impl FnOnce() -> Result<C, E>,
        work: impl FnOnce(&mut C) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut taken = self.take(deadline)?;
        taken.connection = of_use(taken.connection.take());
        let mut connection = taken.connection.take().map_or_else(connect, Ok)?;
        let done = work(&mut connection);
        taken.connection = of_use(Some(connection));
        done
    }

    /// Waits for its turn. From here on it is freed again whatever happens.
    fn take(&self, deadline: Deadline) -> Result<Taken<'_, C>, Busy> {
        let mut connections = self.connections();
        while connections.in_use >= CONNECTIONS_MAX {
            let left = deadline.left();
            if left.is_zero() {
                return Err(Busy);
            }
            let waited = self.freed.wait_timeout(connections, left);
            connections = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        connections.in_use += 1;
        Ok(Taken { pool: self, connection: connections.idle.pop() })
    }
}

fn of_use<C: Connection>(connection: Option<C>) -> Option<C> {
    connection.and_then(|mut it| it.is_of_use().then_some(it))
}

impl<C> Pool<C> {
    fn connections(&self) -> MutexGuard<'_, Connections<C>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> Drop for Taken<'_, C> {
    fn drop(&mut self) {
        let mut connections = self.pool.connections();
        connections.in_use -= 1;
        let room = connections.idle.len() < IDLE_MAX;
        let spare = match self.connection.take() {
            Some(connection) if room && !std::thread::panicking() => {
                connections.idle.push(connection);
                None
            }
            connection => connection,
        };
        drop(connections);
        self.pool.freed.notify_one();
        drop(spare); // closes it, which is no affair of who waits for the lock
    }
}
