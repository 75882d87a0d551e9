//! Answers: a status, a body, and headers that no cache may miss.

use bytes::Bytes;
use http_body_util::{Channel, Either, Full};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, VARY};
use hyper::{Response, StatusCode};
use serde_json::Value;

/// What a request gets.
pub(crate) type Answer = Response<Body>;

/// Whole as a rule; bit by bit of what goes on.
pub(crate) type Body = Either<Full<Bytes>, Channel<Bytes>>;

pub(crate) const JSON: &str = "application/json";
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
pub(crate) const BINARY: &str = "application/octet-stream";

/// An answer that nobody may keep: a cached ID is a duplicate.
pub(crate) fn answer(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Either::Left(Full::new(body.into())));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // For caches that were told to overlook that.
    headers.insert(VARY, HeaderValue::from_static("*"));
    answer
}

/// An object, on one line.
pub(crate) fn json(status: StatusCode, value: &Value) -> Answer {
    let mut text = value.to_string();
    text.push('\n');
    answer(status, JSON, text)
}
