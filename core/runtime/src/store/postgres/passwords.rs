//! Passwords from the environment, and from the password file of PostgreSQL's own clients.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::secrets::Secret;
use crate::store::remote::errors::sql;

/// The passwords of the environment and the password file.
#[derive(Debug, Default)]
pub(super) struct Passwords {
    of_environment: Option<Secret>,
    lines: Vec<Line>,
    /// The reason why the file was not read, for the message to a refused user.
    pub(super) note: String,
}

/// A line of the file: a password, and the logins that it is for.
#[derive(Debug)]
struct Line {
    host: String,
    port: String,
    database: String,
    user: String,
    password: Secret,
}

/// The login for which a password is looked up.
#[derive(Debug)]
pub(super) struct Login<'a> {
    pub(super) host: &'a str,
    pub(super) port: u16,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
}

impl Passwords {
    /// Reads the environment and the file, or the usual file if none is named.
    pub(super) fn read(file: Option<&Path>) -> Passwords {
        let of_environment = env::var("PGPASSWORD").ok().filter(|password| !password.is_empty());
        let mut found =
            Passwords { of_environment: of_environment.map(Secret), ..Passwords::default() };
        if found.of_environment.is_some() {
            return found;
        }
        let Some(path) = file.map(Path::to_owned).or_else(usual_file) else { return found };
        match read(&path) {
            Ok(text) => found.lines = text.lines().filter_map(Line::parse).collect(),
            Err(why) => found.note = why,
        }
        found
    }

    /// Returns the environment's password, or else that of the first line that fits.
    pub(super) fn of(&self, login: &Login<'_>) -> Option<Secret> {
        // In password files, `localhost` also stands for every socket of this machine.
        let host = if login.host.starts_with('/') { "localhost" } else { login.host };
        let port = login.port.to_string();
        let fits = |line: &&Line| {
            let is = |field: &str, value: &str| field == "*" || field == value;
            (is(&line.host, host) || line.host == login.host)
                && is(&line.port, &port)
                && is(&line.database, login.database)
                && is(&line.user, login.user)
        };
        let of_file = || self.lines.iter().find(fits).map(|line| line.password.clone());
        self.of_environment.clone().or_else(of_file)
    }
}

fn usual_file() -> Option<PathBuf> {
    if let Some(file) = env::var_os("PGPASSFILE").filter(|file| !file.is_empty()) {
        return Some(file.into());
    }
    file_of_clients(".pgpass", "pgpass.conf")
}

/// Returns the path of a file of PostgreSQL's own clients, at home or in the settings of Windows.
pub(super) fn file_of_clients(at_home: &str, in_settings: &str) -> Option<PathBuf> {
    match cfg!(windows) {
        true => of_settings(env::var_os("APPDATA"), in_settings),
        false => env::home_dir().map(|home| home.join(at_home)),
    }
}

fn of_settings(settings: Option<OsString>, name: &str) -> Option<PathBuf> {
    let settings = settings.filter(|settings| !settings.is_empty());
    settings.map(|settings| Path::new(&settings).join("postgresql").join(name))
}

/// Reads a file that no other user has access to. A missing file is empty.
fn read(path: &Path) -> Result<String, String> {
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

impl Line {
    /// Parses `host:port:database:user:password`. A backslash escapes the next character.
    fn parse(text: &str) -> Option<Line> {
        if text.starts_with('#') {
            return None;
        }
        let mut fields = [const { String::new() }; 5];
        let (mut at, mut symbols) = (0, text.chars());
        while let Some(symbol) = symbols.next() {
            match symbol {
                '\\' => fields[at].push(symbols.next().unwrap_or('\\')),
                ':' if at < 4 => at += 1,
                symbol => fields[at].push(symbol),
            }
        }
        let [host, port, database, user, password] = fields;
        (at == 4).then_some(Line { host, port, database, user, password: Secret(password) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# db:*:*:*:no\nno line\ndb:5432:ids:ann:first:one\\:two\\\\\n*:*:ids:ann:any\nlocalhost:*:*:*:here\n/run/pg:*:*:*:there\n";

    fn password(host: &str, port: u16, database: &str, user: &str) -> Option<String> {
        let lines = FILE.lines().filter_map(Line::parse).collect();
        let passwords = Passwords { lines, ..Passwords::default() };
        passwords.of(&Login { host, port, database, user }).map(|Secret(password)| password)
    }

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        assert_eq!(password("db", 5432, "ids", "ann").unwrap(), "first:one:two\\");
        assert_eq!(password("db", 5433, "ids", "ann").unwrap(), "any");
        assert_eq!(password("db", 5432, "ids", "bob"), None);
        assert_eq!(password("localhost", 1, "x", "bob").unwrap(), "here");
        assert_eq!(password("/tmp", 1, "x", "bob").unwrap(), "here");
    }

    #[test]
    fn no_password_is_shown() {
        let of_environment = Some(Secret("S3CRET".to_owned()));
        let lines = "db:5432:ids:ann:S3CRET".lines().filter_map(Line::parse).collect();
        let passwords = Passwords { of_environment, lines, ..Passwords::default() };
        let login = Login { host: "db", port: 5432, database: "ids", user: "ann" };
        let found = passwords.of(&login);
        assert_eq!(found, Some(Secret("S3CRET".to_owned())));
        let shown = format!("{passwords:?} {:?} {login:?} {found:?}", passwords.lines);
        assert!(shown.contains("ann") && !shown.contains("S3CRET"), "{shown}");
    }

    #[test]
    fn files_of_clients_are_where_theirs_are() {
        let settings = Some(OsString::from("settings"));
        let file = Path::new("settings").join("postgresql").join("pgpass.conf");
        assert_eq!(of_settings(settings, "pgpass.conf"), Some(file));
        assert_eq!(of_settings(Some(OsString::new()), "pgpass.conf"), None);
        assert_eq!(of_settings(None, "pgpass.conf"), None);
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_others_can_read_is_not_read() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pgpass");
        fs::write(&path, FILE).unwrap();
        for (mode, is_read) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let passwords = Passwords::read(Some(&path));
            assert_eq!(passwords.lines.is_empty(), !is_read, "{mode:o}");
            assert_eq!(passwords.note.contains("chmod 600"), !is_read, "{}", passwords.note);
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(Passwords::read(Some(&path)).note, "");
    }
}
