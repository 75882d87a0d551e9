//! The errors of this store, with their messages.

use std::io;
use std::path::Path;
use std::time::Duration;

use snowmint_engine::Code;

use crate::error::Error;

// Paths.

errors! {
    path_empty() => InvalidParameter: "the database's path is empty: name a file";

    path_of_memory() => InvalidParameter:
        ":memory: is no file: a store in memory is a MemoryStore, which a source by URL has not: \
         name a file";

    path_is_url(path: &Path) => InvalidParameter:
        "{0} is a URL, and a path is wanted: write it without sqlite: and parameters (of a file \
         that is called so ./{0})",
        path.display();

    path_with_nul(path: &Path) => InvalidParameter:
        "{path:?} has a zero byte: no file can be named so";

    path_not_absolute(path: &Path, error: io::Error) => StoreUnavailable caused_by error:
        "{} cannot be made an absolute path", path.display();

    path_of_directory(path: &Path) => InvalidParameter:
        "{} is a directory: name a file in it", path.display();

    // Files.

    /// The file of an application is not there.
    database_missing(path: &Path) => StoreMissing:
        "{}: there is no such database: check the path", path.display();

    file_read_only(path: &Path) => StoreReadOnly:
        "{} is read-only: allow this user to write it", path.display();

    /// `found` are the file's owner and mode.
    file_unreadable(found: &str, error: rusqlite::Error) => StoreReadOnly caused_by error:
        "{found}: allow this user to read and write it";

    file_gone(path: &Path) => StoreUnavailable: "{} {FILE_MOVED}", path.display();

    file_replaced(path: &Path) => IncarnationChanged:
        "{} is another file than the one that was opened, and does not know what that one \
         reserved. Put that one back. Where it is gone, raise each tag above all that was given of \
         it (`snowmint segment raise FILE TAG --next NUMBER`), and then open the source anew",
        path.display();

    file_with_second_name(path: &Path) => UnsafeSetting:
        "{} has a second name, by a hard link: what a crash leaves beside one name is not found \
         beside the other, and numbers would repeat. Remove the other name; for containers mount \
         the directory, not the file",
        path.display();

    file_mounted(path: &Path) => UnsafeSetting:
        "{} is mounted by itself, and has another name where it came from: what a crash leaves \
         beside one name is not found beside the other, and numbers would repeat. Mount its \
         directory",
        path.display();

    file_locked(path: &Path, waited: Duration) => StoreLocked:
        "{} {}", path.display(), locked(waited);

    file_not_lockable(path: &Path, error: io::Error) => StoreUnavailable caused_by error:
        "{} cannot be locked: check that its file system has locks ({error})", path.display();

    link_dangling(path: &Path) => StoreMissing:
        "{} is a link to a file that is not there: put that file back, or remove the link, and a \
         new file is made",
        path.display();

    journal_left(path: &Path, beside: &Path) => StoreMissing:
        "{} is not there, and {} is, which a file of that name left, and a new one would take for \
         its own: put that file back, or move what it left away",
        path.display(), beside.display();

    directory_missing(path: &Path, error: io::Error) => StoreUnavailable caused_by error:
        "{}: its directory is not there: it cannot be made, or went away meanwhile ({error}); name \
         one that is there",
        path.display();
}

/// `what` is one of the texts that follow.
pub(super) fn file_failure(path: &Path, code: Code, what: &str, error: io::Error) -> Error {
    Error::new(code, format!("{}: {what} ({error})", path.display())).caused_by(error)
}

pub(super) const FILE_MISSING: &str = "there is no such database, and a new one would be a key \
    space of its own, which repeats the IDs of every other: check the path, or say create=true to \
    begin one";
pub(super) const FILE_DENIED: &str = "this user may not create or reach it: allow it, or move it";
pub(super) const FILE_WITHOUT_ROOM: &str = "the disk is full: make room";
pub(super) const FILE_NOT_CREATED: &str = "it cannot be created: name a file in a directory";

// Errors that SQLite finds. The file's path stands before, and SQLite's own words behind.

pub(super) const FILE_MOVED: &str = "was moved or deleted while in use: put it back";
pub(super) const CHANGE_UNFINISHED: &str = "has a change beside it, in its journal, that a process \
    left unfinished: whoever opens it next to write takes that back. Open it once by its own \
    program, as a user who may write both";
