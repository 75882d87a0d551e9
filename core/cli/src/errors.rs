//! The errors of this crate, with their messages.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint::{Code, Column, Error, Tag, engine, public_ids, redacted};

// Standard input.

snowmint::errors! {
    line_too_long(max_bytes: u64) => TextLength: "the line is longer than {max_bytes} bytes";
    line_not_utf8() => InvalidText: "the line is not UTF-8";

    // IDs and their times.

    key_missing() => Unsupported: "each key has a sequence: say whose with --key 42";
    key_of_uuid() => Unsupported: "UUIDs are of no key: leave --key out";
    form_of_uuid() => Unsupported: "a UUID has one text form: leave --format out";

    id_missing() => InvalidParameter:
        "no ID is given: name IDs, or - for those that are typed here, one a line";

    time_unreadable(text: &str) => InvalidTime:
        "{text:?} is no time: write 2026-01-31, 2026-01-31T12:00:00Z, \
         2026-01-31T12:00[Asia/Shanghai] or Unix milliseconds";

    span_empty(text: &str) => InvalidTime:
        "{text:?} is empty, as its end is not in it: write a later one";

    span_reversed(text: &str) => InvalidTime:
        "{text:?} ends before it begins: write the earlier time first";
}

/// The error of a number that was written as `text`, with a sign.
pub(crate) fn signed_id_refused(code: Code, text: &str, number: u64, why: &str) -> Error {
    Error::new(code, format!("{text}, which is {number} without a sign: {why}"))
}

// Stores and their tags.

snowmint::errors! {
    store_in_memory() => Unsupported:
        "memory: ends with this command, and the next one repeats its IDs: name a file, as \
         sqlite:PATH";
    file_missing(path: &str) => StoreMissing: "there is no file {path}: check the path";

    path_with_parameters(path: &str) => InvalidUrl:
        "there is no file {path}, and a path alone has no parameters: write sqlite:{path}";

    remainder_too_large(remainder: u64, tag: &Tag, stride: u64) => InvalidParameter:
        "no number leaves {remainder} by {tag}'s stride of {stride}";

    /// The error of a tag whose remainder did not change.
    remainder_in_column(tag: &Tag, next: u64) => Unsupported:
        "{tag} goes on at {next}: this store keeps its class in a column of its own, as tinyid's \
         `remainder`, to be changed there";

    // Recovery after a failover or a restore.

    server_not_named(present: &str) => InvalidParameter:
        "name the server that you confirm: --server {present}";

    server_untold() => Unsupported:
        "this store cannot tell which server it is: leave --server out";

    server_differs(present: &str, named: &str) => IncarnationChanged:
        "this server is {present}, not {named}: nothing was done; look at this one first, without \
         --server";

    server_not_promoted() => StoreReadOnly:
        "this server follows another one and takes no changes: promote it first";

    recovered_from_itself(store: &str) => InvalidParameter:
        "{store} is the store that goes on, by its address or by the name of its server: --from names \
         the one that it is a copy of. If these are two servers of one name (server_id), use --next";

    of_another_key_space(store: &str, there: impl Display, here: impl Display) => IncarnationChanged:
        "{store} is the key space {there}, not {here}: neither is a copy of the other";

    tags_unknown(tags: &[&str]) => InvalidParameter:
        "it is not known how far {} went since the backup or the failover. Say --from STORE if the \
         original can be reached. Otherwise say --next TAG=NUMBER with the largest snowmint_tag_next \
         since then, or one more than the largest ID in the tables; or --raise-by-steps COUNT, 0 if no \
         number was reserved since",
        tags.join(", ");

    known_may_be_old() => InvalidParameter:
        "more numbers may have been reserved after that was read. Say --raise-by-steps COUNT, how many \
         ranges that may be, or 0 if everything that mints had ended";

    known_is_behind(tag: &Tag, known: u64, here: u64) => InvalidParameter:
        "{tag} went on to {here} here, so what is known, {known}, is too old. Say --next {tag}=NUMBER, or \
         how many ranges may be missing by --raise-by-steps COUNT";

    tag_left_since(tag: &Tag, place: &str) => TagMoved:
        "{tag} moved to {place} in the meantime, and this store cannot close it: set its max to the \
         last number that it gave here, by `snowmint segment set --max`, and leave out its store";

    new_tags_unknown() => InvalidParameter:
        "tags that were made since the backup or the failover are missing here, and would begin at 1 \
         again. Say --new-from NUMBER, higher than any of them went, or --new-from 1 if none was made";

    new_from_not_kept() => Unsupported:
        "this store keeps no first number for tags that are made later: say --new-from 1, and name \
         each lost tag with its next number by --next TAG=NUMBER";

    same_store(tag: &Tag) => InvalidParameter:
        "{tag} is in that store already: --to names the same one";

    // Worker IDs.

    /// The error of the file that `snowmint id` leases from.
    default_file_missing(path: &str) => StoreMissing:
        "there is no file {path} yet: `snowmint id` makes it with its first ID";

    several_realms(worker_id: u32, realms: &[&str]) => InvalidParameter:
        "several realms have worker ID {worker_id}: add --realm with {}", realms.join(" or ");
}

