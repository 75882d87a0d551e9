//! The command line program: how large, and how long from start to end.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::measure::{Contestant, Effort, Outcome};
use crate::report::Line;

const GROUP: &str = "command line";

/// Nothing if the program is not built.
pub fn command(effort: Effort) -> Vec<Line> {
    let Some(program) = program() else {
        eprintln!("snowmint is not built: its size and start are left out (SNOWMINT=path/to/it)");
        return Vec::new();
    };
    let bytes = program.metadata().map_or(0, |found| found.len());
    let mut lines = vec![Line::new(GROUP, "snowmint, size", bytes as f64 / 1e6, "MB").at_most(8.0)];
    lines.extend(starts(effort, &program));
    lines
}

fn program() -> Option<PathBuf> {
    let named = std::env::var_os("SNOWMINT").map(PathBuf::from);
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name("snowmint"));
    [named, beside].into_iter().flatten().find(|path| path.is_file())
}

fn starts(effort: Effort, program: &Path) -> Vec<Line> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let own = std::env::current_exe().expect("this program's path");
    let commit = own.with_file_name("durable-commit");
    let table = directory.path().join("commit.db");
    let contestants = vec![
        Contestant::new("snowmint id", || {
            // Without a URL it leases a worker ID from a file in the state directory.
            run(Command::new(program).arg("id").env("XDG_STATE_HOME", directory.path()))
        }),
        Contestant::new("one durable commit", || run(Command::new(&commit).arg(&table))),
        Contestant::new("nothing", || run(Command::new(&commit).arg("--nothing"))),
    ];
    let outcome = Outcome::of(effort.starts, contestants);
    let line = |name: &str| Line::new(GROUP, name, outcome.median(name) / 1e6, "ms");
    vec![
        line("snowmint id")
            .against("one durable commit", outcome.ratio("snowmint id", &["one durable commit"]))
            .at_most(1.5),
        line("one durable commit"),
        line("nothing"),
    ]
}

/// Nanoseconds from start to end.
fn run(command: &mut Command) -> f64 {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).status().expect("a program that starts");
    assert!(status.success(), "{command:?}: {status}");
    start.elapsed().as_nanos() as f64
}