pub(super) const DIRECTORY_READ_ONLY: &str =
    "or its directory is read-only: allow this user to write both";
pub(super) const JOURNAL_NOT_OPENED: &str = "or its journal cannot be opened: check that it is a \
    file, who may write its directory, and how many files this process may have open";
pub(super) const JOURNAL_NOT_REMOVED: &str =
    "has a journal that cannot be removed: allow this user to write its directory";
pub(super) const DISK_FAILED: &str =
    "cannot be read or written: check its disk, and that its file system has locks";
pub(super) const DISK_FULL: &str = "has no room left: make room on its disk";
pub(super) const MEMORY_FULL: &str = "needs more memory than there is";
pub(super) const NO_DATABASE: &str =
    "is no database, or a damaged one: restore it or use another file";
pub(super) const TABLES_ODD: &str = "does not have the tables it should have: restore it";
pub(super) const VALUE_EXCLUDED: &str = "has a value that its schema excludes: restore it";
pub(super) const NO_VALUE_OF_OURS: &str = "no release writes such a value";
pub(super) const VALUE_TOO_LONG: &str = "has a value that is longer than any of ours: restore it";
pub(super) const STATEMENT_REFUSED: &str = "refused a statement that it should accept";
pub(super) const COMMIT_FAILED: &str =
    "failed during a commit: what it reserved is given up; check the disk";

pub(super) fn locked(waited: Duration) -> String {
    let waited = waited.as_millis();
    format!(
        "was locked by another program for {waited} ms: end the one that keeps a transaction open, \
         or has the file open with a write-ahead log"
    )
}

pub(super) fn failure(path: &Path, code: Code, what: &str, error: rusqlite::Error) -> Error {
    Error::new(code, format!("{} {what} ({error})", path.display())).caused_by(error)
}

// Calls.

errors! {
    forked_within_call() => StoreUnavailable:
        "this process was forked while its parent was in a call to SQLite: start it anew, or fork \
         through the C library";

    // The content of a file.

    file_empty() => StoreCorrupt:
        "it is empty, as no database of ours ever is: restore it; delete it only if nothing was \
         ever reserved in it";

    file_damaged(found: &str) => StoreCorrupt: "it is damaged: {found}: restore it";

    journal_mode_fixed(mode: &str) => StoreSchema:
        "its journal mode is {mode} and cannot be changed";

    version_unknown(version: i32, known: i32) => StoreSchema:
        "its schema is version {version}, and this snowmint knows version {known}: use the \
         snowmint it was made with, or another file";

    part_missing(kind: &str, name: &str) => StoreSchema:
        "its {kind} {name} is missing: restore it, or use another file";

    /// `at` is where the part begins to differ.
    part_altered(kind: &str, name: &str, at: &str) => StoreSchema:
        "its {kind} {name} was altered, at {at:?}: restore it, or use another file";

    /// Another's part is on a table of ours.
    part_on_our_table(kind: &str, name: &str, table: &str) => StoreSchema:
        "its {kind} {name:?} on {table} is not snowmint's: remove it";

    part_of_application(kind: &str, name: &str) => StoreSchema:
        "its {kind} {name:?} is not snowmint's. If an application opens this file by another copy \
         of SQLite in the same process, locks are lost and numbers can repeat: use a file of its \
         own, or say shared_file=true if none does";

    key_space_lost() => StoreSchema:
        "its table snowmint_schema has lost its row, which says which key space it is: restore it";
}

/// Adds the file's path to an error of its content.
pub(super) fn in_file(path: &Path, error: &Error) -> Error {
    Error::new(error.code(), format!("{}: {error}", path.display()))
}

pub(super) fn file_cut_off(length: i64, expected: i64) -> Error {
    file_damaged(&format!("it has {length} bytes of {expected}"))
}

/// Each pair is an application and a version.
pub(super) fn application_unknown(found: (i32, i32), ours: (i32, i32)) -> Error {
    let ((application, version), (our_application, our_version)) = (found, ours);
    let message = format!(
        "it belongs to something else (application {application:#x}, version {version}; \
         snowmint's are {our_application:#x}, {our_version}): use a file of its own"
    );
    Error::new(Code::StoreSchema, message)
}