pub(crate) fn worker_id_unknown(worker_id: u32, realm: Option<&str>) -> Error {
    let of_realm = realm.map_or(String::new(), |it| format!(" in {it}"));
    let message = format!(
        "nobody ever took worker ID {worker_id}{of_realm}: `snowmint worker list` shows those \
         that are known"
    );
    Error::new(Code::InvalidParameter, message)
}

// Findings of `adopt`.

snowmint::errors! {
    tag_unknown(tag: &Tag) => UnknownTag: "nothing there gives numbers of a tag {tag}";

    nothing_to_compare(tag: &str, column: Option<&Column>) => UnknownTag:
        "nothing there gives numbers of a tag {tag}, and there is nothing to compare {} with",
        column.map_or_else(|| "a column".to_owned(), ToString::to_string);

    no_numbers() => unnamed(): "nothing was found that gives numbers, and no ID";

    column_without_sequence(column: &Column) => unnamed():
        "no sequence fills {column}, which could name its tag";

    unnamed(why: &str) => InvalidParameter:
        "{why}: name it by --tag, as `--tag orders --from orders.id`";

    /// The error of a tag whose numbers below `floor` were given, although its max is below them.
    max_passed(tag: &Tag, floor: u64, max: u64) => InvalidParameter:
        "numbers of tag {tag} below {floor} were given, and its max is {max}: raise that first \
         where it stands, by `snowmint segment set STORE {tag} --max NUMBER`";

    sections_differ(tag: &Tag, one: u64, other: u64) => InvalidParameter:
        "by the tags {tag} sections of these sequences have {one} keys in one store and {other} in \
         another: a key would go on in another section, and repeat its numbers; adopt other tags \
         by --tag";

    // Public IDs and files of their keys.

    bits_of_another_form() => InvalidParameter:
        "--bits belongs to --form number: the other forms take any ID";

    key_file_is_stream(name: impl Display) => no_key_file(name):
        "the standard streams are no file of keys";

    key_file_is_variable(name: impl Display) => no_key_file(name):
        "an environment variable is not written";

    no_key_file(name: impl Display, why: &str) => InvalidParameter:
        "{name}: {why}: name a file, as keys.toml (one that is called so is ./{name})";

    key_file_exists(path: &Path) => InvalidParameter:
        "{}: it is there already, and its keys may be in use: name another file, or add a key by \
         `snowmint public-ids rotate`",
        path.display();
}

/// The error of an ID, which is shown as `shown`.
pub(crate) fn id_unreadable(shown: &str, cause: engine::Error) -> Error {
    Error::new(cause.code(), format!("{shown}: {cause}"))
}

/// The error of an ID or a public ID, which is shown as `shown`.
pub(crate) fn public_id_refused(shown: &str, cause: public_ids::Error) -> Error {
    Error::new(cause.code(), format!("{shown}: {cause}")).caused_by(cause)
}

// Tokens.

