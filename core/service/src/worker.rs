//! `snowmint worker`: the worker IDs that a store leases.

use std::io::Write;
use std::sync::Arc;

use anstream::eprintln;
use serde_json::json;
use snowmint::{Code, Error, Result, SqliteStore, Timestamp, WorkerRow, default_database, escaped};

use crate::args::{ReleaseArgs, WorkerCommand, WorkersArgs};
use crate::exit::{Done, Failure};
use crate::print::{FAINT, PLAIN, Table, cell, json_line, output, styled};
use crate::segment::open;

/// Lists worker IDs, or ends a lease.
pub(crate) fn run(command: &WorkerCommand) -> Done {
    match command {
        WorkerCommand::List(args) => list(args),
        WorkerCommand::Release(args) => release(args),
    }
}

fn list(args: &WorkersArgs) -> Done {
    let store = match &args.store {
        Some(store) => open(store)?,
        None => Arc::new(SqliteStore::open(default_database()?)?),
    };
    let rows = store.workers()?;
    let mut output = output();
    if args.json {
        for row in &rows {
            writeln!(output, "{}", json_line(&object(row)))?;
        }
    } else {
        table(&rows).write(&mut output)?;
    }
    Ok(output.flush()?)
}

fn table(rows: &[WorkerRow]) -> Table {
    let mut table =
        Table::new(&[">WORKER", "STATE", "RESERVED UNTIL", ">TAKEN", "HOLDER", "REALM"]);
    for row in rows {
        let style = if row.held { PLAIN } else { FAINT };
        table.row(vec![
            styled(row.worker_id, style),
            styled(if row.held { "held" } else { "free" }, style),
            styled(Timestamp(row.reserved_ms), style),
            styled(row.epoch, style),
            styled(&row.owner, style),
            cell(&row.realm),
        ]);
    }
    table
}

/// A row as JSON.
pub(crate) fn object(row: &WorkerRow) -> serde_json::Value {
    json!({
        "realm": row.realm,
        "worker": row.worker_id,
        "held": row.held,
        "owner": row.owner,
        "epoch": row.epoch.to_string(),
        "reserved": Timestamp(row.reserved_ms).to_string(),
        "reserved_ms": row.reserved_ms,
        "expires": Timestamp(row.expires_ms).to_string(),
        "expires_ms": row.expires_ms,
    })
}

fn release(args: &ReleaseArgs) -> Done {
    let store = open(&args.store)?;
    let row = find(store.workers()?, args)?;
    let (id, owner) = (row.worker_id, escaped(&row.owner));
    let mut output = output();
    if !row.held {
        writeln!(output, "worker ID {id} is free already: its last holder was {owner}")?;
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

/// The one row that is meant.
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
            let realms = realms.join(" or ");
            let message = format!("several realms have worker ID {id}: add --realm with {realms}");
            Err(Error::new(Code::InvalidParameter, message))
        }
        (None, _) => {
            let of_realm = args.realm.as_ref().map_or(String::new(), |it| format!(" in {it}"));
            let message = format!(
                "nobody ever took worker ID {id}{of_realm}: `snowmint worker list` shows those \
                 that are known"
            );
            Err(Error::new(Code::InvalidParameter, message))
        }
    }
}

/// Says what a release would mean.
fn explain(row: &WorkerRow) {
    let (id, owner) = (row.worker_id, escaped(&row.owner));
    let (expires, reserved) = (Timestamp(row.expires_ms), Timestamp(row.reserved_ms));
    eprintln!(
        "worker ID {id} is held by {owner} until {expires}, and longer if it renews.\n\
         Releasing it lets another process take it at once. No ID can repeat: the time up to\n\
         {reserved} stays reserved for the present holder, and the next one\n\
         begins after it. If the holder still lives, its next renewal fails and it takes another\n\
         worker ID. Nothing was done: add --yes to release it."
    );
}
