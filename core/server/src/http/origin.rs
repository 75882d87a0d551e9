//! Cross-origin requests: which origins may ask, and the answers to preflights.

use hyper::body::Incoming;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ALLOW, HeaderMap, HeaderValue, ORIGIN,
};
use hyper::{Method, Request, StatusCode};

use super::answer::{Answer, answer};

/// Returns the origin of a request if its pages may ask here.
pub(crate) fn allowed(headers: &HeaderMap, origins: &[String]) -> Option<HeaderValue> {
    let origin = headers.get(ORIGIN)?;
    let text = origin.to_str().ok()?;
    origins.iter().any(|one| one == "*" || one == text).then(|| origin.clone())
}

/// Returns true if a page asks that may not. For embedded content, such as images, browsers do not
/// send the origin, but say that it is a different site.
pub(crate) fn is_foreign(headers: &HeaderMap, origins: &[String]) -> bool {
    if headers.contains_key(ORIGIN) {
        return allowed(headers, origins).is_none();
    }
    let site = headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes);
    matches!(site, Some(b"cross-site" | b"same-site")) && !origins.iter().any(|one| one == "*")
}

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Returns true for a CORS preflight.
pub(crate) fn is_preflight(request: &Request<Incoming>) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Answers a preflight. Without an allowed origin, the browser still blocks the request.
pub(crate) fn preflight() -> Answer {
    let mut answer = answer(StatusCode::NO_CONTENT, "text/plain", "");
    let headers = answer.headers_mut();
    let mut put = |name, value| headers.insert(name, HeaderValue::from_static(value));
    put(ACCESS_CONTROL_ALLOW_METHODS, "POST, GET");
    put(ACCESS_CONTROL_ALLOW_HEADERS, "content-type, authorization");
    put(ACCESS_CONTROL_MAX_AGE, "7200");
    answer
}

/// Returns true for `OPTIONS *`.
pub(crate) fn is_of_server(request: &Request<Incoming>) -> bool {
    request.method() == Method::OPTIONS && request.uri().path() == "*"
}

/// Answers `OPTIONS *` with the methods of all paths together.
pub(crate) fn of_server() -> Answer {
    let mut answer = answer(StatusCode::NO_CONTENT, "text/plain", "");
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD, POST, OPTIONS"));
    answer
}

/// Lets pages of an allowed origin read the answer.
pub(crate) fn reveal(answer: &mut Answer, origin: Option<HeaderValue>) {
    if let Some(origin) = origin {
        answer.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}
