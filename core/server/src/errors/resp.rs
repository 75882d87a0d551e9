//! Errors of commands of the Redis protocol.

use snowmint::{Code, Error};

pub(crate) fn number_not_settable() -> Error {
    let message = "numbers are minted and only rise: nothing sets, lowers or deletes them here";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn source_not_creatable() -> Error {
    let message =
        "no source has this name, and none is made by asking: name it among the service's sources";
    Error::new(Code::UnknownTag, message)
}

pub(crate) fn name_not_utf8() -> Error {
    Error::new(Code::InvalidTag, "the name of a source is not UTF-8")
}

pub(crate) fn count_negative() -> Error {
    Error::new(Code::CountOutOfRange, "numbers only rise: INCRBY takes 1 or more")
}

pub(crate) fn id_too_large(id: u64) -> Error {
    let message = format!("{id} is above 2^63 - 1, the largest number of this protocol");
    Error::new(Code::Unsupported, message)
}

pub(crate) fn shared_wait_over() -> Error {
    let message = "the time to wait is over, which commands that came together share";
    Error::new(Code::WaitTimeout, message)
}
