//! `snowmint top`: the state of a running service, on a screen or as tables.

mod asking;
mod draw;
mod endpoint;
mod sheet;
mod signals;
mod state;
mod tables;
mod view;
mod watching;

use std::io::{IsTerminal, Write, stdout};

use anstyle::Style;
use snowmint::Error;

use crate::args::TopArgs;
use crate::errors;
use crate::exit::{Done, Failure};
use crate::print::{self, ERROR, FAINT, GOOD, PLAIN, STRONG, Table, output};
use endpoint::Endpoint;
use sheet::{Choice, Sheet, Tone};
use state::State;
use tables::{Headline, sheets};

/// Watches a service, or prints its state once.
pub(crate) fn run(args: &TopArgs) -> Done {
    let endpoint = Endpoint::parse(&args.url).map_err(hinted)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(errors::event_loop_not_started)?;
    let state = runtime.block_on(asking::state(&endpoint)).map_err(hinted)?;
    if args.once || !stdout().is_terminal() {
        return print_once(&endpoint, &state);
    }
    watching::watch(runtime, endpoint, state, args.interval)
}

fn hinted(error: Error) -> Failure {
    Failure::Hinted(error, "`snowmint top --help` says what URL is, with examples")
}

fn print_once(endpoint: &Endpoint, state: &State) -> Done {
    let mut output = output();
    let headline = Headline::new(endpoint, state, None);
    let facts: Vec<&str> = headline.facts.iter().map(|(text, _)| text.as_str()).collect();
    writeln!(output, "{STRONG}{}{STRONG:#}  {}", headline.endpoint, facts.join("  "))?;
    for sheet in sheets(state, None).iter().filter(|sheet| !sheet.rows.is_empty()) {
        writeln!(output, "\n{STRONG}{}{STRONG:#}", sheet.name)?;
        table(sheet).write(&mut output)?;
    }
    Ok(output.flush()?)
}

fn table(sheet: &Sheet) -> Table {
    let mut table = Table::new(sheet.titles);
    for index in sheet.chosen(&Choice::default()) {
        let row = sheet.rows.get(index).into_iter().flatten();
        table.row(row.map(|cell| print::styled(&cell.text, style(cell.tone))).collect());
    }
    table
}

fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => PLAIN,
        Tone::Faint => FAINT,
        Tone::Good => GOOD,
        Tone::Wrong => ERROR,
    }
}
