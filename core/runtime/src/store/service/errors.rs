//! The errors of stores on ID services, with their messages. None shows a token.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint_engine::Code;

use crate::error::Error;

// URLs.

pub(super) fn address_missing(scheme: &str) -> Error {
    let message = format!("{scheme}: names no server: write {scheme}://host:8064,host:8064");
    Error::new(Code::InvalidUrl, message)
}

pub(super) fn user_needless() -> Error {
    let message = "an ID service has tokens and no users: write token=… or token_file=… \
                   behind the ?, or set SNOWMINT_TOKEN";
    Error::new(Code::InvalidUrl, message)
}

pub(super) fn server_repeated(server: impl Display) -> Error {
    let message = format!("the server {server} is named twice: name each once");
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn path_unfit(path: &str) -> Error {
    let message = format!("the path {path:?} of an ID service has other characters than paths do");
    Error::new(Code::InvalidParameter, message)
}

// Tokens.

pub(super) fn token_beside_file() -> Error {
    let message = "token and token_file both say who asks: say one of them";
    Error::new(Code::InvalidParameter, message)
}

/// The token is called by where it stands.
pub(super) fn token_unfit(called: &str, max: usize) -> Error {
    let message = format!(
        "{called} is none: a token has 1 to {max} letters, digits and signs, and no spaces"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn token_unreadable(file: &Path, error: io::Error) -> Error {
    let message = format!("the token in {} cannot be read: {error}", file.display());
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

// Where a list of servers is.

pub(super) fn list_unknown() -> Error {
    let message = "servers= says where the list of servers is: file:PATH, dns, srv or \
                   etcd://host:2379/prefix";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn list_file_unnamed() -> Error {
    let message = "servers=file: names no file: write servers=file:/dir/servers";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn ports_needless() -> Error {
    let message = "with servers=srv the records say the ports: write the names without";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn name_server_needless() -> Error {
    let message = "a name server is asked for lists of names alone: servers=dns, \
                   servers=srv";
    Error::new(Code::InvalidParameter, message)
}

#[cfg(feature = "etcd")]
pub(super) fn prefix_missing() -> Error {
    let message = "a list of servers in etcd has a prefix of its own: write \
                   servers=etcd://host:2379/prefix";
    Error::new(Code::InvalidParameter, message)
}

#[cfg(not(feature = "etcd"))]
pub(super) fn etcd_absent() -> Error {
    let message =
        "lists of servers in etcd need the feature `etcd`, without which this was compiled";
    Error::new(Code::Unsupported, message)
}

// What is in a list of servers.

pub(super) fn name_unreadable(name: &str, error: io::Error) -> Error {
    unreadable(format_args!("the name {name}"), error)
}

pub(super) fn records_unreadable(name: &str, error: io::Error) -> Error {
    unreadable(format_args!("the SRV records of {name}"), error)
}

pub(super) fn file_unreadable(path: &Path, error: io::Error) -> Error {
    unreadable(path.display(), error)
}

fn unreadable(called: impl Display, error: io::Error) -> Error {
    let message = format!("{called} cannot be read: {error}");
    Error::new(Code::StoreUnavailable, message).caused_by(error)
}

pub(super) fn list_empty() -> Error {
    Error::new(Code::InvalidParameter, "it is empty")
}

pub(super) fn list_too_long(count: usize, max: usize) -> Error {
    let message = format!("it has {count} servers: up to {max} are asked");
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn no_file(path: &Path) -> Error {
    Error::new(Code::InvalidParameter, format!("{} is no file", path.display()))
}

pub(super) fn file_too_long(path: &Path, max: u64) -> Error {
    let message = format!("{} is longer than {max} bytes", path.display());
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn line_without_server(line: usize, path: &Path) -> Error {
    let message =
        format!("line {line} of {} is no host:port: write one server a line", path.display());
    Error::new(Code::InvalidParameter, message)
}

#[cfg(feature = "etcd")]
pub(super) fn value_without_server(key: &str) -> Error {
    let message = format!("the value of {key} is no host:port");
    Error::new(Code::InvalidParameter, message)
}

// Calls that an ID service does not have.

pub(super) fn tags_of_days_not_created() -> Error {
    let message = "an ID service makes no tags for its clients, and each day, or section of \
                   keys, needs one: give the service such a source and take its numbers there, \
                   at /v1/ids/NAME or /v1/sequences/NAME/KEY, or open it on the service's store";
    Error::new(Code::Unsupported, message)
}

pub(super) fn tag_not_created(tag: impl Display) -> Error {
    let message = format!(
        "an ID service makes no tags for its clients: where its store is, `snowmint segment \
         create STORE {tag}`"
    );
    Error::new(Code::Unsupported, message)
}

// Connections and answers.

pub(super) fn question_unwritable(error: impl Display) -> Error {
    Error::new(Code::Internal, error.to_string())
}

/// `cure` is how to mend the connection's TLS, if that failed.
pub(super) fn server_unreachable(
    code: Code,
    server: impl Display,
    what: &str,
    cure: Option<&str>,
    error: io::Error,
) -> Error {
    let cure = cure.map_or(String::new(), |cure| format!("; {cure}"));
    about(server, code, &format!("{what}{cure}")).caused_by(error)
}

/// The answer does not fit its question, which is `what`.
pub(super) fn strange_answer(server: impl Display, what: &str) -> Error {
    let message = format!(
        "the ID service at {server} answers {what} with what is no such thing: is it an ID service?"
    );
    Error::new(Code::InvalidAnswer, message)
}

/// The answer comes from something in between, or from no ID service.
pub(super) fn answer_foreign(server: impl Display, status: u16) -> Error {
    let what = format!("it answers HTTP {status}, and no word of an ID service: is it one?");
    about(server, Code::StoreUnavailable, &what)
}

fn about(server: impl Display, code: Code, what: &str) -> Error {
    Error::new(code, format!("the ID service at {server}: {what}"))
}

// Refusals of a server, with what it said.

pub(super) fn refused(code: Code, server: impl Display, said: &str) -> Error {
    about(server, code, said)
}

pub(super) fn denied(server: impl Display, said: &str) -> Error {
    let said = if said.is_empty() { "it does not know who asks" } else { said };
    let cure = "check the token: token=, token_file= or SNOWMINT_TOKEN";
    about(server, Code::StoreDenied, &format!("{said}; {cure}"))
}

pub(super) fn overloaded(server: impl Display, said: &str) -> Error {
    let said = if said.is_empty() { "it has had enough" } else { said };
    about(server, Code::Overloaded, said)
}

// Servers on different stores.

/// `earlier` is a server, which had given all numbers below `end`.
pub(super) fn range_regressed(
    server: impl Display,
    tag: impl Display,
    start: u64,
    (earlier, end): (&str, u64),
) -> Error {
    let message = format!(
        "the ID service at {server} gives numbers of tag {tag} from {start} on, where {earlier} \
         had given all below {end}: it is on another store, or its store was put back. Name \
         servers of one store, raise the tag above all that was given, and open it anew"
    );
    Error::new(Code::RangeRegressed, message)
}

/// `now` and `earlier` are the incarnations of the two stores.
pub(super) fn store_differs(server: impl Display, what: &str, now: &str, earlier: &str) -> Error {
    let message = format!(
        "the ID service at {server} has {what} on the store {now}, where others have it on \
         {earlier}: name servers of one store. If that store was put in the other's place, this \
         server is asked once one that was asked before has it there as well"
    );
    Error::new(Code::IncarnationChanged, message)
}

pub(super) fn key_space_of_another(server: impl Display, why: &Error) -> Error {
    about(server, Code::IncarnationChanged, &why.to_string())
}

/// Each is a server and its key space.
pub(super) fn key_spaces_differ(
    (one, its_key_space): (impl Display, impl Display),
    (other, another_key_space): (impl Display, impl Display),
) -> Error {
    let message = format!(
        "the ID service at {one} is of the key space {its_key_space}, and the one at {other} of \
         {another_key_space}: both would give the same. Name servers of one store; key_space= says \
         which"
    );
    Error::new(Code::IncarnationChanged, message)
}

// Calls that no server answers.

pub(super) fn servers_unknown(last_error: &str) -> Error {
    let message = format!("no ID service is known: the list of servers: {last_error}");
    Error::new(Code::StoreUnavailable, message)
}

pub(super) fn nobody_asked_in_time() -> Error {
    Error::new(Code::StoreUnavailable, "no ID service could be asked in time")
}

/// Some servers failed, and another one refused.
pub(super) fn failure_and_refusal(code: Code, failure: &Error, refusal: Error) -> Error {
    Error::new(code, format!("{failure}; and {refusal}")).caused_by(refusal)
}
