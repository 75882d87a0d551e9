//! A server that is away while numbers are taken, 100,000 a second. The long form, away for 30 seconds
//! under a runway of 60:
//!
//! ```text
//! SNOWMINT_OUTAGE_S=30 cargo test --release -p snowmint --all-features outages -- --nocapture
//! ```

use std::time::{Duration, Instant};

use snowmint::{Code, Error, Mint, Source, open};

use crate::asking::{patiently, wait_until};
use crate::{Server, with_orders};

const PER_S: u64 = 100_000;
/// Taken one after the other, before the pace is looked at again.
const TOGETHER: u64 = 100;
/// The limit of waits on any machine. No measured time depends on it.
const FOREVER: Duration = Duration::from_secs(600);

/// For how long the server is away; the runway is twice as long.
fn outage_s() -> u64 {
    std::env::var("SNOWMINT_OUTAGE_S").map_or(1, |seconds| seconds.parse().unwrap())
}

/// Takes numbers at a pace, and checks that they rise.
struct Taker {
    source: Source,
    began: Instant,
    taken: u64,
    last: u64,
}

impl Taker {
    fn take_some(&mut self) -> Result<(), Error> {
        for _ in 0..TOGETHER {
            let id = self.source.next_id()?;
            assert!(id > self.last, "{id} after {}", self.last);
            self.last = id;
            self.taken += 1;
        }
        let due = Duration::from_secs_f64(self.taken as f64 / PER_S as f64);
        std::thread::sleep(due.saturating_sub(self.began.elapsed()));
        Ok(())
    }

    /// Takes so many.
    fn take(&mut self, count: u64) -> Result<(), Error> {
        let end = self.taken + count;
        while self.taken < end {
            self.take_some()?;
        }
        Ok(())
    }

    /// Until so many are at hand: the first ranges are short, and none may be there for a moment.
    fn take_until_at_hand(&mut self, wanted: u64) {
        let began = Instant::now();
        while self.source.stats().at_hand() < wanted {
            let taken = self.take_some();
            assert!(taken.is_ok() || taken.is_err_and(|error| error.is_transient()));
            assert!(began.elapsed() < FOREVER, "{:?}", self.source.stats());
        }
    }
}

/// While the server is away, the source gives all numbers at hand, and then errors with a code. It
/// goes on once the server is back.
#[test]
fn a_runway_outlasts_its_server() {
    let mut server = Server::start(&[]);
    let database = with_orders(server.database());
    let (outage_s, runway_s) = (outage_s(), 2 * outage_s());
    let url = format!("segment+{}&tag=orders&runway={runway_s}s&wait_ms=0", database.url);
    let mut taker =
        Taker { source: patiently(|| open(&url)), began: Instant::now(), taken: 0, last: 0 };
    taker.take_until_at_hand(runway_s * PER_S);
    server.end();
    let at_hand = taker.source.stats().at_hand();
    taker.take(at_hand.min(outage_s * PER_S)).unwrap();
    let away = taker.source.stats();
    assert!(away.last_failure.is_none_or(|failure| !failure.is_over));
    let error = taker.take(u64::MAX / 2).unwrap_err();
    assert!(error.is_transient(), "{error}");
    assert_eq!(error.code(), Code::StoreUnavailable, "{error}");
    server.start_again();
    let back = Instant::now();
    wait_until("the next number", || taker.take_some().is_ok());
    println!(
        "{outage_s} s without a server: {} of {at_hand} numbers at hand taken without an error; the \
         next one {:?} after its start",
        at_hand.min(outage_s * PER_S),
        back.elapsed(),
    );
}
