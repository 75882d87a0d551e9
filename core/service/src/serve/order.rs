//! Numbers that rise over all clients and servers: one server at a time gives those of a tag, and
//! the others ask it.
//!
//! Whose turn it is says a lease in a store that all servers share, of a realm a tag with worker ID
//! 0 alone, whose owner is the server's address and what tells its process from others. A server
//! answers while its lease lasts, looked at as each request comes, and opens the source anew for
//! each turn: its first range is then above all that was given before. What it has minted it looks at
//! its lease for once more, and gives nothing that may be of a range from after its turn. Whoever is asked by another server is told
//! whose turn that one means, and refuses if it is not his: another service may have the address by
//! then. No number repeats whatever becomes of leases, as ranges come from the tag's own store.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use snowmint::{Code, Error, Result, Source};
use tokio::time::{Instant, sleep};

use super::uptime::Uptime;

mod keeper;
mod peers;

pub(crate) use keeper::{Keeper, Kept};
pub(crate) use peers::{Peers, SENT_ON};

/// Whoever waits for a turn to be settled looks again after this.
const PAUSE: Duration = Duration::from_millis(20);
/// Whoever waits for another server looks after this whether the turn is still its.
const LOOK: Duration = Duration::from_millis(50);
/// A server that could not be asked counts as such for so long.
const TROUBLE: Duration = Duration::from_secs(5);

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    Client,
    /// Another server, for a client of its own: it is not sent further.
    Server,
}

/// Whose turn it is to give the numbers of a source.
#[derive(Debug)]
pub(crate) struct Turn {
    name: String,
    place: ArcSwap<Place>,
    trouble: ArcSwapOption<Trouble>,
    /// Whether the log has it that it is nobody's.
    is_told: AtomicBool,
    wait: Duration,
}

/// Where numbers are given.
#[derive(Debug)]
pub(crate) enum Place {
    /// Here, as long as the lease lasts; each turn has a source of its own.
    Here { source: Arc<Source>, until: Uptime, owner: Owner },
    /// At another server.
    There(Owner),
    /// It is not known: why, and since when, if ever it was.
    Nowhere { why: Error, since: Option<Uptime> },
}

/// A server as it stands in the store: its address, and a number that no other process has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner(Arc<str>);

impl Owner {
    pub(crate) fn new(text: &str) -> Owner {
        Owner(text.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// How it is reached.
    pub(crate) fn address(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.address())
    }
}

/// That another server could not be asked.
#[derive(Debug)]
struct Trouble {
    /// That it is, where it may pass.
    since: Option<Uptime>,
    until: Uptime,
    why: String,
}

/// Why no number can be had here or by asking another server.
#[derive(Debug)]
pub(crate) struct Stall {
    pub(crate) why: String,
    /// Whether a request that waits may still get one, here as well as at any other server.
    pub(crate) passes: bool,
}

impl Turn {
    /// Not settled yet. A request waits for `wait` until it is.
    pub(crate) fn new(name: &str, wait: Duration) -> Turn {
        let why = Error::new(Code::LeaseUnavailable, "whose turn it is was not asked yet");
        Turn {
            name: name.to_owned(),
            place: ArcSwap::from_pointee(Place::Nowhere { why, since: None }),
            trouble: ArcSwapOption::empty(),
            is_told: AtomicBool::new(false),
            wait,
        }
    }

    /// How long a request waits until it is settled.
    pub(crate) fn wait(&self) -> Duration {
        self.wait
    }

    /// As it is at this moment.
    pub(crate) fn place(&self) -> Arc<Place> {
        let place = self.place.load_full();
        match &*place {
            Place::Here { until, .. } if *until <= Uptime::now() => {
                Arc::new(Place::Nowhere { why: over(), since: Some(*until) })
            }
            _ => place,
        }
    }

