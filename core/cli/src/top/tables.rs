//! The state of a server, as a headline and as tables.

use std::collections::HashMap;

use snowmint::{Timestamp, escaped};

use super::endpoint::Endpoint;
use super::sheet::{Cell, Sheet, Tone, figure, nothing, word};
use super::state::{Bucket, Failure, Noted, Server, Source, State, Store, Token};
use crate::print::{grouped, plural};

#[derive(Debug)]
pub(super) struct Headline {
    pub(super) endpoint: String,
    pub(super) facts: Vec<(String, Tone)>,
}

impl Headline {
    /// Builds the headline from a state and the one before, if any.
    pub(super) fn new(endpoint: &Endpoint, state: &State, before: Option<&State>) -> Headline {
        let is_serving = state.phase == "serving";
        let ready = match (is_serving, state.ready) {
            (true, true) => ("ready".to_owned(), Tone::Good),
            (true, false) => ("not ready".to_owned(), Tone::Wrong),
            (false, _) => (escaped(&state.phase).into_owned(), Tone::Wrong),
        };
        let mut facts = vec![
            (format!("snowmint {}", escaped(&state.version)), Tone::Plain),
            (format!("up {}", length(state.uptime_ms as f64 / 1e3)), Tone::Plain),
            ready,
            (plural(state.connections, "connection"), Tone::Plain),
        ];
        let rates = Rates::between(before, state);
        if let Some(per_s) = rates.sum() {
            facts.push((format!("{} IDs/s", rate(per_s)), Tone::Plain));
        }
        Headline { endpoint: endpoint.text.clone(), facts }
    }
}

pub(super) fn sheets(state: &State, before: Option<&State>) -> Vec<Sheet> {
    let rates = Rates::between(before, state);
    let workers = state.sources.iter().filter_map(|source| worker(source, state.at_ms));
    vec![
        Sheet {
            name: "sources",
            titles: &[
                "NAME", "KIND", "STATE", ">IDS/S", ">RUNWAY", ">FILL", ">LEFT", ">STEP", ">GIVEN",
                "TURN", "WHY", "STORE",
            ],
            rows: state.sources.iter().map(|it| source(it, &rates)).collect(),
        },
        Sheet {
            name: "workers",
            titles: &[
                "SOURCE",
                ">WORKER",
                ">HELD FOR",
                ">RESERVED",
                ">RESERVED AT ONCE",
                ">CLOCK",
                ">BORROWED",
                ">WENT BACK",
                ">LAYOUT ENDS",
                "LAYOUT",
            ],
            rows: workers.collect(),
        },
        Sheet {
            name: "stores",
            titles: &["STORE", "STATE", ">SOURCES", "FOR", ">FAILED", "CODE", "WHAT IT SAID"],
            rows: state.stores.iter().map(store).collect(),
        },
        Sheet {
            name: "tokens",
            titles: &[
                "NAME",
                ">USES",
                ">LAST",
                "SOURCES",
                "LEASES",
                "READS",
                "PUBLIC IDS OF",
                ">RATE",
                ">MOST AT ONCE",
                "CLIENTS",
            ],
            rows: state.tokens.iter().map(token).collect(),
        },
        Sheet {
            name: "errors",
            titles: &[">LAST", ">COUNT", "CODE", "SOURCE", "WHAT IT WAS"],
            rows: state.errors.iter().map(noted).collect(),
        },
        Sheet {
            name: "servers",
            titles: &["ADDRESS", "STATE", "TURNS"],
            rows: state.servers.iter().map(server).collect(),
        },
    ]
}

/// IDs a second, by the names of sources.
struct Rates<'a>(HashMap<&'a str, f64>);

