//! Ordered sources: numbers that rise over all clients and servers. One server at a time gives a
//! tag's numbers, and the other servers ask that server.
//!
//! A server has the turn while it holds a lease in a store that all servers share. Each tag has a
//! realm of its own with the single worker ID 0. The lease's owner is the server's address and a
//! number that identifies its process.
//!
//! A server checks its lease at each request, and again before it returns numbers. For each turn it
//! opens the source anew, so its first range is above all ranges reserved before. A request from
//! another server names the owner it expects, and this server refuses it if that is another owner:
//! another service may have taken over the address. No number repeats even if leases fail, because
//! ranges come from the tag's own store.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use snowmint::{Code, Error, Result, Source};
use tokio::time::{Instant, sleep};

use super::errors;
use super::uptime::Uptime;

mod peers;
mod threads;

pub(crate) use peers::{Peers, SENT_ON};
pub(crate) use threads::{OrderedSource, TurnThreads};

/// The pause between two tries of a request that waits until the turn is settled.
const PAUSE: Duration = Duration::from_millis(20);
/// A request that waits for another server checks this often that this server still has the turn.
const LOOK: Duration = Duration::from_millis(50);
/// The time for which a server that could not be asked counts as unreachable.
const UNREACHABLE_FOR: Duration = Duration::from_secs(5);

/// The sender of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    Client,
    /// Another server, on behalf of a client. Its request is not sent further.
    Server,
}

/// The turn of one ordered source: which server gives its numbers now.
#[derive(Debug)]
pub(crate) struct Turn {
    name: String,
    holder: ArcSwap<TurnHolder>,
    peer_failure: ArcSwapOption<PeerFailure>,
    /// True if the log already says that no server has the turn.
    is_logged: AtomicBool,
    wait: Duration,
}

/// The server that gives a source's numbers.
#[derive(Debug)]
pub(crate) enum TurnHolder {
    /// This server, until its lease ends. Each turn has a source of its own.
    ThisServer { source: Arc<Source>, until: Uptime, owner: Owner },
    /// Another server.
    OtherServer(Owner),
    /// No server is known. `since` is when the last known turn ended.
    Unknown { why: Error, since: Option<Uptime> },
}

/// A server as the store lists it: its address, and a number that no other process has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner(Arc<str>);

impl Owner {
    pub(crate) fn new(text: &str) -> Owner {
        Owner(text.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the URL at which other servers reach it.
    pub(crate) fn address(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.address())
    }
}

/// A failure to reach the server that has the turn.
#[derive(Debug)]
struct PeerFailure {
    /// The start of the failure; `None` if waiting cannot mend it.
    since: Option<Uptime>,
    until: Uptime,
    why: String,
}

/// The reason why neither this server nor another one can give a number.
#[derive(Debug)]
pub(crate) struct Stall {
    pub(crate) why: String,
    /// True if a request that waits may still get a number, here or from any other server.
    pub(crate) passes: bool,
}

impl Turn {
    /// Creates a turn that is not settled yet. A request waits up to `wait` until it is.
    pub(crate) fn new(name: &str, wait: Duration) -> Turn {
        let unknown = TurnHolder::Unknown { why: errors::turns::turn_unknown(), since: None };
        Turn {
            name: name.to_owned(),
            holder: ArcSwap::from_pointee(unknown),
            peer_failure: ArcSwapOption::empty(),
            is_logged: AtomicBool::new(false),
            wait,
        }
    }

    /// Returns how long a request waits until the turn is settled.
    pub(crate) fn wait(&self) -> Duration {
        self.wait
    }

    /// Returns who has the turn now. A turn of this server is over as soon as its lease ends.
    pub(crate) fn holder(&self) -> Arc<TurnHolder> {
        let holder = self.holder.load_full();
        match &*holder {
            TurnHolder::ThisServer { until, .. } if *until <= Uptime::now() => {
                let why = errors::turns::turn_over();
                Arc::new(TurnHolder::Unknown { why, since: Some(*until) })
            }
            _ => holder,
        }
    }

    /// Returns why this holder gives no number, or `None` if it gives numbers. A turn that changes
    /// hands, or whose server has just died, soon belongs to another server, so requests wait.
    pub(crate) fn stall(&self, holder: &TurnHolder) -> Option<Stall> {
        let (why, since) = match holder {
            TurnHolder::ThisServer { .. } => return None,
            TurnHolder::OtherServer(_) => {
                self.present_failure().map(|it| (it.why.clone(), it.since))?
            }
            TurnHolder::Unknown { why, since } => (why.to_string(), *since),
        };
        let passes = since.is_some_and(|since| Uptime::now() < since + self.wait);
        Some(Stall { why, passes })
    }

