//! Errors of the sources, and of the days of daily ones.

use snowmint::{Code, Error, MAX_TAG_LENGTH};

snowmint::errors! {
    source_not_open(name: &str) => StoreUnavailable: "the source {name} is not open yet";

    ordered_not_segment(name: &str) => Unsupported:
        "sources.{name}: only a segment's numbers are given in order";
}

pub(crate) fn source_unknown(name: &str) -> Error {
    let shown: String = name.chars().take(MAX_TAG_LENGTH).collect();
    Error::new(Code::UnknownTag, format!("no source is called {shown:?}"))
}

pub(crate) fn source_unusable(name: &str, why: Error) -> Error {
    Error::new(why.code(), format!("sources.{name}: {why}")).caused_by(why)
}

// A worker ID that this service itself holds, or held until just now.

snowmint::errors! {
    worker_id_held_here(name: &str) => WorkerInUse:
        "sources.{name}: this service holds its worker ID itself, by the URL that the source has \
         now, or had within the last seconds. Reload again in a moment, or restart it to change \
         the URL of the same worker ID";

    worker_id_held_until_now(why: Error) => WorkerInUse caused_by why:
        "{why}; a source that this service had until just now gives its worker ID back within \
         seconds: then reload again";

    // Days, as `yyyymmdd`.

    source_without_days(name: &str) => Unsupported:
        "{name} has no days: open it as daily+… without a ring";

    day_not_open(name: &str, date: u32) => WaitTimeout:
        "the day {date:08} of {name} is not open yet";
}

/// `near` is yesterday, today and tomorrow in the source's zone.
pub(crate) fn day_too_far(name: &str, date: u32, near: [u32; 3]) -> Error {
    let [yesterday, today, tomorrow] = near;
    let message = format!(
        "{name}: the day {date:08} cannot be had: in the source's zone it is {today}, and \
         {yesterday} and {tomorrow} are given beside it"
    );
    Error::new(Code::InvalidTime, message)
}
