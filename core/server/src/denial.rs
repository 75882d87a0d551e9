//! The reasons to refuse a request before anything is minted for it: its token, or a rate limit.

use std::fmt;
use std::time::Duration;

use snowmint::{Code, Error};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Denial {
    /// A token is needed, and none was sent.
    Nobody,
    /// The token is not known.
    Unknown,
    /// More than one token was sent.
    Several,
    /// The token does not permit this; the text says why.
    Forbidden(String),
    /// The request asks for more than is ever allowed at once.
    TooMany { most: u64 },
    /// The limit that `what` names is used up; it has room again after this time.
    TooFast { after: Duration, what: String },
}

impl Denial {
    /// Returns after how many milliseconds to ask again, if that makes sense.
    pub(crate) fn retry_ms(&self) -> Option<u64> {
        match self {
            Denial::TooFast { after, .. } => {
                Some(u64::try_from(after.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX))
            }
            _ => None,
        }
    }

    pub(crate) fn code(&self) -> Code {
        match self {
            Denial::Nobody | Denial::Unknown | Denial::Forbidden(_) => Code::StoreDenied,
            Denial::Several => Code::InvalidParameter,
            Denial::TooMany { .. } => Code::CountOutOfRange,
            Denial::TooFast { .. } => Code::Overloaded,
        }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Denial::Nobody => f.write_str("a token is needed, as `snowmint token create` makes it"),
            Denial::Unknown => f.write_str("this token is not known here, or was revoked"),
            Denial::Several => f.write_str("there is more than one Authorization: send one"),
            Denial::Forbidden(what) => f.write_str(what),
            Denial::TooMany { most } => write!(f, "{most} IDs at once are the most here"),
            Denial::TooFast { what, .. } => {
                let ms = self.retry_ms().unwrap_or_default();
                write!(f, "{what}: ask again in {ms} ms")
            }
        }
    }
}

impl From<Denial> for Error {
    fn from(denial: Denial) -> Error {
        Error::new(denial.code(), denial.to_string())
    }
}
