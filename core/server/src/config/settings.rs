//! The table of settings: their meaning and their ranges.

use std::ops::RangeInclusive;

use snowmint::Result;
use toml::{Table, Value};

use super::DEFAULTS;
use crate::errors;

/// A key of the file. For example, `http.listen` is `--http-listen` on the command line and
/// `SNOWMINT_SERVE_HTTP_LISTEN` in the environment.
#[derive(Debug)]
pub struct Setting {
    /// The section and the name, as in the file.
    pub key: &'static str,
    /// The range of a number.
    range: Option<RangeInclusive<i64>>,
    /// What it sets, for `--help` and the printed file.
    pub help: &'static str,
    /// True if a reload cannot change it.
    pub(crate) is_fixed: bool,
    /// True if a reload may change it but not remove it.
    pub(crate) is_kept: bool,
}

/// The prefix of environment variables.
pub(super) const PREFIX: &str = "SNOWMINT_SERVE_";

const fn setting(key: &'static str, help: &'static str) -> Setting {
    Setting { key, range: None, help, is_fixed: false, is_kept: false }
}

const fn number(key: &'static str, least: i64, most: i64, help: &'static str) -> Setting {
    Setting { key, range: Some(least..=most), help, is_fixed: false, is_kept: false }
}

/// Marks a setting that a reload cannot change.
const fn fixed(setting: Setting) -> Setting {
    Setting { is_fixed: true, ..setting }
}

/// Marks a setting that a reload cannot remove.
const fn kept(setting: Setting) -> Setting {
    Setting { is_kept: true, ..setting }
}

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Every setting but the sources, in the order in which they are shown.
pub static SETTINGS: &[Setting] = &[
    fixed(number(
        "event_loops",
        1,
        256,
        "Event loops, each on a thread of its own: one a core unless set",
    )),
    setting("allow_plaintext", "Whether addresses off loopback are listened on without encryption"),
    fixed(setting(
        "http.listen",
        "Addresses of HTTP; port 0 takes a free one, unix:PATH is a Unix socket, an empty list none",
    )),
    setting("http.get", "Whether GET mints as POST does: proxies may repeat and prefetch it"),
    setting("http.origins", "Origins whose pages may ask, as https://shop.example; * for all"),
    fixed(setting("resp.listen", "Addresses of the Redis protocol, likewise")),
    number(
        "resp.idle_ms",
        100,
        DAY_MS,
        "When a connection of the Redis protocol without a command is closed, in ms",
    ),
    fixed(setting(
        "admin.listen",
        "Addresses of HTTP for operators: /metrics, /admin/config and reload, /healthz, /readyz",
    )),
    setting(
        "admin.hosts",
        "Names by which operators reach them, beside localhost and IP addresses",
    ),
    setting("admin.changes", "Whether tags and leases are changed there, also off loopback"),
    kept(setting(
        "tls.certificate",
        "Certificate of the addresses of TCP and its chain, a file in PEM; plaintext without one",
    )),
    kept(setting("tls.key", "Its key, a file in PEM that not anybody may read")),
    kept(setting(
        "tls.client_ca",
        "Authorities, a file in PEM: each client then has to have a certificate of theirs",
    )),
    number("limits.connections", 1, 1_000_000, "Connections at once, of both protocols"),
    number("limits.header_bytes", 8_192, 1 << 20, "Bytes of a request's line and headers"),
    number("limits.body_bytes", 256, 1 << 20, "Bytes of a request's body"),
    number("limits.count", 1, 1_000_000, "IDs of one request"),
    number("limits.range_count", 1, 1 << 30, "Numbers of one request as ranges"),
    number(
        "limits.rate",
        0,
        1 << 30,
        "IDs a second for an address without a token, and at once; 0 is no limit",
    ),
    number(
        "timeouts.handshake_ms",
        100,
        HOUR_MS,
        "When a connection whose handshake of TLS is not over is closed, in ms",
    ),
    number(
        "timeouts.request_ms",
        100,
        HOUR_MS,
        "When a connection is closed whose request or command has begun and not ended, in ms",
    ),
    number(
        "timeouts.idle_ms",
        100,
        DAY_MS,
        "When a connection is closed without a request of HTTP, or with an answer unread, in ms",
    ),
    number(
        "timeouts.connection_age_ms",
        1_000,
        DAY_MS,
        "Age at which a connection is closed, so that clients spread, in ms: up to a tenth less",
    ),
    number(
        "timeouts.drain_ms",
        0,
        HOUR_MS,
        "How long it serves after the signal to stop, while /readyz says no, in ms",
    ),
    number(
        "timeouts.stop_ms",
        100,
        600_000,
        "How long requests under way have once it stops, in ms; leases take up to 2000 more",
    ),
    number(
        "ready.runway_ms",
        0,
        DAY_MS,
        "How long a source whose store fails has to last for /readyz to say yes, in ms",
    ),
    setting("ready.optional", "Sources without which the service is ready all the same"),
    fixed(setting(
        "leases.store",
        "Store of the worker IDs and ranges that HTTP leases; none where sources are set alone",
    )),
    number(
        "leases.per_address",
        0,
        1_000_000,
        "Worker IDs that an address may acquire in an hour; 0 is no limit",
    ),
    kept(setting(
        "tokens.file",
        "File of tokens, as `snowmint token create` makes it; without one everybody may ask",
    )),
    setting(
        "tokens.fronts",
        "Whether clients of Leaf and tinyid need a token as everybody does: token or open",
    ),
    setting(
        "public_ids.keys",
        "Keys of public IDs, a file of `snowmint public-ids keygen` or env:NAME, where tokens.file is set",
    ),
    setting(
        "public_ids.types",
        "Types whose public IDs are made and read, at /v1/public-ids/TYPE/",
    ),
    number("public_ids.count", 1, 100_000, "Public IDs of one request"),
    setting(
        "fronts.leaf",
        "Whether clients of Leaf's server are answered, at /api/segment/get/KEY",
    ),
    setting(
        "fronts.leaf_snowflakes",
        "Source of /api/snowflake/get/KEY for every key, as in Leaf; empty where the key names it",
    ),
    setting(
        "fronts.tinyid",
        "Whether clients of tinyid's server are answered, at /tinyid/id/nextId",
    ),
    setting(
        "fronts.cosid",
        "Whether clients of CosId's proxy server are answered, at /segments/NAMESPACE/NAME and /ids",
    ),
    setting(
        "daily.keys",
        "How clients name a day of a daily source, as icr:{source}:{yyyy}:{MM}:{dd}: 1, 2, 3 … of it",
    ),
    fixed(setting(
        "ordered.sources",
        "Segments whose numbers rise over all servers: one at a time gives them, others ask it",
    )),
    fixed(setting("ordered.store", "Store in which these servers see whose turn it is")),
    fixed(setting("ordered.address", "How they reach this one, as http://10.0.0.7:8064")),
    setting(
        "ordered.token_file",
        "File with the token that this server shows the others, where tokens.file asks for one",
    ),
    setting("ordered.ca", "Authorities of their certificates, a file in PEM, where that is https"),
    fixed(number(
        "ordered.lease_ms",
        1_000,
        HOUR_MS,
        "How long a turn goes on without a word of its server, in ms: the same on all servers",
    )),
    fixed(number(
        "ordered.wait_ms",
        0,
        HOUR_MS,
        "How long a request waits while nobody has the turn, in ms",
    )),
    fixed(setting(
        "log.format",
        "What is written to standard error: text, or json, an object a line",
    )),
];

