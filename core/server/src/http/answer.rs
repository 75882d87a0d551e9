//! Builds answers: a status, a body, and headers that forbid caching.

use bytes::Bytes;
use http_body_util::{Channel, Either, Full};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, VARY};
use hyper::{Response, StatusCode};
use serde_json::Value;

/// An answer to a request.
pub(crate) type Answer = Response<Body>;

/// A whole body, or a stream of parts.
pub(crate) type Body = Either<Full<Bytes>, Channel<Bytes>>;

pub(crate) const JSON: &str = "application/json";
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
pub(crate) const BINARY: &str = "application/octet-stream";

/// Builds an answer that must not be cached, because a cached ID is a duplicate.
pub(crate) fn answer(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Either::Left(Full::new(body.into())));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // For caches that are configured to ignore `Cache-Control`.
    headers.insert(VARY, HeaderValue::from_static("*"));
    answer
}

/// Builds an answer with a JSON object on one line.
pub(crate) fn json(status: StatusCode, value: &Value) -> Answer {
    let mut text = value.to_string();
    text.push('\n');
    answer(status, JSON, text)
}
