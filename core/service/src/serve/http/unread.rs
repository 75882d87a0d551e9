//! Bodies that no endpoint reads. Clients send them behind the headers, and their next request behind
//! those: they are read and dropped, so that the connection goes on.

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::{Request, StatusCode};
use tokio::time::timeout;

use super::answer::Answer;
use super::body::{too_long, too_slow};
use super::problem::Problem;
use crate::serve::service::Desk;

/// Whether a request has a body of which something is left.
#[inline]
pub(crate) fn has_more(request: &Request<Incoming>) -> bool {
    !request.body().is_end_stream()
}

/// Reads a body before anything is done for its request: what is minted for one that is refused
/// would be lost. How long it was.
///
/// # Errors
/// For one that is too long, or comes too slowly.
pub(crate) async fn skip(desk: &Desk, request: &mut Request<Incoming>) -> Result<u64, Problem> {
    let (most, within) = {
        let config = &desk.setup().config;
        (u64::from(config.limits.body_bytes), config.timeouts.request())
    };
    let body = request.body_mut();
    // Whoever expects to be told so does not send it.
    if body.size_hint().lower() > most {
        return Err(too_long(most));
    }
    match timeout(within, dropped(body, most)).await {
        Ok(length) => length.ok_or_else(|| too_long(most)),
        Err(_) => Err(too_slow()),
    }
}

/// Reads what an answer did not need of its request's body, or says that the connection ends.
pub(crate) async fn finish(desk: &Desk, request: &mut Request<Incoming>, answer: &mut Answer) {
    use StatusCode as Is;
    let is_given_up = matches!(answer.status(), Is::REQUEST_TIMEOUT | Is::PAYLOAD_TOO_LARGE);
    if is_given_up || skip(desk, request).await.is_err() {
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
}

/// Reads a body to its end: its length, if it has so many bytes at most, and came whole.
async fn dropped(body: &mut Incoming, most: u64) -> Option<u64> {
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        length += frame.ok()?.data_ref().map_or(0, Bytes::len) as u64;
        if length > most {
            return None;
        }
    }
    Some(length)
}
