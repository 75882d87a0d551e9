//! `segment` and `worker`, and several commands on one SQLite file.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout};
use std::time::Duration;

use serde_json::Value;
use snowmint::{Call, Layout, LeaseRequest, SqliteStore, WorkerStore};

use crate::{Outcome, User, finish};

const LEASED: &str = "snowflake+sqlite:{db}?layout=twitter&reserve_ms=2000&create=true";
const ORDERS: &str = "segment+sqlite:{db}?tag=orders";

/// A command that is minting and cannot end before it is read to the end.
struct Minting {
    child: Child,
    reader: BufReader<ChildStdout>,
}

impl Minting {
    fn start(user: &User, arguments: &[&str]) -> Minting {
        let mut child = user.start(arguments);
        let reader = BufReader::new(child.stdout.take().unwrap());
        Minting { child, reader }
    }

    fn id(&mut self) -> u64 {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line.trim().parse().unwrap()
    }

    fn rest(mut self) -> Vec<u64> {
        let lines = self.reader.lines();
        let ids = lines.map(|line| line.unwrap().parse().unwrap()).collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        ids
    }
}

#[test]
fn commands_at_once_share_no_worker_id_and_no_id() {
    let user = User::new();
    let url = user.url(LEASED);
    let mut minting: Vec<Minting> =
        (0..3).map(|_| Minting::start(&user, &["id", "-n", "300000", &url])).collect();
    let mut all: HashSet<u64> = minting.iter_mut().map(Minting::id).collect();
    let worker = |id: &u64| Layout::TWITTER.decode(*id).unwrap().worker_id;
    assert_eq!(all.iter().map(worker).collect::<HashSet<_>>().len(), 3, "one worker ID each");
    for ids in minting.into_iter().map(Minting::rest) {
        assert_eq!(ids.iter().map(worker).collect::<HashSet<_>>().len(), 1);
        all.extend(ids);
    }
    assert_eq!(all.len(), 900_000);
}

#[test]
fn shells_one_after_the_other_repeat_nothing() {
    let user = User::new();
    let mut all = HashSet::new();
    for _ in 0..10 {
        all.extend(user.run(&["id", "-n", "5000"]).ids());
    }
    assert_eq!(all.len(), 50_000);
}

#[test]
fn a_tag_is_raised_above_all_that_tables_have() {
    let user = User::new();
    let store = user.url("sqlite:{db}?create=true");
    let three = ["--start", "2", "--step", "10", "--stride", "3"];
    user.run(&[&["segment", "create", &store, "orders"][..], &three].concat()).done();
    // Any table will do, also one of ours.
    for (shard, largest) in [("a.db", "7"), ("b.db", "1000")] {
        let shard = format!("sqlite:{shard}?create=true");
        user.run(&["segment", "create", &shard, "a", "--start", largest, "--step", "5"]).done();
    }
    let raise = |at: &[&str]| {
        let from = ["--from", "snowmint_segment.step", "--from", "snowmint_segment.next", "--json"];
        user.run(&[&["segment", "raise", &user.url("{db}"), "orders"][..], &from, at].concat())
    };
    let nowhere = ["segment", "raise", &user.url("{db}"), "orders", "--from", "orders.id"];
    user.run(&nowhere).refused(2, "there is no orders.id");
    raise(&["--at", "a.db", "--at", "c.db"]).refused(4, "c.db");
    let next = |outcome: Outcome| {
        assert_eq!(outcome.status, 0, "{outcome:?}");
        let row: Value = serde_json::from_str(&outcome.stdout).unwrap();
        (row["next"].as_str().unwrap().to_owned(), outcome.stderr)
    };
    let (raised, said) = next(raise(&["--at", "sqlite:a.db", "--at", "b.db"]));
    // The first of 2, 5, 8 … that is above.
    assert_eq!(raised, "1001");
    assert!(said.contains("snowmint_segment.next of b.db: 1,000"), "{said}");
    assert_eq!(next(raise(&["--at", "a.db"])).0, "1001");
    assert_eq!(next(raise(&[])).0, "1004");
}

