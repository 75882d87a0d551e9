//! The error message and the exit status of a command.

use std::borrow::Cow;
use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use snowmint::public_ids::may_be_keys;
use snowmint::{Code, CodeGroup, escaped, redacted};

use crate::print::{ERROR, HINT, eprintln};

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the library.
    Refused(snowmint::Error),
    /// An error of the library that here always means wrong input, whatever its code.
    Wrong(snowmint::Error),
    /// An error of the library with another hint.
    Hinted(snowmint::Error, &'static str),
    /// An error in keys of public IDs, or in what goes with them.
    PublicIds(snowmint::Error),
    /// Standard output cannot be written.
    Output(io::Error),
    /// Standard input cannot be read.
    Input(io::Error),
    /// Some items failed and were reported; holds the exit status.
    Reported(u8),
}

pub(crate) type Done<T = ()> = Result<T, Failure>;

impl From<snowmint::Error> for Failure {
    fn from(error: snowmint::Error) -> Failure {
        Failure::Refused(error)
    }
}

/// Commands only write output; errors of input are converted where it is read.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// Reports a failure of the named command, and returns its exit status.
pub(crate) fn code(done: Done, command: &str) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has enough, as in `snowmint id -n 1000000 | head`.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => broken("cannot write to standard output", &error),
        Err(Failure::Input(error)) => broken("cannot read standard input", &error),
        Err(Failure::Reported(status)) => status.into(),
        Err(Failure::Refused(error)) => report_of(&error, &hint_of(error.code(), command)),
        Err(Failure::Wrong(error)) => {
            report_with("", &error, &hint_of(error.code(), command));
            2.into()
        }
        Err(Failure::Hinted(error, hint)) => report_of(&error, hint),
        Err(Failure::PublicIds(error)) => {
            let code = error.code();
            report_of(&error, public_ids_hint(code).unwrap_or_else(|| hint(code)))
        }
    }
}

/// Prints a usage error, help or the version. Hides passwords and keys in repeated arguments.
pub(crate) fn usage(error: &clap::Error, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut text = error.render().ansi().to_string();
    let arguments: Vec<_> = arguments.map(|it| it.to_string_lossy().into_owned()).collect();
    let takes_keys = arguments.get(1).is_some_and(|command| command == "public-ids");
    for argument in &arguments {
        let value = argument.split_once('=').filter(|_| argument.starts_with("--"));
        let value = value.map_or(&**argument, |(_, value)| value);
        if takes_keys && may_be_keys(value) {
            text = text.replace(value, "***");
        }
        // For known options, only the name is repeated.
        let name = argument.split('=').next().unwrap_or_default();
        for said in [&**argument, name] {
            text = text.replace(said, &redacted(said));
        }
    }
    if error.use_stderr() {
        // A failure to write to standard error cannot be reported.
        drop(anstream::stderr().write_all(text.as_bytes()));
    } else {
        let mut output = anstream::stdout();
        if let Err(error) = output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            return code(Err(Failure::Output(error)), "");
        }
    }
    u8::try_from(error.exit_code()).unwrap_or(2).into()
}

fn broken(what: &str, error: &io::Error) -> ExitCode {
    eprintln!("{ERROR}error:{ERROR:#} {what}: {error}");
    ExitCode::FAILURE
}

fn report_of(error: &snowmint::Error, hint: &str) -> ExitCode {
    report_with("", error, hint);
    status(error.code()).into()
}

/// Prints an error with its code, causes and hint; `place` says where in the input it was.
pub(crate) fn report(place: &str, error: &snowmint::Error) {
    report_with(place, error, hint(error.code()));
}

/// Prints an error with another hint.
pub(crate) fn report_with(place: &str, error: &snowmint::Error, hint: &str) {
    describe(place, error);
    advise(hint);
    // In a log the code alone leads there, and an error stays a few lines.
    if io::stderr().is_terminal() {
        eprintln!("  {}", error.code().url());
    }
}

pub(crate) fn advise(hint: &str) {
    eprintln!("{HINT}hint:{HINT:#} {hint}");
}

