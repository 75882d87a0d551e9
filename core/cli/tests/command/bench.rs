//! `bench`: what it prints, and that it leaves nothing behind. Never how fast anything is.

use serde_json::Value;

use crate::{Outcome, User};

/// The names of the lines that are printed for a snowflake, in order.
const NAMES: &[&str] = &[
    "open",
    "fetch_add",
    "cheap clock",
    "precise clock",
    "writing 8 bytes",
    "next_id",
    "next_id, 2 threads",
    "fetch_add, 2 threads",
    "fill",
    "decode",
    "writing base32",
    "writing decimal",
    "reading base32",
    "timed call, p50",
    "timed call, p99",
    "timed call, p99.9",
    "timed call, slowest",
    "sustained",
    "sustained, CPU",
];

fn bench(user: &User, arguments: &[&str]) -> Outcome {
    std::fs::create_dir_all(user.path("tmp")).unwrap();
    let mut command = user.command(&[&["bench", "--quick"], arguments].concat());
    crate::finish(command.env("TMPDIR", user.path("tmp")))
}

fn lines(json: &str) -> Vec<Value> {
    json.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["name"].as_str().unwrap()).collect()
}

#[test]
fn prints_a_line_a_figure() {
    let table = bench(&User::new(), &[]).done();
    let mut lines = table.lines();
    let heading: Vec<_> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(heading, ["MEASURED", "FIGURE", "RATIO", "TO"]);
    for name in NAMES.iter().filter(|name| !name.ends_with("CPU") || cfg!(unix)) {
        let line = lines.next().unwrap();
        assert!(line.starts_with(&format!("{name}  ")), "{name}: {table}");
    }
    assert_eq!(lines.next(), None, "{table}");
    assert!(table.contains(" ×  cheap clock + fetch_add\n"), "{table}");
}

#[test]
#[cfg(unix)]
fn writes_json() {
    let json = bench(&User::new(), &["--json"]).done();
    let lines = lines(&json);
    assert_eq!(names(&lines), NAMES);
    for line in &lines {
        assert!(line["value"].as_f64().unwrap() >= 0.0, "{line}");
        assert!(["ns", "IDs/s", "cores"].contains(&line["unit"].as_str().unwrap()), "{line}");
        // Every figure has the same keys, and a ratio says what it is to.
        let keys: Vec<_> = line.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["name", "value", "unit", "ratio", "to"]);
        assert_eq!(line["ratio"].is_f64(), line["to"].is_string(), "{line}");
    }
    let with_ratio: Vec<_> = lines.iter().filter(|line| line["ratio"].is_f64()).collect();
    assert_eq!(with_ratio.len(), 4);
}

#[test]
fn needs_no_setup_and_leaves_nothing_behind() {
    let user = User::new();
    bench(&user, &[]).done();
    assert!(!user.path("state").exists());
    assert_eq!(std::fs::read_dir(user.path("tmp")).unwrap().count(), 0);
}

#[test]
fn measures_other_sources() {
    let user = User::new();
    user.run(&["segment", "create", "sqlite:ids.db?create=true", "bench"]).done();
    let segment = user.url("segment+sqlite:{db}?tag=bench");
    let json = bench(&user, &["--json", &segment]).done();
    let without_time: Vec<_> = NAMES.iter().filter(|name| **name != "decode").collect();
    assert_eq!(names(&lines(&json)).len(), without_time.len());
    assert_ne!(user.run(&["id", &segment]).ids(), [1], "the numbers are used up");

    bench(&user, &["--json", "segment+memory:bench?tag=bench"]).done();

    // 256 IDs in 10 ms: little to borrow, and much to wait for.
    let slow = user.url("snowflake+sqlite:{db}?layout=sonyflake-v2&create=true");
    let json = bench(&user, &["--json", "--threads", "3", &slow]).done();
    assert!(names(&lines(&json)).contains(&"next_id, 3 threads"), "{json}");
}

#[test]
fn a_source_that_fails_prints_no_figures() {
    let user = User::new();
    user.run(&[
        "segment",
        "create",
        "sqlite:ids.db?create=true",
        "last",
        "--start",
        "9223372036854775000",
    ])
    .done();
    let outcome = bench(&user, &[&user.url("segment+sqlite:{db}?tag=last&step=1")]);
    assert_eq!(outcome.stdout, "");
    outcome.refused(3, "error[tag_exhausted]: ");
}
