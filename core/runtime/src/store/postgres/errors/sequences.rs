//! The errors of sequences. `name` is a sequence as it stands in statements.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Names.

pub(in crate::store::postgres) fn name_malformed(text: &str, length_max: usize) -> Error {
    let message = format!(
        "{text} names no sequence: write NAME or SCHEMA.NAME, each of up to {length_max} characters"
    );
    Error::new(Code::InvalidTag, message)
}

pub(in crate::store::postgres) fn name_with_dot(name: &str) -> Error {
    Error::new(Code::InvalidTag, format!("{name} has a dot in a name"))
}

// Rights.

pub(in crate::store::postgres) fn not_to_be_drawn_from(tag: impl Display) -> Error {
    let message =
        format!("this user may not draw from {tag}: GRANT SELECT, USAGE ON SEQUENCE {tag}");
    Error::new(Code::StoreDenied, message)
}

pub(in crate::store::postgres) fn not_to_be_looked_at(tag: impl Display) -> Error {
    let message = format!("this user may not look at {tag}: GRANT SELECT, USAGE ON SEQUENCE {tag}");
    Error::new(Code::StoreDenied, message)
}

// Sequences whose blocks could overlap.

pub(in crate::store::postgres) fn not_rising(tag: impl Display, name: &str) -> Error {
    odd(tag, "does not rise", name, "INCREMENT BY 1, or as its owner has it")
}

pub(in crate::store::postgres) fn increment_too_large(tag: impl Display, name: &str) -> Error {
    odd(tag, "has too large an increment", name, "INCREMENT BY 1073741824 or less")
}

pub(in crate::store::postgres) fn cyclic(tag: impl Display, name: &str) -> Error {
    odd(tag, "begins anew at its end (CYCLE)", name, "NO CYCLE")
}

pub(in crate::store::postgres) fn cached(tag: impl Display, name: &str) -> Error {
    odd(tag, "keeps values for each session, which do not rise", name, "CACHE 1")
}

pub(in crate::store::postgres) fn unlogged(tag: impl Display, name: &str) -> Error {
    odd(tag, "does not live through a crash", name, "SET LOGGED")
}

pub(in crate::store::postgres) fn below_zero(tag: impl Display, name: &str) -> Error {
    odd(tag, "is below 0", name, "RESTART WITH the number to go on with")
}

fn odd(tag: impl Display, what: &str, name: &str, cure: &str) -> Error {
    let message = format!("sequence {tag} {what}: ALTER SEQUENCE {name} {cure}");
    Error::new(Code::StoreSchema, message)
}

// The end of a sequence.

pub(in crate::store::postgres) fn used_up(tag: impl Display, max: i64, name: &str) -> Error {
    let message = format!(
        "sequence {tag} has reached its MAXVALUE {max}: ALTER SEQUENCE {name} NO MAXVALUE, or a \
         larger one"
    );
    Error::new(Code::TagExhausted, message)
}

pub(in crate::store::postgres) fn value_beyond_end(
    tag: impl Display,
    max: i64,
    value: u64,
) -> Error {
    let message = format!("sequence {tag} ends with {max}, before {value}");
    Error::new(Code::InvalidRange, message)
}

// What a sequence cannot keep.

pub(in crate::store::postgres) fn stride_not_kept() -> Error {
    let message = "a sequence has no stride but 1: its increment is the step";
    Error::new(Code::Unsupported, message)
}

pub(in crate::store::postgres) fn increment_of_owner() -> Error {
    let message = "the increment of a sequence is in its owner's configuration as well: change \
                   both by hand, while nobody draws from it, and RESTART it above its last block: \
                   a smaller increment goes on within that";
    Error::new(Code::Unsupported, message)
}

// What the server says.

pub(in crate::store::postgres) fn right_missing(said: &str) -> Error {
    let cure = "GRANT SELECT, USAGE ON the SEQUENCE; to raise it he has to own it, and to add one \
                he needs CREATE ON its schema";
    refused(Code::StoreDenied, said, cure)
}

pub(in crate::store::postgres) fn limit_exceeded(said: &str) -> Error {
    refused(Code::TagExhausted, said, "go on with a new one, or raise its MAXVALUE")
}

pub(in crate::store::postgres) fn bounds_out_of_range(said: &str) -> Error {
    let cure = "a sequence ends with 9223372036854775807, and begins within it";
    refused(Code::InvalidRange, said, cure)
}

pub(in crate::store::postgres) fn schema_missing(said: &str) -> Error {
    refused(Code::StoreMissing, said, "create the schema, or name another")
}

fn refused(code: Code, said: &str, cure: &str) -> Error {
    Error::new(code, format!("the server says {said}: {cure}"))
}

// Sequences that fill a column.

pub(in crate::store::postgres) fn filling_hidden(
    (table, column): (&str, &str),
    sequence: &str,
) -> Error {
    let message = format!(
        "column {column} of {table} is filled by the sequence {sequence}, which this user may not \
         look at: GRANT SELECT ON SEQUENCE {sequence}"
    );
    Error::new(Code::StoreDenied, message)
}

pub(in crate::store::postgres) fn filling_cyclic(
    (table, column): (&str, &str),
    sequence: &str,
) -> Error {
    let message = format!(
        "column {column} of {table} is filled by the sequence {sequence}, which begins anew at its \
         end (CYCLE): what it gave is not known. ALTER SEQUENCE {sequence} NO CYCLE if it never \
         did, or begin the tag above all by hand (`snowmint segment create` with --start)"
    );
    Error::new(Code::StoreSchema, message)
}
