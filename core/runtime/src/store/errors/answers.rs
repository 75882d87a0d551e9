//! Answers of stores that do not fit their questions, and stores that give none.

use std::fmt::Display;

use snowmint_engine::MAX_STEP;

use crate::error::Error;

// Leases.

errors! {
    worker_id_not_asked_for(worker_id: u32, max: u32) => invalid():
        "a lease of worker ID {worker_id}, where 0 to {max} were asked for";

    lease_too_far_ahead(ahead_ms: i64, reach_ms: i64) => invalid():
        "a lease of time from {ahead_ms} ms ahead of its clock on, where at most {reach_ms} can be \
         used";

    lease_without_time(floor_ms: i64, reserved_ms: i64) => invalid():
        "a lease without time: from {floor_ms} ms to {reserved_ms} ms";

    /// Both are a worker ID and an epoch.
    renewal_of_another_lease(renewed: (u32, u64), lease: (u32, u64)) => invalid():
        "worker ID {} of epoch {} to a renewal of {} of epoch {}",
        renewed.0, renewed.1, lease.0, lease.1;

    renewal_in_another_key_space(now: impl Display, before: impl Display) => invalid():
        "a renewal in key space {now} of a lease in {before}";

    renewal_of_less_time(now_ms: i64, before_ms: i64) => invalid():
        "time reserved up to {now_ms} ms, where it was {before_ms} ms before";

    // Ranges.

    no_range() => invalid(): "nothing";

    ranges_miscounted(given: usize, asked: usize) => invalid():
        "{given} ranges to {asked} requests";

    step_out_of_range(step: u64, tag: impl Display) => invalid():
        "a step of {step} for tag {tag}, not of 1 to {MAX_STEP}";

    invalid(what: impl Display) => InvalidAnswer:
        "the store answered with {what}; nothing of it is used: mend the store";
}

/// `asked` is the count that was asked for, or `None` for a step.
pub(crate) fn range_too_large(given: u64, tag: impl Display, asked: Option<u64>) -> Error {
    let asked = asked.map_or_else(|| "a step".to_owned(), |count| count.to_string());
    invalid(format_args!(
        "a range of {given} numbers of tag {tag}, where {asked} and never above {MAX_STEP} were \
         asked for"
    ))
}

// Others.

errors! {
    /// The answer does not fit its question.
    strange() => InvalidAnswer: "the server answered with something else than was asked";

    store_panicked(said: &str) => StoreUnavailable: "the store panicked: {said}";
}