    /// Why no number is given in this place, if none is. A turn that changes hands, or whose server has
    /// just died, is soon another's: requests wait for that, and clients who are sent elsewhere wait there.
    pub(crate) fn stall(&self, place: &Place) -> Option<Stall> {
        let (why, since) = match place {
            Place::Here { .. } => return None,
            Place::There(_) => self.present_trouble().map(|it| (it.why.clone(), it.since))?,
            Place::Nowhere { why, since } => (why.to_string(), *since),
        };
        let passes = since.is_some_and(|since| Uptime::now() < since + self.wait);
        Some(Stall { why, passes })
    }

    /// Whether it is here, and what another server means that sends a request here.
    pub(crate) fn is_of(&self, meant: &[u8]) -> bool {
        matches!(&*self.place(), Place::Here { owner, .. } if owner.as_str().as_bytes() == meant)
    }

    /// Why the server whose turn it is could not be asked just now.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.present_trouble().map(|trouble| trouble.why.clone())
    }

    fn present_trouble(&self) -> Option<Arc<Trouble>> {
        self.trouble.load_full().filter(|trouble| Uptime::now() < trouble.until)
    }

    /// Has it be there from now on; where it was.
    fn settle(&self, place: Place) -> Arc<Place> {
        let before = self.place.swap(Arc::new(place));
        let (name, now) = (&self.name, self.place.load());
        if !matches!((&*before, &**now), (Place::There(was), Place::There(is)) if was == is) {
            self.trouble.store(None);
        }
        let is_nobodys = matches!(&**now, Place::Nowhere { .. });
        let is_told = self.is_told.swap(is_nobodys, Ordering::Relaxed);
        match (&*before, &**now) {
            (Place::Here { .. }, Place::Here { .. }) => {}
            (_, Place::Here { .. }) => tracing::info!("{name}: it is this server's turn"),
            (Place::There(was), Place::There(is)) if was == is => {}
            (_, Place::There(owner)) => tracing::info!("{name}: it is the turn of {owner}"),
            (_, Place::Nowhere { .. }) if is_told => {}
            (_, Place::Nowhere { why, .. }) => {
                tracing::warn!(code = why.code().name(), "{name}: nobody's turn: {why}");
            }
        }
        before
    }

    /// Has it be nobody's, since when it is not known any more.
    fn unsettle(&self, why: Error) -> Arc<Place> {
        let since = match &*self.place() {
            Place::Nowhere { since, .. } => *since,
            Place::Here { .. } | Place::There(_) => Some(Uptime::now()),
        };
        self.settle(Place::Nowhere { why, since })
    }

    /// Does something here or there, wherever the turn is; again where that failed for a reason
    /// that passes, until the time is up. A repeat wastes numbers, and repeats none.
    ///
    /// # Errors
    /// Of the last try; [`Code::LeaseUnavailable`] where nobody has the turn.
    pub(crate) async fn taken<T>(
        &self,
        asker: Asker,
        here: impl AsyncFn(&Source) -> Result<T>,
        there: impl AsyncFn(&Owner) -> Result<T>,
    ) -> Result<T> {
        let until = Instant::now() + self.wait;
        loop {
            let place = self.place();
            let done = match &*place {
                Place::Here { source, .. } => match here(source).await {
                    Ok(_) if !self.goes_on(source) => Err(over()),
                    done => done,
                },
                Place::There(owner) if asker == Asker::Client => {
                    // On the heap: every connection has room for what it may wait for, and few wait
                    // for another server.
                    self.asked(owner, until, Box::pin(there(owner))).await
                }
                Place::There(owner) => Err(elsewhere(owner)),
                Place::Nowhere { why, .. } => Err(why.clone()),
            };
            match done {
                Err(why) if passes(&why) && Instant::now() < until => sleep(PAUSE).await,
                done => return done,
            }
        }
    }

