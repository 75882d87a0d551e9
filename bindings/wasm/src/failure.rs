//! The only way out of the module for errors.

use alloc::format;
use alloc::string::{String, ToString};

use snowmint_engine::{Code, Error};
use wasm_bindgen::JsValue;

use crate::made::raised;

/// A failure, until it becomes JavaScript's error.
pub struct Failure {
    code: Code,
    message: String,
    wait_ms: Option<u64>,
}

impl Failure {
    pub(crate) fn new(code: Code, message: String) -> Failure {
        Failure { code, message, wait_ms: None }
    }

    /// Returns the failure for an unknown name.
    pub(crate) fn unknown(code: Code, what: &str, name: &str, known: &str) -> Failure {
        Failure::new(code, format!("no {what} is called {name:?}; there are {known}"))
    }
}

impl From<Error> for Failure {
    #[cold]
    fn from(error: Error) -> Failure {
        let wait_ms = match error {
            Error::Stall(stall) => Some(stall.wait_ms),
            _ => None,
        };
        Failure { wait_ms, ..Failure::new(error.code(), error.to_string()) }
    }
}

// JavaScript makes the error once the call has released everything that it borrowed.
impl From<Failure> for JsValue {
    fn from(failure: Failure) -> JsValue {
        let wait_ms = failure.wait_ms.map(|wait_ms| wait_ms as f64);
        raised(failure.code.number(), &failure.message, wait_ms)
    }
}
