//! Reads request bodies: JSON objects, within limits of size and time.
//!
//! A body that no endpoint needs is read and dropped, because the next request follows it on the
//! same connection.

use std::fmt;

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, EXPECT, HeaderValue};
use hyper::{Request, StatusCode};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value};
use snowmint::{Code, Result, Token};
use tokio::time::timeout;

use super::answer::Answer;
use super::problem::Problem;
use crate::errors;
use crate::service::RequestContext;

/// The bytes of a body over the limit that are still read before the refusal is sent.
const MOST_DROPPED: u64 = 16 << 20;

/// The members of an object, each read as the type that is needed.
#[derive(Debug)]
pub(crate) struct Object(Map<String, Value>);

/// Reads the JSON object of a request's body.
///
/// # Errors
/// Another content type, which a web page could send from anywhere without a preflight; a body that
/// is too large, comes too slowly or is no object.
pub(crate) async fn object(
    context: &RequestContext,
    request: &mut Request<Incoming>,
) -> Result<Object, Problem> {
    let limit = usize::try_from(context.setup().config.limits.body_bytes).unwrap_or(usize::MAX);
    read(&json_of(context, request, limit).await?)
}

/// Reads an object of up to `limit` bytes whose strings may hold half a surrogate pair. JSON can
/// write one, but no string can hold it, so it is read as U+FFFD.
///
/// # Errors
/// As [`object`].
pub(crate) async fn object_of_any_text(
    context: &RequestContext,
    request: &mut Request<Incoming>,
    limit: usize,
) -> Result<Object, Problem> {
    let mut bytes = json_of(context, request, limit).await?;
    replace_lone_surrogates(&mut bytes);
    read(&bytes)
}

async fn json_of(
    context: &RequestContext,
    request: &mut Request<Incoming>,
    limit: usize,
) -> Result<Vec<u8>, Problem> {
    if !is_of(request, "application/json") {
        return Err(Problem::parameter("the body has to be application/json"));
    }
    bytes_of(context, request, limit).await
}

/// Reads the parameters of a form, in the format of a query; `None` for another type of body, which
/// is dropped.
///
/// # Errors
/// A body that is too large, comes too slowly or is not UTF-8.
pub(crate) async fn form(
    context: &RequestContext,
    request: &mut Request<Incoming>,
) -> Result<Option<String>, Problem> {
    if !is_of(request, "application/x-www-form-urlencoded") {
        return skip(context, request).await.map(|_| None);
    }
    let limit = usize::try_from(context.setup().config.limits.body_bytes).unwrap_or(usize::MAX);
    let bytes = bytes_of(context, request, limit).await?;
    let text = std::str::from_utf8(&bytes);
    let text = text.map_err(|_| Problem::parameter("the body: it is not UTF-8"))?;
    // Forms encode spaces as `+`.
    Ok(Some(text.replace('+', "%20")))
}

fn is_of(request: &Request<Incoming>, wanted: &str) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    kind.trim().eq_ignore_ascii_case(wanted)
}

async fn bytes_of(
    context: &RequestContext,
    request: &mut Request<Incoming>,
    limit: usize,
) -> Result<Vec<u8>, Problem> {
    let within = context.setup().config.timeouts.request();
    let collected = Limited::new(request.body_mut(), limit).collect();
    let collected = timeout(within, collected).await.map_err(|_| too_slow())?;
    let collected = collected.map_err(|why| match why.is::<LengthLimitError>() {
        true => too_long(limit as u64),
        false => broken_off(),
    })?;
    Ok(collected.to_bytes().into())
}

/// Returns true if some of the request's body is still to come.
#[inline]
pub(crate) fn has_more(request: &Request<Incoming>) -> bool {
    !request.body().is_end_stream()
}

