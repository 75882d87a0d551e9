//! The settings of the service: one structure for the file, the environment and the command line.

use std::sync::LazyLock;
use std::time::Duration;

use hyper::Uri;
use snowmint::{Result, Tag, default_database, redacted};
use toml::{Table, Value};

use super::address::Address;
use super::errors;
use super::listen::Protocol;

mod change;
mod layers;
mod list;
mod ordered;
mod public_ids;
mod settings;
mod table;
mod tls;
mod tokens;

pub use layers::{FILE_VARIABLE, Layers, Origin};
pub(crate) use ordered::realm;
pub use settings::Setting;
pub use table::SETTINGS;
use table::{Admin, Resp};
pub(crate) use table::{Config, FrontsAsk, Ordered, Timeouts, Tls};

/// The name of the source that exists if none is configured.
const DEFAULT_SOURCE: &str = "ids";

impl Admin {
    /// Returns true if operators may change tags and leases. On this machine's addresses they may,
    /// because a local user can reach the service's files too; elsewhere only if configured.
    pub(crate) fn takes_changes(&self) -> bool {
        self.changes || self.listen.iter().all(Address::is_local)
    }
}

impl Resp {
    pub(crate) fn idle(&self) -> Duration {
        Duration::from_millis(self.idle_ms.into())
    }
}

impl Timeouts {
    pub(crate) fn handshake(&self) -> Duration {
        Duration::from_millis(self.handshake_ms.into())
    }

    pub(crate) fn request(&self) -> Duration {
        Duration::from_millis(self.request_ms.into())
    }

    pub(crate) fn idle(&self) -> Duration {
        Duration::from_millis(self.idle_ms.into())
    }

    pub(crate) fn connection_age(&self) -> Duration {
        Duration::from_millis(self.connection_age_ms.into())
    }

    pub(crate) fn drain(&self) -> Duration {
        Duration::from_millis(self.drain_ms.into())
    }

    pub(crate) fn stop(&self) -> Duration {
        Duration::from_millis(self.stop_ms.into())
    }
}

impl Config {
    /// Builds the configuration from a table, whole or not at all.
    fn of(table: Table) -> Result<Config> {
        for setting in SETTINGS {
            setting.check(&table)?;
        }
        let mut config: Config = Value::Table(table)
            .try_into()
            .map_err(|error| errors::config::text_malformed(&error, ""))?;
        if config.sources.is_empty() {
            let store = format!("sqlite:{}?create=true", default_database()?);
            config.has_default_source = true;
            config.sources.insert(DEFAULT_SOURCE.to_owned(), format!("snowflake+{store}"));
            if config.leases.store.is_empty() {
                config.leases.store = store;
            }
        }
        config.check()?;
        Ok(config)
    }

    /// Checks what the types do not express.
    fn check(&self) -> Result<()> {
        if self.http.listen.is_empty() && self.resp.listen.is_empty() {
            return Err(errors::config::addresses_missing());
        }
        if let Some(origin) = self.http.origins.iter().find(|origin| !may_be_named(origin)) {
            return Err(errors::config::origin_malformed(origin));
        }
        self.tls.check()?;
        self.refuse_plaintext()?;
        self.refuse_hidden_passwords()?;
        self.refuse_stores_in_memory()?;
        for name in self.sources.keys() {
            Tag::new(name).map_err(|why| errors::config::source_name_invalid(name, &why))?;
        }
        let snowflakes = Some(&self.fronts.leaf_snowflakes).filter(|name| !name.is_empty());
        self.ordered.check(&self.sources, &self.tls)?;
        self.tokens.check(&self.ordered)?;
        self.public_ids.check(&self.tokens)?;
        let optional = self.ready.optional.iter().map(|name| ("ready.optional", name));
        let named = optional.chain(self.ordered.sources.iter().map(|it| ("ordered.sources", it)));
        let mut named = named.chain(snowflakes.map(|name| ("fronts.leaf_snowflakes", name)));
        match named.find(|(_, name)| !self.sources.contains_key(*name)) {
            Some((key, name)) => Err(errors::config::source_unknown(key, name)),
            None => Ok(()),
        }
    }

    /// Refuses `***` as a password: a printed configuration shows it in place of one, and would
    /// connect with it.
    fn refuse_hidden_passwords(&self) -> Result<()> {
        let is_hidden = |url: &str| {
            let other = url.replace("***", "x");
            redacted(url) == url && redacted(&other) != other
        };
        match self.urls().find(|(_, url)| is_hidden(url)) {
            Some((key, _)) => Err(errors::config::password_hidden(&key)),
            None => Ok(()),
        }
    }

