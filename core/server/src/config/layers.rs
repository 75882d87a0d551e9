//! The layers of settings: the file overrides the defaults, the environment the file, and the
//! command line everything.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use snowmint::Result;
use toml::{Table, Value};

use super::settings::{PREFIX, Setting};
use super::{Config, SETTINGS};
use crate::{errors, files};

/// The input of each layer as text. A later layer overrides an earlier one, setting by setting.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The file's text.
    pub file: Option<String>,
    /// Names and values from the environment.
    pub environment: Vec<(String, String)>,
    /// Keys and values from the command line.
    pub flags: Vec<(&'static str, String)>,
    /// `name=URL` from the command line.
    pub sources: Vec<String>,
}

/// The variable that names the file. It is not a setting.
pub const FILE_VARIABLE: &str = "SNOWMINT_SERVE_CONFIG";
const SOURCE_VARIABLE: &str = "SOURCES_";

/// The origin of a configuration, from which a reload reads it again.
#[derive(Debug, Default)]
pub struct Origin {
    /// The file, if one is named.
    pub file: Option<PathBuf>,
    /// The layers, whose file text is read anew each time.
    pub layers: Layers,
}

impl Origin {
    /// Reads the configuration, and prints it in the form of its file, without passwords.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter),
    /// [`Code::UnsafeSetting`](snowmint::Code::UnsafeSetting).
    pub fn print(&self) -> Result<String> {
        self.read()?.print()
    }

    /// Reads the configuration at startup. The file may be a pipe, which is read to its end.
    ///
    /// # Errors
    /// [`snowmint::Code::InvalidParameter`], [`snowmint::Code::UnsafeSetting`].
    pub(crate) fn read(&self) -> Result<Config> {
        self.read_by(|path| {
            fs::read_to_string(path).map_err(|error| errors::config::file_unreadable(path, error))
        })
    }

    /// Reads the configuration for a reload, without blocking on a pipe.
    ///
    /// # Errors
    /// As [`Origin::read`]; [`snowmint::Code::Unsupported`] for a pipe, which can be read only
    /// once.
    pub(crate) fn read_again(&self) -> Result<Config> {
        self.read_by(text_of_file)
    }

    fn read_by(&self, text: impl FnOnce(&Path) -> Result<String>) -> Result<Config> {
        let file = self.file.as_deref().map(text).transpose()?;
        if let (Some(path), Some(text)) = (&self.file, &file) {
            whole(text).map_err(|why| errors::config::file_malformed(path, &why))?;
        }
        load(&Layers { file, ..self.layers.clone() })
    }
}

fn text_of_file(path: &Path) -> Result<String> {
    let mut text = String::new();
    match files::open(path).and_then(|mut file| file.read_to_string(&mut text)) {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            Err(errors::config::file_readable_once(path, kind_of(path), error))
        }
        Err(error) => Err(errors::config::file_unreadable(path, error)),
    }
}

/// Returns a name for the kind of thing at a path.
fn kind_of(path: &Path) -> &'static str {
    match fs::metadata(path).map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_dir() => "a directory",
        #[cfg(unix)]
        Ok(kind) if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "a pipe or the like",
    }
}

/// Merges all layers into one configuration.
///
/// # Errors
/// [`snowmint::Code::InvalidParameter`], [`snowmint::Code::UnsafeSetting`].
pub(crate) fn load(layers: &Layers) -> Result<Config> {
    let defaults = Config::default().table()?;
    let mut table = defaults.clone();
    if let Some(text) = &layers.file {
        overlay(&mut table, whole(text)?);
    }
    for (name, value) in &layers.environment {
        put_variable(&mut table, &defaults, name, value)?;
    }
    for (key, text) in &layers.flags {
        let setting = SETTINGS.iter().find(|setting| setting.key == *key);
        if let Some(setting) = setting {
            let place = format!("--{}", setting.flag());
            let value = setting.parse(setting.of(&defaults), text, &place)?;
            setting.put(&mut table, value);
        }
    }
    let mut named = BTreeSet::new();
    for text in &layers.sources {
        let (name, url) = text.split_once('=').ok_or_else(errors::config::source_flag_malformed)?;
        if !named.insert(name) {
            return Err(errors::config::source_flag_repeated(name));
        }
        put_source(&mut table, name, url);
    }
    Config::of(table)
}

/// Parses a file, and checks it as a whole configuration first, so that errors name their line.
fn whole(text: &str) -> Result<Table> {
    let wrong = |error| errors::config::text_malformed(&error, text);
    let _: Config = toml::from_str(text).map_err(wrong)?;
    text.parse().map_err(wrong)
}

/// Overlays one table with another, section by section.
fn overlay(table: &mut Table, over: Table) {
    for (key, value) in over {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(within)), Value::Table(over)) => overlay(within, over),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

