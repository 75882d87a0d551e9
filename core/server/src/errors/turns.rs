//! Errors of the turns of ordered sources. The `owner` of a turn is shown by its address.

use std::fmt::Display;

use snowmint::{Code, Error};

// The turn.

snowmint::errors! {
    turn_unknown() => LeaseUnavailable: "whose turn it is was not asked yet";
    turn_over() => LeaseUnavailable: "this server's turn is over, and was not renewed";
    turn_elsewhere(owner: impl Display) => LeaseUnavailable: "it is the turn of {owner}";
    turn_vacant() => LeaseUnavailable: "nobody has the turn at the moment";

    address_shared(owner: impl Display) => LeaseUnavailable:
        "it is the turn of another process at {owner}: one that has ended, or give each server an \
         ordered.address of its own";

    store_not_open() => StoreUnavailable: "it is not open";

    // The server that has the turn.

    owner_silent(owner: impl Display) => LeaseUnavailable:
        "{owner}, whose turn it is, did not answer in time";

    owner_unreachable(owner: impl Display, why: impl Display) => StoreUnavailable:
        "{owner}, whose turn it is, does not answer: {why}";

    owner_without_tls(owner: impl Display) => StoreDenied:
        "{owner}, whose turn it is, is not asked without TLS where ordered.ca is set: write \
         https:// in ordered.address there";

    token_refused(owner: impl Display) => StoreDenied:
        "{owner}, whose turn it is, does not take the token in ordered.token_file of this server";
}

/// `code` and `detail` are the answer of the server that has the turn.
pub(crate) fn request_refused(code: Code, detail: &str) -> Error {
    Error::new(code, detail)
}

// Its answer.

snowmint::errors! {
    address_malformed(owner: impl Display) => answer_invalid(owner): "an address that is none";
    answer_malformed(owner: impl Display) => answer_invalid(owner): "an answer that is none";
    numbers_incomplete(owner: impl Display) => answer_invalid(owner): "no whole numbers";

    numbers_miscounted(owner: impl Display) => answer_invalid(owner):
        "another count of numbers than was asked for";

    ranges_incomplete(owner: impl Display) => answer_invalid(owner): "no whole ranges";
    range_malformed(owner: impl Display) => answer_invalid(owner): "a range that is none";

    block_miscounted(owner: impl Display) => answer_invalid(owner):
        "another block than was asked for";

    answer_invalid(owner: impl Display, what: &str) => InvalidAnswer:
        "{owner}, whose turn it is, sent {what}";
}