    /// Refuses stores that end with the service, because its next start would repeat their IDs.
    fn refuse_stores_in_memory(&self) -> Result<()> {
        let scheme = |url: &str| url.split(':').next().map(str::to_owned).unwrap_or_default();
        let is_in_memory = |url: &str| scheme(url).split('+').next_back() == Some("memory");
        match self.urls().find(|(_, url)| is_in_memory(url)) {
            Some((key, _)) => Err(errors::config::store_in_memory(&key)),
            None => Ok(()),
        }
    }

    /// Returns every URL with its setting.
    fn urls(&self) -> impl Iterator<Item = (String, &String)> {
        let sources = self.sources.iter().map(|(name, url)| (format!("sources.{name}"), url));
        let stores = [("leases.store", &self.leases.store), ("ordered.store", &self.ordered.store)];
        sources.chain(stores.map(|(key, url)| (key.to_owned(), url)))
    }

    fn table(&self) -> Result<Table> {
        Table::try_from(self).map_err(errors::config::settings_unwritable)
    }

    /// Returns every address with its protocol.
    pub(crate) fn listening(&self) -> impl Iterator<Item = (Protocol, &Address)> {
        let http = self.http.listen.iter().map(|address| (Protocol::Http, address));
        let resp = self.resp.listen.iter().map(|address| (Protocol::Resp, address));
        let admin = self.admin.listen.iter().map(|address| (Protocol::Admin, address));
        http.chain(resp).chain(admin)
    }

    pub(crate) fn loops(&self) -> usize {
        usize::try_from(self.event_loops).unwrap_or(1)
    }

    /// Prints a file with the same settings, each below its help, without passwords.
    pub(crate) fn print(&self) -> Result<String> {
        let table = self.table()?;
        let (mut text, mut section) = (String::new(), "");
        for setting in SETTINGS {
            let (within, name) = setting.parts();
            if within != section {
                text += &format!("\n[{within}]\n");
                section = within;
            }
            let value = match setting.of(&table) {
                Some(Value::String(text)) => Value::from(&*redacted(text)).to_string(),
                value => value.map(Value::to_string).unwrap_or_default(),
            };
            text += &format!("# {}\n{name} = {value}\n", setting.help);
        }
        text +=
            "\n# Sources by the names that clients ask for: URLs as `snowmint id` takes them.\n";
        text += "[sources]\n";
        for (name, url) in &self.sources {
            let (name, url) = (Value::from(name.as_str()), Value::from(&*redacted(url)));
            text += &format!("{name} = {url}\n");
        }
        Ok(text)
    }
}

/// Returns true for `*`, or for text that a browser may send as `Origin`.
fn may_be_named(text: &str) -> bool {
    let is_whole = |uri: &Uri| match (uri.scheme(), uri.authority()) {
        (Some(scheme), Some(authority)) => format!("{scheme}://{authority}") == text,
        _ => false,
    };
    let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    ["*", "null"].contains(&text) || (is_lower && text.parse().is_ok_and(|uri| is_whole(&uri)))
}

