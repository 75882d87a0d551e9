//! The runtime's error: a code of the engine's table, a message, and what caused it.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use snowmint_engine::Code;

/// What went wrong. Nothing was issued; the source goes on working unless it is closed.
///
/// The code is the same in every language; the message says what was wrong and what would be
/// right. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Error {
    code: Code,
    message: Arc<str>,
    wait_ms: Option<u64>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The result of this crate's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with a code and a message.
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        Error { code, message: message.into().into(), wait_ms: None, source: None }
    }

    /// The same with what caused it.
    #[must_use]
    pub fn caused_by(self, source: impl StdError + Send + Sync + 'static) -> Error {
        Error { source: Some(Arc::new(source)), ..self }
    }

    /// The frozen code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// How long until the call can succeed if the clock goes on, in milliseconds, where that is
    /// known: of stalls.
    pub fn wait_ms(&self) -> Option<u64> {
        self.wait_ms
    }

    /// Whether trying again later can succeed without anybody changing anything.
    pub fn is_transient(&self) -> bool {
        matches!(
            self.code,
            Code::ClockBehind
                | Code::SequenceExhausted
                | Code::GrantExhausted
                | Code::WaitTimeout
                | Code::Empty
                | Code::WorkersExhausted
                | Code::LeaseLost
                | Code::LeaseUnavailable
                | Code::StoreLocked
                | Code::StoreUnavailable
                | Code::OutcomeUnknown
                | Code::Overloaded
                | Code::InvalidAnswer
                | Code::NoResource
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<snowmint_engine::Error> for Error {
    fn from(error: snowmint_engine::Error) -> Error {
        let wait_ms = match error {
            snowmint_engine::Error::Stall(stall) => Some(stall.wait_ms),
            _ => None,
        };
        Error { wait_ms, ..Error::new(error.code(), error.to_string()) }
    }
}
