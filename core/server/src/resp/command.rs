//! The commands by name, with the number of their arguments.

use std::ops::RangeInclusive;

use super::parse::{Arguments, MAX_ARGUMENTS};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Incr,
    IncrBy,
    Get,
    MGet,
    Exists,
    Type,
    Ends,
    Expire,
    Persist,
    SetNx,
    Set,
    Ping,
    Echo,
    Hello,
    Auth,
    Select,
    Client,
    Commands,
    Config,
    Info,
    Quit,
    Reset,
    Multi,
    Exec,
    Discard,
    /// Any command that would set, lower or delete a number.
    Lowers,
}

impl Command {
    /// Returns true if the command works before a login, as in Redis.
    pub(super) fn needs_no_login(self) -> bool {
        matches!(self, Command::Auth | Command::Hello | Command::Quit | Command::Reset)
    }

    /// Returns the arguments that name sources.
    pub(super) fn keys(self, arguments: Arguments<'_>) -> impl Iterator<Item = &[u8]> {
        use Command::*;
        let count = match self {
            Incr | IncrBy | Get | Type | Ends | Expire | Persist | SetNx | Set => 1,
            MGet | Exists => usize::MAX,
            Ping | Echo | Hello | Auth | Select | Client | Commands | Config | Info | Quit => 0,
            // The last four answer an error whatever they name.
            Reset | Multi | Exec | Discard | Lowers => 0,
        };
        arguments.from(1).take(count)
    }
}

/// A name, its command, and the number of arguments including the name.
type CommandRow = (&'static str, Command, RangeInclusive<usize>);

const ANY: usize = MAX_ARGUMENTS;

/// The most frequent commands come first.
pub(super) static COMMANDS: &[CommandRow] = &[
    ("INCR", Command::Incr, 2..=2),
    ("INCRBY", Command::IncrBy, 3..=3),
    ("GET", Command::Get, 2..=2),
    ("PING", Command::Ping, 1..=2),
    ("MGET", Command::MGet, 2..=ANY),
    ("MULTI", Command::Multi, 1..=1),
    ("EXEC", Command::Exec, 1..=1),
    ("DISCARD", Command::Discard, 1..=1),
    ("EXISTS", Command::Exists, 2..=ANY),
    ("TYPE", Command::Type, 2..=2),
    ("TTL", Command::Ends, 2..=2),
    ("PTTL", Command::Ends, 2..=2),
    ("EXPIRETIME", Command::Ends, 2..=2),
    ("PEXPIRETIME", Command::Ends, 2..=2),
    ("EXPIRE", Command::Expire, 3..=4),
    ("PEXPIRE", Command::Expire, 3..=4),
    ("EXPIREAT", Command::Expire, 3..=4),
    ("PEXPIREAT", Command::Expire, 3..=4),
    ("PERSIST", Command::Persist, 2..=2),
    ("SETNX", Command::SetNx, 3..=3),
    ("SET", Command::Set, 3..=ANY),
    ("ECHO", Command::Echo, 2..=2),
    ("HELLO", Command::Hello, 1..=ANY),
    ("AUTH", Command::Auth, 2..=3),
    ("SELECT", Command::Select, 2..=2),
    ("CLIENT", Command::Client, 2..=ANY),
    ("COMMAND", Command::Commands, 1..=ANY),
    ("CONFIG", Command::Config, 2..=ANY),
    ("INFO", Command::Info, 1..=ANY),
    ("QUIT", Command::Quit, 1..=ANY),
    ("RESET", Command::Reset, 1..=1),
    ("DECR", Command::Lowers, 1..=ANY),
    ("DECRBY", Command::Lowers, 1..=ANY),
    ("GETSET", Command::Lowers, 1..=ANY),
    ("GETDEL", Command::Lowers, 1..=ANY),
    ("GETEX", Command::Lowers, 1..=ANY),
    ("SETEX", Command::Lowers, 1..=ANY),
    ("PSETEX", Command::Lowers, 1..=ANY),
    ("MSETNX", Command::Lowers, 1..=ANY),
    ("MSET", Command::Lowers, 1..=ANY),
    ("DEL", Command::Lowers, 1..=ANY),
    ("UNLINK", Command::Lowers, 1..=ANY),
    ("RENAME", Command::Lowers, 1..=ANY),
    ("FLUSHDB", Command::Lowers, 1..=ANY),
    ("FLUSHALL", Command::Lowers, 1..=ANY),
    ("INCRBYFLOAT", Command::Lowers, 1..=ANY),
];

/// Returns the command that the arguments name.
///
/// # Errors
/// The message for the client if there is none, or it takes a different number of arguments.
pub(super) fn command(arguments: Arguments<'_>) -> Result<Command, String> {
    let name = arguments.get(0);
    let known = COMMANDS.iter().find(|(known, ..)| known.as_bytes().eq_ignore_ascii_case(name));
    match known {
        Some((_, command, lengths)) if lengths.contains(&arguments.len()) => Ok(*command),
        Some((known, ..)) => {
            let known = known.to_lowercase();
            Err(format!("wrong number of arguments for '{known}' command"))
        }
        None => Err(format!("unknown command '{}'", shown(name))),
    }
}

/// Escapes and shortens a name for a reply.
pub(super) fn shown(name: &[u8]) -> String {
    const SHOWN: usize = 64;
    name.get(..SHOWN.min(name.len())).unwrap_or_default().escape_ascii().to_string()
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn of(line: &str) -> Result<Command, String> {
        let (bytes, mut ranges) = (format!("{line}\r\n").into_bytes(), Vec::new());
        parse(&bytes, &mut ranges).unwrap();
        command(Arguments::new(&bytes, &ranges))
    }

    #[test]
    fn names_are_of_any_case_and_arguments_are_counted() {
        assert_eq!(of("incr orders"), Ok(Command::Incr));
        assert_eq!(of("IncrBy orders 5"), Ok(Command::IncrBy));
        assert_eq!(of("DEL orders"), Ok(Command::Lowers));
        assert!(of("INCR").unwrap_err().contains("wrong number of arguments for 'incr'"));
        assert!(of("INCR a b").is_err());
        assert_eq!(of("INCRS a").unwrap_err(), "unknown command 'INCRS'");
        assert!(of(&"x".repeat(500)).unwrap_err().len() < 100);
    }

    #[test]
    fn no_name_stands_twice() {
        let mut names: Vec<_> = COMMANDS.iter().map(|(name, ..)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COMMANDS.len());
    }
}
