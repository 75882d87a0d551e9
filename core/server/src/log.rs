//! The service's log on standard error: lines for people or for a log collector.

use std::env;
use std::io::{self, IsTerminal};

use serde::{Deserialize, Serialize};
use snowmint::{Code, Event, Severity, on_event_aside};

/// The format of a log line.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub(crate) enum Format {
    /// Time, level, message, fields.
    Text,
    /// One JSON object a line.
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

/// Starts the log, and logs events of sources and stores.
pub(crate) fn begin(format: Format) {
    let lines = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    // Such an error would go to standard error, and that panics once its reader is gone.
    let lines = lines.log_internal_errors(false);
    // This fails only if a subscriber was already set; that one stays.
    let _ = match format {
        Format::Text => lines.with_ansi(has_colour()).try_init(),
        Format::Json => lines.json().flatten_event(true).try_init(),
    };
    on_event_aside(tell).for_good();
}

/// Returns true if standard error is a terminal and `NO_COLOR` is not set.
fn has_colour() -> bool {
    io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// Logs an event. The subscriber escapes the message.
fn tell(event: &Event) {
    let Event { kind, source: of, tag, worker_id, code, message, .. } = event;
    let (event, tag, code) = (kind.name(), tag.as_deref(), code.map(Code::name));
    // The macros fix the level at compile time.
    match kind.severity() {
        Severity::Info => tracing::info!(event, kind = of, tag, worker_id, code, "{message}"),
        _ => tracing::warn!(event, kind = of, tag, worker_id, code, "{message}"),
    }
}