fn put_variable(table: &mut Table, defaults: &Table, name: &str, value: &str) -> Result<()> {
    let Some(own) = name.strip_prefix(PREFIX).filter(|_| name != FILE_VARIABLE) else {
        return Ok(());
    };
    if let Some(source) = own.strip_prefix(SOURCE_VARIABLE) {
        put_source(table, &source.to_lowercase(), value);
        return Ok(());
    }
    let setting = SETTINGS.iter().find(|setting| setting.variable() == name);
    let setting =
        setting.ok_or_else(|| errors::config::variable_unknown(name, near(name).as_deref()))?;
    setting.put(table, setting.parse(setting.of(defaults), value, name)?);
    Ok(())
}

/// Returns the variable that was probably meant: at most two edits away, such as a wrong letter or
/// two swapped ones.
fn near(name: &str) -> Option<String> {
    let mut names = SETTINGS.iter().map(Setting::variable);
    names.find(|known| strsim::osa_distance(name, known) <= 2)
}

fn put_source(table: &mut Table, name: &str, url: &str) {
    let sources = table.entry("sources").or_insert_with(|| Value::Table(Table::new()));
    if let Some(sources) = sources.as_table_mut() {
        sources.insert(name.to_owned(), url.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_later_layer_has_the_last_word_setting_by_setting() {
        let file = "event_loops = 2\n[limits]\ncount = 5\nconnections = 6\n[sources]\na = 'uuid:'";
        let mut layers = Layers { file: Some(file.to_owned()), ..Layers::default() };
        layers.environment = owned(&[
            ("SNOWMINT_SERVE_LIMITS_COUNT", "7"),
            ("SNOWMINT_SERVE_HTTP_LISTEN", "127.0.0.1:1, [::1]:2"),
            ("SNOWMINT_SERVE_SOURCES_B", "uuid:"),
            ("SNOWMINT_SERVE_CONFIG", "serve.toml"),
            ("SNOWMINT_WORKER_ID", "7"),
        ]);
        layers.flags = vec![("event_loops", "4".to_owned()), ("http.get", "true".to_owned())];
        layers.sources = vec!["c=uuid:?version=4".to_owned()];
        let config = load(&layers).unwrap();
        assert_eq!((config.event_loops, config.http.get), (4, true));
        assert_eq!((config.limits.count, config.limits.connections), (7, 6));
        let listen: Vec<_> = config.http.listen.iter().map(ToString::to_string).collect();
        assert_eq!(listen, ["127.0.0.1:1", "[::1]:2"]);
        assert_eq!(config.sources.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(config.sources.get("c").map(String::as_str), Some("uuid:?version=4"));
    }

    #[test]
    fn a_list_of_one_text_needs_no_brackets() {
        let load = |http: &str| {
            let file = format!("[http]\nlisten = '127.0.0.1:1'\norigins = {http}");
            load(&Layers { file: Some(file), ..Layers::default() }).map(|config| config.http)
        };
        let one = load("'https://a.example'").unwrap();
        assert_eq!((one.listen.len(), &*one.origins), (1, &["https://a.example".to_owned()][..]));
        assert_eq!(load("['https://a.example', 'https://b.example']").unwrap().origins.len(), 2);
        let daily = Some("daily.keys = '{source}-{yyyyMMdd}'".to_owned());
        let daily = super::load(&Layers { file: daily, ..Layers::default() }).unwrap().daily;
        assert_eq!(daily.keys.len(), 1);
        let error = load("7").unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("or one text"), "{error}");
    }

    #[test]
    fn an_unknown_or_malformed_setting_is_refused_with_its_name() {
        let cases = [
            ("SNOWMINT_SERVE_COLOUR", "1"),
            ("SNOWMINT_SERVE_LIMITS_COUNT", "many"),
            ("SNOWMINT_SERVE_HTTP_GET", "yes"),
        ];
        for (name, value) in cases {
            let layers = Layers { environment: owned(&[(name, value)]), ..Layers::default() };
            assert!(load(&layers).unwrap_err().to_string().contains(name), "{name}");
        }
        let environment = owned(&[("SNOWMINT_SERVE_HTTP_LISTN", "127.0.0.1:1")]);
        let error = load(&Layers { environment, ..Layers::default() }).unwrap_err().to_string();
        assert!(error.ends_with("did you mean SNOWMINT_SERVE_HTTP_LISTEN?"), "{error}");
        let error = load(&Layers { file: Some("\n\nhttps = 1".to_owned()), ..Layers::default() });
        assert!(error.unwrap_err().to_string().contains("line 3"));
        for wrong in [vec!["a"], vec!["a=uuid:", "a=uuid:?version=4"]] {
            let sources = wrong.into_iter().map(str::to_owned).collect();
            assert!(load(&Layers { sources, ..Layers::default() }).is_err());
        }
    }
}