snowmint::errors! {
    state_directory_not_made(
        directory: &Path,
        cause: io::Error,
    ) => StoreUnavailable caused_by cause:
        "the state directory {} cannot be made", directory.display();

    token_missing(max_bytes: usize) => InvalidParameter:
        "standard input has no token: 1 to {max_bytes} bytes";

    token_not_utf8() => InvalidParameter: "what is on standard input is not UTF-8";

    token_not_alone() => InvalidParameter:
        "standard input has more than a token: no spaces around it, on one line";

    // Measurements.

    temporary_directory_not_made(cause: io::Error) => StoreUnavailable caused_by cause:
        "no temporary directory can be made: {cause}";

    source_not_measured() => Unsupported:
        "only snowflakes and segments are measured: a day has too few numbers, and a UUID is the \
         work of another library";

    // The address of a server that is watched.

    address_unreadable(url: &str) => address_refused(url):
        "write http://HOST:PORT, https://HOST:PORT or unix:PATH";

    address_with_path(url: &str) => address_refused(url): "an operators' address has no path";
    address_with_user(url: &str) => address_refused(url): "an operators' address has no user";
    address_with_invalid_port(url: &str) => address_refused(url): "ports are numbers up to 65535";
    address_without_host(url: &str) => address_refused(url): "it names no host";
    address_refused(url: &str, why: &str) => InvalidUrl: "{:?}: {why}", redacted(url);
    parameter_of_tls(name: &str) => InvalidParameter: "{name} is of TLS: write https://";

    certificate_or_key_missing(cert_file: &str, key_file: &str) => InvalidParameter:
        "a certificate goes with its key: say {cert_file} and {key_file}";

    file_without_certificate(parameter: &str, file: &Path) => file_unusable(parameter, file):
        "it has no certificate in it";

    file_unusable(parameter: &str, file: &Path, why: impl Display) => InvalidParameter:
        "{parameter}: {} cannot be used: {why}", file.display();

    host_not_certifiable(host: &str) => InvalidUrl: "{host:?} is no name that a certificate has";
}

/// The error of a parameter that is none of `known`, the names of files.
pub(crate) fn parameter_unknown(name: &str, known: [&str; 3]) -> Error {
    let [ca_file, cert_file, key_file] = known;
    let message = format!(
        "{name:?} is no parameter here: https: takes {ca_file}, {cert_file} and {key_file}"
    );
    Error::new(Code::UnknownParameter, message)
}

pub(crate) fn tls_versions_missing(why: impl Display) -> Error {
    Error::new(Code::Internal, why.to_string())
}

// A server that is watched.

snowmint::errors! {
    event_loop_not_started(cause: io::Error) => NoResource caused_by cause: "nothing can be asked";
    thread_not_started(cause: io::Error) => NoResource caused_by cause: "no thread can be started";

    #[cfg(not(unix))]
    unix_sockets_missing(path: &Path) => Unsupported:
        "{}: there are no Unix sockets on this system", path.display();

    server_unreachable(server: &str, why: impl Display) => StoreUnavailable:
        "{server} cannot be reached: {why}";

    server_silent(server: &str) => server_unreachable(server): "it does not answer";

    server_without_tls(server: &str) => server_unreachable(server):
        "it speaks no TLS: write http://";

    certificate_refused(server: &str, why: impl Display) => server_unreachable(server):
        "its certificate is not good: {why}; cafile=FILE names its authority";

    /// The error of a server that has no state to show; `port` is the usual one of `admin.listen`.
    state_missing(server: &str, port: u16) => Unsupported:
        "{server} is no operators' address of a snowmint that has this: name one of its \
         admin.listen, port {port}";

    access_denied(server: &str, detail: &str) => StoreDenied: "{server} refuses: {detail}";

    status_unexpected(server: &str, status: impl Display, detail: &str) => InvalidAnswer:
        "{server} answers with {status}: {detail}";

    answer_unreadable(server: &str, why: impl Display) => InvalidAnswer:
        "{server} answers what no snowmint does: {why}";
}

pub(crate) fn request_not_made(why: impl Display) -> Error {
    Error::new(Code::InvalidUrl, why.to_string())
}
