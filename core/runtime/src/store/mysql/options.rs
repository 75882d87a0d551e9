//! The option file that MySQL's own clients read, and the environment.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::builder::Host;
use super::errors;
use super::tls::{MysqlSslMode, SSL_MODES};
use crate::error::Result;
use crate::secrets::Secret;
use crate::store::remote::errors::sql;

/// The section `[client]` of an option file.
#[derive(Debug, Default)]
pub(super) struct Options {
    pub(super) user: Option<String>,
    password: Option<Secret>,
    host: Option<String>,
    port: Option<u16>,
    socket: Option<String>,
    /// The mode as the file spells it.
    ssl_mode: Option<String>,
    /// True if the server's certificate has to match its host; this is MariaDB's option for it.
    ssl_verify: bool,
    pub(super) ssl_ca: Option<PathBuf>,
    /// The reason why the file was not read, for the message to a refused user.
    pub(super) note: String,
}

impl Options {
    /// Reads this file, or the usual one if none is named.
    pub(super) fn read(file: Option<&Path>) -> Options {
        let Some(path) = file.map(Path::to_owned).or_else(usual_file) else {
            return Options::default();
        };
        match read(&path) {
            Ok(text) => Options::parse(&text),
            Err(note) => Options { note, ..Options::default() },
        }
    }

    /// Returns the password: the file's if it is for this user, or else the environment's.
    pub(super) fn password_of(&self, user: &str) -> Option<Secret> {
        let is_theirs = self.user.as_deref().is_none_or(|known| known == user);
        let of_environment = || env::var("MYSQL_PWD").ok().map(Secret);
        self.password.clone().filter(|_| is_theirs).or_else(of_environment)
    }

    /// Returns the server that the file names. As for MySQL's own clients, `localhost` means the
    /// socket if the file names one.
    pub(super) fn server(&self) -> Option<Host> {
        let machine = self.host.as_ref().map(|name| Host::machine(name, self.port));
        let socket = self.socket.clone().map(Host::Socket);
        match self.host.as_deref() {
            None | Some("localhost") => socket.or(machine),
            Some(_) => machine,
        }
    }

    /// Returns the TLS mode, if the file sets one.
    pub(super) fn ssl_mode(&self) -> Result<Option<MysqlSslMode>> {
        if self.ssl_verify {
            return Ok(Some(MysqlSslMode::VerifyIdentity));
        }
        let Some(text) = &self.ssl_mode else { return Ok(None) };
        let mode = text.parse().map_err(|()| errors::ssl_mode_of_file_unknown(text, SSL_MODES))?;
        Ok(Some(mode))
    }

    fn parse(text: &str) -> Options {
        let mut options = Options::default();
        let mut is_ours = false;
        for line in text.lines().map(str::trim) {
            if let Some(section) = line.strip_prefix('[') {
                is_ours = section.split(']').next() == Some("client");
            } else if is_ours && !line.starts_with(['#', ';', '!']) {
                let (name, value) = line.split_once('=').unwrap_or((line, ""));
                options.set(&name.trim().replace('_', "-"), value_of(value.trim()));
            }
        }
        options
    }

    fn set(&mut self, name: &str, value: String) {
        match name {
            "user" => self.user = Some(value),
            "password" => self.password = Some(Secret(value)),
            "host" => self.host = Some(value),
            "port" => self.port = value.parse().ok(),
            "socket" => self.socket = Some(value),
            "ssl-mode" => self.ssl_mode = Some(value),
            "ssl-ca" => self.ssl_ca = Some(value.into()).filter(|file| file != Path::new("")),
            "ssl-verify-server-cert" => {
                self.ssl_verify = !["0", "off", "false"].contains(&&*value.to_ascii_lowercase());
            }
            _ => {}
        }
    }
}

fn usual_file() -> Option<PathBuf> {
    #[cfg(windows)]
    return env::var_os("APPDATA").map(|data| Path::new(&data).join(r"MySQL\.my.cnf"));
    #[cfg(not(windows))]
    env::home_dir().map(|home| home.join(".my.cnf"))
}

/// Reads a file that no other user has access to. A missing file is empty.
fn read(path: &Path) -> std::result::Result<String, String> {
    let Ok(known) = fs::metadata(path) else { return Ok(String::new()) };
    if !known.is_file() {
        return Err(sql::not_a_file(path));
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&known.permissions()) & 0o077 != 0 {
        return Err(sql::file_open_to_others(path));
    }
    fs::read_to_string(path).map_err(|error| sql::file_unreadable(path, &error))
}

