//! Turns the failures of servers into our errors.

use std::io;

use serde::de::DeserializeOwned;
use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::errors;
use super::messages::Refusal;
use super::server::Server;
use crate::error::Error;
use crate::store::remote::errors::{SILENT, ended_for_tls, ended_without_tls, no_http};
use crate::store::remote::http::{Answer, is_no_http};
use crate::store::remote::link;
use crate::store::remote::members::Fault;
use crate::store::remote::tls::{self, Words};

/// The most characters of a server's text that a message shows.
const SAID_MAX: usize = 300;

pub(super) const WORDS: Words = Words { roots: "cafile", authority: None, plain: "http:" };

/// Returns the result in an answer, or the fault if it is a refusal or unreadable.
pub(super) fn sound<T: DeserializeOwned>(server: &Server, answer: &Answer) -> Result<T, Fault> {
    if answer.status == 200 {
        // The answer is unreadable, but the request may have been done.
        return serde_json::from_slice(&answer.body).map_err(|error| {
            Fault::Passing(errors::strange_answer(server, "a question").caused_by(error))
        });
    }
    let refusal: Refusal = serde_json::from_slice(&answer.body).unwrap_or_default();
    let code = Code::ALL.iter().find(|code| code.name() == refusal.code).copied();
    let said: String = refusal.message.trim().chars().take(SAID_MAX).collect();
    let retry_ms = refusal.retry_ms.or(answer.retry_after_ms);
    let wait = |error: Error| retry_ms.into_iter().fold(error, Error::ask_again_in);
    match (answer.status, code) {
        (401 | 403, _) => Err(Fault::LoggedOut(wait(errors::denied(server, &said)))),
        // Each server counts its own rate, so another may answer. A client that is told to wait
        // waits.
        (429, _) => Err(Fault::Refused(wait(errors::overloaded(server, &said)))),
        (_, Some(code)) => {
            let error = wait(errors::refused(code, server, &said));
            Err(if is_of_server(code) { Fault::Unasked(error) } else { Fault::Refused(error) })
        }
        (status, None) => {
            let error = wait(errors::answer_foreign(server, status));
            // The answer of a proxy, which cannot tell whether the server did anything.
            Err(if status < 500 { Fault::Unasked(error) } else { Fault::Passing(error) })
        }
    }
}

/// Returns true if the error is that of one server only: the others share its store.
fn is_of_server(code: Code) -> bool {
    matches!(
        code,
        Code::StoreUnavailable
            | Code::OutcomeUnknown
            | Code::Overloaded
            | Code::Closed
            | Code::NoResource
            | Code::Internal
    )
}

/// The error of a connection that failed.
pub(super) fn unreachable(endpoint: &Endpoint, server: &Server, error: io::Error) -> Error {
    let is_secured = endpoint.is_secured();
    let cure = tls::cure(&error, &WORDS);
    let what = match error.kind() {
        io::ErrorKind::TimedOut => SILENT.to_owned(),
        io::ErrorKind::UnexpectedEof if is_secured => ended_without_tls("http:"),
        io::ErrorKind::UnexpectedEof => ended_for_tls("https:"),
        _ if is_no_http(&error) => no_http(&error, "an ID service"),
        _ => link::said(&error),
    };
    let code = match tls::refuses_client(&error) {
        true => Code::StoreDenied,
        false => Code::StoreUnavailable,
    };
    errors::server_unreachable(code, server, &what, cure.as_deref(), error)
}

/// Returns true if a server that contradicts this error must be on another store.
pub(super) fn is_of_store(code: Code) -> bool {
    matches!(code, Code::UnknownTag | Code::RealmMismatch | Code::LeaseLost)
}

/// Says that a server does not know what another server has.
pub(super) fn unknowing(server: &Server, other: &Server, why: &Error) -> String {
    format!("{why}; but {other} has it: {server} is on another store. Name servers of one store")
}

/// Returns true if the server's certificate is not trusted, for example because it has expired.
pub(super) fn is_of_certificate(error: &Error) -> bool {
    let source = std::error::Error::source(error);
    source.and_then(|it| it.downcast_ref::<io::Error>()).is_some_and(tls::is_of_certificate)
}

#[cfg(test)]
mod tests {
    use super::super::messages::Acknowledged;
    use super::*;
    use crate::store::remote::members::Member;

    fn fault(status: u16, body: &str, retry_after_ms: Option<u64>) -> Fault {
        let server = Server::new(Member { name: "a".to_owned(), port: 8064 }.into());
        let answer = Answer { status, date_ms: None, retry_after_ms, body: body.into() };
        sound::<Acknowledged>(&server, &answer).unwrap_err()
    }

    #[test]
    fn a_refusal_is_what_its_code_says() {
        let refusal = |code: &str| format!(r#"{{"code":"{code}","message":"no","retry_ms":800}}"#);
        for (status, code, goes_on) in [
            (503, "store_unavailable", true),
            (503, "outcome_unknown", true),
            (503, "overloaded", true),
            (503, "closed", true),
            (500, "internal", true),
            (503, "workers_exhausted", false),
            (409, "lease_lost", false),
            (409, "realm_mismatch", false),
            (404, "unknown_tag", false),
            (404, "unsupported", false),
            (503, "incarnation_changed", false),
        ] {
            let fault = fault(status, &refusal(code), None);
            assert_eq!(matches!(fault, Fault::Unasked(_)), goes_on, "{code}");
            assert_eq!(matches!(fault, Fault::Refused(_)), !goes_on, "{code}");
            let error = fault.error();
            assert_eq!((error.code().name(), error.wait_ms()), (code, Some(800)));
            assert_eq!(error.to_string(), "the ID service at a:8064: no");
        }
    }

    #[test]
    fn answers_of_proxies_in_between_are_understood() {
        let problem = r#"{"title":"Busy","status":429,"code":"overloaded","detail":"too fast"}"#;
        let error = fault(429, problem, Some(2_000)).error();
        assert_eq!((error.code(), error.wait_ms()), (Code::Overloaded, Some(2_000)));
        assert!(error.to_string().ends_with("too fast"));
        assert_eq!(fault(429, "", None).error().code(), Code::Overloaded);
        for status in [401, 403] {
            let denied = fault(status, "<html>", None);
            assert!(matches!(denied, Fault::LoggedOut(_)));
            let error = denied.error();
            assert_eq!(error.code(), Code::StoreDenied);
            assert!(error.to_string().contains("SNOWMINT_TOKEN"), "{error}");
        }
        assert!(matches!(fault(301, "", None), Fault::Unasked(_)));
        let gateway = fault(502, "<html>", None);
        assert!(matches!(gateway, Fault::Passing(_)), "it may have been done behind it");
        assert_eq!(gateway.of_change().code(), Code::OutcomeUnknown);
        assert!(matches!(fault(200, "<html>", None), Fault::Passing(_)));
    }
}