    /// Returns true if this server has the turn as the very owner that the request names.
    pub(crate) fn is_of(&self, meant: &[u8]) -> bool {
        matches!(&*self.holder(), TurnHolder::ThisServer { owner, .. } if owner.as_str().as_bytes() == meant)
    }

    /// Returns why the server that has the turn could not be asked just now.
    pub(crate) fn peer_failure(&self) -> Option<String> {
        self.present_failure().map(|peer_failure| peer_failure.why.clone())
    }

    fn present_failure(&self) -> Option<Arc<PeerFailure>> {
        self.peer_failure.load_full().filter(|peer_failure| Uptime::now() < peer_failure.until)
    }

    /// Sets who has the turn, logs a change, and returns the previous holder.
    fn settle(&self, holder: TurnHolder) -> Arc<TurnHolder> {
        let before = self.holder.swap(Arc::new(holder));
        let (name, now) = (&self.name, self.holder.load());
        if !matches!((&*before, &**now), (TurnHolder::OtherServer(was), TurnHolder::OtherServer(is)) if was == is)
        {
            self.peer_failure.store(None);
        }
        let is_nobodys = matches!(&**now, TurnHolder::Unknown { .. });
        let is_logged = self.is_logged.swap(is_nobodys, Ordering::Relaxed);
        match (&*before, &**now) {
            (TurnHolder::ThisServer { .. }, TurnHolder::ThisServer { .. }) => {}
            (_, TurnHolder::ThisServer { .. }) => {
                tracing::info!("{name}: it is this server's turn");
            }
            (TurnHolder::OtherServer(was), TurnHolder::OtherServer(is)) if was == is => {}
            (_, TurnHolder::OtherServer(owner)) => {
                tracing::info!("{name}: it is the turn of {owner}");
            }
            (_, TurnHolder::Unknown { .. }) if is_logged => {}
            (_, TurnHolder::Unknown { why, .. }) => {
                tracing::warn!(code = why.code().name(), "{name}: nobody's turn: {why}");
            }
        }
        before
    }

    /// Notes that no server is known to have the turn. Keeps the time at which the last turn ended.
    fn unsettle(&self, why: Error) -> Arc<TurnHolder> {
        let since = match &*self.holder() {
            TurnHolder::Unknown { since, .. } => *since,
            TurnHolder::ThisServer { .. } | TurnHolder::OtherServer(_) => Some(Uptime::now()),
        };
        self.settle(TurnHolder::Unknown { why, since })
    }

    /// Calls `here` or `there`, depending on who has the turn. Repeats after a failure that may
    /// pass, until the wait is over. A repeat wastes numbers but never gives one twice.
    ///
    /// # Errors
    /// The error of the last try; [`Code::LeaseUnavailable`] if no server has the turn.
    pub(crate) async fn taken<T>(
        &self,
        asker: Asker,
        here: impl AsyncFn(&Source) -> Result<T>,
        there: impl AsyncFn(&Owner) -> Result<T>,
    ) -> Result<T> {
        let until = Instant::now() + self.wait;
        loop {
            let holder = self.holder();
            let done = match &*holder {
                TurnHolder::ThisServer { source, .. } => match here(source).await {
                    Ok(_) if !self.goes_on(source) => Err(errors::turns::turn_over()),
                    done => done,
                },
                TurnHolder::OtherServer(owner) if asker == Asker::Client => {
                    // Boxed, because every connection reserves room for its largest future and few
                    // wait for another server.
                    self.asked(owner, until, Box::pin(there(owner))).await
                }
                TurnHolder::OtherServer(owner) => Err(errors::turns::turn_elsewhere(owner)),
                TurnHolder::Unknown { why, .. } => Err(why.clone()),
            };
            match done {
                Err(why) if passes(&why) && Instant::now() < until => sleep(PAUSE).await,
                done => return done,
            }
        }
    }

    /// Returns true if the turn that this source was opened for is still on. After it, the source
    /// may reserve ranges above numbers that other servers give by now.
    fn goes_on(&self, source: &Arc<Source>) -> bool {
        matches!(&*self.holder(), TurnHolder::ThisServer { source: present, .. } if Arc::ptr_eq(present, source))
    }

