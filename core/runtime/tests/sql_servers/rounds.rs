//! Failover after failover under load, with waits for standbys that are ended by hand. The long form:
//!
//! ```text
//! SNOWMINT_FAILOVERS=12 cargo test --release -p snowmint --all-features rounds -- --nocapture
//! ```

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use snowmint::open_store;

use crate::asking::{Until, take_within, wait_until};
use crate::rounds::{Chain, played};

/// The numbers of a range: its first, and the one behind its last.
pub(crate) type Numbers = (u64, u64);
/// Takes a range, if it is given one.
pub(crate) type Taker<'a> = Box<dyn FnMut() -> Option<Numbers> + Send + 'a>;

/// So many ranges are taken before anything happens, and after it.
const RANGES: usize = 40;
/// For so long at least ranges are taken that the other server lacks, and for so many times that on a
/// machine so busy that there are few.
const PARTED: Duration = Duration::from_millis(400);
const TIMES: usize = 10;
const FEW: usize = 8;

/// Takes ranges of a store that is opened by its URL, once that succeeds.
pub(crate) fn taker(url: String) -> Taker<'static> {
    let mut store = None;
    Box::new(move || {
        if store.is_none() {
            store = open_store(&url).ok();
        }
        let range = take_within(&**store.as_ref()?, Duration::from_secs(2)).ok()?.range;
        Some((range.start(), range.end()))
    })
}

/// Returns the number of failovers.
pub(crate) fn failovers() -> usize {
    std::env::var("SNOWMINT_FAILOVERS").map_or(2, |count| count.parse().unwrap())
}

/// One failover, while ranges are taken.
pub(crate) fn play(round: &Chain, taken: &Mutex<Vec<Numbers>>) {
    let is_over = AtomicBool::new(false);
    let goes_on = || !is_over.load(Ordering::SeqCst);
    thread::scope(|scope| {
        let _until = Until(&is_over);
        for mut taker in round.takers() {
            scope.spawn(move || {
                while goes_on() {
                    match taker() {
                        Some(numbers) => taken.lock().unwrap().push(numbers),
                        None => thread::sleep(Duration::from_millis(10)),
                    }
                }
            });
        }
        scope.spawn(|| {
            while goes_on() {
                round.disturb();
                thread::sleep(Duration::from_millis(20));
            }
        });
        more("ranges", taken);
        round.part();
        go_on(taken);
        if round.is_fenced() {
            round.kill();
        }
        round.promote();
        go_on(taken);
        if !round.is_fenced() {
            round.kill();
        }
        let above = taken.lock().unwrap().iter().map(|it| it.1).max();
        round.resume(above.unwrap_or_default());
        more("ranges of the other server", taken);
    });
}

/// There may be none where all takers wait for the other server.
fn go_on(taken: &Mutex<Vec<Numbers>>) {
    let count = || taken.lock().unwrap().len();
    let before = count();
    for _ in 0..TIMES {
        thread::sleep(PARTED);
        if count() >= before + FEW {
            break;
        }
    }
}

fn more(what: &str, taken: &Mutex<Vec<Numbers>>) {
    let count = || taken.lock().unwrap().len();
    let before = count();
    wait_until(what, || count() >= before + RANGES);
}

/// Returns the number of ranges that begin within another one.
fn repeated(taken: Mutex<Vec<Numbers>>) -> usize {
    let mut taken = taken.into_inner().unwrap();
    taken.sort_unstable();
    let repeated = taken.windows(2).filter(|pair| pair[1].0 < pair[0].1).count();
    println!("{} ranges in {} failovers, {repeated} repeated", taken.len(), failovers());
    repeated
}

#[test]
#[ignore = "thorough tier"]
fn rounds_of_failovers_repeat_no_range() {
    assert_eq!(repeated(played(false)), 0);
}

/// By which the rounds are known to find what they look for.
#[test]
#[ignore = "thorough tier"]
fn rounds_of_failovers_repeat_what_nobody_guards() {
    assert!(repeated(played(true)) > 0);
}