impl Setting {
    /// Returns the section, which may be empty, and the name within it.
    pub(super) fn parts(&self) -> (&'static str, &'static str) {
        self.key.split_once('.').unwrap_or(("", self.key))
    }

    /// Returns its value in a table.
    pub(super) fn of<'a>(&self, table: &'a Table) -> Option<&'a Value> {
        match self.parts() {
            ("", name) => table.get(name),
            (section, name) => table.get(section)?.as_table()?.get(name),
        }
    }

    /// Sets its value in a table.
    pub(super) fn put(&self, table: &mut Table, value: Value) {
        let (section, name) = self.parts();
        if section.is_empty() {
            table.insert(name.to_owned(), value);
            return;
        }
        let within = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
        if let Some(within) = within.as_table_mut() {
            within.insert(name.to_owned(), value);
        }
    }

    /// Returns its command-line flag, without the dashes.
    pub fn flag(&self) -> String {
        self.key.replace(['.', '_'], "-")
    }

    /// Returns the placeholder of its value in the help.
    pub fn value_name(&self) -> &'static str {
        match (self.of(&DEFAULTS), self.key) {
            (Some(Value::Integer(_)), key) if key.ends_with("_ms") => "MS",
            (Some(Value::Integer(_)), _) => "NUMBER",
            (Some(Value::Boolean(_)), _) => "true|false",
            (Some(Value::Array(_)), _) => "LIST",
            (_, "tls.certificate" | "tls.key" | "tls.client_ca") => "FILE",
            (_, "tokens.file" | "ordered.token_file" | "ordered.ca") => "FILE",
            (_, "leases.store" | "ordered.store" | "ordered.address") => "URL",
            (_, "fronts.leaf_snowflakes") => "NAME",
            _ => "WORD",
        }
    }

    /// Returns its environment variable.
    pub(super) fn variable(&self) -> String {
        format!("{PREFIX}{}", self.key.replace('.', "_").to_uppercase())
    }

    /// Parses a text from outside the file as the type of the default value. Commas separate the
    /// items of lists.
    pub(super) fn parse(&self, default: Option<&Value>, text: &str, place: &str) -> Result<Value> {
        match default {
            Some(Value::Integer(_)) => text
                .parse()
                .map(Value::Integer)
                .map_err(|_| errors::config::value_not_whole_number(place, text)),
            Some(Value::Boolean(_)) => text
                .parse()
                .map(Value::Boolean)
                .map_err(|_| errors::config::value_not_boolean(place, text)),
            Some(Value::Array(_)) => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Ok(Value::Array(items.map(Value::from).collect()))
            }
            _ => Ok(Value::from(text)),
        }
    }

    /// Checks that a number is within its range.
    pub(super) fn check(&self, table: &Table) -> Result<()> {
        let number = self.of(table).and_then(Value::as_integer);
        match (&self.range, number) {
            (Some(range), Some(number)) if !range.contains(&number) => {
                Err(errors::config::number_out_of_range(self.key, number, range))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    /// Returns every key of the structure.
    fn keys(table: &Table, within: &str) -> Vec<String> {
        let keys = table.iter().flat_map(|(key, value)| match value {
            Value::Table(inner) => keys(inner, &format!("{within}{key}.")),
            _ => vec![format!("{within}{key}")],
        });
        keys.collect()
    }

    #[test]
    fn every_key_is_a_setting_and_the_other_way_round() {
        let table = Table::try_from(Config::default()).unwrap();
        let settings: Vec<_> = SETTINGS.iter().map(|setting| setting.key.to_owned()).collect();
        assert_eq!(keys(&table, ""), settings);
    }

    #[test]
    fn a_number_has_a_range() {
        let table = Table::try_from(Config::default()).unwrap();
        for setting in SETTINGS {
            let is_number = setting.of(&table).is_some_and(Value::is_integer);
            assert_eq!(setting.range.is_some(), is_number, "{}", setting.key);
        }
    }
}
