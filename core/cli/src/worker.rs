//! `snowmint worker`: the worker IDs that a store leases.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use snowmint::{
    Clock, Code, Result, SqliteStore, Store, System, Timestamp, WorkerRow, default_database,
    escaped,
};
use snowmint_server::rows;

use crate::args::{ReleaseArgs, WorkerCommand, WorkersArgs};
use crate::errors;
use crate::exit::{Done, Failure};
use crate::print::{FAINT, PLAIN, Table, cell, eprintln, json_line, output, styled};
use crate::segment::open_to_read;

/// Lists worker IDs, or ends a lease.
pub(crate) fn run(command: &WorkerCommand) -> Done {
    match command {
        WorkerCommand::List(args) => list(args),
        WorkerCommand::Release(args) => release(args),
    }
}

fn list(args: &WorkersArgs) -> Done {
    let store = match &args.store {
        Some(store) => open_to_read(store)?,
        None => leased_from()?,
    };
    let rows = store.workers()?;
    let mut output = output();
    if args.json {
        for row in &rows {
            writeln!(output, "{}", json_line(&rows::worker(row)))?;
        }
    } else {
        table(&rows, System.now_ms()).write(&mut output)?;
    }
    Ok(output.flush()?)
}

/// Opens the store that `snowmint id` leases from.
fn leased_from() -> Result<Arc<dyn Store>> {
    let path = default_database()?;
    match SqliteStore::open(&path) {
        Err(error) if error.code() == Code::StoreMissing && !Path::new(&path).exists() => {
            Err(errors::default_file_missing(&path))
        }
        opened => Ok(Arc::new(opened?)),
    }
}

/// Returns the state of a worker ID. A free one rests until its reserved time is over, but can be
/// taken `max_ahead_ms` before that.
fn state(row: &WorkerRow, now_ms: i64) -> &'static str {
    match row.held {
        true => "held",
        false if row.reserved_ms > now_ms => "resting",
        false => "free",
    }
}

fn table(rows: &[WorkerRow], now_ms: i64) -> Table {
    let mut table =
        Table::new(&[">WORKER", "STATE", "RESERVED UNTIL", ">EPOCH", "HOLDER", "REALM"]);
    for row in rows {
        let style = if row.held { PLAIN } else { FAINT };
        table.row(vec![
            styled(row.worker_id, style),
            styled(state(row, now_ms), style),
            styled(Timestamp(row.reserved_ms), style),
            styled(row.epoch, style),
            styled(&row.owner, style),
            cell(&row.realm),
        ]);
    }
    table
}

fn release(args: &ReleaseArgs) -> Done {
    let store = open_to_read(&args.store)?;
    let row = find(store.workers()?, args)?;
    let (id, owner) = (row.worker_id, escaped(&row.owner));
    let mut output = output();
    if !row.held {
        let rests = match state(&row, System.now_ms()) {
            "resting" => format!(", who reserved the time up to {}", Timestamp(row.reserved_ms)),
            _ => String::new(),
        };
        writeln!(output, "worker ID {id} is free already: its last holder was {owner}{rests}")?;
    } else if args.yes {
        store.evict(&row.realm, id)?;
        let realm = escaped(&row.realm);
        writeln!(output, "released worker ID {id}, which {owner} held, in {realm}")?;
    } else {
        explain(&row);
        return Err(Failure::Reported(2));
    }
    Ok(output.flush()?)
}

/// Returns the one row that the arguments name.
fn find(rows: Vec<WorkerRow>, args: &ReleaseArgs) -> Result<WorkerRow> {
    let is_meant = |row: &WorkerRow| {
        row.worker_id == args.worker_id && args.realm.as_ref().is_none_or(|it| *it == row.realm)
    };
    let mut meant: Vec<_> = rows.into_iter().filter(is_meant).collect();
    let id = args.worker_id;
    match (meant.pop(), meant.is_empty()) {
        (Some(row), true) => Ok(row),
        (Some(row), false) => {
            meant.push(row);
            let realms: Vec<_> = meant.iter().map(|row| row.realm.as_str()).collect();
            Err(errors::several_realms(id, &realms))
        }
        (None, _) => Err(errors::worker_id_unknown(id, args.realm.as_deref())),
    }
}

/// Explains the effect of a release.
fn explain(row: &WorkerRow) {
    let (id, owner) = (row.worker_id, escaped(&row.owner));
    let (expires, reserved) = (Timestamp(row.expires_ms), Timestamp(row.reserved_ms));
    eprintln!(
        "worker ID {id} is held by {owner} until {expires}, and longer if it renews.\n\
         Released, it rests: the time up to {reserved} stays reserved for\n\
         the present holder, so that no ID can repeat. Another process begins after it. It can\n\
         take the worker ID once that is at most its max_ahead_ms away, a second unless set.\n\
         If the holder still lives, its next renewal fails and it takes another worker ID.\n\
         Nothing was done: add --yes to release it."
    );
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use snowmint::{Call, LeaseRequest, MemoryStore, WorkerAdmin, WorkerStore};

    use super::*;

    #[test]
    fn a_worker_id_rests_while_its_time_is_reserved() {
        let (store, token) = (MemoryStore::new(), [7; 16]);
        let request = LeaseRequest::new("t41 w10 s12", "web-1");
        store.acquire(&request, &Call::new(Duration::from_secs(1), token)).unwrap();
        let row = || store.workers().unwrap().remove(0);
        assert_eq!(state(&row(), 0), "held");
        store.evict(&request.realm, 0).unwrap();
        let row = row();
        assert_eq!(state(&row, row.reserved_ms - 1), "resting");
        assert_eq!(state(&row, row.reserved_ms), "free");
    }
}
