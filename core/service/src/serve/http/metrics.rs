//! `/metrics`: the text that Prometheus reads.

use std::fmt::{Display, Write};
use std::time::UNIX_EPOCH;

use hyper::StatusCode;

use super::answer::{Answer, answer};
use crate::serve::order::Place;
use crate::serve::service::{Desk, Service};

const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

/// All figures of the service.
pub(crate) fn metrics(desk: &Desk) -> Answer {
    let mut text = Exposition::default();
    of_service(&mut text, &desk.service);
    of_tls(&mut text, &desk.service);
    of_sources(&mut text, &desk.service);
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
}

/// Of a service that is secured.
fn of_tls(text: &mut Exposition, service: &Service) {
    let setup = service.setup();
    let Some(certificates) = &setup.certificates else { return };
    text.metric(
        "snowmint_tls_certificate_expires_timestamp_seconds",
        "gauge",
        "When the certificate ends, in Unix seconds.",
    );
    let ends = certificates.ends().as_secs();
    text.sample("snowmint_tls_certificate_expires_timestamp_seconds", &[], ends);
    let failed = service.totals().sum(|counters| &counters.handshakes_failed);
    text.metric(
        "snowmint_tls_handshakes_failed_total",
        "counter",
        "Connections that TLS refused, or that took too long for it.",
    );
    text.sample("snowmint_tls_handshakes_failed_total", &[], failed);
}

fn of_sources(text: &mut Exposition, service: &Service) {
    let setup = service.setup();
    let sources = &setup.sources;
    let healths: Vec<_> =
        sources.all().iter().map(|named| (named, sources.health(named))).collect();
    text.metric("snowmint_ids_total", "counter", "IDs that were given.");
    for (named, _) in &healths {
        text.sample("snowmint_ids_total", &[("source", &named.name)], named.issued.count());
    }
    text.metric("snowmint_source_ready", "gauge", "Whether the source is ready: 1 or 0.");
    for (named, health) in &healths {
        text.sample("snowmint_source_ready", &[("source", &named.name)], u8::from(health.is_ready));
    }
    text.metric("snowmint_source_runway_seconds", "gauge", "How long it lasts without its store.");
    for (named, health) in &healths {
        if let Some(runway_ms) = health.runway_ms {
            let runway_s =
                if runway_ms == u64::MAX { f64::INFINITY } else { runway_ms as f64 / 1e3 };
            text.sample("snowmint_source_runway_seconds", &[("source", &named.name)], runway_s);
        }
    }
    text.metric("snowmint_source_at_hand", "gauge", "Numbers at hand, of what has ranges.");
    for (named, health) in &healths {
        if let Some(stats) = health.stats.as_ref().filter(|stats| stats.reserved_ms.is_none()) {
            text.sample("snowmint_source_at_hand", &[("source", &named.name)], stats.at_hand());
        }
    }
    text.metric("snowmint_ordered_turn", "gauge", "Whether it is this server's turn: 1 or 0.");
    for (named, _) in &healths {
        if let Some(turn) = named.turn() {
            let is_here = matches!(*turn.place(), Place::Here { .. });
            text.sample("snowmint_ordered_turn", &[("source", &named.name)], u8::from(is_here));
        }
    }
    text.metric("snowmint_source_store_up", "gauge", "Whether the store answered last: 1 or 0.");
    for (named, health) in &healths {
        // Of a turn that is elsewhere the store is asked there.
        if named.turn().is_some() && health.stats.is_none() {
            continue;
        }
        let stats = health.stats.as_ref();
        let failure = stats.and_then(|stats| stats.last_failure.as_ref());
        let is_up = stats.is_some() && failure.is_none_or(|failure| failure.is_over);
        text.sample("snowmint_source_store_up", &[("source", &named.name)], u8::from(is_up));
    }
}

/// Text in that format.
#[derive(Debug, Default)]
struct Exposition(String);

impl Exposition {
    fn metric(&mut self, name: &str, kind: &str, help: &str) {
        self.0 += &format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
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
