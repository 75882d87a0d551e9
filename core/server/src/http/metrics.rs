//! `/metrics`: the text format of Prometheus.

use std::fmt::{Display, Write};
use std::time::UNIX_EPOCH;

use hyper::StatusCode;
use snowmint::{Code, CodeGroup, Error, Stats, TagNext};

use super::answer::{Answer, answer};
use crate::service::{RequestContext, Service};
use crate::setup::Setup;
use crate::sources::{Health, NamedSource};
use crate::turns::TurnHolder;

const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

pub(crate) fn metrics(context: &RequestContext) -> Answer {
    let mut text = Exposition::default();
    of_service(&mut text, &context.service);
    of_tls(&mut text, context);
    of_leases(&mut text, &context.service);
    of_sources(&mut text, context.setup());
    answer(StatusCode::OK, EXPOSITION, text.0)
}

fn of_service(text: &mut Exposition, service: &Service) {
    let totals = service.totals();
    text.metric("snowmint_info", "gauge", "The version that runs.");
    text.sample("snowmint_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    text.metric("snowmint_start_time_seconds", "gauge", "When it began, in Unix seconds.");
    let begun = service.begun.duration_since(UNIX_EPOCH).unwrap_or_default();
    text.sample("snowmint_start_time_seconds", &[], begun.as_secs_f64());
    text.metric("snowmint_connections", "gauge", "Connections at the moment.");
    text.sample("snowmint_connections", &[], service.connections());
    let opened = totals.sum(|counters| &counters.connections);
    text.metric("snowmint_connections_total", "counter", "Connections that were accepted.");
    text.sample("snowmint_connections_total", &[], opened);
    let refused = totals.sum(|counters| &counters.refused);
    text.metric(
        "snowmint_connections_refused_total",
        "counter",
        "Connections there was no place for.",
    );
    text.sample("snowmint_connections_refused_total", &[], refused);
    text.metric("snowmint_http_answers_total", "counter", "Answers of HTTP by their status.");
    for (class, count) in totals.answers() {
        let status = format!("{class}xx");
        text.sample("snowmint_http_answers_total", &[("status", &status)], count);
    }
    let commands = totals.sum(|counters| &counters.resp_commands);
    text.metric("snowmint_resp_commands_total", "counter", "Commands of the Redis protocol.");
    text.sample("snowmint_resp_commands_total", &[], commands);
    text.metric("snowmint_errors_total", "counter", "Refusals by their code.");
    for (code, count) in totals.errors() {
        text.sample("snowmint_errors_total", &[("code", code.name())], count);
    }
    let denied = totals.sum(|counters| &counters.denied);
    if denied > 0 {
        text.sample("snowmint_errors_total", &[("code", "client_denied")], denied);
    }
}

/// Writes the metrics of TLS, if it is on.
fn of_tls(text: &mut Exposition, context: &RequestContext) {
    let Some(certificates) = &context.setup().certificates else { return };
    text.metric(
        "snowmint_tls_certificate_expires_timestamp_seconds",
        "gauge",
        "When the certificate ends, in Unix seconds.",
    );
    let ends = certificates.ends().as_secs();
    text.sample("snowmint_tls_certificate_expires_timestamp_seconds", &[], ends);
    let failed = context.service.totals().sum(|counters| &counters.handshakes_failed);
    text.metric(
        "snowmint_tls_handshakes_failed_total",
        "counter",
        "Connections that TLS refused, or that took too long for it.",
    );
    text.sample("snowmint_tls_handshakes_failed_total", &[], failed);
}

fn of_leases(text: &mut Exposition, service: &Service) {
    let Some(failure) = service.leases.failure() else { return };
    let name = "snowmint_leases_store_up";
    text.metric(name, "gauge", "Whether the store of leases answered last: 1 or 0.");
    text.sample(name, &[], u8::from(failure.is_none_or(|failure| failure.over)));
}

fn of_sources(text: &mut Exposition, setup: &Setup) {
    let sources = &setup.sources;
    let looked: Vec<_> =
        sources.healths().map(|(named, health)| Looked { named, health }).collect();
    text.of_each(&looked, "snowmint_ids_total", "counter", "IDs that were given.", |looked| {
        Some(looked.named.issued.count() as f64)
    });
    for (name, help, value) in OF_SOURCES {
        text.of_each(&looked, name, "gauge", help, value);
    }
    let help = "The tag's next number after the last range that this server reserved.";
    text.metric("snowmint_tag_next", "gauge", help);
    for Looked { named, health } in &looked {
        if let Some(TagNext { tag, next, .. }) =
            health.stats.as_ref().and_then(|stats| stats.tag_next.as_ref())
        {
            let labels = [("source", named.name.as_str()), ("tag", tag.as_str())];
            text.sample("snowmint_tag_next", &labels, next);
        }
    }
    text.metric("snowmint_source_failure", "gauge", "What is wrong with its store, by its code.");
    for Looked { named, health } in &looked {
        if let Some(code) = health.told() {
            let labels = [("source", named.name.as_str()), ("code", code.name())];
            text.sample("snowmint_source_failure", &labels, 1);
        }
    }
}

/// A source, with its health at the time of the request.
struct Looked<'a> {
    named: &'a NamedSource,
    health: Health,
}