#[test]
fn commands_at_once_share_no_number_of_a_tag() {
    let user = User::new();
    let store = user.url("sqlite:{db}?create=true");
    user.run(&["segment", "create", &store, "orders", "--step", "100"]).done();
    let again = ["segment", "create", &store, "orders", "--step", "5", "--json"];
    user.run(&again).refused(2, "--if-not-exists");
    let left = user.run(&[&again[..], &["--if-not-exists"]].concat()).done();
    assert!(left.contains(r#""step":100"#), "{left}");
    let url = user.url(ORDERS) + "&step=100";
    let mut minting: Vec<Minting> =
        (0..2).map(|_| Minting::start(&user, &["id", "-n", "50000", &url])).collect();
    let mut all: HashSet<u64> = minting.iter_mut().map(Minting::id).collect();
    for ids in minting.into_iter().map(Minting::rest) {
        all.extend(ids);
    }
    assert_eq!(all.len(), 100_000);
}

#[test]
fn a_segment_goes_on_above_a_killed_command() {
    let user = User::new();
    user.run(&["segment", "create", "sqlite:ids.db?create=true", "orders"]).done();
    let url = user.url(ORDERS) + "&step=1000";
    let mut killed = Minting::start(&user, &["id", "-n", "1000000", &url]);
    let issued: HashSet<u64> = (0..5000).map(|_| killed.id()).collect();
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    let next = user.run(&["id", "-n", "10", &url]).ids();
    assert!(next.iter().min() > issued.iter().max());
}

#[test]
fn a_segment_reserves_only_what_is_asked_for() {
    let user = User::new();
    user.run(&["segment", "create", "sqlite:ids.db?create=true", "orders", "--start", "100"])
        .done();
    let url = user.url(ORDERS);
    assert_eq!(user.run(&["id", "-n", "5", &url]).ids(), [100, 101, 102, 103, 104]);
    assert_eq!(user.run(&["id", "-n", "2", &url]).ids(), [105, 106]);
}

#[test]
fn numbers_of_a_day_go_on_in_the_next_command() {
    let user = User::new();
    user.run(&["segment", "create", "sqlite:ids.db?create=true", "bills"]).done();
    let url = user.url("daily+sqlite:{db}?tag=bills&zone=UTC&digits=6");
    let ids = [user.run(&["id", "-n", "2", &url]).ids(), user.run(&["id", &url]).ids()].concat();
    let days: HashSet<u64> = ids.iter().map(|id| id / 1_000_000).collect();
    // If midnight passes in between, the numbers begin again.
    let numbers: Vec<u64> = ids.iter().map(|id| id % 1_000_000).collect();
    assert!(days.len() > 1 || numbers == [1, 2, 3], "{ids:?}");
    assert!(days.iter().all(|day| (20_260_000..=99_991_231).contains(day)), "{ids:?}");
}

#[test]
fn a_day_gives_all_the_numbers_it_has() {
    let user = User::new();
    user.run(&["segment", "create", "sqlite:ids.db?create=true", "few"]).done();
    let url = user.url("daily+sqlite:{db}?tag=few&zone=UTC&digits=1");
    let asked = user.run(&["id", "-n", "19", &url]);
    // If midnight passes in between, the output has the numbers of two days.
    assert!([9, 18].contains(&asked.stdout.lines().count()) && asked.status == 3, "{asked:?}");
    assert!(asked.stderr.contains("error[tag_exhausted]"), "{asked:?}");
}

#[test]
fn creates_lists_and_changes_tags() {
    let user = User::new();
    let json = |out: &str| -> Value { serde_json::from_str(out).unwrap() };
    let out = user
        .run(&[
            "segment",
            "create",
            "sqlite:ids.db?create=true",
            "orders",
            "--start",
            "7",
            "--json",
        ])
        .done();
    let row = json(&out);
    assert_eq!((&row["tag"], &row["next"]), (&"orders".into(), &"7".into()));
    assert_eq!((&row["step"], &row["stride"]), (&1000.into(), &1.into()));
    user.run(&["segment", "create", "sqlite:ids.db", "bills", "--step", "10", "--stride", "2"])
        .done();
    let table = user.run(&["segment", "list", "ids.db"]).done();
    let tags: Vec<_> = table.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(tags, ["TAG", "bills", "orders"]);
    user.run(&["segment", "raise", "ids.db", "orders", "--next", "5000"]).done();
    let set = ["segment", "set", "ids.db", "orders", "--step", "20", "--json"];
    let row = json(&user.run(&set).done());
    assert_eq!((&row["next"], &row["step"]), (&"5000".into(), &20.into()));
    assert_eq!(user.run(&["id", &user.url(ORDERS)]).ids(), [5000]);
    let lower = ["segment", "raise", "ids.db", "orders", "--next", "10"];
    user.run(&lower).refused(2, "5001");
}

#[test]
fn lists_and_releases_worker_ids() {
    let user = User::new();
    let url = user.url(LEASED);
    let mut minting = Minting::start(&user, &["id", "-n", "300000", &url]);
    let worker_id = Layout::TWITTER.decode(minting.id()).unwrap().worker_id;
    let worker = worker_id.to_string();
    let table = user.run(&["worker", "list", "ids.db"]).done();
    assert!(table.lines().nth(1).unwrap().contains(" held "), "{table}");

    let asked = user.run(&["worker", "release", "ids.db", &worker]);
    assert_eq!((asked.status, asked.stdout.as_str()), (2, ""));
    assert!(asked.stderr.contains("add --yes to release it"), "{}", asked.stderr);
    // The process takes another worker ID once it finds this one gone.
    let held = |user: &User| -> bool {
        let lines = user.run(&["worker", "list", "ids.db", "--json"]).done();
        let mut rows = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let row = rows.find(|row| row["worker_id"] == worker_id).unwrap();
        row["held"].as_bool().unwrap()
    };
    assert!(held(&user));
    let released = user.run(&["worker", "release", "ids.db", &worker, "--yes"]).done();
    assert!(released.starts_with(&format!("released worker ID {worker}, ")), "{released}");
    assert!(!held(&user));
    minting.child.kill().unwrap();
    minting.child.wait().unwrap();
}

/// An owner and a realm that clear the screen, set its title, and forge a line of the table.
#[test]
fn control_characters_from_a_store_are_escaped() {
    let user = User::new();
    let store = SqliteStore::create(user.path("ids.db")).unwrap();
    let owner = "\u{1b}]0;title\u{7}web-1\n    7  free\u{202e}";
    let request = LeaseRequest::new("\u{9b}2Jrealm", owner);
    store.acquire(&request, &Call::new(Duration::from_secs(60), [1; 16])).unwrap();
    let (owner, realm) = (r"\u{1b}]0;title\u{7}web-1\n    7  free\u{202e}", r"\u{9b}2Jrealm");
    let table = user.run(&["worker", "list", "ids.db"]).done();
    assert_eq!(table.lines().count(), 2, "{table:?}");
    assert!(table.contains(owner) && table.contains(realm), "{table:?}");

    let json = user.run(&["worker", "list", "ids.db", "--json"]).done();
    assert!(
        json.trim_end().bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '),
        "{json:?}"
    );
    let row: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&row["owner"], &row["realm"]), (&request.owner.into(), &request.realm.into()));

    let asked = user.run(&["worker", "release", "ids.db", "0"]);
    assert!(asked.stderr.contains(owner), "{asked:?}");
    let released = user.run(&["worker", "release", "ids.db", "0", "--yes"]).done();
    assert!(released.contains(owner) && released.contains(realm), "{released:?}");
    let again = user.run(&["worker", "release", "ids.db", "0", "--yes"]).done();
    assert!(again.contains(owner), "{again:?}");
}

