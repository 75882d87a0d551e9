//! Bodies that no endpoint reads. Clients send them behind the headers, and their next request behind
//! those: they are read and dropped, so that the connection goes on.

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{CONNECTION, EXPECT, HeaderValue};
use hyper::{Request, StatusCode};
use tokio::time::timeout;

use super::answer::Answer;
use super::body::{broken_off, too_long, too_slow};
use super::problem::Problem;
use crate::serve::service::Desk;

/// So much of a body that is too long is read before its refusal is sent.
const MOST_DROPPED: u64 = 16 << 20;

/// Whether a request has a body of which something is left.
#[inline]
pub(crate) fn has_more(request: &Request<Incoming>) -> bool {
    !request.body().is_end_stream()
}

/// Reads a body before anything is done for its request: what is minted for one that is refused
/// would be lost. How long it was.
///
/// # Errors
/// For one that is too long, is broken off or comes too slowly.
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
    timeout(within, dropped(body, most)).await.map_err(|_| too_slow())?
}

/// Reads what an answer did not need of its request's body, or says that the connection ends.
pub(crate) async fn finish(desk: &Desk, request: &mut Request<Incoming>, answer: &mut Answer) {
    let mut status = answer.status();
    if !matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE) {
        let Err(problem) = skip(desk, request).await else { return };
        status = problem.status;
    }
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    // Whoever writes all of it before he reads would find the connection broken, and no answer.
    if status == StatusCode::PAYLOAD_TOO_LARGE && !request.headers().contains_key(EXPECT) {
        let within = desk.setup().config.timeouts.request();
        let _ = timeout(within, dropped(request.body_mut(), MOST_DROPPED)).await;
    }
}

/// Reads a body to its end: its length.
///
/// # Errors
/// For one that has more bytes than `most`, or did not come whole.
async fn dropped(body: &mut Incoming, most: u64) -> Result<u64, Problem> {
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| broken_off())?;
        length += frame.data_ref().map_or(0, Bytes::len) as u64;
        if length > most {
            return Err(too_long(most));
        }
    }
    Ok(length)
}
