//! The models of `tests/interleavings` on more calls a thread than loom can exhaust: seeded schedules
//! by shuttle, half of them random, half of few preemptions at random places (PCT).
//!
//! Every read sees the last write: what a relaxed read may see instead is loom's part.

#[path = "../interleavings/history.rs"]
mod history;
#[path = "../interleavings/lease.rs"]
mod lease;
#[path = "../interleavings/range.rs"]
mod range;
#[path = "../interleavings/ring.rs"]
mod ring;
#[path = "../interleavings/segment.rs"]
mod segment;
#[path = "../interleavings/snowflake.rs"]
mod snowflake;

use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, Runner};
use snowmint_models::only_the_first;

/// The calls of each thread in a model that loom has to keep short.
const CALLS: u32 = 4;
/// Schedules of each kind.
const SCHEDULES: usize = 50_000;
const SEED: u64 = 42;

/// Runs `model` in as many schedules as there are, each of them the same in every run.
fn explore(name: &str, preemptions: usize, model: impl Fn() + Send + Sync + Copy + 'static) {
    let count = only_the_first().map_or(SCHEDULES, |first| first.min(SCHEDULES));
    let random = run(RandomScheduler::new_from_seed(SEED, count), model);
    let few = run(PctScheduler::new_from_seed(SEED, preemptions + 1, count), model);
    println!("model {name}: {random} random schedules, {few} of {preemptions} preemptions");
}

fn run(scheduler: impl Scheduler + 'static, model: impl Fn() + Send + Sync + 'static) -> usize {
    let mut config = Config::default();
    // The text above says already that shuttle takes every ordering for the strongest.
    config.silence_warnings = true;
    Runner::new(scheduler, config).run(model)
}