/// Drops a body and returns its length. Done before anything is minted, because IDs minted for a
/// request that is then refused would be lost.
///
/// # Errors
/// A body that is too long, is cut off or comes too slowly.
pub(crate) async fn skip(
    context: &RequestContext,
    request: &mut Request<Incoming>,
) -> Result<u64, Problem> {
    let (most, within) = {
        let config = &context.setup().config;
        (u64::from(config.limits.body_bytes), config.timeouts.request())
    };
    let body = request.body_mut();
    // A client that waits for `100 Continue` then does not send the body.
    if body.size_hint().lower() > most {
        return Err(too_long(most));
    }
    timeout(within, dropped(body, most)).await.map_err(|_| too_slow())?
}

/// Drops the rest of the request's body after its answer, or marks the connection to be closed.
pub(crate) async fn finish(
    context: &RequestContext,
    request: &mut Request<Incoming>,
    answer: &mut Answer,
) {
    let mut status = answer.status();
    if !matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE) {
        let Err(problem) = skip(context, request).await else { return };
        status = problem.status;
    }
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    // A client that writes its whole body before it reads would otherwise see a reset instead of
    // the answer.
    if status == StatusCode::PAYLOAD_TOO_LARGE && !request.headers().contains_key(EXPECT) {
        let within = context.setup().config.timeouts.request();
        let _ = timeout(within, dropped(request.body_mut(), MOST_DROPPED)).await;
    }
}

/// Drops a body and returns its length.
///
/// # Errors
/// A body with more than `most` bytes, or one that is cut off.
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

fn read(bytes: &[u8]) -> Result<Object, Problem> {
    let object = serde_json::from_slice(bytes);
    object.map_err(|error| Problem::parameter(format!("the body: {error}")))
}

fn replace_lone_surrogates(json: &mut [u8]) {
    let mut at = 0;
    while let Some(rest) = json.get(at..).filter(|rest| !rest.is_empty()) {
        at += match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                json[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            (Some(_), _) => 6,
            // The escaped character may be a backslash.
            (None, _) if rest[0] == b'\\' => 2,
            (None, _) => 1,
        };
    }
}

/// Returns the UTF-16 unit if the JSON text begins with its `\u` escape.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

pub(super) fn too_slow() -> Problem {
    let detail = "the body did not come in time";
    Problem::new(StatusCode::REQUEST_TIMEOUT, Code::InvalidParameter, detail)
}

