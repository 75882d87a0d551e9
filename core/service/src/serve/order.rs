//! Numbers that rise over all clients and servers: one server at a time gives those of a tag, and
//! the others ask it.
//!
//! Whose turn it is says a lease in a store that all servers share, of a realm a tag with worker ID
//! 0 alone, whose owner is the server's address. A server answers while its lease lasts, looked at
//! as each request comes, and opens the source anew for each turn: its first range is then above all
//! that was given before. What a server still answers once its lease is over was asked for while it
//! lasted. No number repeats whatever becomes of leases, as ranges come from the tag's own store.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use snowmint::{Code, Error, Result, Source};
use tokio::time::{Instant, sleep};

use super::minting::Asker;
use super::uptime::Uptime;

mod keeper;
mod peers;

pub(crate) use keeper::Keeper;
pub(crate) use peers::{Peers, SENT_ON};

/// Whoever waits for a turn to be settled looks again after this.
const PAUSE: Duration = Duration::from_millis(20);

/// Whose turn it is to give the numbers of a source.
#[derive(Debug)]
pub(crate) struct Turn {
    place: ArcSwap<Place>,
    wait: Duration,
}

/// Where numbers are given.
#[derive(Debug)]
pub(crate) enum Place {
    /// Here, as long as the lease lasts.
    Here { source: Source, until: Uptime },
    /// At another server's address.
    There(String),
    /// It is not known: why.
    Nowhere(Error),
}

impl Turn {
    /// Not settled yet. A request waits for `wait` until it is.
    pub(crate) fn new(wait: Duration) -> Turn {
        let why = Error::new(Code::LeaseUnavailable, "whose turn it is was not asked yet");
        Turn { place: ArcSwap::from_pointee(Place::Nowhere(why)), wait }
    }

    /// As it is at this moment.
    pub(crate) fn place(&self) -> Arc<Place> {
        let place = self.place.load_full();
        match &*place {
            Place::Here { until, .. } if *until <= Uptime::now() => {
                let message = "this server's turn is over, and was not renewed";
                Arc::new(Place::Nowhere(Error::new(Code::LeaseUnavailable, message)))
            }
            _ => place,
        }
    }

    fn settle(&self, place: Place) -> Arc<Place> {
        self.place.swap(Arc::new(place))
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
        there: impl AsyncFn(&str) -> Result<T>,
    ) -> Result<T> {
        let until = Instant::now() + self.wait;
        loop {
            let place = self.place();
            let done = match &*place {
                Place::Here { source, .. } => here(source).await,
                Place::There(owner) if asker == Asker::Client => there(owner).await,
                Place::There(owner) => Err(elsewhere(owner)),
                Place::Nowhere(why) => Err(why.clone()),
            };
            match done {
                Err(why) if passes(&why) && Instant::now() < until => sleep(PAUSE).await,
                done => return done,
            }
        }
    }
}

/// Whether another try may succeed; a source is closed as its turn ends.
fn passes(why: &Error) -> bool {
    why.is_transient() || why.code() == Code::Closed
}

fn elsewhere(owner: &str) -> Error {
    Error::new(Code::LeaseUnavailable, format!("it is the turn of {owner}"))
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;

    fn source() -> Source {
        snowmint::open("uuid:").unwrap()
    }

    #[test]
    fn a_turn_is_over_with_its_lease_whoever_looks() {
        let turn = Turn::new(Duration::ZERO);
        assert!(matches!(*turn.place(), Place::Nowhere(_)));
        let until = |ms| Uptime::now() + Duration::from_millis(ms);
        turn.settle(Place::Here { source: source(), until: until(3_600_000) });
        assert!(matches!(*turn.place(), Place::Here { .. }));
        turn.settle(Place::Here { source: source(), until: until(0) });
        assert!(matches!(*turn.place(), Place::Nowhere(_)));
    }

    #[test]
    fn what_another_server_sends_here_is_not_sent_on() {
        let turn = Turn::new(Duration::ZERO);
        turn.settle(Place::There("http://other".to_owned()));
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let ask = |asker| {
            let here = async |_: &Source| Ok("here".to_owned());
            let there = async |owner: &str| Ok(owner.to_owned());
            runtime.block_on(turn.taken(asker, here, there))
        };
        assert_eq!(ask(Asker::Client).unwrap(), "http://other");
        assert_eq!(ask(Asker::Server).unwrap_err().code(), Code::LeaseUnavailable);
    }
}
