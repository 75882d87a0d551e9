//! Messages of etcd's JSON gateway (3.4 and later): bytes are in base64, 64-bit numbers are texts.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde::{Deserialize, Serialize};

pub(super) const TXN: &str = "/v3/kv/txn";
pub(super) const AUTHENTICATE: &str = "/v3/auth/authenticate";
pub(super) const STATUS: &str = "/v3/maintenance/status";
pub(super) const MEMBERS: &str = "/v3/cluster/member/list";

/// Does the operations of `success` together if all comparisons hold, otherwise those of `failure`.
#[derive(Default, Serialize)]
pub(super) struct Txn {
    pub(super) compare: Vec<Compare>,
    pub(super) success: Vec<Operation>,
    pub(super) failure: Vec<Operation>,
}

#[derive(Serialize)]
pub(super) struct Compare {
    key: String,
    result: &'static str,
    #[serde(flatten)]
    with: With,
}

#[derive(Serialize)]
#[serde(tag = "target", rename_all = "UPPERCASE")]
enum With {
    Value { value: String },
    Version { version: &'static str },
}

impl Compare {
    /// Requires that the key has this value, or is absent for `None`.
    pub(super) fn is(key: &str, value: Option<&str>) -> Compare {
        let with = match value {
            Some(value) => With::Value { value: encoded(value) },
            None => With::Version { version: "0" },
        };
        Compare { key: encoded(key), result: "EQUAL", with }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operation {
    RequestRange(Range),
    RequestPut(Put),
}

#[derive(Serialize)]
pub(super) struct Range {
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range_end: Option<String>,
    keys_only: bool,
}

#[derive(Serialize)]
pub(super) struct Put {
    key: String,
    value: String,
}

impl Txn {
    /// Returns true if the answer fits this transaction. After a put, its key is read in the same
    /// transaction and must have the new value. Otherwise an answer that came twice could pass for
    /// that to the next transaction.
    pub(super) fn is_answered_by(&self, done: &Done) -> bool {
        let asked = if done.succeeded { &self.success } else { &self.failure };
        let is_read = |operation: &Operation| match operation {
            Operation::RequestPut(Put { key, value }) => {
                let mut pairs = done.responses.iter().flat_map(Response::pairs);
                pairs.any(|pair| pair.key == *key && pair.value == *value)
            }
            Operation::RequestRange(_) => true,
        };
        are_answered_by(asked, done) && (!done.succeeded || asked.iter().all(is_read))
    }
}

/// Returns true if each answer fits the kind and the key of its operation.
pub(super) fn are_answered_by(asked: &[Operation], done: &Done) -> bool {
    let is_of = |(operation, response): (&Operation, &Response)| match operation {
        Operation::RequestPut(_) => response.response_range.is_none(),
        Operation::RequestRange(range) => {
            let is_of = |pair: &Pair| range.range_end.is_some() || pair.key == range.key;
            response.response_range.is_some() && response.pairs().iter().all(is_of)
        }
    };
    asked.len() == done.responses.len() && asked.iter().zip(&done.responses).all(is_of)
}

impl Operation {
    pub(super) fn get(key: &str) -> Operation {
        Operation::RequestRange(Range { key: encoded(key), range_end: None, keys_only: false })
    }

    /// Reads all keys below a key that ends with a slash.
    pub(super) fn below(key: &str, keys_only: bool) -> Operation {
        // `0` is the character after the slash, so this end excludes all other keys.
        let end = key.strip_suffix('/').map(|key| encoded(&format!("{key}0")));
        Operation::RequestRange(Range { key: encoded(key), range_end: end, keys_only })
    }

    pub(super) fn put(key: &str, value: &str) -> Operation {
        Operation::RequestPut(Put { key: encoded(key), value: encoded(value) })
    }
}

/// The result of a transaction.
#[derive(Debug, Deserialize)]
pub(super) struct Done {
    pub(super) header: Header,
    #[serde(default)]
    pub(super) succeeded: bool,
    #[serde(default)]
    pub(super) responses: Vec<Response>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Header {
    pub(super) cluster_id: String,
    /// The number of changes that the cluster has made.
    pub(super) revision: String,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Response {
    /// `None` for the answer to a put.
    response_range: Option<Found>,
}

impl Response {
    pub(super) fn pairs(&self) -> &[Pair] {
        self.response_range.as_ref().map_or(&[], |found| &found.kvs)
    }
}

#[derive(Debug, Default, Deserialize)]
struct Found {
    #[serde(default)]
    kvs: Vec<Pair>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Pair {
    key: String,
    #[serde(default)]
    value: String,
}

impl Pair {
    /// Returns key and value; `None` if they are not UTF-8.
    pub(super) fn texts(&self) -> Option<(String, String)> {
        let text = |it: &str| String::from_utf8(BASE64_STANDARD.decode(it).ok()?).ok();
        Some((text(&self.key)?, text(&self.value)?))
    }
}

#[derive(Serialize)]
pub(super) struct Authenticate<'a> {
    pub(super) name: &'a str,
    pub(super) password: &'a str,
}

#[derive(Deserialize)]
pub(super) struct Authenticated {
    pub(super) token: String,
}

/// An empty request.
#[derive(Serialize)]
pub(super) struct Nothing {}

/// The state of a member.
#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub(super) version: String,
    /// The leader's ID; missing or `0` without a leader.
    #[serde(default)]
    pub(super) leader: Option<String>,
    #[serde(default, rename = "isLearner")]
    pub(super) is_learner: bool,
    /// Alarms and other troubles that the member reports.
    #[serde(default)]
    pub(super) errors: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Members {
    pub(super) members: Vec<MemberOf>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemberOf {
    #[serde(default)]
    pub(super) is_learner: bool,
}

/// The answer instead of a result.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Refusal {
    #[serde(default)]
    pub(super) code: u32,
    #[serde(default)]
    pub(super) message: String,
}

fn encoded(text: &str) -> String {
    BASE64_STANDARD.encode(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_as_the_gateway_wants_them() {
        let txn = Txn {
            compare: vec![Compare::is("a", Some("1")), Compare::is("b", None)],
            success: vec![Operation::put("a", "2")],
            failure: vec![Operation::get("a"), Operation::below("a/", true)],
        };
        let text = serde_json::to_string(&txn).unwrap();
        let wanted = concat!(
            r#"{"compare":[{"key":"YQ==","result":"EQUAL","target":"VALUE","value":"MQ=="},"#,
            r#"{"key":"Yg==","result":"EQUAL","target":"VERSION","version":"0"}],"#,
            r#""success":[{"request_put":{"key":"YQ==","value":"Mg=="}}],"#,
            r#""failure":[{"request_range":{"key":"YQ==","keys_only":false}},"#,
            r#"{"request_range":{"key":"YS8=","range_end":"YTA=","keys_only":true}}]}"#,
        );
        assert_eq!(text, wanted);
    }
}
