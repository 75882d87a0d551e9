//! Host name look-ups. The system's look-up has no deadline and cannot be cancelled, so separate
//! threads wait for it: one for each name, and at most a few in a process.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::deadline::Deadline;
use super::errors;
use crate::host::process::PerProcess;
use crate::host::threads;

/// The limit of concurrent look-ups: each unanswered one leaves a thread behind.
const THREADS_MAX: usize = 4;

pub(crate) fn resolved(host: &str, port: u16, deadline: Deadline) -> io::Result<Vec<SocketAddr>> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let ask = |host: &str| (host, 0).to_socket_addrs().map(Iterator::collect);
    let mut addresses: Vec<_> = of_this_process().find(host, deadline, ask)?;
    for address in &mut addresses {
        address.set_port(port);
    }
    Ok(addresses)
}

/// Returns the look-ups of this process. A forked child must not wait for its parent's threads.
fn of_this_process() -> Arc<LookUps> {
    static LOOK_UPS: PerProcess<LookUps> = PerProcess::new();
    LOOK_UPS.get_or_init(LookUps::default)
}

/// The running look-ups, by name. A thread keeps no reference to the store that asked, because the
/// store may be closed before the system answers.
#[derive(Default)]
struct LookUps {
    under_way: Mutex<HashMap<String, LookUp>>,
    ended: Condvar,
}

/// The answer of a look-up, once there is one.
type LookUp = Arc<OnceLock<Result<Vec<SocketAddr>, Arc<io::Error>>>>;

impl LookUps {
    /// Returns the addresses that `ask` finds for a host, or joins a running look-up of that host.
    fn find(
        self: &Arc<Self>,
        host: &str,
        deadline: Deadline,
        ask: impl FnOnce(&str) -> io::Result<Vec<SocketAddr>> + Send + 'static,
    ) -> io::Result<Vec<SocketAddr>> {
        let mut under_way = self.under_way();
        let look_up = loop {
            if let Some(look_up) = under_way.get(host) {
                break Arc::clone(look_up);
            }
            if under_way.len() < THREADS_MAX {
                let look_up = self.start(host, ask)?;
                under_way.insert(host.to_owned(), Arc::clone(&look_up));
                break look_up;
            }
            under_way = self.wait(under_way, deadline)?;
        };
        loop {
            if let Some(found) = look_up.get() {
                return found.clone().map_err(|error| io::Error::new(error.kind(), error));
            }
            under_way = self.wait(under_way, deadline)?;
        }
    }

    /// Starts a thread that asks. It can only deliver its answer once the caller releases the lock.
    fn start(
        self: &Arc<Self>,
        host: &str,
        ask: impl FnOnce(&str) -> io::Result<Vec<SocketAddr>> + Send + 'static,
    ) -> io::Result<LookUp> {
        let look_up = LookUp::default();
        let (look_ups, answer, host) = (Arc::clone(self), Arc::clone(&look_up), host.to_owned());
        let asking = move || {
            let found = ask(&host).map_err(Arc::new);
            let mut under_way = look_ups.under_way();
            answer.get_or_init(|| found);
            under_way.remove(&host);
            look_ups.ended.notify_all();
        };
        threads::start("snowmint-names", asking)?;
        Ok(look_up)
    }

    fn wait<'a>(
        &self,
        under_way: MutexGuard<'a, HashMap<String, LookUp>>,
        deadline: Deadline,
    ) -> io::Result<MutexGuard<'a, HashMap<String, LookUp>>> {
        let left = deadline.left();
        if left.is_zero() {
            return Err(errors::name_service_silent());
        }
        let waited = self.ended.wait_timeout(under_way, left);
        Ok(waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<String, LookUp>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn soon() -> Deadline {
        Deadline::after(Duration::from_millis(20))
    }

    fn long() -> Deadline {
        Deadline::after(Duration::from_secs(60))
    }

    fn found(port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok(vec![SocketAddr::new([127, 0, 0, 1].into(), port)])
    }

    /// Starts look-ups that nobody answers until the returned senders are dropped.
    fn unanswered(look_ups: &Arc<LookUps>, names: &[&str]) -> Vec<mpsc::Sender<()>> {
        let unanswered = |name: &&str| {
            let (end, ended) = mpsc::channel::<()>();
            let ask = move |_: &str| {
                ended.recv().ok();
                found(7)
            };
            let error = look_ups.find(name, soon(), ask).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            end
        };
        names.iter().map(unanswered).collect()
    }

    #[test]
    fn threads_are_few_while_no_name_is_answered() {
        let look_ups = Arc::<LookUps>::default();
        let names = ["a", "b", "c", "d"];
        let ends = unanswered(&look_ups, &names);
        assert_eq!(names.len(), THREADS_MAX);
        let begun = Arc::new(AtomicUsize::new(0));
        for name in names.iter().chain(&["e", "f"]) {
            let begun = Arc::clone(&begun);
            let ask = move |_: &str| {
                begun.fetch_add(1, Ordering::SeqCst);
                found(8)
            };
            let error = look_ups.find(name, soon(), ask).unwrap_err();
            assert!(error.to_string().contains("name service"), "{error}");
        }
        assert_eq!(begun.load(Ordering::SeqCst), 0, "one more thread than there may be");
        // The threads end when the system gives up, and then names can be looked up again.
        drop(ends);
        assert_eq!(look_ups.find("e", long(), |_| found(9)).unwrap(), found(9).unwrap());
        let mut under_way = look_ups.under_way();
        while !under_way.is_empty() {
            under_way = look_ups.wait(under_way, long()).unwrap();
        }
    }

    #[test]
    fn look_ups_of_one_name_at_once_share_an_answer() {
        let look_ups = Arc::<LookUps>::default();
        let ends = unanswered(&look_ups, &["a"]);
        let asking = Arc::clone(&look_ups);
        let second = thread::spawn(move || asking.find("a", long(), |_| found(8)));
        // The map, the thread that asks, and the thread that waits for it.
        let waits = || Arc::strong_count(&look_ups.under_way()["a"]) == 3;
        while !waits() && !second.is_finished() {
            thread::yield_now();
        }
        drop(ends);
        assert_eq!(second.join().unwrap().unwrap(), found(7).unwrap());
    }

    #[test]
    fn a_failed_look_up_is_told_and_not_kept() {
        let look_ups = Arc::<LookUps>::default();
        let wrong = |_: &str| Err(io::Error::new(io::ErrorKind::NotFound, "no such host"));
        let error = look_ups.find("a", long(), wrong).unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (io::ErrorKind::NotFound, "no such host"));
        assert_eq!(look_ups.find("a", long(), |_| found(1)).unwrap(), found(1).unwrap());
    }

    #[test]
    #[cfg(unix)]
    #[expect(unsafe_code, reason = "processes fork by the C library alone")]
    fn a_forked_child_waits_for_no_thread_of_its_parent() {
        let names = ["a", "b", "c", "d"];
        let ends = unanswered(&of_this_process(), &names);
        // SAFETY: the child allocates after the fork, which the allocators of glibc and musl allow,
        // uses nothing else of the parent's threads, and ends without unwinding into the harness.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let heard = of_this_process().find("a", long(), |_| found(3));
            let status = i32::from(heard.ok() != found(3).ok());
            // SAFETY: ends the child at once, without the parent's exit handlers.
            unsafe { libc::_exit(status) };
        }
        let mut status = 0;
        // SAFETY: waits for a child of this process, and writes to the status alone.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0, "the child heard nothing");
        drop(ends);
    }
}