/// Prints an error with its code and causes; `place` says where in the input it was.
pub(crate) fn describe(place: &str, error: &snowmint::Error) {
    eprintln!("{ERROR}error[{}]:{ERROR:#} {place}{error}", error.code());
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Skips causes that only repeat the end of the previous one.
        if !text.rsplit(": ").next().is_some_and(|words| said.contains(words)) {
            eprintln!("  caused by: {}", escaped(&text));
            said += &text;
        }
        cause = error.source();
    }
}

/// Returns the exit status of an error: 2 wrong input, 3 no ID now, 4 the store, 1 a defect. `npx
/// snowmint` has the same.
pub(crate) fn status(code: Code) -> u8 {
    match (code, code.group()) {
        (Code::EpochInFuture | Code::LayoutExpired | Code::TagExhausted, _) => 3,
        (Code::RangeRegressed | Code::TagMoved, _) => 4,
        (_, CodeGroup::Layout | CodeGroup::Text | CodeGroup::Segment) => 2,
        (_, CodeGroup::Url | CodeGroup::Parameter) => 2,
        (_, CodeGroup::Stall | CodeGroup::Closed | CodeGroup::Worker) => 3,
        (_, CodeGroup::Store) => 4,
        (_, CodeGroup::Internal) => 1,
    }
}

/// Returns the hint for a command's error: for wrong arguments, the command's own help.
fn hint_of(code: Code, command: &str) -> Cow<'static, str> {
    use Code::{InvalidParameter, InvalidUrl, UnknownParameter, UnknownScheme, Unsupported};
    let is_of_arguments = matches!(
        code,
        InvalidParameter | InvalidUrl | UnknownParameter | UnknownScheme | Unsupported
    );
    match command {
        // The hint points to the list of sources, which these commands take.
        "id" | "bench" => hint(code).into(),
        "segment list" | "worker list" | "worker release" | "adopt" if code == Code::StoreMissing => {
            "this only reads a store: one of snowmint's own is made by `snowmint id`, `snowmint segment \
             create` or `snowmint migrate`"
                .into()
        }
        _ if code == Code::StoreReadOnly && is_of_files(command) => MAY_WRITE.into(),
        _ if is_of_arguments => format!("`snowmint {command} --help` says what it takes").into(),
        _ => hint(code).into(),
    }
}

/// The hint for a plain file, which has no primary.
const MAY_WRITE: &str = "check who may write the file and its directory";

/// Returns true if the command writes files rather than to a store.
fn is_of_files(command: &str) -> bool {
    command.starts_with("token") || command == "man"
}

/// Returns the hint for public IDs, if it differs from that for stores and sources.
fn public_ids_hint(code: Code) -> Option<&'static str> {
    match code {
        Code::InvalidParameter => {
            Some("`snowmint public-ids --help` has an example of each command")
        }
        Code::StoreReadOnly => Some(MAY_WRITE),
        _ => None,
    }
}

/// Stands for a code that has no hint yet.
const NO_HINT: &str = "`snowmint --help` lists the commands";