    /// Whether the turn that a source was opened for has not ended. Of a range that came after its end
    /// numbers may be above those that others give by now.
    fn goes_on(&self, source: &Arc<Source>) -> bool {
        matches!(&*self.place(), Place::Here { source: present, .. } if Arc::ptr_eq(present, source))
    }

    /// What another server answers, as long as the turn is its and there is time.
    async fn asked<T>(
        &self,
        owner: &Owner,
        until: Instant,
        mut asking: Pin<Box<impl Future<Output = Result<T>>>>,
    ) -> Result<T> {
        loop {
            let done = tokio::select! {
                done = &mut asking => done,
                () = sleep(LOOK) => match &*self.place() {
                    Place::There(present) if present == owner && Instant::now() < until => continue,
                    Place::There(present) if present == owner => Err(silent(owner)),
                    _ => return Err(elsewhere(owner)),
                },
            };
            self.note(owner, done.as_ref().err());
            return done;
        }
    }

    /// Notes how asking another server ended, and tells the log when that changes.
    fn note(&self, owner: &Owner, why: Option<&Error>) {
        let name = &self.name;
        let cannot = |why: &&Error| passes(why) || why.code() == Code::StoreDenied;
        let Some(why) = why.filter(cannot) else {
            if self.trouble.load().is_some() && self.trouble.swap(None).is_some() {
                tracing::info!("{name}: {owner}, whose turn it is, answers again");
            }
            return;
        };
        let now = Uptime::now();
        // One that is asked again once it counts no more is in the trouble that it was.
        let goes_on = self.trouble.load_full().filter(|trouble| now < trouble.until + TROUBLE);
        let since = goes_on.and_then(|trouble| trouble.since).unwrap_or(now);
        let since = passes(why).then_some(since);
        let trouble = Trouble { since, until: now + TROUBLE, why: why.to_string() };
        if self.trouble.swap(Some(Arc::new(trouble))).is_none() {
            tracing::warn!(
                code = why.code().name(),
                "{name}: {owner}, whose turn it is, cannot be asked, so nothing is given here: \
                 {why}; look at ordered.address there, ordered.ca and ordered.token_file here"
            );
        }
    }
}

/// Whether another try may succeed; a source is closed as its turn ends.
fn passes(why: &Error) -> bool {
    why.is_transient() || why.code() == Code::Closed
}

fn over() -> Error {
    Error::new(Code::LeaseUnavailable, "this server's turn is over, and was not renewed")
}

fn elsewhere(owner: &Owner) -> Error {
    Error::new(Code::LeaseUnavailable, format!("it is the turn of {owner}"))
}