/// A metric of a source: its name, its help, and its value if it has one.
type OfSource = (&'static str, &'static str, fn(&Looked<'_>) -> Option<f64>);

const OF_SOURCES: &[OfSource] = &[
    ("snowmint_source_ready", "Whether the source is ready: 1 or 0.", |looked| {
        Some(f64::from(looked.health.is_ready))
    }),
    ("snowmint_source_runway_seconds", "How long it lasts without its store.", |looked| {
        let runway_ms = looked.health.runway_ms?;
        Some(if runway_ms == u64::MAX { f64::INFINITY } else { seconds(runway_ms as f64) })
    }),
    ("snowmint_source_at_hand", "Numbers at hand, of what has ranges.", |looked| {
        let stats = looked.health.stats.as_ref().filter(|stats| stats.reserved_ms.is_none())?;
        Some(stats.at_hand() as f64)
    }),
    ("snowmint_source_lease_age_seconds", "How long it has had its worker ID.", |looked| {
        Some(seconds(looked.stats()?.lease_age_ms? as f64))
    }),
    (
        "snowmint_source_reserve_seconds",
        "How much time a renewal of its lease reserves.",
        |looked| Some(seconds(looked.stats()?.reserve_ms?.into())),
    ),
    ("snowmint_source_clock_offset_seconds", "What is added to this clock.", |looked| {
        Some(seconds(looked.stats()?.clock_offset_ms? as f64))
    }),
    ("snowmint_source_fenced", "Whether it waits for an operator: 1 or 0.", |looked| {
        Some(f64::from(looked.health.told().is_some_and(is_lasting)))
    }),
    (
        "snowmint_source_layout_ends_timestamp_seconds",
        "When its layout ends, in Unix seconds.",
        |looked| Some(seconds(looked.named.source().ok()?.layout()?.expires_ms() as f64)),
    ),
    ("snowmint_ordered_turn", "Whether it is this server's turn: 1 or 0.", |looked| {
        let place = looked.named.turn()?.holder();
        Some(f64::from(matches!(*place, TurnHolder::ThisServer { .. })))
    }),
    ("snowmint_source_store_up", "Whether the store answered last: 1 or 0.", |looked| {
        let Looked { named, health } = looked;
        // If another server has the turn, that server calls the store.
        let is_elsewhere = named.turn().is_some() && health.stats.is_none();
        let fails = health.failure.is_some_and(|code| code.group() == CodeGroup::Store);
        let is_up = health.stats.is_some() && !fails && !health.is_store_down;
        (!is_elsewhere).then(|| f64::from(is_up))
    }),
];

/// Returns true if an operator has to act, because a retry does not mend it.
fn is_lasting(failure: Code) -> bool {
    !Error::new(failure, "").is_transient()
}

fn seconds(ms: f64) -> f64 {
    ms / 1e3
}

impl Looked<'_> {
    fn stats(&self) -> Option<&Stats> {
        self.health.stats.as_ref()
    }
}

/// Text in the format of Prometheus.
#[derive(Debug, Default)]
struct Exposition(String);

impl Exposition {
    fn metric(&mut self, name: &str, kind: &str, help: &str) {
        self.0 += &format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    /// Writes a metric with a sample for each source that has a value.
    fn of_each(
        &mut self,
        all: &[Looked<'_>],
        name: &str,
        kind: &str,
        help: &str,
        value: impl Fn(&Looked<'_>) -> Option<f64>,
    ) {
        self.metric(name, kind, help);
        for looked in all {
            if let Some(value) = value(looked) {
                self.sample(name, &[("source", &looked.named.name)], value);
            }
        }
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0 += name;
        for (place, (label, of)) in labels.iter().enumerate() {
            self.0.push(if place == 0 { '{' } else { ',' });
            let of = of.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
            self.0 += &format!("{label}=\"{of}\"");
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
        let value = value.to_string();
        // Writing to a string does not fail.
        let _ = writeln!(self.0, " {}", if value == "inf" { "+Inf" } else { &value });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_as_prometheus_reads_them() {
        let mut text = Exposition::default();
        text.sample("a", &[], 1);
        text.sample("b", &[("x", "q\"\\\n"), ("y", "z")], f64::INFINITY);
        assert_eq!(text.0, "a 1\nb{x=\"q\\\"\\\\\\n\",y=\"z\"} +Inf\n");
    }
}
