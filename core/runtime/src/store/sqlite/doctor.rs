//! Checks a file for operators, without writing to it.

use std::path::Path;

use snowmint_engine::Code;

use super::fault::{Fault, is_unfinished};
use super::{CALL_WITHIN, SqliteBuilder, SqliteStore, file, rows as read};
use crate::error::{Error, Result};
use crate::findings::{Finding, places};
use crate::store::KnownKeySpace;
use crate::store::doctor::rows;
use crate::store::sql::{tags, workers};

const FILE: &str = "file";

impl SqliteBuilder {
    /// Examines a file. SQLite reads it under a lock that other readers share.
    pub(crate) fn examine(self, path: &str) -> Result<Vec<Finding>> {
        let store = self.described(path.as_ref())?;
        let path = store.path();
        match store.run(CALL_WITHIN, |_| file::is_there(path)) {
            Ok(true) => {}
            Ok(false) => return Ok(missing(path)),
            Err(error) => return Ok(vec![Finding::failed(FILE, &error)]),
        }
        let mut findings = vec![one_name(&store), places::access(path)];
        if let Some(directory) = path.parent() {
            findings.extend(directory_of(directory));
        }
        findings.push(places::file_system(path));
        findings.extend(content(&store, self));
        Ok(findings)
    }
}

fn missing(path: &Path) -> Vec<Finding> {
    let found = format!("{} is not there", path.display());
    let cure = "check the path; `snowmint migrate` makes it, or create=true in a URL: a key space of \
                its own, which repeats the IDs of every other";
    vec![Finding::refused(FILE, Code::StoreMissing, found, cure)]
}

/// Reports that the file has only one name, and where a link leads.
fn one_name(store: &SqliteStore) -> Finding {
    let path = store.path();
    if let Err(error) = store.run(CALL_WITHIN, |_| file::identify(path)) {
        return Finding::failed(FILE, &error);
    }
    let shown = path.display();
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
    match std::fs::canonicalize(path) {
        Ok(meant) if is_link => Finding::ok(
            FILE,
            format!("{shown} is a link to {}, which has no other", meant.display()),
        ),
        _ => Finding::ok(FILE, format!("{shown} has one name")),
    }
}

/// Reports a directory in which SQLite could not create its journal, or nothing if all is well.
fn directory_of(directory: &Path) -> Option<Finding> {
    let finding = places::access(directory);
    (finding.verdict != crate::findings::Verdict::Ok).then_some(finding)
}

/// Reports a locked file, whose content cannot be checked.
fn locked(store: &SqliteStore, error: &Error) -> Vec<Finding> {
    let shown = store.path().display();
    let names = if cfg!(unix) { format!("`lsof {shown}`") } else { "the Resource Monitor".into() };
    let cure = format!(
        "{names} names the processes that have it open: have the one that writes end its \
         transaction, and look again"
    );
    vec![Finding::unseen("tables", error).cured_by(&cure)]
}

/// Reports the file's journal, its tables and their rows.
fn content(store: &SqliteStore, builder: SqliteBuilder) -> Vec<Finding> {
    let SqliteBuilder { key_space, shared_file, .. } = builder;
    let look = |_: &mut super::Handle| match file::look(store.path(), shared_file) {
        Ok(None) => Ok(Err(WRITE_AHEAD)),
        Ok(Some(connection)) => {
            let id = read::key_space(&connection)?.id;
            let mut rows = read::Transaction::new(&connection);
            Ok(Ok((id, tags::all(&mut rows)?, workers::all(&mut rows, None)?)))
        }
        Err(Fault::Sql(error)) if is_unfinished(&error) => Ok(Err(UNFINISHED)),
        Err(fault) => Err(fault),
    };
    match store.run(CALL_WITHIN, look) {
        Ok(Err(beside)) => not_whole(beside),
        Ok(Ok((id, tags, workers))) => {
            let journal = "a rollback journal: the file is whole by itself";
            let mut findings = vec![
                Finding::ok("tables", "they are there, word for word"),
                Finding::ok("journal", journal),
                rows::of_key_space(KnownKeySpace::new(key_space).check(id).map(|()| Some(id))),
            ];
            findings.extend(rows::of_tags(Ok(tags)));
            findings.extend(rows::of_workers(Ok(workers)));
            findings
        }
        Err(error) if error.code() == Code::StoreLocked => locked(store, &error),
        Err(error) => vec![Finding::failed("tables", &error)],
    }
}

/// The finding for a file that another program has set to a write-ahead log.
const WRITE_AHEAD: &str =
    "a write-ahead log, as another program left it: the file may not be whole by itself";
/// The finding for a process that was killed in a transaction.
const UNFINISHED: &str = "a change that a process left unfinished: the file is not whole by itself";

/// The findings for a file that cannot be read without writing.
fn not_whole(found: &str) -> Vec<Finding> {
    let cure = "none is needed: who opens it next, as `snowmint worker list` does, puts it right, once \
                no other program has it open";
    let unread = "not looked at: to read what is beside the file is to write";
    vec![Finding::weaker("journal", found, cure), Finding::hidden("tables", unread)]
}
