//! The errors of stores on ID services, with their messages. None shows a token.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint_engine::Code;

use crate::error::Error;

// URLs.

errors! {
    address_missing(scheme: &str) => InvalidUrl:
        "{scheme}: names no server: write {scheme}://host:8064,host:8064";

    user_needless() => InvalidUrl:
        "an ID service has tokens and no users: write token=… or token_file=… behind the ?, or set \
         SNOWMINT_TOKEN";

    server_repeated(server: impl Display) => InvalidParameter:
        "the server {server} is named twice: name each once";

    path_unfit(path: &str) => InvalidParameter:
        "the path {path:?} of an ID service has other characters than paths do";

    // Tokens.

    token_beside_file() => InvalidParameter:
        "token and token_file both say who asks: say one of them";

    /// The token is called by where it stands.
    token_unfit(called: &str, max: usize) => InvalidParameter:
        "{called} is none: a token has 1 to {max} letters, digits and signs, and no spaces";

    token_unreadable(file: &Path, error: io::Error) => InvalidParameter caused_by error:
        "the token in {} cannot be read: {error}", file.display();

    // The place of a list of servers.

    list_unknown() => InvalidParameter:
        "servers= says where the list of servers is: file:PATH, dns, srv or \
         etcd://host:2379/prefix";

    list_file_unnamed() => InvalidParameter:
        "servers=file: names no file: write servers=file:/dir/servers";

    ports_needless() => InvalidParameter:
        "with servers=srv the records say the ports: write the names without";

    name_server_needless() => InvalidParameter:
        "a name server is asked for lists of names alone: servers=dns, servers=srv";

    prefix_missing() => InvalidParameter:
        "a list of servers in etcd has a prefix of its own: write servers=etcd://host:2379/prefix";

    #[cfg(not(feature = "etcd"))]
    etcd_absent() => Unsupported:
        "lists of servers in etcd need the feature `etcd`, without which this was compiled";

    // The content of a list of servers.

    unreadable(called: impl Display, error: io::Error) => StoreUnavailable caused_by error:
        "{called} cannot be read: {error}";

    list_empty() => InvalidParameter: "it is empty";

    list_too_long(count: usize, max: usize) => InvalidParameter:
        "it has {count} servers: up to {max} are asked";

    no_file(path: &Path) => InvalidParameter: "{} is no file", path.display();

    file_too_long(path: &Path, max: u64) => InvalidParameter:
        "{} is longer than {max} bytes", path.display();

    line_without_server(line: usize, path: &Path) => InvalidParameter:
        "line {line} of {} is no host:port: write one server a line", path.display();

    value_without_server(key: &str) => InvalidParameter: "the value of {key} is no host:port";
}

pub(super) fn name_unreadable(name: &str, error: io::Error) -> Error {
    unreadable(format_args!("the name {name}"), error)
}

pub(super) fn records_unreadable(name: &str, error: io::Error) -> Error {
    unreadable(format_args!("the SRV records of {name}"), error)
}

pub(super) fn file_unreadable(path: &Path, error: io::Error) -> Error {
    unreadable(path.display(), error)
}

// Calls that an ID service does not have.

errors! {
    tags_of_days_not_created() => Unsupported:
        "an ID service makes no tags for its clients, and each day, or section of keys, needs one. \
         Give the service such a source and take its numbers there, at /v1/ids/NAME or \
         /v1/sequences/NAME/KEY, or open it on the service's store";

    tag_not_created(tag: impl Display) => Unsupported:
        "an ID service makes no tags for its clients: where its store is, `snowmint segment create \
         STORE {tag}`";

    // Connections and answers.

    /// The answer does not fit its question, which is `what`.
    strange_answer(server: impl Display, what: &str) => InvalidAnswer:
        "the ID service at {server} answers {what} with what is no such thing: is it an ID \
         service?";

    /// The answer comes from something in between, or from no ID service.
    answer_foreign(server: impl Display, status: u16) => about(server, Code::StoreUnavailable):
        "it answers HTTP {status}, and no word of an ID service: is it one?";
}

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
    about(server, code, format!("{what}{cure}")).caused_by(error)
}

fn about(server: impl Display, code: Code, what: impl Display) -> Error {
    Error::new(code, format!("the ID service at {server}: {what}"))
}

// Refusals of a server, with what it said.

pub(super) fn refused(code: Code, server: impl Display, said: &str) -> Error {
    about(server, code, said)
}

pub(super) fn denied(server: impl Display, said: &str) -> Error {
    let said = if said.is_empty() { "it does not know who asks" } else { said };
    let cure = "check the token: token=, token_file= or SNOWMINT_TOKEN";
    about(server, Code::StoreDenied, format!("{said}; {cure}"))
}

pub(super) fn overloaded(server: impl Display, said: &str) -> Error {
    let said = if said.is_empty() { "it has had enough" } else { said };
    about(server, Code::Overloaded, said)
}

// Servers on different stores.

errors! {
    /// `earlier` is a server, which had given all numbers below `end`.
    range_regressed(
        server: impl Display,
        tag: impl Display,
        start: u64,
        (earlier, end): (&str, u64),
    ) => RangeRegressed:
        "the ID service at {server} gives numbers of tag {tag} from {start} on, where {earlier} \
         had given all below {end}: it is on another store, or its store was put back. Name \
         servers of one store, raise the tag above all that was given, and open it anew";

    /// `now` and `earlier` are the incarnations of the two stores.
    store_differs(server: impl Display, what: &str, now: &str, earlier: &str) => IncarnationChanged:
        "the ID service at {server} has {what} on the store {now}, where others have it on \
         {earlier}: name servers of one store. If that store was put in the other's place, this \
         server is asked once one that was asked before has it there as well";

    /// Each is a server and its key space.
    key_spaces_differ(
        (one, its_key_space): (impl Display, impl Display),
        (other, another_key_space): (impl Display, impl Display),
    ) => IncarnationChanged:
        "the ID service at {one} is of the key space {its_key_space}, and the one at {other} of \
         {another_key_space}: both would give the same. Name servers of one store; key_space= says \
         which";
}

pub(super) fn key_space_of_another(server: impl Display, why: &Error) -> Error {
    about(server, Code::IncarnationChanged, why)
}

// Calls that no server answers.

errors! {
    servers_unknown(last_error: &str) => StoreUnavailable:
        "no ID service is known: the list of servers: {last_error}";

    nobody_asked_in_time() => StoreUnavailable: "no ID service could be asked in time";
}

/// Some servers failed, and another one refused.
pub(super) fn failure_and_refusal(code: Code, failure: &Error, refusal: Error) -> Error {
    Error::new(code, format!("{failure}; and {refusal}")).caused_by(refusal)
}
