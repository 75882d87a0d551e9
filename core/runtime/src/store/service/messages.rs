//! Messages of the ID service's protocol (`docs/reference/protocol.md`): 64-bit numbers are texts.

use serde::{Deserialize, Serialize};

use super::errors;
use super::server::Server;
use crate::error::Error;
use crate::store::{Call, KeySpaceId, Lease, LeaseRequest, Token};

/// A question with the key space of the client. A server of another key space refuses it.
#[derive(Serialize)]
pub(super) struct Addressed<'a, Q> {
    #[serde(flatten)]
    question: &'a Q,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_space: Option<String>,
}

impl<'a, Q> Addressed<'a, Q> {
    pub(super) fn new(question: &'a Q, key_space: Option<KeySpaceId>) -> Addressed<'a, Q> {
        Addressed { question, key_space: key_space.map(|it| it.to_string()) }
    }
}

#[derive(Serialize)]
pub(super) struct Acquire<'a> {
    realm: &'a str,
    max_worker_id: u32,
    owner: &'a str,
    token: String,
    reserve_ms: u32,
    max_ahead_ms: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    avoid: Option<u32>,
}

impl<'a> Acquire<'a> {
    pub(super) fn new(request: &'a LeaseRequest, call: &Call) -> Acquire<'a> {
        let LeaseRequest { realm, max_worker_id, owner, reserve_ms, max_ahead_ms, avoid, .. } =
            request;
        Acquire {
            realm,
            max_worker_id: *max_worker_id,
            owner,
            token: hex(&call.attempt),
            reserve_ms: *reserve_ms,
            max_ahead_ms: *max_ahead_ms,
            avoid: *avoid,
        }
    }
}

/// A lease, as a request names it.
#[derive(Serialize)]
pub(super) struct Held<'a> {
    realm: &'a str,
    worker_id: u32,
    epoch: String,
    owner: &'a str,
    token: String,
    floor_ms: String,
    reserved_ms: String,
}

