//! What the service says of itself, on standard error: lines for a person or for a collector.

use std::env;
use std::io::{self, IsTerminal};

use serde::{Deserialize, Serialize};
use snowmint::{Code, Event, Severity, on_event_aside};

/// How a line is written.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub(crate) enum Format {
    /// Time, level, words, fields.
    #[default]
    Text,
    /// An object a line.
    Json,
}

impl TryFrom<String> for Format {
    type Error = String;

    fn try_from(text: String) -> Result<Format, String> {
        match text.as_str() {
            "text" => Ok(Format::Text),
            "json" => Ok(Format::Json),
            _ => Err(format!("log.format={text:?} is not possible: use text or json")),
        }
    }
}

/// Begins to write, and to tell what happens to sources and stores.
pub(crate) fn begin(format: Format) {
    let lines = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    // It would be told on standard error, which panics once nobody reads that any more.
    let lines = lines.log_internal_errors(false);
    // A second one can only be there if it was set up before: that one goes on.
    let _ = match format {
        Format::Text => lines.with_ansi(has_colour()).try_init(),
        Format::Json => lines.json().flatten_event(true).try_init(),
    };
    on_event_aside(tell).for_good();
}

/// Colours are for terminals whose users did not say no.
fn has_colour() -> bool {
    io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// Says what happened. The message is escaped.
fn tell(event: &Event) {
    let Event { kind, source: of, tag, worker_id, code, message, .. } = event;
    let (event, tag, code) = (kind.name(), tag.as_deref(), code.map(Code::name));
    // The level is part of what a line is made of, and no variable.
    match kind.severity() {
        Severity::Info => tracing::info!(event, kind = of, tag, worker_id, code, "{message}"),
        _ => tracing::warn!(event, kind = of, tag, worker_id, code, "{message}"),
    }
}