impl<'a> Rates<'a> {
    /// Computes the rates between two states of the same process.
    fn between(before: Option<&State>, state: &'a State) -> Rates<'a> {
        let before = before.filter(|before| before.instance == state.instance);
        let Some(before) = before.filter(|before| before.at_ms < state.at_ms) else {
            return Rates(HashMap::new());
        };
        let lasted_s = state.at_ms.saturating_sub(before.at_ms) as f64 / 1e3;
        let earlier = before.sources.iter().map(|it| (it.name.as_str(), it.now.issued));
        let earlier: HashMap<_, _> = earlier.collect();
        let rates = state.sources.iter().filter_map(|source| {
            let more = source.now.issued.checked_sub(*earlier.get(source.name.as_str())?)?;
            Some((source.name.as_str(), more as f64 / lasted_s))
        });
        Rates(rates.collect())
    }

    fn of(&self, source: &Source) -> Option<f64> {
        self.0.get(source.name.as_str()).copied().or(source.now.rate_per_s)
    }

    fn sum(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.values().sum())
    }
}

fn source(source: &Source, rates: &Rates<'_>) -> Vec<Cell> {
    let now = &source.now;
    let state = match (now.ready, now.required) {
        (true, _) => word("ready").toned(Tone::Good),
        (false, true) => word("not ready").toned(Tone::Wrong),
        // The server is ready without this source.
        (false, false) => word("away").toned(Tone::Wrong),
    };
    let failure = now.failure.as_ref().filter(|failure| !failure.over);
    let why = now.why.as_deref().or(failure.map(|failure| failure.message.as_str()));
    let left = now.buckets.iter().fold(0u64, |sum, bucket| sum.saturating_add(bucket.left));
    vec![
        word(&source.name),
        word(&source.of.kind),
        state,
        or_nothing(rates.of(source), |per_s| figure(per_s, rate(per_s))),
        or_nothing(now.runway_s, seconds),
        fill(&now.buckets),
        if now.buckets.is_empty() { nothing() } else { count(left) },
        or_nothing(now.step, count),
        count(now.issued),
        word_or_nothing(now.owner.as_deref()),
        word(why.unwrap_or_default()),
        word_or_nothing(source.of.store.as_deref()),
    ]
}

/// Returns how full each range is, the one in use first.
fn fill(buckets: &[Bucket]) -> Cell {
    let of_each = |bucket: &Bucket| bucket.left as f64 / bucket.size.max(1) as f64 * 100.0;
    let Some(first) = buckets.first() else { return nothing() };
    let texts: Vec<_> = buckets.iter().map(|bucket| format!("{:.0}%", of_each(bucket))).collect();
    figure(of_each(first), texts.join(" "))
}

fn worker(source: &Source, at_ms: i64) -> Option<Vec<Cell>> {
    let worker = source.now.worker.as_ref()?;
    let ms = |ms: u64| seconds(ms as f64 / 1e3);
    let until = |end_ms: i64| seconds(end_ms.saturating_sub(at_ms) as f64 / 1e3);
    let offset = |ms: i64| figure(ms as f64, format!("{:+.3} s", ms as f64 / 1e3));
    Some(vec![
        word(&source.name),
        figure(worker.worker_id.into(), worker.worker_id.to_string()),
        or_nothing(worker.lease_age_ms, ms),
        or_nothing(worker.reserved_until_ms, until),
        or_nothing(worker.reserve_ms, |reserve_ms| ms(reserve_ms.into())),
        or_nothing(worker.clock_offset_ms, offset),
        or_nothing(worker.borrowed_ms, ms),
        count(worker.rollbacks),
        or_nothing(source.of.layout_ends_ms, moment),
        word_or_nothing(source.of.layout.as_deref()),
    ])
}

fn store(store: &Store) -> Vec<Cell> {
    let state = match store.up {
        Some(true) => word("up").toned(Tone::Good),
        Some(false) => word("down").toned(Tone::Wrong),
        None => nothing(),
    };
    let failure = store.failure.as_ref();
    let tone = |failure: &Failure| if failure.over { Tone::Faint } else { Tone::Wrong };
    vec![
        word(&store.url),
        state,
        count(store.sources.into()),
        word(&store.roles.join(" ")),
        or_nothing(failure, |failure| moment(failure.at_ms)),
        or_nothing(failure, |failure| word(&failure.code).toned(tone(failure))),
        or_nothing(failure, |failure| word(&failure.message).toned(tone(failure))),
    ]
}

