//! Errors of the turns of ordered sources. The `owner` of a turn is shown by its address.

use std::fmt::Display;

use snowmint::{Code, Error};

// The turn.

pub(crate) fn turn_unknown() -> Error {
    Error::new(Code::LeaseUnavailable, "whose turn it is was not asked yet")
}

pub(crate) fn turn_over() -> Error {
    Error::new(Code::LeaseUnavailable, "this server's turn is over, and was not renewed")
}

pub(crate) fn turn_elsewhere(owner: impl Display) -> Error {
    Error::new(Code::LeaseUnavailable, format!("it is the turn of {owner}"))
}

pub(crate) fn turn_vacant() -> Error {
    Error::new(Code::LeaseUnavailable, "nobody has the turn at the moment")
}

pub(crate) fn address_shared(owner: impl Display) -> Error {
    let message = format!(
        "it is the turn of another process at {owner}: one that has ended, or give each server an \
         ordered.address of its own"
    );
    Error::new(Code::LeaseUnavailable, message)
}

pub(crate) fn store_not_open() -> Error {
    Error::new(Code::StoreUnavailable, "it is not open")
}

// The server that has the turn.

pub(crate) fn owner_silent(owner: impl Display) -> Error {
    let message = format!("{owner}, whose turn it is, did not answer in time");
    Error::new(Code::LeaseUnavailable, message)
}

pub(crate) fn owner_unreachable(owner: impl Display, why: impl Display) -> Error {
    let message = format!("{owner}, whose turn it is, does not answer: {why}");
    Error::new(Code::StoreUnavailable, message)
}

pub(crate) fn owner_without_tls(owner: impl Display) -> Error {
    let message = format!(
        "{owner}, whose turn it is, is not asked without TLS where ordered.ca is set: write \
         https:// in ordered.address there"
    );
    Error::new(Code::StoreDenied, message)
}

pub(crate) fn token_refused(owner: impl Display) -> Error {
    let message = format!(
        "{owner}, whose turn it is, does not take the token in ordered.token_file of this server"
    );
    Error::new(Code::StoreDenied, message)
}

/// `code` and `detail` are the answer of the server that has the turn.
pub(crate) fn request_refused(code: Code, detail: &str) -> Error {
    Error::new(code, detail)
}

// Its answer.

pub(crate) fn address_malformed(owner: impl Display) -> Error {
    answer_invalid(owner, "an address that is none")
}

pub(crate) fn answer_malformed(owner: impl Display) -> Error {
    answer_invalid(owner, "an answer that is none")
}

pub(crate) fn numbers_incomplete(owner: impl Display) -> Error {
    answer_invalid(owner, "no whole numbers")
}

pub(crate) fn numbers_miscounted(owner: impl Display) -> Error {
    answer_invalid(owner, "another count of numbers than was asked for")
}

pub(crate) fn ranges_incomplete(owner: impl Display) -> Error {
    answer_invalid(owner, "no whole ranges")
}

pub(crate) fn range_malformed(owner: impl Display) -> Error {
    answer_invalid(owner, "a range that is none")
}

pub(crate) fn block_miscounted(owner: impl Display) -> Error {
    answer_invalid(owner, "another block than was asked for")
}

fn answer_invalid(owner: impl Display, what: &str) -> Error {
    Error::new(Code::InvalidAnswer, format!("{owner}, whose turn it is, sent {what}"))
}
