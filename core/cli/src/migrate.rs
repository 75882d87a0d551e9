//! `snowmint migrate`: creates the tables of a store, or its key space.

use std::io::Write;

use serde_json::json;
use snowmint::{KeptIn, Migration, escaped, migrate, migration};

use crate::args::MigrateArgs;
use crate::exit::Done;
use crate::print::{json_line, output};
use crate::segment::url;

/// Creates them, or prints the statements that would.
pub(crate) fn run(args: &MigrateArgs) -> Done {
    let url = url(&args.store)?;
    let done = if args.dry_run { migration(&url)? } else { migrate(&url)? };
    let Migration { place, statements, .. } = &done;
    let place = escaped(place);
    let (there, made, end) = match done.kept_in {
        KeptIn::KeySpace => ("its key space is there", "its key space is begun", ""),
        _ => ("the tables are there, as they should be", "the tables are made", ";"),
    };
    let mut output = output();
    if args.json {
        let object =
            json!({ "place": done.place, "state": state(args, &done), "statements": statements });
        writeln!(output, "{}", json_line(&object))?;
    } else if statements.is_empty() {
        let mark = if args.dry_run { "-- " } else { "" };
        writeln!(output, "{mark}{place}: {there}")?;
    } else if args.dry_run {
        writeln!(output, "-- {place}")?;
        for statement in statements {
            writeln!(output, "\n{statement}{end}")?;
        }
    } else {
        writeln!(output, "{place}: {made}")?;
    }
    Ok(output.flush()?)
}

fn state(args: &MigrateArgs, done: &Migration) -> &'static str {
    match (done.statements.is_empty(), args.dry_run) {
        (true, _) => "there",
        (false, true) => "missing",
        (false, false) => "made",
    }
}
