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
        "Event loops, each on its own thread: one per core unless set",
    )),
    setting("allow_plaintext", "Listen on addresses off loopback without TLS"),
    fixed(setting(
        "http.listen",
        "Addresses of HTTP. Port 0 takes a free port, unix:PATH is a Unix socket, and an empty list turns HTTP off",
    )),
    setting("http.get", "Let GET mint as POST does, although proxies may repeat or prefetch it"),
    setting(
        "http.origins",
        "Origins whose pages may ask, for example https://shop.example; * for all",
    ),
    fixed(setting("resp.listen", "Addresses of the Redis protocol, written as those of HTTP")),
    number(
        "resp.idle_ms",
        100,
        DAY_MS,
        "Close a connection of the Redis protocol after this time without a command, in ms",
    ),
    fixed(setting(
        "admin.listen",
        "Addresses of HTTP for operators: metrics, health checks, the page and changes",
    )),
    setting(
        "admin.hosts",
        "Names by which operators reach them, besides localhost and IP addresses",
    ),
    setting(
        "admin.changes",
        "Let operators change tags and end leases even if one of these addresses is off loopback",
    ),
    kept(setting(
        "tls.certificate",
        "The certificate and its chain, a PEM file; without it, TCP is plaintext",
    )),
    kept(setting("tls.key", "The certificate's private key, a PEM file that others may not read")),
    kept(setting(
        "tls.client_ca",
        "Authorities, a PEM file; each client then needs a certificate of theirs",
    )),
    number(
        "limits.connections",
        1,
        1_000_000,
        "The most connections at once, over HTTP and the Redis protocol together",
    ),
    number("limits.header_bytes", 8_192, 1 << 20, "The most bytes of a request's line and headers"),
    number("limits.body_bytes", 256, 1 << 20, "The most bytes of a request's body"),
    number("limits.count", 1, 1_000_000, "The most IDs of one request"),
    number("limits.range_count", 1, 1 << 30, "The most numbers of one request as ranges"),
    number(
        "limits.rate",
        0,
        1 << 30,
        "IDs per second, and at once, for an address without a token; 0 means no limit",
    ),
    number(
        "timeouts.handshake_ms",
        100,
        HOUR_MS,
        "Close a connection whose TLS handshake takes longer, in ms",
    ),
    number(
        "timeouts.request_ms",
        100,
        HOUR_MS,
        "Close a connection whose request or command takes longer to arrive, in ms",
    ),
    number(
        "timeouts.idle_ms",
        100,
        DAY_MS,
        "Close an HTTP connection after this time without a request, and any connection whose client does not read, in ms",
    ),
    number(
        "timeouts.connection_age_ms",
        1_000,
        DAY_MS,
        "Close a connection at this age, or up to a tenth earlier, so that clients spread, in ms",
    ),
    number(
        "timeouts.drain_ms",
        0,
        HOUR_MS,
        "Keep serving for this time after the signal to stop, while /readyz says no, in ms",
    ),
    number(
        "timeouts.stop_ms",
        100,
        600_000,
        "The time that requests under way get at the stop, in ms; leases take up to 2000 more",
    ),
    number(
        "ready.runway_ms",
        0,
        DAY_MS,
        "The time for which a source whose store fails must last for /readyz to say yes, in ms",
    ),
    setting("ready.optional", "Sources that /readyz does not ask for"),
    fixed(setting(
        "leases.store",
        "The store of the worker IDs and ranges that HTTP clients lease; none if you set sources and not this",
    )),
    number(
        "leases.per_address",
        0,
        1_000_000,
        "Worker IDs that an address may acquire per hour; 0 means no limit",
    ),
    kept(setting(
        "tokens.file",
        "The file of tokens that `snowmint token create` makes; without it, everybody may ask",
    )),
    setting(
        "tokens.fronts",
        "Whether clients of Leaf and tinyid need a token as everybody does: token or open",
    ),
    setting(
        "public_ids.keys",
        "The keys of public IDs: a file of `snowmint public-ids keygen`, or env:NAME; needs tokens.file",
    ),
    setting(
        "public_ids.types",
        "Types whose public IDs are made and read, at /v1/public-ids/TYPE/",
    ),
    number("public_ids.count", 1, 100_000, "The most public IDs of one request"),
    setting("fronts.leaf", "Answer clients of Leaf's server, at /api/segment/get/KEY"),
    setting(
        "fronts.leaf_snowflakes",
        "The source of /api/snowflake/get/KEY for every key, as in Leaf; if it is empty, the key names the source",
    ),
    setting("fronts.tinyid", "Answer clients of tinyid's server, at /tinyid/id/nextId"),
    setting(
        "fronts.cosid",
        "Answer clients of CosId's proxy server, at /segments/NAMESPACE/NAME and /ids",
    ),
    setting(
        "daily.keys",
        "How clients name a day of a daily source, for example icr:{source}:{yyyy}:{MM}:{dd}",
    ),
    fixed(setting(
        "ordered.sources",
        "Segments whose numbers rise over all servers: one server at a time gives them, and the others ask it",
    )),
    fixed(setting("ordered.store", "The store in which these servers see whose turn it is")),
    fixed(setting(
        "ordered.address",
        "The address at which the other servers reach this one, for example http://10.0.0.7:8064",
    )),
    setting(
        "ordered.token_file",
        "A file with the token that this server shows the others, if they ask for tokens",
    ),
    setting(
        "ordered.ca",
        "Authorities of the other servers' certificates, a PEM file; needed for https",
    ),
    fixed(number(
        "ordered.lease_ms",
        1_000,
        HOUR_MS,
        "A turn ends this long after its server was last heard, in ms; the same on all servers",
    )),
    fixed(number(
        "ordered.wait_ms",
        0,
        HOUR_MS,
        "How long a request waits while no server has the turn, in ms",
    )),
    fixed(setting(
        "log.format",
        "The format of the log on standard error: text, or json with one object a line",
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
