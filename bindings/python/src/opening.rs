//! How a source is opened by its URL, whatever class it has.

use pyo3::prelude::*;
use snowmint::{Code, Error, Result, Source};

use crate::wait::opened;

/// Opens a source that has to be of one class, which its URL tells before anything is opened: `take`
/// has it if it is.
pub(crate) fn open_as<T: Send + 'static>(
    py: Python<'_>,
    url: &str,
    class: &'static str,
    take: impl FnOnce(Source) -> Option<T> + Send + 'static,
) -> PyResult<T> {
    let url = url.to_owned();
    opened(py, move || {
        let found = class_of(snowmint::kind_of(&url)?);
        let other = || {
            let message = format!("the URL opens a {found}, not a {class}: use {found}.open");
            Error::new(Code::InvalidParameter, message)
        };
        if found != class {
            return Err(other());
        }
        take(open_known(&url)?).ok_or_else(other)
    })
}

/// Opens a source. The tag of a segment is known to be there, as far as anybody can tell.
pub(crate) fn open_known(url: &str) -> Result<Source> {
    let source = snowmint::open(url)?;
    let placed = snowmint::placed(url)?;
    if let (Source::Segment(segment), Some(placed)) = (&source, placed)
        && is_service(&placed.store)
    {
        fetch_first(segment)?;
    }
    Ok(source)
}

/// Whether it is the URL of an ID service, which is asked for nothing when it is opened.
pub(crate) fn is_service(store: &str) -> bool {
    store.starts_with("http:") || store.starts_with("https:")
}

/// Has the first range of a segment fetched: of an ID service, only that tells whether it has the
/// tag. One that fails for the moment is no news before a number is wanted.
pub(crate) fn fetch_first(segment: &snowmint::Segment) -> Result<()> {
    match segment.fetch_first() {
        Err(error) if error.is_transient() => Ok(()),
        fetched => fetched,
    }
}

/// The class of a kind of source.
fn class_of(kind: &str) -> &'static str {
    match kind {
        "snowflake" => "Snowflake",
        "segment" => "Segment",
        "daily" => "Daily",
        "sequences" => "Sequences",
        "ring" => "Ring",
        "uuid" => "UuidSource",
        _ => "source of another kind",
    }
}
