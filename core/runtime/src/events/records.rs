//! Events as records of the logging facades `log` and `tracing`.

use super::{Event, Severity};

/// The target by which records can be filtered.
const TARGET: &str = "snowmint";

pub(super) fn write(event: &Event) {
    #[cfg(feature = "log")]
    log(event);
    #[cfg(feature = "tracing")]
    trace(event);
}

#[cfg(feature = "log")]
fn log(event: &Event) {
    let level = match event.kind.severity() {
        Severity::Warning => log::Level::Warn,
        Severity::Info => log::Level::Info,
    };
    log::log!(
        target: TARGET,
        level,
        event = event.kind.name(),
        source = event.source,
        tag = event.tag.as_deref(),
        worker_id = event.worker_id,
        code = event.code.map(snowmint_engine::Code::name),
        unix_ms = event.unix_ms;
        "{}", event.message
    );
}

#[cfg(feature = "tracing")]
fn trace(event: &Event) {
    macro_rules! record {
        ($level:ident) => {
            tracing::event!(
                target: TARGET,
                tracing::Level::$level,
                event = event.kind.name(),
                source = event.source,
                tag = event.tag.as_deref(),
                worker_id = event.worker_id,
                code = event.code.map(snowmint_engine::Code::name),
                unix_ms = event.unix_ms,
                "{}", event.message
            )
        };
    }
    match event.kind.severity() {
        Severity::Warning => record!(WARN),
        Severity::Info => record!(INFO),
    }
}