impl<'a> Held<'a> {
    pub(super) fn new(lease: &'a Lease) -> Held<'a> {
        Held {
            realm: &lease.realm,
            worker_id: lease.worker_id,
            epoch: lease.epoch.to_string(),
            owner: &lease.owner,
            token: hex(&lease.token),
            floor_ms: lease.floor_ms.to_string(),
            reserved_ms: lease.reserved_ms.to_string(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Renew<'a> {
    #[serde(flatten)]
    held: Held<'a>,
    next_token: String,
    reserve_ms: u32,
}

impl<'a> Renew<'a> {
    pub(super) fn new(lease: &'a Lease, reserve_ms: u32, call: &Call) -> Renew<'a> {
        Renew { held: Held::new(lease), next_token: hex(&call.attempt), reserve_ms }
    }
}

#[derive(Serialize)]
pub(super) struct Allocate {
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<String>,
}

impl Allocate {
    pub(super) fn new(count: Option<u64>) -> Allocate {
        Allocate { count: count.map(|count| count.to_string()) }
    }
}

/// The answer with a lease.
#[derive(Debug, Deserialize)]
pub(super) struct Leased {
    pub(super) worker_id: u32,
    epoch: String,
    floor_ms: String,
    reserved_ms: String,
    now_ms: String,
    pub(super) incarnation: Option<String>,
    pub(super) key_space: Option<KeySpaceText>,
}

impl Leased {
    /// The error of a server that has the realm on another store.
    pub(super) fn stranger(&self, server: &Server, what: &str, earlier: &str) -> Error {
        let now = self.incarnation.as_deref().unwrap_or_default();
        errors::store_differs(server, what, now, earlier)
    }

    /// Fills a lease with the answer; `None` if a field is not a number.
    pub(super) fn fill(&self, lease: Lease) -> Option<Lease> {
        Some(Lease {
            epoch: self.epoch.parse().ok()?,
            floor_ms: self.floor_ms.parse().ok()?,
            reserved_ms: self.reserved_ms.parse().ok()?,
            now_ms: self.now_ms.parse().ok()?,
            incarnation: self.incarnation.as_deref().map(Into::into),
            key_space: self.key_space.as_ref().map(|KeySpaceText(id)| *id),
            ..lease
        })
    }
}

/// The key space of a server, if its store has one.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    pub(super) key_space: Option<KeySpaceText>,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct KeySpaceText(pub(super) KeySpaceId);

impl TryFrom<String> for KeySpaceText {
    type Error = Error;

    fn try_from(text: String) -> Result<KeySpaceText, Error> {
        text.parse().map(KeySpaceText)
    }
}

/// The answer with a range.
#[derive(Debug, Deserialize)]
pub(super) struct Granted {
    start: String,
    end: String,
    stride: String,
    step: String,
    pub(super) incarnation: Option<String>,
    pub(super) key_space: Option<KeySpaceText>,
}

impl Granted {
    /// The error of a server that has the tag on another store.
    pub(super) fn stranger(&self, server: &Server, what: &str, earlier: &str) -> Error {
        let now = self.incarnation.as_deref().unwrap_or_default();
        errors::store_differs(server, what, now, earlier)
    }

    /// Returns start, end, stride and step; `None` if one of them is not a number.
    pub(super) fn numbers(&self) -> Option<(u64, u64, u64, u64)> {
        let Granted { start, end, stride, step, .. } = self;
        let number = |text: &str| text.parse().ok();
        Some((number(start)?, number(end)?, number(stride)?, number(step)?))
    }
}

/// An empty request.
#[derive(Serialize)]
pub(super) struct Nothing {}

/// The answer to a request that returns nothing else.
#[derive(Debug, Deserialize)]
pub(super) struct Acknowledged {
    #[serde(rename = "now_ms")]
    _now_ms: String,
}

/// The reason of a refusal, in the protocol's form or as a problem of RFC 9457.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Refusal {
    #[serde(default)]
    pub(super) code: String,
    #[serde(default, alias = "detail")]
    pub(super) message: String,
    #[serde(default)]
    pub(super) retry_ms: Option<u64>,
}

fn hex(token: &Token) -> String {
    token.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_as_the_protocol_wants_them() {
        let call = Call::new(std::time::Duration::ZERO, [0xab; 16]);
        let mut request = LeaseRequest::new("r@0/1", "me");
        (request.max_worker_id, request.max_ahead_ms) = (1023, 1_000);
        let token = "ab".repeat(16);
        let wanted = format!(
            r#"{{"realm":"r@0/1","max_worker_id":1023,"owner":"me","token":"{token}","reserve_ms":60000,"max_ahead_ms":1000}}"#
        );
        assert_eq!(serde_json::to_string(&Acquire::new(&request, &call)).unwrap(), wanted);
        let mut lease = Lease::new("r@0/1", 7, "me", [1; 16]);
        (lease.epoch, lease.floor_ms, lease.reserved_ms) = (u64::MAX, 1, 2);
        let held = format!(
            r#""realm":"r@0/1","worker_id":7,"epoch":"{}","owner":"me","token":"{}","floor_ms":"1","reserved_ms":"2""#,
            u64::MAX,
            "01".repeat(16)
        );
        assert_eq!(serde_json::to_string(&Held::new(&lease)).unwrap(), format!("{{{held}}}"));
        let renew = format!(r#"{{{held},"next_token":"{token}","reserve_ms":5}}"#);
        assert_eq!(serde_json::to_string(&Renew::new(&lease, 5, &call)).unwrap(), renew);
        assert_eq!(serde_json::to_string(&Allocate::new(None)).unwrap(), "{}");
        assert_eq!(serde_json::to_string(&Allocate::new(Some(5))).unwrap(), r#"{"count":"5"}"#);
    }

    #[test]
    fn a_range_whose_end_is_no_whole_number_is_noticed() {
        let given = |end: &str| {
            let text = format!(r#"{{"start":"1","end":"{end}","stride":"1","step":"9","new":1}}"#);
            serde_json::from_str::<Granted>(&text).unwrap().numbers()
        };
        assert_eq!(given("5"), Some((1, 5, 1, 9)));
        assert_eq!(given("-5"), None);
        assert_eq!(given("1e3"), None);
    }
}