/// Returns the hint for an error on the command line.
pub(crate) fn hint(code: Code) -> &'static str {
    use Code::*;
    match code {
        InvalidLayout => "`snowmint layouts NAME` draws a layout; its fields can be copied",
        EpochInFuture => "`date` shows the clock; epochs are Unix milliseconds",
        LayoutExpired => "`snowmint layouts` says when each layout expires",
        FieldOutOfRange => "`snowmint layouts NAME` says what each field takes",
        IdNotInLayout => "leave --layout out to list the layouts it may come from",
        TimeOutOfRange => "`snowmint layouts NAME` says from when to when a layout lasts",
        UnknownLayout => "`snowmint layouts` lists the layouts",
        ClockBehind => "the clock was set back: wait, or set it right, and try again",
        SequenceExhausted | GrantExhausted | Empty => "try again, or wait longer with wait_ms=",
        CountOutOfRange => "give the number of IDs with -n",
        Closed => "open the source anew",
        WaitTimeout => "wait longer with wait_ms= in the URL",
        InvalidText | TextLength | TextNotCanonical | UnknownTextForm => {
            "`snowmint decode --help` lists the forms"
        }
        TextOverflow => "an ID has 64 bits; UUIDs are written with hyphens",
        TextCheck => "compare the text with its source: one symbol is wrong or two are swapped",
        InvalidTag => "`snowmint segment list STORE` lists the tags",
        InvalidStep => "the step is how many numbers a client reserves at once; 1000 is usual",
        InvalidRange => {
            "numbers go up to 9223372036854775806, a tag's to its max: `snowmint segment list STORE`"
        }
        RangeRegressed => "`snowmint segment list STORE` shows the tag's next number",
        TagExhausted => "`snowmint segment list STORE` shows how far each tag is, and its max",
        UnknownTag => {
            "create it with `snowmint segment create STORE TAG`, unless the message names a source"
        }
        TagExists => {
            "change it with `snowmint segment set STORE TAG`, or create with --if-not-exists"
        }
        TagMoved => "name the store that the message names, or move the tag back from there",
        InvalidKey => "use smaller keys, or a shorter tag",
        WorkerInUse => "use another worker ID, or lease one with snowflake+sqlite:ids.db",
        WorkersExhausted => {
            "wait where the message says so; `snowmint worker list STORE` shows who holds them"
        }
        LeaseLost | LeaseUnavailable => "try again; `snowmint worker list STORE` shows the leases",
        WorkerNotConfigured => "give worker_id=NUMBER in the URL, or what the message asks for",
        MarkAhead => "was the clock set back? wait, or set it right",
        ClockDiffers => {
            "`chronyc tracking` or `timedatectl` shows how this machine's clock is kept"
        }
        StateCorrupt => {
            "restore the file, or delete it once what the message says is so; where the worker ID is \
             fixed, another one does as well"
        }
        RealmMismatch => "use the layout it was made with, or another file",
        Forked => "give the child a source of its own",
        StateMissing => "the state file is not where it was: restore it as the message says",
        StoreLocked => "try again when the other process is done",
        StoreReadOnly => "check who may write the file and its directory, or name the primary",
        StoreCorrupt => "restore a backup, and raise every tag past what was issued",
        StoreSchema => {
            "do what the message says; `snowmint doctor URL` shows what else is not right"
        }
        StoreFull => "make room and try again",
        StoreUnavailable => {
            "check that it runs and can be reached: a server's host and port, a file's directory"
        }
        StoreMissing => {
            "check the URL; snowmint's own files, tables and key spaces are made by `snowmint migrate`, \
             or with create=true"
        }
        StoreDenied => "check the user and the password, and what the store allows them",
        IncarnationChanged => {
            "name the store or the key space that the message tells; after a failover or a restore, \
             `snowmint recover STORE` says how to go on"
        }
        UnsafeSetting => "put right what the message names, as it says",
        Overloaded => "try again a little later",
        InvalidAnswer => "mend the store: what it answered is in the message",
        NoResource => "raise the limits of this process: `ulimit -u`, memory, or the container's",
        OutcomeUnknown => "try again: what may have been reserved is not used",
        InvalidUrl | UnknownScheme | UnknownParameter | InvalidParameter => {
            "`snowmint id --help` lists the sources"
        }
        InvalidTime => "times are as 2026-01-31T12:00:00Z, zones UTC, +08:00 or Asia/Shanghai",
        Unsupported => "`snowmint id --help` lists what each source makes",
        InvalidKeys => {
            "`snowmint public-ids keygen FILE` makes keys; `snowmint public-ids --help` shows a file"
        }
        KeysExposed => "chmod 600, and a file of this user's: who has the keys reads every token",
        WrongType => "name the type with --type, as the text begins",
        NotFound => "compare it with where it comes from: more is not told",
        Internal => "please report it, with the command",
        _ => NO_HINT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_status_and_a_hint() {
        for &code in Code::ALL {
            assert!((1..=4).contains(&status(code)), "{code}");
            assert_ne!(hint(code), NO_HINT, "{code}");
            assert!(!hint(code).is_empty() && !hint(code).ends_with('.'), "{code}");
        }
        assert_eq!([Code::Internal, Code::CountOutOfRange].map(status), [1, 2]);
        assert_eq!([Code::LayoutExpired, Code::StoreLocked].map(status), [3, 4]);
    }
}