pub(super) fn too_long(most: u64) -> Problem {
    let detail = format!("the body is longer than {most} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, Code::InvalidParameter, detail)
}

pub(super) fn broken_off() -> Problem {
    Problem::parameter("the body is broken off, or its chunks are not as HTTP has them")
}

/// Refuses a name that occurs twice: a proxy may have read the other member.
impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Object, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut given: A,
            ) -> std::result::Result<Object, A::Error> {
                let mut members = Map::new();
                while let Some((key, value)) = given.next_entry::<String, Value>()? {
                    if members.contains_key(&key) {
                        let key = key.escape_debug();
                        return Err(A::Error::custom(format!(
                            "\"{key}\" stands twice: write it once"
                        )));
                    }
                    members.insert(key, value);
                }
                Ok(Object(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}

impl Object {
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Refuses unknown members, because a misspelt one would be ignored.
    pub(crate) fn only(&self, known: &[&str]) -> Result<()> {
        match self.0.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => Err(errors::http::member_unknown(key, known)),
        }
    }

    /// Reads a member that may be missing.
    pub(crate) fn if_there<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Object, &str) -> Result<T>,
    ) -> Result<Option<T>> {
        self.has(key).then(|| read(self, key)).transpose()
    }

    pub(crate) fn text(&self, key: &str) -> Result<&str> {
        let text = self.0.get(key).and_then(Value::as_str);
        text.ok_or_else(|| errors::http::member_not_text(key))
    }

    /// Reads an array of strings.
    pub(crate) fn texts(&self, key: &str) -> Result<Vec<&str>> {
        let all = self.0.get(key).and_then(Value::as_array);
        let texts = all.and_then(|all| all.iter().map(Value::as_str).collect());
        texts.ok_or_else(|| errors::http::member_not_texts(key))
    }

    /// Returns the name of a member other than `key`, if there is one.
    pub(crate) fn other_than(&self, key: &str) -> Option<&str> {
        self.0.keys().map(String::as_str).find(|other| *other != key)
    }

    /// Reads a 32-bit JSON number. 7.0 counts as 7.
    pub(crate) fn number(&self, key: &str) -> Result<u32> {
        let whole = |value: &Value| {
            let float = value.as_f64().filter(|float| float.fract() == 0.0 && *float >= 0.0);
            // The conversion saturates.
            value.as_u64().or(float.map(|float| float as u64))
        };
        let number = self.0.get(key).and_then(whole).and_then(|wide| wide.try_into().ok());
        number.ok_or_else(|| errors::http::member_not_number(key))
    }

    /// Reads a 64-bit number, written as a string.
    pub(crate) fn wide(&self, key: &str) -> Result<u64> {
        let text = self.text(key)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        number.ok_or_else(|| errors::http::member_not_digits(key))
    }

    /// Reads Unix milliseconds, written as a string.
    pub(crate) fn moment_ms(&self, key: &str) -> Result<i64> {
        self.text(key)?.parse().map_err(|_| errors::http::member_not_moment(key))
    }

    pub(crate) fn token(&self, key: &str) -> Result<Token> {
        let digits = self.text(key)?;
        let is_hex = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(digits, 16).ok().filter(|_| is_hex);
        number.map(u128::to_be_bytes).ok_or_else(|| errors::http::member_not_token(key))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_are_what_they_have_to_be() {
        let members = json!({
            "text": "a",
            "number": u32::MAX,
            "float": 7.0,
            "part": 7.5,
            "below": -7.0,
            "huge": 1e300,
            "large": u64::from(u32::MAX) + 1,
            "wide": u64::MAX.to_string(),
            "signed": "+1",
            "token": "0123456789abcdefABCDEF0123456789",
            "short": "+123456789abcdef0123456789abcdef",
        });
        let object = Object(members.as_object().unwrap().clone());
        assert_eq!(object.text("text").unwrap(), "a");
        assert_eq!(object.number("number").unwrap(), u32::MAX);
        assert_eq!(object.number("float").unwrap(), 7);
        assert_eq!(object.wide("wide").unwrap(), u64::MAX);
        assert_eq!(object.token("token").unwrap()[..2], [0x01, 0x23]);
        let wrong = [
            object.text("number").err(),
            object.text("none").err(),
            object.number("large").err(),
            object.number("part").err(),
            object.number("below").err(),
            object.number("huge").err(),
            object.number("wide").err(),
            object.wide("signed").err(),
            object.wide("number").err(),
            object.token("short").err(),
            object.token("text").err(),
        ];
        for error in wrong {
            assert_eq!(error.unwrap().code(), Code::InvalidParameter);
        }
    }

    #[test]
    fn half_of_a_surrogate_pair_is_another_character() {
        let cases = [
            (r#"["\ud800"]"#, r#"["\ufffd"]"#),
            (r#"["\uDFFF\ud800\udc00\uD800\u0041"]"#, r#"["\ufffd\ud800\udc00\ufffd\u0041"]"#),
            (r#"["\\ud800", "\\\ud800"]"#, r#"["\\ud800", "\\\ufffd"]"#),
            (r#"["\ud800\ud800\udc00"#, r#"["\ufffd\ud800\udc00"#),
            (r"\ud80", r"\ud80"),
            ("\\", "\\"),
            ("é\\é", "é\\é"),
        ];
        for (given, read) in cases {
            let mut json = given.as_bytes().to_vec();
            replace_lone_surrogates(&mut json);
            assert_eq!(String::from_utf8(json).unwrap(), read);
        }
    }

    #[test]
    fn a_member_stands_once() {
        let read = serde_json::from_str::<Object>;
        assert!(read(r#"{ "count": "1", "counts": "1" }"#).is_ok() && read("{}").is_ok());
        for twice in [r#"{ "count": "1", "count": "2" }"#, r#"{ "count": 1, "c\u006funt": 1 }"#] {
            let error = read(twice).unwrap_err().to_string();
            assert!(error.contains(r#""count" stands twice"#), "{error}");
        }
        for other in ["[]", "7", "null", ""] {
            assert!(read(other).is_err(), "{other}");
        }
    }
}
