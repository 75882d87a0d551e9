//! Turns the failures of members into our errors.

use std::io;

use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::errors;
use super::messages::Refusal;
use crate::error::Error;
use crate::store::remote::errors::{
    SILENT, ended_for_tls, ended_without_tls, no_http, unreachable_at,
};
use crate::store::remote::http::{Answer, is_no_http};
use crate::store::remote::link;
use crate::store::remote::members::{Fault, Member};
use crate::store::remote::tls::{self, Words};

/// The most characters of a member's text that a message shows.
const SAID_MAX: usize = 300;

pub(super) const WORDS: Words = Words { roots: "cafile", authority: None, plain: "etcd:" };

/// The code and the cure of each refusal, by its gRPC status code and a part of its text.
const REFUSALS: &[(u32, &str, Code, &str)] = &[
    (3, "user name is empty", Code::StoreDenied, errors::USER_MISSING),
    (3, "authentication failed", Code::StoreDenied, errors::PASSWORD_WRONG),
    (7, "", Code::StoreDenied, errors::RIGHTS_MISSING),
    (9, "authentication is not enabled", Code::StoreDenied, errors::USER_NEEDLESS),
    (8, "space exceeded", Code::StoreFull, errors::SPACE_USED_UP),
    (8, "", Code::Overloaded, errors::OVERLOADED),
    (3, "", Code::StoreSchema, errors::REQUEST_NOT_UNDERSTOOD),
    (12, "", Code::Unsupported, errors::VERSION_TOO_OLD),
];

/// Returns the answer, or the fault if it is a refusal.
pub(super) fn sound(member: &Member, answer: Answer) -> Result<Answer, Fault> {
    if answer.status == 200 {
        return Ok(answer);
    }
    let refusal: Refusal = serde_json::from_slice(&answer.body).unwrap_or_default();
    let said = match refusal.message.as_str() {
        "" => String::from_utf8_lossy(&answer.body).into_owned(),
        message => message.to_owned(),
    };
    let shown: String = said.trim().chars().take(SAID_MAX).collect();
    let refused =
        |code: Code, cure: &str| errors::refused(code, member, &shown, answer.status, cure);
    if refusal.code == 16 || shown.contains("revision of auth store is old") {
        return Err(Fault::LoggedOut(refused(Code::StoreDenied, errors::LOG_IN_OVER)));
    }
    let known =
        REFUSALS.iter().find(|(kind, part, ..)| *kind == refusal.code && shown.contains(part));
    match known {
        Some((.., code, cure)) => Err(Fault::Refused(refused(*code, cure))),
        None if answer.status == 404 => {
            Err(Fault::Refused(refused(Code::Unsupported, errors::GATEWAY_MISSING)))
        }
        None if answer.status == 400 => {
            Err(Fault::Refused(refused(Code::StoreUnavailable, errors::NO_ETCD)))
        }
        // For example, the member has lost its leader or its quorum.
        None => Err(Fault::Passing(refused(Code::StoreUnavailable, errors::REASON_UNKNOWN))),
    }
}

/// The error of a connection that failed.
pub(super) fn unreachable(endpoint: &Endpoint, member: usize, error: io::Error) -> Error {
    let (name, is_secured) = (endpoint.members.get(member), endpoint.is_secured());
    let cure = tls::cure(&error, &WORDS);
    let what = match error.kind() {
        io::ErrorKind::TimedOut => SILENT.to_owned(),
        io::ErrorKind::UnexpectedEof if is_secured => ended_without_tls("etcd:"),
        io::ErrorKind::UnexpectedEof => ended_for_tls("etcds:"),
        _ if is_no_http(&error) => no_http(&error, "etcd"),
        _ => link::said(&error),
    };
    unreachable_at("etcd", name, &what, cure, error)
}
