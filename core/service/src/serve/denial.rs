//! Why a request is refused before anything is minted for it: a token, or a limit of its rate.

use std::fmt;
use std::time::Duration;

use snowmint::{Code, Error};

/// Why somebody does not get what he asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Denial {
    /// He shows no token, and needs one.
    Nobody,
    /// His token is not there.
    Unknown,
    /// He shows more than one.
    Several,
    /// His token may not, as this says.
    Forbidden(String),
    /// More than he may ever have at once.
    TooMany { most: u64 },
    /// There is as much after this time; of what, this says.
    TooFast { after: Duration, what: String },
}

impl Denial {
    /// How long until asking again makes sense, in milliseconds, where it does.
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
