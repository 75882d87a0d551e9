//! `snowmint migrate`: creates the tables of a store, or its key space.

use std::io::Write;

use serde_json::json;
use snowmint::{migrate, migration};

use crate::args::MigrateArgs;
use crate::exit::Done;
use crate::print::{json_line, output};
use crate::segment::url;

/// Creates them, or prints the statements that would.
pub(crate) fn run(args: &MigrateArgs) -> Done {
    let url = url(&args.store)?;
    let done = if args.dry_run { migration(&url)? } else { migrate(&url)? };
    let mut output = output();
    if args.json {
        let state = done.state(args.dry_run);
        let key_space = done.key_space.map(|id| id.to_string());
        let object = json!({
            "place": done.place,
            "state": state,
            "key_space": key_space,
            "statements": done.statements,
        });
        writeln!(output, "{}", json_line(&object))?;
    } else {
        writeln!(output, "{}", done.report(args.dry_run))?;
    }
    Ok(output.flush()?)
}
