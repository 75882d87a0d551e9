//! Turns the failures of members into our errors.

use std::io;

use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::messages::Refusal;
use crate::error::Error;
use crate::store::remote::http::{Answer, is_no_http};
use crate::store::remote::link;
use crate::store::remote::members::{Fault, Member};
use crate::store::remote::tls::{self, Words};

/// The most characters of a member's text that a message shows.
const SAID_MAX: usize = 300;

pub(super) const WORDS: Words = Words { roots: "cafile", authority: None, plain: "etcd:" };

/// The code and the cure of each refusal, by its gRPC status code and a part of its text.
const REFUSALS: &[(u32, &str, Code, &str)] = &[
    (3, "user name is empty", Code::StoreDenied, "name a user, and his password"),
    (3, "authentication failed", Code::StoreDenied, "check the user and the password"),
    (7, "", Code::StoreDenied, "let a role of this user read and write the keys below the prefix"),
    (9, "authentication is not enabled", Code::StoreDenied, "leave out the user, as there is none"),
    (
        8,
        "space exceeded",
        Code::StoreFull,
        "compact and defragment it, or raise its quota, and \
      disarm the alarm",
    ),
    (8, "", Code::Overloaded, "ask again"),
    (3, "", Code::StoreSchema, "it is not what etcd 3.4 and later understand"),
    (12, "", Code::Unsupported, "etcd 3.4 or later is needed"),
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
    let text = |cure: &str| format!("etcd at {member}: {shown} (HTTP {}); {cure}", answer.status);
    if refusal.code == 16 || shown.contains("revision of auth store is old") {
        let cure = "the user was changed, or has been silent for long: ask again";
        return Err(Fault::LoggedOut(Error::new(Code::StoreDenied, text(cure))));
    }
    let known =
        REFUSALS.iter().find(|(kind, part, ..)| *kind == refusal.code && shown.contains(part));
    match known {
        Some((.., code, cure)) => Err(Fault::Refused(Error::new(*code, text(cure)))),
        None if answer.status == 404 => {
            let cure = "the JSON gateway of etcd 3.4 or later is needed there";
            Err(Fault::Refused(Error::new(Code::Unsupported, text(cure))))
        }
        None if answer.status == 400 => {
            let cure = "is it etcd, and is it etcds: where it wants TLS?";
            Err(Fault::Refused(Error::new(Code::StoreUnavailable, text(cure))))
        }
        // For example, the member has lost its leader or its quorum.
        None => {
            let cure = "see its log, and whether most members are up";
            Err(Fault::Passing(Error::new(Code::StoreUnavailable, text(cure))))
        }
    }
}

/// The error of a connection that failed.
pub(super) fn unreachable(endpoint: &Endpoint, member: usize, error: io::Error) -> Error {
    let (name, is_secured) = (endpoint.members.get(member), endpoint.is_secured());
    let cure = tls::cure(&error, &WORDS).map_or(String::new(), |cure| format!("; {cure}"));
    let what = match error.kind() {
        io::ErrorKind::TimedOut => "it does not answer in time".to_owned(),
        io::ErrorKind::UnexpectedEof if is_secured => {
            "it ended the connection, as one does that has no TLS (etcd:)".to_owned()
        }
        io::ErrorKind::UnexpectedEof => {
            "it ended the connection, as one does that wants TLS (etcds:)".to_owned()
        }
        _ if is_no_http(&error) => format!("it speaks no HTTP there ({error}): is it etcd?"),
        _ => link::said(&error),
    };
    let message = format!("etcd at {name}: {what}{cure}");
    Error::new(Code::StoreUnavailable, message).caused_by(error)
}

/// The error of a member of another cluster than the one that answered first.
pub(super) fn stranger(member: &Member) -> Error {
    let message = format!(
        "etcd at {member} is of another cluster than the one that answered before, or that one was \
         put back: name members of one cluster, raise every tag above all that was given, and open \
         what uses it anew"
    );
    Error::new(Code::IncarnationChanged, message)
}

/// The error of an answer that does not fit its question.
pub(super) fn strange(member: &Member, what: &str) -> Error {
    let message = format!("etcd at {member} answers {what} with what is no such thing");
    Error::new(Code::InvalidAnswer, message)
}
