//! Errors of commands of the Redis protocol.

snowmint::errors! {
    number_not_settable() => Unsupported:
        "numbers are minted and only rise: nothing sets, lowers or deletes them here";

    source_not_creatable() => UnknownTag:
        "no source has this name, and none is made by asking: name it among the service's sources";

    name_not_utf8() => InvalidTag: "the name of a source is not UTF-8";
    count_negative() => CountOutOfRange: "numbers only rise: INCRBY takes 1 or more";

    id_too_large(id: u64) => Unsupported:
        "{id} is above 2^63 - 1, the largest number of this protocol";

    shared_wait_over() => WaitTimeout:
        "the time to wait is over, which commands that came together share";
}