    /// Waits for another server's answer while that server has the turn and time is left.
    async fn asked<T>(
        &self,
        owner: &Owner,
        until: Instant,
        mut asking: Pin<Box<impl Future<Output = Result<T>>>>,
    ) -> Result<T> {
        loop {
            let done = tokio::select! {
                done = &mut asking => done,
                () = sleep(LOOK) => match &*self.holder() {
                    TurnHolder::OtherServer(present) if present == owner && Instant::now() < until => continue,
                    TurnHolder::OtherServer(present) if present == owner => {
                        Err(errors::turns::owner_silent(owner))
                    }
                    _ => return Err(errors::turns::turn_elsewhere(owner)),
                },
            };
            self.note(owner, done.as_ref().err());
            return done;
        }
    }

    /// Notes how a request to another server ended, and logs a change.
    fn note(&self, owner: &Owner, why: Option<&Error>) {
        let name = &self.name;
        let cannot = |why: &&Error| passes(why) || why.code() == Code::StoreDenied;
        let Some(why) = why.filter(cannot) else {
            if self.peer_failure.load().is_some() && self.peer_failure.swap(None).is_some() {
                tracing::info!("{name}: {owner}, whose turn it is, answers again");
            }
            return;
        };
        let now = Uptime::now();
        // A failure soon after an earlier one continues it, so that `since` stays.
        let goes_on = self
            .peer_failure
            .load_full()
            .filter(|peer_failure| now < peer_failure.until + UNREACHABLE_FOR);
        let since = goes_on.and_then(|peer_failure| peer_failure.since).unwrap_or(now);
        let since = passes(why).then_some(since);
        let peer_failure =
            PeerFailure { since, until: now + UNREACHABLE_FOR, why: why.to_string() };
        if self.peer_failure.swap(Some(Arc::new(peer_failure))).is_none() {
            tracing::warn!(
                code = why.code().name(),
                "{name}: {owner}, whose turn it is, cannot be asked, so nothing is given here: \
                 {why}; look at ordered.address there, ordered.ca and ordered.token_file here"
            );
        }
    }
}

/// Returns true if another try may succeed. A source is closed when its turn ends, so `Closed`
/// passes too.
fn passes(why: &Error) -> bool {
    why.is_transient() || why.code() == Code::Closed
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::pending;

    use tokio::runtime::Builder;

    use super::*;

    fn here(until: Uptime) -> TurnHolder {
        let source = Arc::new(snowmint::open("uuid:").unwrap());
        TurnHolder::ThisServer { source, until, owner: Owner::new("http://own 7") }
    }

    fn after(ms: u64) -> Uptime {
        Uptime::now() + Duration::from_millis(ms)
    }

    #[test]
    fn a_turn_is_over_with_its_lease_whoever_looks() {
        let turn = Turn::new("orders", Duration::ZERO);
        assert!(matches!(*turn.holder(), TurnHolder::Unknown { .. }));
        turn.settle(here(after(3_600_000)));
        assert!(matches!(*turn.holder(), TurnHolder::ThisServer { .. }));
        turn.settle(here(after(0)));
        assert!(matches!(*turn.holder(), TurnHolder::Unknown { .. }));
    }

    #[test]
    fn only_whoever_means_this_turn_is_answered_by_it() {
        let turn = Turn::new("orders", Duration::ZERO);
        assert!(!turn.is_of(b"http://own 7"));
        turn.settle(here(after(3_600_000)));
        assert!(turn.is_of(b"http://own 7"));
        // An earlier process at the same address.
        assert!(!turn.is_of(b"http://own 6") && !turn.is_of(b"1"));
        turn.settle(here(after(0)));
        assert!(!turn.is_of(b"http://own 7"));
    }

    fn run<T>(future: impl Future<Output = T>) -> T {
        Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
    }

    /// Keeps the turn but changes its end.
    fn renewed(turn: &Turn, until: Uptime) {
        let TurnHolder::ThisServer { source, owner, .. } = &*turn.holder() else {
            panic!("no turn")
        };
        let (source, owner) = (Arc::clone(source), owner.clone());
        turn.settle(TurnHolder::ThisServer { source, until, owner });
    }

    #[test]
    fn an_id_that_came_once_the_turn_was_over_is_given_up() {
        let there = async |_: &Owner| panic!("nobody else has the turn");
        let turn = Turn::new("orders", Duration::ZERO);
        turn.settle(here(after(3_600_000)));
        let paused = async |_: &Source| {
            renewed(&turn, after(0));
            Ok(1)
        };
        let why = run(turn.taken(Asker::Client, paused, there)).unwrap_err();
        assert_eq!(why.code(), Code::LeaseUnavailable);

        let turn = Turn::new("orders", Duration::from_secs(3_600));
        turn.settle(here(after(3_600_000)));
        let times = Cell::new(0);
        let twice = async |_: &Source| {
            times.set(times.get() + 1);
            match times.get() {
                // The server got a new turn meanwhile, with a new source.
                1 => drop(turn.settle(here(after(3_600_000)))),
                _ => renewed(&turn, after(7_200_000)),
            }
            Ok(times.get())
        };
        assert_eq!(run(turn.taken(Asker::Client, twice, there)).unwrap(), 2);
    }

    #[test]
    fn a_request_that_another_server_sent_is_not_sent_on() {
        let turn = Turn::new("orders", Duration::ZERO);
        turn.settle(TurnHolder::OtherServer(Owner::new("http://other 7")));
        let ask = |asker| {
            let here = async |_: &Source| Ok("here".to_owned());
            let there = async |owner: &Owner| Ok(owner.to_string());
            run(turn.taken(asker, here, there))
        };
        assert_eq!(ask(Asker::Client).unwrap(), "http://other");
        assert_eq!(ask(Asker::Server).unwrap_err().code(), Code::LeaseUnavailable);
    }

    #[test]
    fn a_server_that_is_silent_is_unreachable_until_it_answers() {
        let turn = Turn::new("orders", Duration::ZERO);
        turn.settle(TurnHolder::OtherServer(Owner::new("http://other 7")));
        let here = async |_: &Source| Ok(());
        let never = async |_: &Owner| pending().await;
        let why = run(turn.taken(Asker::Client, here, never)).unwrap_err();
        assert_eq!(why.code(), Code::LeaseUnavailable);
        assert!(turn.peer_failure().unwrap().contains("http://other"));
        let at_once = async |_: &Owner| Ok(());
        run(turn.taken(Asker::Client, here, at_once)).unwrap();
        assert_eq!(turn.peer_failure(), None);
    }

    #[test]
    fn while_a_turn_may_still_be_taken_its_requests_are_taken_too() {
        let passes = |turn: &Turn| turn.stall(&turn.holder()).map(|stall| stall.passes);
        let lost = || Error::new(Code::StoreUnavailable, "it is away");
        let turn = Turn::new("orders", Duration::from_secs(3_600));
        // No turn was known before, so waiting is no use.
        assert_eq!(passes(&turn), Some(false));
        turn.unsettle(lost());
        assert_eq!(passes(&turn), Some(false));
        turn.settle(here(after(3_600_000)));
        assert_eq!(passes(&turn), None);
        turn.unsettle(lost());
        turn.unsettle(lost());
        assert_eq!(passes(&turn), Some(true));
        turn.settle(here(after(0)));
        assert_eq!(passes(&turn), Some(true));
        turn.settle(TurnHolder::OtherServer(Owner::new("http://other 7")));
        assert_eq!(passes(&turn), None);
        turn.note(&Owner::new("http://other 7"), Some(&lost()));
        assert_eq!(passes(&turn), Some(true));
        turn.note(&Owner::new("http://other 7"), Some(&Error::new(Code::StoreDenied, "a token")));
        assert_eq!(passes(&turn), Some(false));
        // The new server counts as reachable until a request fails.
        turn.settle(TurnHolder::OtherServer(Owner::new("http://third 7")));
        assert_eq!(passes(&turn), None);
    }

    #[test]
    fn a_turn_that_nobody_takes_in_time_is_told() {
        let lost = || Error::new(Code::StoreUnavailable, "it is away");
        let turn = Turn::new("orders", Duration::ZERO);
        turn.settle(here(after(3_600_000)));
        turn.unsettle(lost());
        let stall = turn.stall(&turn.holder()).unwrap();
        assert!(!stall.passes && stall.why.contains("it is away"), "{stall:?}");
        let owner = Owner::new("http://other 7");
        turn.settle(TurnHolder::OtherServer(owner.clone()));
        turn.note(&owner, Some(&lost()));
        assert!(!turn.stall(&turn.holder()).unwrap().passes);
    }
}