/// The default of each setting.
static DEFAULTS: LazyLock<Table> =
    LazyLock::new(|| Config::default().table().expect("the settings are all of TOML's kinds"));

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::layers::load;
    use super::*;

    fn of(text: &str) -> Result<Config> {
        load(&Layers { file: Some(text.to_owned()), ..Layers::default() })
    }

    #[test]
    fn a_printed_configuration_is_read_back_alike() {
        let url = "segment+sqlite:/tmp/ids.db?tag=orders";
        let text = format!("event_loops = 3\n[http]\nget = true\n[sources]\norders = '{url}'\n");
        let config = of(&text).unwrap();
        let printed = config.print().unwrap();
        assert_eq!(of(&printed).unwrap().table().unwrap(), config.table().unwrap(), "{printed}");
        assert_eq!((config.event_loops, config.http.get), (3, true));
        assert_eq!(config.sources.get("orders").map(String::as_str), Some(url));
    }

    #[test]
    fn a_password_is_not_printed() {
        let config = of("[sources]\na = 'segment+postgres://me:secret@host/db?tag=a'").unwrap();
        assert!(!config.print().unwrap().contains("secret"));
    }

    #[test]
    fn a_password_that_was_not_printed_is_not_taken_for_one() {
        for text in [
            "[sources]\na = 'segment+postgres://me:secret@host/db?tag=a'",
            "[leases]\nstore = 'redis://host?password=secret'",
        ] {
            let printed = of(text).unwrap().print().unwrap();
            let error = of(&printed).unwrap_err().to_string();
            assert!(error.contains("a: ***") || error.contains("leases.store: ***"), "{error}");
        }
        for url in ["segment+sqlite:/tmp/***.db?tag=a", "segment+postgres://me:a***@host/d?tag=a"] {
            of(&format!("[sources]\na = '{url}'")).unwrap();
        }
    }

    #[test]
    fn a_store_that_ends_with_the_service_is_refused() {
        for (text, key) in [
            ("[sources]\na = 'segment+memory:tests?tag=a'", "sources.a"),
            ("[sources]\na = 'snowflake+memory:tests'", "sources.a"),
            ("[leases]\nstore = 'memory:tests'", "leases.store"),
        ] {
            let error = of(text).unwrap_err();
            assert_eq!(error.code(), Code::Unsupported, "{error}");
            assert!(error.to_string().starts_with(&format!("{key}: a store in memory")), "{error}");
        }
        of("[sources]\na = 'segment+sqlite:memory:?tag=a'").unwrap();
    }

    #[test]
    fn no_error_repeats_a_password() {
        for text in [
            "[sources]\na = 'segment+postgres://me:secret@host/db?tag=a' oops",
            "[sources]\na = ['segment+postgres://me:secret@host/db?tag=a']",
            "[leases]\nstores = 'postgres://me:secret@host/db'",
            "event_loops = 'postgres://me:secret@host/db'",
            "[sources]\n'postgres://me:secret@host/db' = 'uuid:'",
        ] {
            let error = of(text).unwrap_err();
            assert!(!error.to_string().contains("secret"), "{text}: {error}");
        }
        let with = |name: &str, value: &str| {
            let environment = vec![(name.to_owned(), value.to_owned())];
            load(&Layers { environment, ..Layers::default() }).unwrap_err().to_string()
        };
        let url = "postgres://me:secret@host/db?a=b";
        assert!(!with("SNOWMINT_SERVE_EVENT_LOOPS", url).contains("secret"));
        let sources = vec![url.to_owned()];
        let error = load(&Layers { sources, ..Layers::default() }).unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }

    #[test]
    fn plaintext_stays_on_loopback_unless_allowed() {
        for address in ["0.0.0.0:80", "192.168.1.1:80", "[::]:80"] {
            let listen = format!("[resp]\nlisten = ['{address}']");
            assert_eq!(of(&listen).unwrap_err().code(), Code::UnsafeSetting, "{address}");
            assert!(of(&format!("allow_plaintext = true\n{listen}")).is_ok(), "{address}");
            let tls = "[tls]\ncertificate = 'c.pem'\nkey = 'k.pem'";
            assert!(of(&format!("{listen}\n{tls}")).is_ok(), "{address}");
        }
        for address in ["127.0.0.1:80", "127.8.0.1:80", "[::1]:80"] {
            assert!(of(&format!("[resp]\nlisten = ['{address}']")).is_ok(), "{address}");
        }
    }

    #[test]
    fn a_word_that_is_none_of_a_setting_is_told_with_it() {
        let error = of("[log]\nformat = 'xml'").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: log.format=\"xml\" is not possible: use text or json"
        );
    }

    #[test]
    fn a_value_that_no_setting_may_have_is_refused() {
        for text in [
            "event_loops = 0",
            "event_loops = 257",
            "[limits]\ncount = 0",
            "[limits]\nheader_bytes = 8191",
            "[timeouts]\nstop_ms = 600001",
            "[ready]\noptional = ['none']",
            "[fronts]\nleaf_snowflakes = 'none'",
            "[sources]\n'a b' = 'uuid:'",
            "[http]\nlisten = []\n[resp]\nlisten = []",
            "[http]\nport = 80",
            "colour = 1",
            "event_loops = '2'",
        ] {
            assert_eq!(of(text).unwrap_err().code(), Code::InvalidParameter, "{text}");
        }
        assert!(of("event_loops = 256\n[limits]\nheader_bytes = 8192").is_ok());
    }

    #[test]
    fn a_text_that_no_browser_sends_is_no_origin() {
        for text in ["*", "null", "https://shop.example", "http://127.0.0.1:5173", "app://local"] {
            assert!(may_be_named(text), "{text}");
        }
        for text in ["", "shop.example", "https://shop.example/", "https://Shop.example", "https:"]
        {
            assert!(!may_be_named(text), "{text}");
        }
    }
}
