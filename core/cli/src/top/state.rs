//! The state of a server from `GET /admin/state`, as far as it is shown.

use std::str::FromStr;

use serde::{Deserialize, Deserializer};

#[derive(Debug, Deserialize)]
pub(super) struct State {
    pub(super) at_ms: i64,
    pub(super) version: String,
    pub(super) instance: String,
    pub(super) phase: String,
    pub(super) ready: bool,
    pub(super) uptime_ms: u64,
    pub(super) connections: u64,
    pub(super) sources: Vec<Source>,
    pub(super) stores: Vec<Store>,
    #[serde(default)]
    pub(super) servers: Vec<Server>,
    #[serde(default)]
    pub(super) tokens: Vec<Token>,
    #[serde(default)]
    pub(super) errors: Vec<Noted>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) of: SourceOf,
    pub(super) now: SourceNow,
}

#[derive(Debug, Deserialize)]
pub(super) struct SourceOf {
    pub(super) kind: String,
    pub(super) store: Option<String>,
    pub(super) layout: Option<String>,
    pub(super) layout_ends_ms: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SourceNow {
    pub(super) ready: bool,
    pub(super) required: bool,
    pub(super) why: Option<String>,
    #[serde(deserialize_with = "digits")]
    pub(super) issued: u64,
    #[serde(default)]
    pub(super) buckets: Vec<Bucket>,
    #[serde(default, deserialize_with = "some_digits")]
    pub(super) step: Option<u64>,
    pub(super) rate_per_s: Option<f64>,
    pub(super) runway_s: Option<f64>,
    pub(super) worker: Option<Worker>,
    pub(super) owner: Option<String>,
    pub(super) failure: Option<Failure>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bucket {
    #[serde(deserialize_with = "digits")]
    pub(super) left: u64,
    #[serde(deserialize_with = "digits")]
    pub(super) size: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Worker {
    pub(super) worker_id: u32,
    pub(super) lease_age_ms: Option<u64>,
    pub(super) reserved_until_ms: Option<i64>,
    pub(super) reserve_ms: Option<u32>,
    pub(super) clock_offset_ms: Option<i64>,
    pub(super) borrowed_ms: Option<u64>,
    #[serde(deserialize_with = "digits")]
    pub(super) rollbacks: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Failure {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) at_ms: i64,
    pub(super) over: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Store {
    pub(super) url: String,
    pub(super) roles: Vec<String>,
    pub(super) sources: u32,
    pub(super) up: Option<bool>,
    pub(super) failure: Option<Failure>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Server {
    pub(super) address: String,
    pub(super) is_self: bool,
    pub(super) sources: Vec<String>,
    pub(super) why: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Token {
    pub(super) name: String,
    pub(super) of: TokenOf,
    pub(super) now: TokenNow,
}

#[derive(Debug, Deserialize)]
pub(super) struct TokenOf {
    pub(super) sources: Vec<String>,
    pub(super) leases: bool,
    pub(super) reads: bool,
    #[serde(default)]
    pub(super) public_ids: Vec<String>,
    pub(super) rate: Option<u32>,
    pub(super) max_count: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TokenNow {
    #[serde(deserialize_with = "digits")]
    pub(super) uses: u64,
    pub(super) last_ms: Option<i64>,
    #[serde(default)]
    pub(super) clients: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Noted {
    pub(super) at_ms: i64,
    pub(super) count: u64,
    pub(super) code: Option<String>,
    pub(super) event: Option<String>,
    pub(super) source: Option<String>,
    pub(super) detail: String,
}

/// Reads a 64-bit number, which is written as a string.
fn digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    u64::from_str(&text).map_err(serde::de::Error::custom)
}

fn some_digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    digits(deserializer).map(Some)
}
