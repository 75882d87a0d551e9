//! The state files that this process holds, so that a second opening says who has the first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::host::identity::FileId;
use crate::host::process::PerProcess;
use crate::host::{Clock, System};

/// A held file, and the Unix time in milliseconds at which it was locked.
type Held = Vec<(FileId, i64)>;

fn list() -> Arc<Mutex<Held>> {
    static HELD: PerProcess<Mutex<Held>> = PerProcess::new();
    HELD.get_or_init(Mutex::default)
}

fn lock(list: &Mutex<Held>) -> MutexGuard<'_, Held> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn note(file: FileId) {
    lock(&list()).push((file, System.now_ms()));
}

pub(super) fn forget(file: FileId) {
    lock(&list()).retain(|(held, _)| *held != file);
}

/// Returns the time since which this process itself holds a file; `None` if it does not.
pub(super) fn since_ms(file: FileId) -> Option<i64> {
    lock(&list()).iter().find(|(held, _)| *held == file).map(|(_, since_ms)| *since_ms)
}
