//! The errors of sequences. `name` is a sequence as it stands in statements.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Names.

errors! {
    name_malformed(text: &str, length_max: usize) => InvalidTag:
        "{text} names no sequence: write NAME or SCHEMA.NAME, each of up to {length_max} \
         characters";

    name_with_dot(name: &str) => InvalidTag: "{name} has a dot in a name";

    // Rights.

    not_to_be_drawn_from(tag: impl Display) => StoreDenied:
        "this user may not draw from {tag}: GRANT SELECT, USAGE ON SEQUENCE {tag}";

    not_to_be_looked_at(tag: impl Display) => StoreDenied:
        "this user may not look at {tag}: GRANT SELECT, USAGE ON SEQUENCE {tag}";

    // Sequences whose blocks could overlap.

    not_rising(tag: impl Display, name: &str) => odd(tag, "does not rise", name):
        "INCREMENT BY 1, or as its owner has it";

    increment_too_large(
        tag: impl Display,
        name: &str,
    ) => odd(tag, "has too large an increment", name):
        "INCREMENT BY 1073741824 or less";

    cyclic(tag: impl Display, name: &str) => odd(tag, "begins anew at its end (CYCLE)", name):
        "NO CYCLE";

    cached(
        tag: impl Display,
        name: &str,
    ) => odd(tag, "keeps values for each session, which do not rise", name):
        "CACHE 1";

    unlogged(tag: impl Display, name: &str) => odd(tag, "does not live through a crash", name):
        "SET LOGGED";

    below_zero(tag: impl Display, name: &str) => odd(tag, "is below 0", name):
        "RESTART WITH the number to go on with";

    odd(tag: impl Display, what: &str, name: &str, cure: &str) => StoreSchema:
        "sequence {tag} {what}: ALTER SEQUENCE {name} {cure}";

    // The end of a sequence.

    used_up(tag: impl Display, max: i64, name: &str) => TagExhausted:
        "sequence {tag} has reached its MAXVALUE {max}: ALTER SEQUENCE {name} NO MAXVALUE, or a \
         larger one";

    value_beyond_end(tag: impl Display, max: i64, value: u64) => InvalidRange:
        "sequence {tag} ends with {max}, before {value}";

    // Settings that a sequence cannot keep.

    stride_not_kept() => Unsupported: "a sequence has no stride but 1: its increment is the step";

    increment_of_owner() => Unsupported:
        "the increment of a sequence is in its owner's configuration as well: change both by hand, \
         while nobody draws from it, and RESTART it above its last block: a smaller increment goes \
         on within that";

    // Errors that the server reports.

    limit_exceeded(said: &str) => refused(Code::TagExhausted, said):
        "go on with a new one, or raise its MAXVALUE";

    schema_missing(said: &str) => refused(Code::StoreMissing, said):
        "create the schema, or name another";
}

pub(in crate::store::postgres) fn right_missing(said: &str) -> Error {
    let cure = "GRANT SELECT, USAGE ON the SEQUENCE; to raise it he has to own it, and to add one \
                he needs CREATE ON its schema";
    refused(Code::StoreDenied, said, cure)
}

pub(in crate::store::postgres) fn bounds_out_of_range(said: &str) -> Error {
    let cure = "a sequence ends with 9223372036854775807, and begins within it";
    refused(Code::InvalidRange, said, cure)
}

fn refused(code: Code, said: &str, cure: impl Display) -> Error {
    Error::new(code, format!("the server says {said}: {cure}"))
}

// Sequences that fill a column.

errors! {
    filling_hidden((table, column): (&str, &str), sequence: &str) => StoreDenied:
        "column {column} of {table} is filled by the sequence {sequence}, which this user may not \
         look at: GRANT SELECT ON SEQUENCE {sequence}";

    filling_cyclic((table, column): (&str, &str), sequence: &str) => StoreSchema:
        "column {column} of {table} is filled by the sequence {sequence}, which begins anew at its \
         end (CYCLE): what it gave is not known. ALTER SEQUENCE {sequence} NO CYCLE if it never \
         did, or begin the tag above all by hand (`snowmint segment create` with --start)";
}
