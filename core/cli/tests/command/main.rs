//! The command line as people and scripts use it: arguments in; text, exit status and files out.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod adopting;
mod bad_input;
mod bench;
mod configuring;
mod decoding;
mod doctoring;
mod migrating;
mod minting;
mod moving;
mod public_ids;
#[cfg(unix)]
mod recovering;
mod screens;
mod stores;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use snowmint::Code;
use tempfile::TempDir;

/// A user with an empty state directory.
struct User {
    home: TempDir,
}

/// The exit status and the output of a command.
#[derive(Debug)]
struct Outcome {
    status: i32,
    stdout: String,
    stderr: String,
}

impl User {
    fn new() -> User {
        User { home: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// A URL with `{db}` in it, for the database of that user.
    fn url(&self, template: &str) -> String {
        template.replace("{db}", self.path("ids.db").to_str().unwrap())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_snowmint"));
        command.args(arguments).current_dir(self.home.path()).stdin(Stdio::null());
        command.env("XDG_STATE_HOME", self.path("state")).env("HOME", self.home.path());
        for variable in [
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "SNOWMINT_WORKER_ID",
            "SNOWMINT_PUBLIC_ID_KEYS",
        ] {
            command.env_remove(variable);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        finish(self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let file = self.path("input");
        std::fs::File::create(&file).unwrap().write_all(input).unwrap();
        let mut command = self.command(arguments);
        command.stdin(std::fs::File::open(file).unwrap());
        finish(&mut command)
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

fn finish(command: &mut Command) -> Outcome {
    let output = command.output().unwrap();
    let outcome = Outcome {
        status: output.status.code().expect("no signal ends a command"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
    outcome
}

impl Outcome {
    /// The output of a command that did what it was asked.
    #[track_caller]
    fn done(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{self:?}");
        self.stdout
    }

    #[track_caller]
    fn ids(self) -> Vec<u64> {
        self.done().lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Checks a command that failed: status, a part of the message, a code, a hint.
    #[track_caller]
    fn refused(self, status: i32, message: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.stderr.contains(message), "no {message:?} in {self:?}");
        let first = self.stderr.lines().next().unwrap_or_default();
        // The code in brackets; what the command line itself refuses has none.
        let code = first.strip_prefix("error[").and_then(|rest| rest.split_once("]: "));
        let has_code = code.is_some_and(|(name, _)| Code::ALL.iter().any(|c| c.name() == name));
        assert!(has_code || first.starts_with("error: "), "{self:?}");
        let has_hint = self.stderr.contains("\nhint: ") || self.stderr.contains("'--help'");
        assert!(has_hint, "{self:?}");
    }
}

fn vectors(name: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}