#[test]
fn control_characters_that_were_typed_are_escaped() {
    let user = User::new();
    for typed in ["\u{1b}[2Jx", "1\u{85}2", "\u{202e}17"] {
        let decoded = user.run_with_input(&["decode", "-"], typed.as_bytes());
        assert!(!decoded.stderr.contains(typed), "{decoded:?}");
        let opened = user.run(&["id", &format!("segment+sqlite:{typed}/ids.db?tag=orders")]);
        assert!(opened.status != 0 && !opened.stderr.contains(typed), "{opened:?}");
        assert!(opened.stderr.contains(r"\u{"), "{opened:?}");
    }
}

#[test]
fn lists_the_worker_ids_of_the_state_directory() {
    let user = User::new();
    user.run(&["id"]).done();
    let table = user.run(&["worker", "list"]).done();
    assert_eq!(table.lines().count(), 2, "{table}");
    let row = table.lines().nth(1).unwrap();
    assert!(row.contains(" held ") || row.contains(" free "), "{table}");
    let worker = row.split_whitespace().next().unwrap();
    let database = user.path("state/snowmint/ids.db");
    let release = ["worker", "release", database.to_str().unwrap(), worker, "--yes"];
    user.run(&release).done();
    let again = user.run(&release);
    assert!(again.stdout.contains("free already"), "{again:?}");
}

#[test]
fn a_keys_numbers() {
    let user = User::new();
    let url = user.url("sequences+sqlite:{db}?tag=chat&keys_per_section=10&create=true");
    assert_eq!(user.run(&["id", &url, "--key", "42", "-n", "3"]).ids(), [1, 2, 3]);
    // Nothing more than was asked for is reserved, but for what was fetched ahead.
    let next = user.run(&["id", &url, "--key", "42"]).ids();
    assert!((4..=10).contains(&next[0]), "{next:?}");
    assert_eq!(user.run(&["id", &url, "--key", "7"]).ids(), [1]);
}

