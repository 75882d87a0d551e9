//! The connections of a process to a server.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::deadline::Deadline;

/// The largest number of connections, so that renewals need not wait for calls that wait for a row.
const CONNECTIONS_MAX: usize = 4;
/// The largest number of idle connections that are kept.
const IDLE_MAX: usize = 2;

/// A connection that a pool can keep.
pub(crate) trait Connection {
    /// Returns true if the connection can be used: this process made it, and it has not failed.
    fn is_of_use(&mut self) -> bool;
}

/// The error when all connections that this process may have are in use.
pub(crate) struct Busy;

/// The connections of a process; one call at a time uses each.
pub(crate) struct Pool<C> {
    connections: Mutex<Connections<C>>,
    freed: Condvar,
}

struct Connections<C> {
    idle: Vec<C>,
    /// The number of connections that calls hold.
    in_use: usize,
}

impl<C> Default for Pool<C> {
    fn default() -> Pool<C> {
        let connections = Connections { idle: Vec::new(), in_use: 0 };
        Pool { connections: Mutex::new(connections), freed: Condvar::new() }
    }
}

/// A connection that a call holds. It is closed on drop unless it was put back.
pub(crate) struct Taken<'a, C> {
    pool: &'a Pool<C>,
    connection: Option<C>,
}

impl<C: Connection> Pool<C> {
    /// Runs `work` on a pooled connection, or on one that `connect` makes, and keeps the connection
    /// for the next call if it is still usable.
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

    /// Waits for a free connection. Dropping the result frees its place, whatever happens.
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
        drop(spare); // closes it, outside the lock
    }
}