fn silent(owner: &Owner) -> Error {
    let message = format!("{owner}, whose turn it is, did not answer in time");
    Error::new(Code::LeaseUnavailable, message)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::pending;

    use tokio::runtime::Builder;

    use super::*;

    fn here(until: Uptime) -> Place {
        let source = Arc::new(snowmint::open("uuid:").unwrap());
        Place::Here { source, until, owner: Owner::new("http://own 7") }
    }

    fn after(ms: u64) -> Uptime {
        Uptime::now() + Duration::from_millis(ms)
    }

    #[test]
    fn a_turn_is_over_with_its_lease_whoever_looks() {
        let turn = Turn::new("orders", Duration::ZERO);
        assert!(matches!(*turn.place(), Place::Nowhere { .. }));
        turn.settle(here(after(3_600_000)));
        assert!(matches!(*turn.place(), Place::Here { .. }));
        turn.settle(here(after(0)));
        assert!(matches!(*turn.place(), Place::Nowhere { .. }));
    }

    #[test]
    fn only_whoever_means_this_turn_is_answered_by_it() {
        let turn = Turn::new("orders", Duration::ZERO);
        assert!(!turn.is_of(b"http://own 7"));
        turn.settle(here(after(3_600_000)));
        assert!(turn.is_of(b"http://own 7"));
        // A process of before, at the same address.
        assert!(!turn.is_of(b"http://own 6") && !turn.is_of(b"1"));
        turn.settle(here(after(0)));
        assert!(!turn.is_of(b"http://own 7"));
    }

    fn run<T>(future: impl Future<Output = T>) -> T {
        Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
    }

    /// The same turn with another end.
    fn renewed(turn: &Turn, until: Uptime) {
        let Place::Here { source, owner, .. } = &*turn.place() else { panic!("no turn") };
        let (source, owner) = (Arc::clone(source), owner.clone());
        turn.settle(Place::Here { source, until, owner });
    }

    #[test]
    fn what_came_once_the_turn_was_over_is_given_up() {
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
                // It had the turn once more meanwhile, with a source of its own.
                1 => drop(turn.settle(here(after(3_600_000)))),
                _ => renewed(&turn, after(7_200_000)),
            }
            Ok(times.get())
        };
        assert_eq!(run(turn.taken(Asker::Client, twice, there)).unwrap(), 2);
    }

    #[test]
    fn what_another_server_sends_here_is_not_sent_on() {
        let turn = Turn::new("orders", Duration::ZERO);
        turn.settle(Place::There(Owner::new("http://other 7")));
        let ask = |asker| {
            let here = async |_: &Source| Ok("here".to_owned());
            let there = async |owner: &Owner| Ok(owner.to_string());
            run(turn.taken(asker, here, there))
        };
        assert_eq!(ask(Asker::Client).unwrap(), "http://other");
        assert_eq!(ask(Asker::Server).unwrap_err().code(), Code::LeaseUnavailable);
    }

    #[test]
    fn a_server_that_is_silent_is_in_trouble_until_it_answers() {
        let turn = Turn::new("orders", Duration::ZERO);
        turn.settle(Place::There(Owner::new("http://other 7")));
        let here = async |_: &Source| Ok(());
        let never = async |_: &Owner| pending().await;
        let why = run(turn.taken(Asker::Client, here, never)).unwrap_err();
        assert_eq!(why.code(), Code::LeaseUnavailable);
        assert!(turn.trouble().unwrap().contains("http://other"));
        let at_once = async |_: &Owner| Ok(());
        run(turn.taken(Asker::Client, here, at_once)).unwrap();
        assert_eq!(turn.trouble(), None);
    }

    #[test]
    fn while_a_turn_may_still_be_taken_its_requests_are_taken_too() {
        let passes = |turn: &Turn| turn.stall(&turn.place()).map(|stall| stall.passes);
        let lost = || Error::new(Code::StoreUnavailable, "it is away");
        let turn = Turn::new("orders", Duration::from_secs(3_600));
        // Nobody knows yet whether it ever will be.
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
        turn.settle(Place::There(Owner::new("http://other 7")));
        assert_eq!(passes(&turn), None);
        turn.note(&Owner::new("http://other 7"), Some(&lost()));
        assert_eq!(passes(&turn), Some(true));
        turn.note(&Owner::new("http://other 7"), Some(&Error::new(Code::StoreDenied, "a token")));
        assert_eq!(passes(&turn), Some(false));
        // Whose turn it is now answers, as far as is known.
        turn.settle(Place::There(Owner::new("http://third 7")));
        assert_eq!(passes(&turn), None);
    }

    #[test]
    fn a_turn_that_nobody_takes_in_time_is_told() {
        let lost = || Error::new(Code::StoreUnavailable, "it is away");
        let turn = Turn::new("orders", Duration::ZERO);
        turn.settle(here(after(3_600_000)));
        turn.unsettle(lost());
        let stall = turn.stall(&turn.place()).unwrap();
        assert!(!stall.passes && stall.why.contains("it is away"), "{stall:?}");
        let owner = Owner::new("http://other 7");
        turn.settle(Place::There(owner.clone()));
        turn.note(&owner, Some(&lost()));
        assert!(!turn.stall(&turn.place()).unwrap().passes);
    }
}