fn token(token: &Token) -> Vec<Cell> {
    let yes = |may: bool| if may { word("yes") } else { nothing() };
    vec![
        word(&token.name),
        count(token.now.uses),
        or_nothing(token.now.last_ms, moment),
        word(&token.of.sources.join(" ")),
        yes(token.of.leases),
        yes(token.of.reads),
        word(&token.of.public_ids.join(" ")),
        or_nothing(token.of.rate, |rate| count(rate.into())),
        or_nothing(token.of.max_count, |most| count(most.into())),
        word(&token.now.clients.join(" ")),
    ]
}

fn noted(noted: &Noted) -> Vec<Cell> {
    vec![
        moment(noted.at_ms),
        count(noted.count),
        word_or_nothing(noted.code.as_deref().or(noted.event.as_deref())),
        word_or_nothing(noted.source.as_deref()),
        word(&noted.detail),
    ]
}

fn server(server: &Server) -> Vec<Cell> {
    let state = match (server.is_self, &server.why) {
        (true, _) => word("this one"),
        (false, None) => word("there").toned(Tone::Good),
        (false, Some(why)) => word(why).toned(Tone::Wrong),
    };
    vec![word(&server.address), state, word(&server.sources.join(" "))]
}

fn or_nothing<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
    value.map_or_else(nothing, cell)
}

fn word_or_nothing(text: Option<&str>) -> Cell {
    or_nothing(text, word)
}

fn count(count: u64) -> Cell {
    figure(count as f64, grouped(count))
}

fn moment(unix_ms: i64) -> Cell {
    figure(unix_ms as f64, Timestamp(unix_ms).to_string())
}

fn seconds(seconds: f64) -> Cell {
    figure(seconds, length(seconds))
}

fn rate(per_s: f64) -> String {
    // The conversion saturates.
    if per_s < 10.0 { format!("{per_s:.1}") } else { grouped(per_s.round() as u64) }
}

/// Formats a duration by its two largest units, for example `3 h 12 m`.
fn length(seconds: f64) -> String {
    let whole = seconds.abs() as u64;
    let sign = if seconds < 0.0 { "-" } else { "" };
    let (days, hours, minutes) = (whole / 86_400, whole / 3_600 % 24, whole / 60 % 60);
    match (days, hours, minutes) {
        (1.., ..) => format!("{sign}{} d {hours} h", grouped(days)),
        (0, 1.., _) => format!("{sign}{hours} h {minutes} m"),
        (0, 0, 1..) => format!("{sign}{minutes} m {} s", whole % 60),
        _ if whole < 10 => format!("{seconds:.1} s"),
        _ => format!("{sign}{whole} s"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lengths_have_two_units() {
        let told = [0.25, -1.5, 59.0, 61.0, 3_725.0, 90_000.0, 1e9].map(length);
        let meant = ["0.2 s", "-1.5 s", "59 s", "1 m 1 s", "1 h 2 m", "1 d 1 h", "11,574 d 1 h"];
        assert_eq!(told, meant);
    }

    fn state(at_ms: i64, instance: &str, issued: &str) -> State {
        let source = json!({
            "name": "orders",
            "of": { "kind": "segment", "ordered": false },
            "now": { "ready": true, "required": true, "issued": issued, "rate_per_s": 7.0 },
        });
        let state = json!({
            "at_ms": at_ms, "version": "0", "instance": instance, "phase": "serving",
            "ready": true, "begun_ms": 0, "uptime_ms": at_ms, "connections": 1,
            "sources": [source], "stores": [], "servers": [], "errors": [],
        });
        serde_json::from_value(state).unwrap()
    }

    #[test]
    fn rates_are_of_one_process() {
        let told = |before: Option<&State>, now: &State| {
            let rates = Rates::between(before, now);
            now.sources.first().and_then(|source| rates.of(source))
        };
        let (first, second) = (state(1_000, "a", "100"), state(3_000, "a", "300"));
        assert_eq!(told(Some(&first), &second), Some(100.0));
        // Without an earlier state, the server's own rate is used.
        assert_eq!(told(None, &second), Some(7.0));
        assert_eq!(told(Some(&second), &first), Some(7.0));
        assert_eq!(told(Some(&first), &state(3_000, "b", "300")), Some(7.0));
    }
}
