//! The errors of this crate, with their messages.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint::{Code, Column, Error, Tag, engine, public_ids, redacted};

// Standard input.

pub(crate) fn line_too_long(max_bytes: u64) -> Error {
    Error::new(Code::TextLength, format!("the line is longer than {max_bytes} bytes"))
}

pub(crate) fn line_not_utf8() -> Error {
    Error::new(Code::InvalidText, "the line is not UTF-8")
}

// IDs and their times.

pub(crate) fn key_missing() -> Error {
    let message = "each key has a sequence: say whose with --key 42";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn key_of_uuid() -> Error {
    Error::new(Code::Unsupported, "UUIDs are of no key: leave --key out")
}

pub(crate) fn form_of_uuid() -> Error {
    let message = "a UUID has one text form: leave --format out";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn id_missing() -> Error {
    let message = "no ID is given: name IDs, or - for those that are typed here, one a line";
    Error::new(Code::InvalidParameter, message)
}

/// The error of a number that was written as `text`, with a sign.
pub(crate) fn signed_id_refused(code: Code, text: &str, number: u64, why: &str) -> Error {
    Error::new(code, format!("{text}, which is {number} without a sign: {why}"))
}

pub(crate) fn time_unreadable(text: &str) -> Error {
    let message = format!(
        "{text:?} is no time: write 2026-01-31, 2026-01-31T12:00:00Z, \
         2026-01-31T12:00[Asia/Shanghai] or Unix milliseconds"
    );
    Error::new(Code::InvalidTime, message)
}

pub(crate) fn span_empty(text: &str) -> Error {
    let message = format!("{text:?} is empty, as its end is not in it: write a later one");
    Error::new(Code::InvalidTime, message)
}

pub(crate) fn span_reversed(text: &str) -> Error {
    let message = format!("{text:?} ends before it begins: write the earlier time first");
    Error::new(Code::InvalidTime, message)
}

// Stores and their tags.

pub(crate) fn store_in_memory() -> Error {
    let message = "memory: ends with this command: write sqlite:PATH or PATH";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn file_missing(path: &str) -> Error {
    Error::new(Code::StoreMissing, format!("there is no file {path}: check the path"))
}

pub(crate) fn path_with_parameters(path: &str) -> Error {
    let message =
        format!("there is no file {path}, and a path alone has no parameters: write sqlite:{path}");
    Error::new(Code::InvalidUrl, message)
}

pub(crate) fn remainder_too_large(remainder: u64, tag: &Tag, stride: u64) -> Error {
    let message = format!("no number leaves {remainder} by {tag}'s stride of {stride}");
    Error::new(Code::InvalidParameter, message)
}

/// The error of a tag whose remainder did not change.
pub(crate) fn remainder_in_column(tag: &Tag, next: u64) -> Error {
    let message = format!(
        "{tag} goes on at {next}: this store keeps its class in a column of its own, as \
         tinyid's `remainder`, to be changed there"
    );
    Error::new(Code::Unsupported, message)
}

pub(crate) fn same_store(tag: &Tag) -> Error {
    let message = format!("{tag} is in that store already: --to names the same one");
    Error::new(Code::InvalidParameter, message)
}

// Worker IDs.

/// The error of the file that `snowmint id` leases from.
pub(crate) fn default_file_missing(path: &str) -> Error {
    let message = format!("there is no file {path} yet: `snowmint id` makes it with its first ID");
    Error::new(Code::StoreMissing, message)
}

pub(crate) fn several_realms(worker_id: u32, realms: &[&str]) -> Error {
    let realms = realms.join(" or ");
    let message = format!("several realms have worker ID {worker_id}: add --realm with {realms}");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn worker_id_unknown(worker_id: u32, realm: Option<&str>) -> Error {
    let of_realm = realm.map_or(String::new(), |it| format!(" in {it}"));
    let message = format!(
        "nobody ever took worker ID {worker_id}{of_realm}: `snowmint worker list` shows those \
         that are known"
    );
    Error::new(Code::InvalidParameter, message)
}

// What adopt finds.

pub(crate) fn tag_unknown(tag: &Tag) -> Error {
    Error::new(Code::UnknownTag, format!("nothing there gives numbers of a tag {tag}"))
}

pub(crate) fn nothing_to_compare(tag: &str, column: Option<&Column>) -> Error {
    let message = format!(
        "nothing there gives numbers of a tag {tag}, and there is nothing to compare {} with",
        column.map_or_else(|| "a column".to_owned(), ToString::to_string)
    );
    Error::new(Code::UnknownTag, message)
}

pub(crate) fn no_numbers() -> Error {
    unnamed("nothing was found that gives numbers, and no ID")
}

pub(crate) fn column_without_sequence(column: &Column) -> Error {
    unnamed(&format!("no sequence fills {column}, which could name its tag"))
}

fn unnamed(why: &str) -> Error {
    let message = format!("{why}: name it by --tag, as `--tag orders --from orders.id`");
    Error::new(Code::InvalidParameter, message)
}

/// The error of a tag whose numbers below `floor` were given, although its max is below them.
pub(crate) fn max_passed(tag: &Tag, floor: u64, max: u64) -> Error {
    let message = format!(
        "numbers of tag {tag} below {floor} were given, and its max is {max}: raise that \
         first where it stands, by `snowmint segment set STORE {tag} --max NUMBER`"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn sections_differ(tag: &Tag, one: u64, other: u64) -> Error {
    let message = format!(
        "by the tags {tag} sections of these sequences have {one} keys in one store and {other} in \
         another: a key would go on in another section, and repeat its numbers; adopt other tags \
         by --tag"
    );
    Error::new(Code::InvalidParameter, message)
}

// Public IDs and files of their keys.

pub(crate) fn bits_of_another_form() -> Error {
    let message = "--bits belongs to --form number: the other forms take any ID";
    Error::new(Code::InvalidParameter, message)
}

/// The error of an ID, which is shown as `shown`.
pub(crate) fn id_unreadable(shown: &str, cause: engine::Error) -> Error {
    Error::new(cause.code(), format!("{shown}: {cause}"))
}

/// The error of an ID or a public ID, which is shown as `shown`.
pub(crate) fn public_id_refused(shown: &str, cause: public_ids::Error) -> Error {
    Error::new(cause.code(), format!("{shown}: {cause}")).caused_by(cause)
}

pub(crate) fn key_file_is_stream(name: impl Display) -> Error {
    no_key_file(name, "the standard streams are no file of keys")
}

pub(crate) fn key_file_is_variable(name: impl Display) -> Error {
    no_key_file(name, "an environment variable is not written")
}

fn no_key_file(name: impl Display, why: &str) -> Error {
    let message =
        format!("{name}: {why}: name a file, as keys.toml (one that is called so is ./{name})");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn key_file_exists(path: &Path) -> Error {
    let message = format!(
        "{}: it is there already, and its keys may be in use: name another file, or add a \
         key by `snowmint public-ids rotate`",
        path.display()
    );
    Error::new(Code::InvalidParameter, message)
}

// Tokens.

pub(crate) fn state_directory_not_made(directory: &Path, cause: io::Error) -> Error {
    let message = format!("the state directory {} cannot be made", directory.display());
    Error::new(Code::StoreUnavailable, message).caused_by(cause)
}

pub(crate) fn token_missing(max_bytes: usize) -> Error {
    let message = format!("standard input has no token: 1 to {max_bytes} bytes");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn token_not_utf8() -> Error {
    Error::new(Code::InvalidParameter, "what is on standard input is not UTF-8")
}

pub(crate) fn token_not_alone() -> Error {
    let message = "standard input has more than a token: no spaces around it, on one line";
    Error::new(Code::InvalidParameter, message)
}

// Measurements.

pub(crate) fn temporary_directory_not_made(cause: io::Error) -> Error {
    let message = format!("no temporary directory can be made: {cause}");
    Error::new(Code::StoreUnavailable, message).caused_by(cause)
}

pub(crate) fn source_not_measured() -> Error {
    let message = "only snowflakes and segments are measured: a day has too few \
                   numbers, and a UUID is the work of another library";
    Error::new(Code::Unsupported, message)
}

// The address of a server that is watched.

pub(crate) fn address_unreadable(url: &str) -> Error {
    address_refused(url, "write http://HOST:PORT, https://HOST:PORT or unix:PATH")
}

pub(crate) fn address_with_path(url: &str) -> Error {
    address_refused(url, "an operators' address has no path")
}

pub(crate) fn address_with_user(url: &str) -> Error {
    address_refused(url, "an operators' address has no user")
}

pub(crate) fn address_with_invalid_port(url: &str) -> Error {
    address_refused(url, "ports are numbers up to 65535")
}

pub(crate) fn address_without_host(url: &str) -> Error {
    address_refused(url, "it names no host")
}

fn address_refused(url: &str, why: &str) -> Error {
    Error::new(Code::InvalidUrl, format!("{:?}: {why}", redacted(url)))
}

/// The error of a parameter that is none of `known`, the names of files.
pub(crate) fn parameter_unknown(name: &str, known: [&str; 3]) -> Error {
    let [ca_file, cert_file, key_file] = known;
    let message = format!(
        "{name:?} is no parameter here: https: takes {ca_file}, {cert_file} and {key_file}"
    );
    Error::new(Code::UnknownParameter, message)
}

pub(crate) fn parameter_of_tls(name: &str) -> Error {
    let message = format!("{name} is of TLS: write https://");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn certificate_or_key_missing(cert_file: &str, key_file: &str) -> Error {
    let message = format!("a certificate goes with its key: say {cert_file} and {key_file}");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn file_without_certificate(parameter: &str, file: &Path) -> Error {
    file_unusable(parameter, file, "it has no certificate in it")
}

pub(crate) fn file_unusable(parameter: &str, file: &Path, why: impl Display) -> Error {
    let message = format!("{parameter}: {} cannot be used: {why}", file.display());
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn host_not_certifiable(host: &str) -> Error {
    Error::new(Code::InvalidUrl, format!("{host:?} is no name that a certificate has"))
}

pub(crate) fn tls_versions_missing(why: impl Display) -> Error {
    Error::new(Code::Internal, why.to_string())
}

// A server that is watched.

pub(crate) fn event_loop_not_started(cause: io::Error) -> Error {
    Error::new(Code::NoResource, "nothing can be asked").caused_by(cause)
}

pub(crate) fn thread_not_started(cause: io::Error) -> Error {
    Error::new(Code::NoResource, "no thread can be started").caused_by(cause)
}

#[cfg(not(unix))]
pub(crate) fn unix_sockets_missing() -> Error {
    let message = "there are no Unix sockets on this system";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn request_not_made(why: impl Display) -> Error {
    Error::new(Code::InvalidUrl, why.to_string())
}

pub(crate) fn server_unreachable(server: &str, why: impl Display) -> Error {
    let message = format!("{server} cannot be reached: {why}");
    Error::new(Code::StoreUnavailable, message)
}

pub(crate) fn server_silent(server: &str) -> Error {
    server_unreachable(server, "it does not answer")
}

pub(crate) fn server_without_tls(server: &str) -> Error {
    server_unreachable(server, "it speaks no TLS: write http://")
}

pub(crate) fn certificate_refused(server: &str, why: impl Display) -> Error {
    let why = format!("its certificate is not good: {why}; cafile=FILE names its authority");
    server_unreachable(server, why)
}

/// The error of a server that has no state to show; `port` is the usual one of `admin.listen`.
pub(crate) fn state_missing(server: &str, port: u16) -> Error {
    let message = format!(
        "{server} is no operators' address of a snowmint that has this: name one of its \
         admin.listen, port {port}"
    );
    Error::new(Code::Unsupported, message)
}

pub(crate) fn access_denied(server: &str, detail: &str) -> Error {
    Error::new(Code::StoreDenied, format!("{server} refuses: {detail}"))
}

pub(crate) fn status_unexpected(server: &str, status: impl Display, detail: &str) -> Error {
    let message = format!("{server} answers with {status}: {detail}");
    Error::new(Code::InvalidAnswer, message)
}

pub(crate) fn answer_unreadable(server: &str, why: impl Display) -> Error {
    let message = format!("{server} answers what no snowmint does: {why}");
    Error::new(Code::InvalidAnswer, message)
}
