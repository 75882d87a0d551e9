//! A setting: where it stands in the file, the environment and the command line.

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
    /// The name of a text in the help.
    called: &'static str,
    /// The range of a number.
    range: Option<RangeInclusive<i64>>,
    /// Its description, for `--help` and the printed file.
    pub help: &'static str,
    /// True if a reload cannot change it.
    pub(crate) is_fixed: bool,
    /// True if a reload may change it but not remove it.
    pub(crate) is_kept: bool,
}

/// The prefix of environment variables.
pub(super) const PREFIX: &str = "SNOWMINT_SERVE_";

impl Setting {
    pub(super) const fn new(key: &'static str, help: &'static str) -> Setting {
        Setting { key, called: "WORD", range: None, help, is_fixed: false, is_kept: false }
    }

    /// Says what the help calls a text.
    pub(super) const fn called(self, called: &'static str) -> Setting {
        Setting { called, ..self }
    }

    /// Gives a number its range.
    pub(super) const fn between(self, least: i64, most: i64) -> Setting {
        Setting { range: Some(least..=most), ..self }
    }

    /// Marks a setting that a reload cannot change.
    pub(super) const fn fixed(self) -> Setting {
        Setting { is_fixed: true, ..self }
    }

    /// Marks a setting that a reload cannot remove.
    pub(super) const fn kept(self) -> Setting {
        Setting { is_kept: true, ..self }
    }

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
        match self.of(&DEFAULTS) {
            Some(Value::Integer(_)) if self.key.ends_with("_ms") => "MS",
            Some(Value::Integer(_)) => "NUMBER",
            Some(Value::Boolean(_)) => "true|false",
            Some(Value::Array(_)) => "LIST",
            _ => self.called,
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
    use super::super::{Config, SETTINGS};
    use super::*;

    #[test]
    fn a_number_has_a_range() {
        let table = Table::try_from(Config::default()).unwrap();
        for setting in SETTINGS {
            let is_number = setting.of(&table).is_some_and(Value::is_integer);
            assert_eq!(setting.range.is_some(), is_number, "{}", setting.key);
        }
    }

    #[test]
    fn the_page_on_settings_marks_those_that_a_reload_cannot_change() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/service/settings.md");
        let page = std::fs::read_to_string(page).unwrap();
        for setting in SETTINGS {
            let mark = if setting.is_fixed { " (fixed)" } else { "" };
            let row = format!("| `{}`{mark} |", setting.key);
            assert!(page.contains(&row), "{row}");
        }
    }
}
