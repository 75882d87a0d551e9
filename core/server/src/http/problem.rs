//! Refusals: RFC 9457 problems with the project's codes.

use hyper::StatusCode;
use hyper::header::{ALLOW, HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use serde_json::json;
use snowmint::{Code, CodeGroup, Error};

use super::answer::{Answer, answer};
use crate::service::RequestContext;

const PROBLEM: &str = "application/problem+json";
/// The least pause before a retry, in milliseconds.
const RETRY_MS: u64 = 100;

#[derive(Debug)]
pub(crate) struct Problem {
    pub(super) status: StatusCode,
    pub(super) code: Code,
    pub(super) detail: String,
    pub(super) retry_ms: Option<u64>,
    pub(super) allow: Option<&'static str>,
    /// The value of `WWW-Authenticate`.
    pub(super) authenticate: Option<&'static str>,
    /// The name of the source that was asked for, which need not exist.
    pub(super) source: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: Code, detail: impl Into<String>) -> Problem {
        Problem {
            status,
            code,
            detail: detail.into(),
            retry_ms: None,
            allow: None,
            authenticate: None,
            source: None,
        }
    }

    /// Returns a problem for an invalid parameter.
    pub(crate) fn parameter(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, Code::InvalidParameter, detail)
    }

    /// Returns a problem for a method that the path does not have.
    pub(crate) fn method(allow: &'static str) -> Problem {
        let detail = format!("use {allow}");
        let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, Code::Unsupported, detail);
        Problem { allow: Some(allow), ..problem }
    }

    /// Returns a problem for an unknown path.
    pub(crate) fn nothing_at(path: &str) -> Problem {
        let detail = match path {
            "" => "there is nothing without a path: this is no proxy".to_owned(),
            path => format!("there is nothing at {path}"),
        };
        Problem::new(StatusCode::NOT_FOUND, Code::Unsupported, detail)
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Problem {
        Problem { status, ..self }
    }

    /// Returns true if the client was refused, rather than its request.
    pub(crate) fn is_denial(&self) -> bool {
        use StatusCode as Is;
        matches!(self.status, Is::UNAUTHORIZED | Is::FORBIDDEN | Is::TOO_MANY_REQUESTS)
    }

    /// Adds the source's name from the path.
    pub(crate) fn of(self, source: &str) -> Problem {
        Problem { source: Some(source.to_owned()), ..self }
    }

    /// Counts the problem, and notes it for operators.
    fn tell(&self, context: &RequestContext) {
        let setup = context.setup();
        // Only names of known sources are kept, because clients can make up any number of names.
        let is_known = |source: &&str| setup.sources.named(source).is_ok();
        let source = self.source.as_deref().filter(is_known);
        context.count(|counters| counters.failed(self.code, source, &self.detail));
    }

    /// Counts the problem for an answer of another form, and returns its text.
    pub(crate) fn count(self, context: &RequestContext) -> String {
        self.tell(context);
        self.detail
    }

    /// Counts the problem, and returns its answer.
    pub(crate) fn answer(self, context: &RequestContext) -> Answer {
        self.tell(context);
        let mut body = json!({
            "type": self.code.url(),
            "title": self.title(),
            "status": self.status.as_u16(),
            "code": self.code.name(),
            "detail": self.detail,
        });
        if let (Some(retry_ms), Some(object)) = (self.retry_ms, body.as_object_mut()) {
            object.insert("retry_ms".to_owned(), retry_ms.into());
        }
        let mut answer = answer(self.status, PROBLEM, format!("{body}\n"));
        self.put_headers(answer.headers_mut());
        answer
    }

    /// Returns the title. The service has its own words where the code's summary speaks of sources
    /// and stores.
    fn title(&self) -> &'static str {
        match (self.status, self.code) {
            (StatusCode::UNAUTHORIZED, _) => "The service does not know who asks.",
            (StatusCode::FORBIDDEN, _) => "Who asks may not have this.",
            (StatusCode::METHOD_NOT_ALLOWED, _) => "The path has other methods.",
            (StatusCode::NOT_ACCEPTABLE, _) => "The answer has other forms.",
            (StatusCode::REQUEST_TIMEOUT, _) => "The request took too long to come.",
            (StatusCode::PAYLOAD_TOO_LARGE, _) => "The request is too long.",
            (StatusCode::TOO_MANY_REQUESTS, _) => "Too much was asked for in this time.",
            (StatusCode::NOT_FOUND, Code::Unsupported) => "There is nothing at this path.",
            (StatusCode::NOT_FOUND, Code::UnknownTag) => "No source, or tag, has this name.",
            (StatusCode::BAD_REQUEST, Code::UnsafeSetting) => "A setting is not safe.",
            (StatusCode::BAD_REQUEST, Code::InvalidKey) => "There is no such key.",
            // The same codes are used when no name was given.
            (StatusCode::BAD_REQUEST, Code::UnknownLayout) => {
                "No layout has this name, or none that is known has such an ID."
            }
            (StatusCode::BAD_REQUEST, Code::UnknownTextForm) => {
                "No text form has this name, or none can be told."
            }
            (_, code) => code.summary(),
        }
    }

    /// Adds the headers that an answer of any form needs.
    pub(super) fn put_headers(&self, headers: &mut HeaderMap) {
        if let Some(retry_ms) = self.retry_ms {
            headers.insert(RETRY_AFTER, retry_ms.div_ceil(1_000).into());
        }
        if let Some(allow) = self.allow {
            headers.insert(ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(authenticate) = self.authenticate {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(authenticate));
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let status = status(error.code());
        let again = error.is_transient() && status == StatusCode::SERVICE_UNAVAILABLE;
        let retry_ms = again.then(|| error.wait_ms().unwrap_or(0).max(RETRY_MS));
        let problem = Problem::new(status, error.code(), error.to_string());
        Problem { retry_ms, ..problem }
    }
}

/// Returns the status of a code: the fault of the request, of the service or of its store.
pub(crate) fn status(code: Code) -> StatusCode {
    match (code, code.group()) {
        (Code::UnknownTag | Code::NotFound, _) => StatusCode::NOT_FOUND,
        (Code::TagExists, _) => StatusCode::CONFLICT,
        (Code::TagExhausted, _) => StatusCode::GONE,
        // The clock or the store is at fault, and the client cannot mend that.
        (Code::EpochInFuture | Code::LayoutExpired, _) => StatusCode::SERVICE_UNAVAILABLE,
        (Code::RangeRegressed | Code::TagMoved, _) => StatusCode::SERVICE_UNAVAILABLE,
        (_, CodeGroup::Layout | CodeGroup::Text | CodeGroup::Segment) => StatusCode::BAD_REQUEST,
        (_, CodeGroup::Url | CodeGroup::Parameter) => StatusCode::BAD_REQUEST,
        (_, CodeGroup::Stall | CodeGroup::Closed) => StatusCode::SERVICE_UNAVAILABLE,
        (_, CodeGroup::Worker | CodeGroup::Store) => StatusCode::SERVICE_UNAVAILABLE,
        (_, CodeGroup::Internal) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_whose_fault_it_is() {
        for code in Code::ALL.iter().filter(|code| code.group() == CodeGroup::Store) {
            assert_eq!(status(*code), StatusCode::SERVICE_UNAVAILABLE, "{code}");
        }
        let cases = [
            (Code::UnknownTag, 404),
            (Code::NotFound, 404),
            (Code::TagExhausted, 410),
            (Code::CountOutOfRange, 400),
            (Code::Unsupported, 400),
            (Code::IdNotInLayout, 400),
            (Code::WaitTimeout, 503),
            (Code::Closed, 503),
            (Code::LeaseLost, 503),
            (Code::Internal, 500),
        ];
        for (code, expected) in cases {
            assert_eq!(status(code).as_u16(), expected, "{code}");
        }
    }

    #[test]
    fn a_refusal_of_the_service_does_not_speak_of_a_store() {
        let of = |status, code| Problem::new(status, code, "").title();
        let own = [
            Problem::nothing_at("/").title(),
            Problem::method("POST").title(),
            of(StatusCode::UNAUTHORIZED, Code::StoreDenied),
            of(StatusCode::FORBIDDEN, Code::StoreDenied),
            of(StatusCode::TOO_MANY_REQUESTS, Code::Overloaded),
            Problem::from(Error::new(Code::UnknownTag, "")).title(),
        ];
        for title in own {
            assert!(!title.contains("store") && title.ends_with('.'), "{title}");
        }
        let of_store = Problem::from(Error::new(Code::StoreDenied, "")).title();
        assert_eq!(of_store, Code::StoreDenied.summary());
    }

    #[test]
    fn only_what_passes_may_be_asked_for_again() {
        let retry_ms = |code| Problem::from(Error::new(code, "")).retry_ms;
        assert_eq!(retry_ms(Code::StoreUnavailable), Some(RETRY_MS));
        assert_eq!(retry_ms(Code::StoreDenied), None);
        assert_eq!(retry_ms(Code::UnknownTag), None);
    }
}
