//! Errors of the settings.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use snowmint::{Code, Error, redacted};
use toml::de::Error as TomlError;

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::InvalidParameter, message)
}

// The file, the environment and the command line.

snowmint::errors! {
    file_readable_once(path: &Path, kind: &str, error: io::Error) => Unsupported caused_by error:
        "the configuration {} is {kind} and cannot be read again: restart the service to change \
         it, or have --config name a file",
        path.display();

    file_malformed(path: &Path, why: &Error) => InvalidParameter: "{}: {why}", path.display();

    source_flag_malformed() => InvalidParameter:
        "--source names a source and its URL: --source 'orders=segment+sqlite:…'";
}

pub(crate) fn file_unreadable(path: &Path, error: io::Error) -> Error {
    let mut message = format!("the configuration {} cannot be read: {error}", path.display());
    if error.kind() == io::ErrorKind::NotFound {
        message.push_str("; `snowmint serve --print-config` prints such a file");
    }
    invalid(message).caused_by(error)
}

/// `text` is what the parser read, for the number of the line.
pub(crate) fn text_malformed(error: &TomlError, text: &str) -> Error {
    invalid(toml_message(error, text))
}

/// Rust's names for kinds of values, and how to write such a value.
const KINDS: [(&str, &str); 4] = [
    ("a sequence", "a list, as [\"127.0.0.1:8064\"]"),
    ("u16", "a whole number, without quotes"),
    ("u32", "a whole number, without quotes"),
    ("u64", "a whole number, without quotes"),
];

/// Returns the TOML parser's message with the line's number, but without its text, which may hold a
/// URL with a password.
fn toml_message(error: &TomlError, text: &str) -> String {
    let mut message = redacted(error.message()).replace('\n', "; ");
    for (kind, plain) in KINDS {
        message = message.replace(&format!("expected {kind}"), &format!("expected {plain}"));
    }
    match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or_default();
            format!("line {}: {message}", before.matches('\n').count() + 1)
        }
        None => message,
    }
}

pub(crate) fn settings_unwritable(error: impl Display) -> Error {
    invalid(error.to_string())
}

/// `near` is the variable that was probably meant.
pub(crate) fn variable_unknown(name: &str, near: Option<&str>) -> Error {
    let near = near.map(|near| format!(", did you mean {near}?"));
    let near = near.as_deref().unwrap_or(": `snowmint serve --help` lists them");
    invalid(format!("{name} in the environment is no setting{near}"))
}

pub(crate) fn source_flag_repeated(name: &str) -> Error {
    let message = format!("--source names {name:?} twice: each source has a name of its own");
    invalid(redacted(&message))
}

// Values.

snowmint::errors! {
    value_malformed(place: &str, text: &str, expected: &str) => InvalidParameter:
        "{place}={:?} is not {expected}", redacted(text);

    number_out_of_range(key: &str, number: i64, range: &RangeInclusive<i64>) => InvalidParameter:
        "{key} = {number} is not possible: use {} to {}", range.start(), range.end();

    addresses_missing() => InvalidParameter:
        "http.listen and resp.listen are empty: nobody could ask";

    address_unencrypted(address: impl Display) => UnsafeSetting:
        "{address} is not on loopback, and what is said there is not encrypted: set \
         tls.certificate and tls.key, or allow_plaintext = true where the network is trusted, as \
         in a container";

    origin_malformed(origin: &str) => InvalidParameter:
        "http.origins: no browser names a page's origin {origin:?}: write it as \
         https://shop.example, with its scheme, in lower case, and without a path or slash";

    source_unknown(key: &str, name: &str) => InvalidParameter:
        "{key}: no source is called {name:?}";

    store_in_memory(key: &str) => Unsupported:
        "{key}: a store in memory ends with the service, and its next start repeats the IDs: name \
         a file or a database";

    password_hidden(key: &str) => InvalidParameter:
        "{key}: *** is no password, but what --print-config shows in place of one: write it again, \
         or leave it to the environment or the file that its driver reads";
}

pub(crate) fn value_not_whole_number(place: &str, text: &str) -> Error {
    value_malformed(place, text, "a whole number")
}

pub(crate) fn value_not_boolean(place: &str, text: &str) -> Error {
    value_malformed(place, text, "true or false")
}

pub(crate) fn source_name_invalid(name: &str, why: &Error) -> Error {
    let message = format!("sources.{}: {why}", redacted(name));
    invalid(redacted(&message))
}

// TLS.

snowmint::errors! {
    key_unset() => InvalidParameter: "tls.certificate is set without its key: set tls.key";

    certificate_unset() => InvalidParameter:
        "tls.key is set without the certificate that it is of: set tls.certificate";

    client_ca_alone() => InvalidParameter:
        "tls.client_ca is set without tls.certificate and tls.key: nothing would be encrypted, and \
         no client asked for its certificate";

    // Ordered sources.

    ordered_too_many(max: usize) => InvalidParameter: "ordered.sources: at most {max} of them";
    ordered_not_segment(name: &str) => InvalidParameter: "ordered.sources: {name:?} is no segment";

    ordered_of_one_tag(first: &str, second: &str) => InvalidParameter:
        "ordered.sources: {first:?} and {second:?} are of one tag";

    ordered_store_unset() => InvalidParameter:
        "ordered.store is not set: the store in which servers see whose turn it is";

    ordered_address_malformed(address: &str) => InvalidParameter:
        "ordered.address is {address:?}: write how other servers reach this one, as \
         http://10.0.0.7:8064";

    ordered_address_unencrypted(address: &str) => InvalidParameter:
        "ordered.address is {address:?}, and TLS is spoken there: write https://";

    ordered_ca_unset() => InvalidParameter:
        "ordered.ca is not set: the authorities of the other servers' certificates";

    ordered_token_unset() => InvalidParameter:
        "ordered.token_file is not set, and tokens.file is: other servers would refuse this one, \
         so give it a token of its own";

    // Public IDs.

    public_id_types_too_many(count: usize, max: usize) => InvalidParameter:
        "public_ids.types has {count}: {max} at most";

    public_id_type_invalid(shown: &str, why: impl Display) => InvalidParameter:
        "public_ids.types: {shown:?}: {why}";

    public_id_keys_invalid(why: impl Display) => InvalidParameter: "public_ids.keys: {why}";

    public_id_keys_unset() => InvalidParameter:
        "public_ids.keys is not set, and public_ids.types is";

    public_id_types_unset() => InvalidParameter:
        "public_ids.types is empty: name the types of public_ids.keys";

    public_ids_without_tokens() => InvalidParameter:
        "public_ids.keys is set, and tokens.file is not: everybody could read every public ID";

    // A reload.

    settings_fixed(keys: &[String]) => Unsupported:
        "{} cannot change while the service runs: restart it, or put the value back",
        keys.join(", ");

    settings_gone(keys: &[&str]) => Unsupported:
        "not set any more: {}; a service that runs goes on with what is there: restart it to have \
         none, or put the value back",
        keys.join(", ");
}
