//! Servers of a test's own, by scripts/servers: each ends with what it is of, or with this process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Own {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Own {
    /// One with settings, `name=value`, and its URL.
    pub(crate) fn start(name: &str, settings: &[&str]) -> (Own, String) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/servers");
        let mut process = Command::new(script)
            .args(["run", name])
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut own = Own { process, input, output };
        let url = own.line();
        (own, url)
    }

    /// Ends it as a crash would.
    pub(crate) fn end(&mut self) {
        self.tell("end");
    }

    /// Starts it again after its end.
    pub(crate) fn start_again(&mut self) {
        self.tell("start");
    }

    /// Ends it, and starts it again once its files were copied ("keep"), or put back ("back").
    #[allow(dead_code, reason = "of some servers")]
    pub(crate) fn restart_with_files(&mut self, what: &str) {
        self.end();
        self.tell(what);
        self.start_again();
    }

    fn tell(&mut self, what: &str) {
        writeln!(self.input.as_mut().unwrap(), "{what}").unwrap();
        assert_eq!(self.line(), "ready");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "no server");
        line.trim_end().to_owned()
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        drop(self.input.take());
        drop(self.process.wait());
    }
}

/// Returns a command, which runs in the release of Debian that the servers are of if
/// SNOWMINT_DEBIAN names one.
#[allow(dead_code, reason = "of some servers")]
pub(crate) fn command(words: &[&str]) -> Command {
    let Ok(release) = std::env::var("SNOWMINT_DEBIAN") else {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        return command;
    };
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/debian"));
    command.args(["run", &release]).args(words);
    command
}

/// Returns a port on which nobody listens at the moment.
#[allow(dead_code, reason = "of some servers")]
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