#[test]
fn a_key_has_its_database_and_a_runway_its_ranges() {
    let user = User::new();
    for (file, start) in [("a.db", "1"), ("b.db", "2")] {
        user.run(&["migrate", file]).done();
        user.run(&["segment", "create", file, "orders", "--stride", "2", "--start", start]).done();
    }
    let url = "segment+sqlite:a.db?tag=orders&at=sqlite:b.db";
    let of = |key: &str| user.run(&["id", url, "--key", key, "-n", "3"]).ids();
    let (first, again) = (of("42"), of("42"));
    assert!(first.iter().chain(&again).all(|id| id % 2 == first[0] % 2), "{first:?} {again:?}");
    assert!((0..20).any(|key| of(&key.to_string())[0] % 2 != first[0] % 2));
    let alone = "segment+sqlite:a.db?tag=orders";
    user.run(&["id", alone, "--key", "42"]).refused(2, "no keys");
    assert_eq!(user.run(&["id", &format!("{alone}&runway=60s")]).ids().len(), 1);
}

#[test]
fn a_tag_has_a_max() {
    let user = User::new();
    user.run(&["migrate", "ids.db"]).done();
    let created = user.run(&["segment", "create", "ids.db", "orders", "--max", "2"]).done();
    assert!(created.contains("MAX"), "{created}");
    let url = "segment+sqlite:ids.db?tag=orders";
    assert_eq!(user.run(&["id", url, "-n", "2"]).ids(), [1, 2]);
    user.run(&["id", url]).refused(3, "its max, 2");
    let found = user.run(&["doctor", "ids.db"]);
    assert!(found.status == 4 && found.stdout.contains("has reached its max, 2"), "{found:?}");
    user.run(&["segment", "set", "ids.db", "orders", "--max", "1"])
        .refused(2, "a max of 1 is too low, as its next number is 3: use 2");
    user.run(&["segment", "raise", "ids.db", "orders", "--next", "9"])
        .refused(2, "its next number cannot be 9, as its max is 2: raise that to 8 or more");
    let row = user.run(&["segment", "set", "ids.db", "orders", "--max", "2147483647", "--json"]);
    assert!(row.done().contains(r#""max":"2147483647""#));
    assert_eq!(user.run(&["id", url]).ids(), [3]);
    user.run(&["segment", "create", "ids.db", "bills", "--start", "9", "--max", "8"])
        .refused(2, "no number up to a max of 8");
    // A tag that ends at the largest number of all has no max that could be raised.
    user.run(&["segment", "create", "ids.db", "last", "--start", "9223372036854775806"]).done();
    let ended = user.run(&["id", "segment+sqlite:ids.db?tag=last", "-n", "2"]);
    assert_eq!(ended.stdout, "9223372036854775806\n");
    assert!(
        ended.stderr.contains("where numbers end") && !ended.stderr.contains("--max"),
        "{ended:?}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_directory_that_cannot_be_made_is_said() {
    User::new()
        .run(&["id", "snowflake+sqlite:/proc/nonexistent/ids.db?create=true"])
        .refused(4, "its directory is not there: it cannot be made");
}

#[test]
fn a_tag_in_a_namespace_is_named_by_both() {
    let user = User::new();
    let store = user.url("sqlite:{db}?create=true");
    user.run(&["segment", "create", &store, "shop/orders"]).done();
    let url = |tag: &str| user.url(&format!("segment+sqlite:{{db}}?{tag}"));
    user.run(&["id", &url("tag=shop/orders")]).refused(2, "namespace=shop&tag=orders");
    assert_eq!(user.run(&["id", &url("namespace=shop&tag=orders")]).ids(), [1]);
    let help = user.run(&["segment", "create", "--help"]).done();
    assert!(help.contains("shop/orders"), "{help}");
}

#[test]
fn the_last_numbers_of_a_tag_are_printed_before_its_end() {
    let user = User::new();
    let store = user.url("sqlite:{db}?create=true");
    for (tag, max) in [("small", "2"), ("ringed", "2"), ("larger", "70000")] {
        user.run(&["segment", "create", &store, tag, "--max", max]).done();
    }
    let url = |tag: &str| user.url(&format!("segment+sqlite:{{db}}?tag={tag}"));
    assert_eq!(user.run(&["id", &url("small")]).ids(), [1]);
    let last = user.run(&["id", "-n", "5", &url("small")]);
    assert_eq!((last.status, last.stdout.as_str()), (3, "2\n"), "{last:?}");
    assert!(last.stderr.contains("error[tag_exhausted]"), "{last:?}");
    let all = user.run(&["id", "-n", "5", "--json", &(url("ringed") + "&ring=64")]);
    assert_eq!((all.status, all.stdout.lines().count()), (3, 2), "{all:?}");
    let all = user.run(&["id", "-n", "80000", &(url("larger") + "&step=1000")]);
    assert_eq!((all.status, all.stdout.lines().count()), (3, 70_000));
}

/// As the refusal of two that can meet says.
#[test]
fn a_tag_goes_on_in_another_class() {
    let user = User::new();
    let both = "segment+sqlite:a.db?tag=orders&at=sqlite:b.db";
    for file in ["a.db", "b.db"] {
        user.run(&["migrate", file]).done();
        user.run(&["segment", "create", file, "orders", "--stride", "4", "--start", "1"]).done();
    }
    user.run(&["id", both]).refused(2, "raise STORE orders --remainder NUMBER`");
    let raise = |more: &[&str]| user.run(&[&["segment", "raise", "b.db", "orders"], more].concat());
    let next = |more: &[&str]| {
        let row: Value =
            serde_json::from_str(&raise(&[more, &["--json"]].concat()).done()).unwrap();
        row["next"].as_str().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(next(&["--remainder", "0"]), 4);
    assert_eq!(user.run(&["id", "-n", "10", both]).ids().len(), 10);
    let ids = user.run(&["id", "-n", "10", "segment+sqlite:b.db?tag=orders"]).ids();
    assert!(ids.iter().all(|id| id % 4 == 0), "{ids:?}");
    let largest = *ids.iter().max().unwrap();
    let above = next(&["--remainder", "3"]);
    assert!(above > largest && above % 4 == 3, "{above} after {largest}");
    assert_eq!(next(&["--remainder", "2", "--next", "1000000"]), 1_000_002);
    assert_eq!(next(&["--remainder", "2"]), 1_000_002);
    raise(&["--remainder", "2", "--next", "1"]).refused(2, "1000002");
    raise(&["--remainder", "4"]).refused(2, "leaves 4 by orders's stride of 4");
}

#[test]
fn l1_a_tag_that_is_raised_keeps_its_class() {
    let user = User::new();
    user.run(&["migrate", "ids.db"]).done();
    user.run(&["segment", "create", "ids.db", "orders", "--stride", "4", "--start", "1"]).done();
    let raise =
        |next: &str| user.run(&["segment", "raise", "ids.db", "orders", "--next", next, "--json"]);
    let moved = raise("402");
    assert!(moved.stdout.contains(r#""next":"405""#), "{moved:?}");
    assert!(moved.stderr.contains("goes on at 405"), "{moved:?}");
    assert!(raise("409").done().contains(r#""next":"409""#));
    raise("408").refused(2, "can only be raised");
}

/// Each working directory would have a key space of its own.
#[test]
fn a_home_by_a_relative_path_is_refused() {
    let user = User::new();
    let mut command = user.command(&["id"]);
    command.env_remove("XDG_STATE_HOME").env("HOME", "relative");
    finish(&mut command).refused(4, "the home directory \"relative\" is a relative path");
    assert!(!user.path("relative").exists());
    // Such a path of the state directory's own variable counts for nothing, as the XDG says.
    let mut command = user.command(&["id"]);
    command.env("XDG_STATE_HOME", "relative");
    assert_eq!(finish(&mut command).ids().len(), 1);
    assert!(!user.path("relative").exists() && user.path(".local/state/snowmint").is_dir());
}

#[test]
fn a_file_of_an_application_has_a_hint_that_fits() {
    /// The place of the application ID in the header of an SQLite file.
    const APPLICATION_ID: std::ops::Range<usize> = 68..72;
    let user = User::new();
    user.run(&["migrate", "app.db"]).done();
    let mut content = std::fs::read(user.path("app.db")).unwrap();
    content[APPLICATION_ID].fill(0);
    std::fs::write(user.path("app.db"), content).unwrap();
    let outcome = user.run(&["id", "snowflake+sqlite:app.db?create=true"]);
    assert!(outcome.stderr.contains("hint: do what the message says"), "{outcome:?}");
    outcome.refused(4, "use a file of its own");
}
