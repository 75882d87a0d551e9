//! `id`: forms, counts, pipes.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use snowmint::{Clock, Layout, System, TextForm};

use crate::User;

const FIXED: &str = "snowflake:?worker_id=7&layout=twitter";

#[test]
fn mints_without_a_url() {
    let user = User::new();
    let ids = user.run(&["id", "-n", "1000"]).ids();
    assert_eq!(ids.len(), 1000);
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert!(user.path("state/snowmint/ids.db").exists());
    let later = user.run(&["id"]).ids();
    assert!(!ids.contains(&later[0]));
}

#[test]
fn mints_with_the_worker_id_given() {
    let user = User::new();
    for id in user.run(&["id", "-n", "10", FIXED]).ids() {
        assert_eq!(Layout::TWITTER.decode(id).unwrap().worker_id, 7);
    }
}

#[test]
fn warns_of_a_layout_that_ends_beside_the_ids() {
    let user = User::new();
    let epoch_ms = System.now_ms() + 30 * 86_400_000 - (1 << 34);
    let layout = "time:34,worker:10,sequence:12";
    let url = format!("snowflake:?worker_id=7&layout={layout}&epoch_ms={epoch_ms}");
    let run = user.run(&["id", "-n", "3", &url]);
    assert_eq!((run.status, run.stdout.lines().count(), run.stderr.lines().count()), (0, 3, 1));
    let warning = "snowmint: warning: the layout's time field runs out at ";
    assert!(run.stderr.starts_with(warning), "{}", run.stderr);
    assert_eq!(User::new().run(&["id", FIXED]).stderr, "");
}

#[test]
fn tells_what_the_source_is_doing_beside_the_ids() {
    let user = User::new();
    let run = user.run(&["id", "-n", "10", "--stats", FIXED]);
    let told: Value = serde_json::from_str(run.stderr.trim()).unwrap();
    assert_eq!((&told["kind"], &told["worker_id"]), (&"snowflake".into(), &7.into()));
    assert!(told["reserved_ms"].is_i64() && told.get("last_failure").is_none(), "{told}");
    assert_eq!(run.stdout.lines().count(), 10);
}

#[test]
fn mints_from_a_ring_and_tells_what_is_ready_in_it() {
    let user = User::new();
    let run = user.run(&["id", "-n", "10", "--stats", "snowflake:?worker_id=7&ring=1024"]);
    let told: Value = serde_json::from_str(run.stderr.trim()).unwrap();
    assert_eq!((&told["kind"], &told["worker_id"]), (&"snowflake".into(), &7.into()));
    assert_eq!(told["buckets"][0]["size"], "1024", "{told}");
    let ids: Vec<u64> = run.stdout.lines().map(|id| id.parse().unwrap()).collect();
    assert!(ids.len() == 10 && ids.is_sorted_by(|a, b| a < b));
}

#[test]
fn ids_written_in_any_form_are_decoded() {
    let user = User::new();
    for form in TextForm::ALL {
        let name = form.name();
        let text = user.run(&["id", "-n", "3", "--format", name, FIXED]).done();
        let arguments = ["decode", "--json", "--layout", "twitter", "--format", name, "-"];
        let decoded = user.run_with_input(&arguments, text.as_bytes()).done();
        let ids: Vec<u64> = decoded
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .map(|object| object["id"].as_str().unwrap().parse().unwrap())
            .collect();
        let expected: Vec<u64> = text.lines().map(|line| form.parse(line).unwrap()).collect();
        assert_eq!((ids.len(), ids), (3, expected), "{name}");
    }
}

#[test]
fn writes_json_with_ids_as_strings() {
    let user = User::new();
    let line = user.run(&["id", "--json", FIXED]).done();
    let object: Value = serde_json::from_str(&line).unwrap();
    let id: u64 = object["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(line, format!("{{\"id\":\"{id}\"}}\n"));
    let line = user.run(&["id", "--json", "--format", "base32-check", FIXED]).done();
    let object: Value = serde_json::from_str(&line).unwrap();
    let id: u64 = object["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(object["text"], *TextForm::Base32Check.format(id));
}

#[test]
fn makes_uuids() {
    let user = User::new();
    for (url, layout) in [("uuid:?version=4", "uuid-v4"), ("uuid:?version=7", "uuid-v7")] {
        let text = user.run(&["id", "-n", "3", url]).done();
        let decoded = user.run_with_input(&["decode", "-"], text.as_bytes()).done();
        assert_eq!(decoded.lines().filter(|line| line.contains(layout)).count(), 3, "{decoded}");
    }
    let object: Value = serde_json::from_str(&user.run(&["id", "--json", "uuid:"]).done()).unwrap();
    assert_eq!(object["id"].as_str().unwrap().len(), 36);
}

#[test]
fn more_than_a_block_is_complete_and_rises() {
    let user = User::new();
    let ids = user.run(&["id", "-n", "200001", FIXED]).ids();
    assert_eq!(ids.len(), 200_001);
    assert!(ids.is_sorted_by(|a, b| a < b));
}

#[test]
fn ends_quietly_when_the_reader_has_enough() {
    let user = User::new();
    let mut child = user.start(&["id", "-n", "100000000", FIXED]);
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
}

#[test]
#[cfg(target_os = "linux")]
fn says_when_the_output_cannot_be_written() {
    let user = User::new();
    for arguments in [&["id", "-n", "1000", FIXED][..], &["--help"], &["--version"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = user.command(arguments);
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("error: cannot write to standard output: "), "{stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ends_with_the_same_status_where_nobody_hears_why() {
    let user = User::new();
    for (arguments, status) in [
        (&["id", "segment+sqlite:none.db?tag=orders"][..], 4),
        (&["decode", "x", "--layout", "twitter"], 2),
        (&["serve", "--config", "none.toml"], 2),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = user.command(arguments).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn a_count_may_be_a_power_of_ten() {
    let user = User::new();
    assert_eq!(
        user.run(&["id", "-n", "2e3", "snowflake:?worker_id=7"]).done().lines().count(),
        2_000
    );
}

#[test]
fn a_state_directory_changes_its_layout() {
    let user = User::new();
    let source = |fields: &str| format!("snowflake:?worker_id=1&state=s&layout={fields}");
    let [before, after] = ["twitter", "time:41,worker:9,sequence:13"].map(source);
    let after = after + "&epoch_ms=1288834974657";
    let first = user.run(&["id", &before]).ids();
    user.run(&["id", &after]).refused(3, "snowmint layout change");
    let layout = "time:41,worker:9,sequence:13@1288834974657/1";
    user.run(&["layout", "change", "none", layout]).refused(4, "none");
    // Until the time is over that the killed one may have had.
    while user.run(&["layout", "change", "s", layout]).status == 4 {
        thread::sleep(Duration::from_millis(100));
    }
    assert!(user.run(&["id", &after]).ids() > first);
    user.run(&["id", &before]).refused(3, "snowmint layout change");
}
