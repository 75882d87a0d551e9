//! Bodies of requests: JSON objects, within their limits of size and time.
//!
//! A body that no endpoint reads is read and dropped: the client sends its next request behind it on
//! the same connection.

use std::fmt;

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, EXPECT, HeaderValue};
use hyper::{Request, StatusCode};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value};
use snowmint::{Code, Error, Result, Token};
use tokio::time::timeout;

use super::answer::Answer;
use super::problem::Problem;
use crate::serve::service::RequestContext;

/// So much of a body that is too long is read before its refusal is sent.
const MOST_DROPPED: u64 = 16 << 20;

/// An object's members, each read as what it has to be.
#[derive(Debug)]
pub(crate) struct Object(Map<String, Value>);

/// Reads the object that is a request's body.
///
/// # Errors
/// For another content type, which a page could send from anywhere without asking; for a body that
/// is too large, comes too slowly or is no object.
pub(crate) async fn object(
    context: &RequestContext,
    request: &mut Request<Incoming>,
) -> Result<Object, Problem> {
    let limit = usize::try_from(context.setup().config.limits.body_bytes).unwrap_or(usize::MAX);
    read(&json_of(context, request, limit).await?)
}

/// The same of so many bytes at most, and of texts in which half of a surrogate pair stands alone:
/// JSON can write it, no text has it, and U+FFFD is read in its place.
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

/// The text of an object.
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

/// The parameters that a form has in a request's body, as a query has them; `None` of another body,
/// in which nothing is looked for.
///
/// # Errors
/// For a body that is too large, comes too slowly or is no text.
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
    // Forms write spaces so.
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

/// Whether a request has a body of which something is left.
#[inline]
pub(crate) fn has_more(request: &Request<Incoming>) -> bool {
    !request.body().is_end_stream()
}

/// Reads a body before anything is done for its request: what is minted for one that is refused
/// would be lost. How long it was.
///
/// # Errors
/// For one that is too long, is broken off or comes too slowly.
pub(crate) async fn skip(
    context: &RequestContext,
    request: &mut Request<Incoming>,
) -> Result<u64, Problem> {
    let (most, within) = {
        let config = &context.setup().config;
        (u64::from(config.limits.body_bytes), config.timeouts.request())
    };
    let body = request.body_mut();
    // Whoever expects to be told so does not send it.
    if body.size_hint().lower() > most {
        return Err(too_long(most));
    }
    timeout(within, dropped(body, most)).await.map_err(|_| too_slow())?
}

/// Reads what an answer did not need of its request's body, or says that the connection ends.
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
    // Whoever writes all of it before he reads would find the connection broken, and no answer.
    if status == StatusCode::PAYLOAD_TOO_LARGE && !request.headers().contains_key(EXPECT) {
        let within = context.setup().config.timeouts.request();
        let _ = timeout(within, dropped(request.body_mut(), MOST_DROPPED)).await;
    }
}

/// Reads a body to its end: its length.
///
/// # Errors
/// For one that has more bytes than `most`, or did not come whole.
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
            // What is escaped may be a backslash.
            (None, _) if rest[0] == b'\\' => 2,
            (None, _) => 1,
        };
    }
}

/// The unit of UTF-16 whose escape JSON begins with.
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

/// Each name once: which of two members is meant nobody can tell, and a proxy may have read the
/// other one.
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

    /// Refuses members of other names: one that is misspelt would change nothing.
    pub(crate) fn only(&self, known: &[&str]) -> Result<()> {
        match self.0.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let message = format!("{key:?} is not known: there are {}", known.join(", "));
                Err(Error::new(Code::UnknownParameter, message))
            }
        }
    }

    /// A member that may be missing.
    pub(crate) fn if_there<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Object, &str) -> Result<T>,
    ) -> Result<Option<T>> {
        self.has(key).then(|| read(self, key)).transpose()
    }

    pub(crate) fn text(&self, key: &str) -> Result<&str> {
        self.0.get(key).and_then(Value::as_str).ok_or_else(|| invalid(key, "a string is needed"))
    }

    /// An array of strings.
    pub(crate) fn texts(&self, key: &str) -> Result<Vec<&str>> {
        let all = self.0.get(key).and_then(Value::as_array);
        let texts = all.and_then(|all| all.iter().map(Value::as_str).collect());
        texts.ok_or_else(|| invalid(key, "an array of strings is needed"))
    }

    /// A member of another name, if there is one.
    pub(crate) fn other_than(&self, key: &str) -> Option<&str> {
        self.0.keys().map(String::as_str).find(|other| *other != key)
    }

    /// A JSON number of 32 bits; 7.0 is 7 there.
    pub(crate) fn number(&self, key: &str) -> Result<u32> {
        let whole = |value: &Value| {
            let float = value.as_f64().filter(|float| float.fract() == 0.0 && *float >= 0.0);
            // A conversion that saturates.
            value.as_u64().or(float.map(|float| float as u64))
        };
        let number = self.0.get(key).and_then(whole).and_then(|wide| wide.try_into().ok());
        number.ok_or_else(|| invalid(key, "a number of 32 bits is needed"))
    }

    /// A number of 64 bits, as a string.
    pub(crate) fn wide(&self, key: &str) -> Result<u64> {
        let text = self.text(key)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        number.ok_or_else(|| invalid(key, "decimal digits are needed"))
    }

    /// Unix milliseconds, as a string.
    pub(crate) fn moment_ms(&self, key: &str) -> Result<i64> {
        self.text(key)?.parse().map_err(|_| invalid(key, "Unix milliseconds are needed"))
    }

    pub(crate) fn token(&self, key: &str) -> Result<Token> {
        let digits = self.text(key)?;
        let is_hex = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(digits, 16).ok().filter(|_| is_hex);
        let needed = || invalid(key, "32 hexadecimal digits are needed");
        number.map(u128::to_be_bytes).ok_or_else(needed)
    }
}

fn invalid(key: &str, why: &str) -> Error {
    Error::new(Code::InvalidParameter, format!("{key}: {why}"))
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