/// Parses a value: it may stand in quotes, and a comment may follow it.
fn value_of(text: &str) -> String {
    let quote = text.chars().next().filter(|first| ['"', '\''].contains(first));
    let mut value = String::new();
    let mut symbols = text.chars().skip(usize::from(quote.is_some()));
    while let Some(symbol) = symbols.next() {
        match symbol {
            '\\' => match symbols.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('r') => value.push('\r'),
                Some('b') => value.push('\u{8}'),
                Some('s') => value.push(' '),
                Some(known @ ('\\' | '"' | '\'' | '#')) => value.push(known),
                other => {
                    value.push('\\');
                    value.extend(other);
                }
            },
            symbol if Some(symbol) == quote => return value,
            '#' if quote.is_none() => break,
            symbol => value.push(symbol),
        }
    }
    value.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    const FILE: &str = "user = nobody\n[mysqld]\npassword = no\n[client]\n# password = no\n\
                        user=ann\npassword = \"S3 #CRET\\\"\" # of ann\nhost = db # here\n\
                        port=3307\n;x\nssl\nsocket = '/run/my.sock'\n[mysql]\nuser=bob\n";

    fn password(options: &Options, user: &str) -> Option<String> {
        options.password_of(user).map(|Secret(password)| password)
    }

    #[test]
    fn the_section_of_clients_is_read() {
        let options = Options::parse(FILE);
        assert_eq!(options.user.as_deref(), Some("ann"));
        assert_eq!((options.host.as_deref(), options.port), (Some("db"), Some(3307)));
        assert_eq!(options.socket.as_deref(), Some("/run/my.sock"));
        assert_eq!(password(&options, "ann").as_deref(), Some("S3 #CRET\""));
        assert!(!format!("{options:?}").contains("CRET"));
    }

    #[test]
    fn the_local_host_is_its_socket() {
        let machine = |name: &str| Some(Host::machine(name, None));
        let socket = Some(Host::Socket("/s".to_owned()));
        for (text, server) in [
            ("host=db\nsocket=/s", machine("db")),
            ("host=localhost\nsocket=/s", socket.clone()),
            ("socket=/s", socket),
            ("host=localhost", machine("localhost")),
            ("port=7", None),
        ] {
            assert_eq!(Options::parse(&format!("[client]\n{text}")).server(), server, "{text}");
        }
    }

    #[test]
    fn an_option_file_sets_the_ssl_mode_and_the_authority() {
        for (text, mode) in [
            ("ssl-mode=VERIFY_IDENTITY", Some(MysqlSslMode::VerifyIdentity)),
            ("ssl_mode=required", Some(MysqlSslMode::Required)),
            ("ssl-verify-server-cert", Some(MysqlSslMode::VerifyIdentity)),
            ("ssl-verify-server-cert=0", None),
            ("ssl-ca=/ca.pem", None),
        ] {
            let options = Options::parse(&format!("[client]\n{text}"));
            assert_eq!(options.ssl_mode().unwrap(), mode, "{text}");
            let file = text.strip_prefix("ssl-ca=").map(Path::new);
            assert_eq!(options.ssl_ca.as_deref(), file, "{text}");
        }
        let error = Options::parse("[client]\nssl-mode=maybe").ssl_mode().unwrap_err();
        assert_eq!(error.code(), Code::InvalidParameter, "{error}");
    }

    #[test]
    fn a_password_is_for_its_user() {
        assert_eq!(password(&Options::parse(FILE), "bob"), None);
        let for_all = Options::parse("[client]\npassword=S3CRET");
        assert_eq!(password(&for_all, "bob").as_deref(), Some("S3CRET"));
    }

    #[test]
    fn values_are_read_as_clients_read_them() {
        for (text, value) in [
            ("a#b", "a"),
            ("'a#b'", "a#b"),
            ("a b ", "a b"),
            (r"a\\b\sc\q", r"a\b c\q"),
            (r"\#a", "#a"),
            ("", ""),
        ] {
            assert_eq!(value_of(text), value, "{text}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_others_can_read_is_not_read() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("my.cnf");
        fs::write(&path, FILE).unwrap();
        for (mode, is_read) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let options = Options::read(Some(&path));
            assert_eq!(options.user.is_some(), is_read, "{mode:o}");
            assert_eq!(options.note.contains("chmod 600"), !is_read, "{}", options.note);
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(Options::read(Some(&path)).note, "");
    }
}
