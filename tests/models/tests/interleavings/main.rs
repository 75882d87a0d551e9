//! Every interleaving of the engine's lock-free machines, and every stale value that a relaxed read
//! may see, by loom.
//!
//! Each model says how many preemptions it allows: switches away from a thread that could have gone
//! on. All executions within that bound are run. loom does not move a read past a later write of
//! the same thread, so an `Acquire` or `Release` whose only purpose is to forbid that (the exchange
//! of a claim, the swap of a close) is not put to the test here.

mod history;
mod lease;
mod range;
mod ring;
mod segment;
mod snowflake;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use snowmint_models::only_the_first;

/// The calls of each thread in a model that would otherwise take minutes. Shuttle runs the same
/// models with more (`tests/schedules`).
const CALLS: u32 = 1;

/// Runs `model` in every execution with at most `preemptions` of them, and prints how many.
fn explore(name: &str, preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 20_000;
    if let Some(first) = only_the_first() {
        builder.max_permutations = Some(first);
        builder.checkpoint_interval = first; // where the count is looked at
    }
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        model();
    });
    let runs = runs.load(Ordering::Relaxed);
    println!("model {name}: {runs} executions, at most {preemptions} preemptions");
}
