//! Wrong input: a message that says what is wrong, a hint, an exit status; never a panic.

use crate::User;

/// Arguments, exit status, a part of the message. `{db}` is a path.
const CASES: &[(&[&str], i32, &str)] = &[
    (&[], 2, "Usage"),
    (&["mint"], 2, "unrecognized subcommand"),
    (&["id", "-n", "0"], 2, "0 is out of range: use 1 to 1000000000000"),
    (&["id", "-n", "1000000000001"], 2, "1000000000001 is out of range"),
    (&["id", "-n", "-1"], 2, "invalid value"),
    // The count needs more than one block, and the source could give the first one.
    (
        &["id", "-n", "5000000", "snowflake:?worker_id=3&wait_ms=0"],
        2,
        "error[count_out_of_range]: ",
    ),
    (&["id", "-n", "18446744073709551616"], 2, "invalid value"),
    (&["id", "--format", "base64"], 2, "base62"),
    (&["id", "uuid:?version=7", "--key", "2"], 2, "leave --key out"),
    (&["id", ""], 2, "error[invalid_url]: "),
    (&["id", "nonsense"], 2, "nonsense"),
    (&["id", "snowball:"], 2, "snowflake+sqlite:"),
    (&["id", "snowball:"], 2, "error[unknown_scheme]: "),
    (&["id", "snowflake+oracle:x"], 2, "oracle"),
    (&["id", "snowflake+jdbc:x"], 2, "a store: sqlite, postgres, mysql, redis, "),
    (&["id", "foo:"], 2, "https or memory"),
    (&["doctor", "foo:"], 2, "zookeepers://host:2181\n"),
    (&["migrate", "foo:"], 2, "zookeepers://host:2181\n"),
    (&["token", "create", "--name", "a b"], 2, "\"a b\" is no name of a token"),
    (&["id", "snowflake:"], 2, "worker"),
    (&["id", "snowflake:?worker_id=1&colour=red"], 2, "colour"),
    (&["id", "snowflake:?worker_id=one"], 2, "one"),
    (&["id", "snowflake:?worker_id=1024&layout=twitter"], 2, "1023"),
    (&["id", "snowflake:?worker_id=1&layout=nope"], 2, "twitter"),
    (&["id", "snowflake:?worker_id=1&layout=time:41,worker:30"], 2, "64"),
    (&["id", "snowflake:?worker_id=1&layout=time:60,worker:10,sequence:12"], 2, "82 bits"),
    (&["id", "snowflake:?worker_id=1&layout=time:41,time:10"], 2, "twice"),
    (
        &[
            "id",
            "snowflake:?worker_id=1&layout=time:41,worker:10,sequence:12&epoch_ms=99999999999999",
        ],
        3,
        "before the layout's epoch",
    ),
    (&["id", "snowflake:?worker_id=1&layout=lingdu"], 3, "2026-09-06T02:58:26"),
    (&["id", "snowflake:?worker_id=1&layout=lingdu"], 3, "error[layout_expired]: "),
    (&["id", "snowflake:?worker_id=1&layout=baidu-default"], 3, "2024-11-20T13:24:16"),
    (&["id", "snowflake+sqlite:{db}"], 4, "create=true"),
    (&["segment", "create", "{db}", "orders"], 4, "create=true"),
    (&["segment", "create", "{db}?create=true", "orders"], 2, "write sqlite:"),
    (&["migrate", "{db}?create=true"], 2, "write sqlite:"),
    (&["doctor", "{db}?create=true"], 2, "write sqlite:"),
    (&["adopt", "{db}?create=true"], 2, "write sqlite:"),
    (&["segment", "create", "{db}?create=true", "a"], 2, "`snowmint segment create --help` says"),
    (&["segment", "list", "oracle://host"], 2, "`snowmint segment list --help` says"),
    (&["id", "oracle://host"], 2, "`snowmint id --help` lists"),
    (&["segment", "create", "sqlite:{db}", "orders"], 4, "create=true"),
    (&["id", "snowflake+sqlite:{db}?layout=lingdu"], 3, "2026-09-06T02:58:26"),
    (&["id", "snowflake:?worker_id=env"], 3, "SNOWMINT_WORKER_ID"),
    (&["id", "snowflake:?worker_id=env"], 3, "hint: give worker_id=NUMBER in the URL"),
    (&["id", "segment+sqlite:{db}"], 2, "tag"),
    (&["id", "segment+sqlite:{db}?tag="], 2, "1 to 64"),
    (&["id", "segment+sqlite:{db}?tag=a%20b"], 2, "1 to 64"),
    (&["id", "segment+sqlite:{db}?tag=a&step=0"], 2, "step of 0"),
    (&["id", "segment+sqlite:{db}?tag=a&step=1073741825"], 2, "step of 1073741825"),
    (&["id", "daily+sqlite:{db}?tag=a&zone=Nowhere/City"], 2, "Nowhere"),
    (&["id", "uuid:?version=5"], 2, "4 or 7"),
    (&["id", "--format", "hex", "uuid:"], 2, "one text form"),
    (&["id", "segment+sqlite:/dev/null/ids.db?tag=a"], 4, "/dev/null/ids.db"),
    (&["id", "sequences+sqlite:{db}?create=true&tag=a"], 2, "--key 42"),
    (&["id", "snowflake:?worker_id=1", "--key", "42"], 2, "this source has no keys"),
    (&["id", "--key", "x", "sequences+sqlite:{db}?create=true&tag=a"], 2, "invalid value"),
    (&["id", "snowflake://?worker_id=1"], 2, "write snowflake:?worker_id=1"),
    (&["id", "snowflake:?worker=1"], 2, "did you mean worker_id?"),
    (&["id", "snowflake+sqlite://localhost{db}"], 2, "error[invalid_url]: "),
    (&["segment", "list", "memory:"], 2, "sqlite:PATH"),
    (&["id", "snowflake+memory:tests"], 2, "the next one repeats its IDs"),
    (&["id", "segment+memory:tests?tag=a"], 2, "name a file, as sqlite:PATH"),
    (&["serve", "--source", "a=segment+memory:tests?tag=a"], 2, "sources.a: a store in memory"),
    (&["segment", "list", ""], 2, "the database's path is empty"),
    (&["segment", "list", "/"], 2, "is a directory: name a file in it"),
    (&["decode"], 2, "no ID is given"),
    (&["decode", ""], 2, "Give an ID"),
    (&["decode", "hello world"], 2, "\"hello world\" looks like several words, no ID."),
    (&["decode", "1.2E+18", "--beside", "tweet"], 2, "was rounded by a spreadsheet or a program"),
    (&["decode", "1.2E+18", "--beside", "tweet"], 2, "between 2019-07-13T11:12:20.623Z and"),
    (&["decode", "user_id,amount\n7.08E+17,200"], 2, "user_id is damaged: \"7.08E+17\""),
    (&["decode", "order_1BJMc1VGIma_MDyT21DRu9w"], 2, "a public ID of the type \"order\""),
    (&["decode", "foo"], 2, "it may be z-base32 or base36"),
    (&["decode", "18446744073709551616"], 2, "The largest ID is 18446744073709551615"),
    (&["id", "-n", "1.5e6"], 2, "a whole number from 1 to 1000000000000, as 1500, or 1e6"),
    (&["id", "-n", "1e30"], 2, "from 1 to 1000000000000"),
    (&["id", "--key", "-5"], 2, "from 0 to 18446744073709551615"),
    (
        &["decode", "-5"],
        2,
        "-5, which is 18446744073709551611 without a sign: no preset is likely: it",
    ),
    (&["decode", "--format", "dec", "01ARZ3NDEKTSV4RRFFQ69G5FAV"], 2, "is a ULID, of 128 bits"),
    (&["decode", "-9223372036854775809"], 2, "The smallest signed ID is -9223372036854775808"),
    (&["bounds", "--layout", "twitter", "2026-02-30"], 2, "write 2026-01-31"),
    (&["bounds", "--layout", "twitter", "2026-02-01..2026-01-01"], 2, "the earlier time first"),
    (&["bounds", "--layout", "twitter", "2026-01-01..2026-01-01"], 2, "is empty, as its end"),
    (&["bounds", "--layout", "twitter", "2009-01-01"], 2, "error[time_out_of_range]"),
    (&["man", "/dev/null/pages"], 4, "cannot be written: a file is in the place of a directory"),
    (&["man", "/dev/null/pages"], 4, "may write the file and its directory\n"),
    (
        &["token", "create", "--name", "a", "--file", "/dev/null/t"],
        4,
        "the file and its directory\n",
    ),
    (&["decode", "18446744073709551615"], 2, "in the future"),
    (&["decode", "--layout", "nope", "1"], 2, "no layout is called"),
    (&["decode", "--layout", "twitter", "9223372036854775808"], 2, "constant bits differ"),
    (&["decode", "--layout", "twitter", "--epoch-ms", "1", "1"], 2, "names a preset"),
    (&["decode", "--epoch-ms", "1", "1"], 2, "none is given"),
    (&["decode", "--layout", "time:41,worker:ten", "1"], 2, "from offset 8"),
    (&["decode", "--format", "base62", "zzzzzzzzzzz"], 2, "above 18446744073709551615"),
    (&["decode", "--format", "base32", "short"], 2, "exactly 13"),
    (&["decode", "--format", "dec", "12a"], 2, "offset 2"),
    (&["decode", "--format", "dec", "12a"], 2, "hint: `snowmint decode --help` lists the forms\n"),
    (&["decode", "--bits", "--json", "1"], 2, "cannot be used with"),
    (&["layouts", "nope"], 2, "no layout is called"),
    (&["layouts", "worker:10"], 2, "no time field"),
    (&["layouts", "time:41", "--tick-ms", "0"], 2, "at least 1 ms"),
    (&["segment", "list"], 2, "required"),
    (&["segment", "set", "{db}", "orders", "--step", "x"], 2, "a whole number from 0 to"),
    (&["segment", "create", "{db}", "a", "--start", "-5"], 2, "a whole number from 0 to"),
    (&["segment", "list", "missing.db"], 4, "missing.db"),
    (&["segment", "list", "missing.db"], 4, "error[store_missing]: "),
    (&["segment", "list", "oracle://localhost/ids"], 2, "oracle"),
    (&["segment", "list", "postgres://127.0.0.1:1/ids"], 4, "cannot be reached"),
    (&["segment", "list", "mysql://ann@127.0.0.1:1/ids"], 4, "cannot be reached"),
    (&["segment", "raise", "{db}", "orders"], 2, "--from"),
    (&["segment", "raise", "{db}", "orders", "--next", "1", "--from", "a.id"], 2, "cannot be used"),
    (&["segment", "set", "{db}", "orders", "--next", "1"], 2, "--next"),
    (&["segment", "raise", "{db}", "orders", "--from", "id"], 2, "TABLE.COLUMN"),
    (&["segment", "create", "{db}", ""], 2, "1 to 64"),
    (&["segment", "create", "{db}", "a b"], 2, "1 to 64"),
    (&["segment", "create", "{db}", "a", "--step", "0"], 2, "step of 0"),
    (&["segment", "create", "{db}", "a", "--stride", "0"], 2, "stride"),
    (&["segment", "create", "{db}", "a", "--start", "9223372036854775807"], 2, "no range"),
    (
        &["segment", "create", "{db}", "a", "--max", "9223372036854775807"],
        2,
        "to 9223372036854775806, a tag's",
    ),
    (&["segment", "set", "{db}", "a"], 2, "--step"),
    (&["segment", "set", "missing.db", "a", "--step", "1"], 4, "missing.db"),
    (&["recover"], 2, "required"),
    (&["recover", "missing.db"], 4, "missing.db"),
    (&["recover", "{db}", "--next", "orders"], 2, "TAG=NUMBER"),
    (&["recover", "{db}", "--next", "a b=1"], 2, "1 to 64"),
    (&["worker", "list", "missing.db"], 4, "missing.db"),
    (&["worker", "release", "missing.db", "1"], 4, "missing.db"),
    (&["worker", "release", "missing.db", "one"], 2, "a worker ID is a whole number from 0"),
    (&["worker", "release", "missing.db", "-1"], 2, "a worker ID is a whole number from 0"),
    (&["bench", "nonsense"], 2, "nonsense"),
    (&["bench", "snowflake:?worker_id=1&layout=lingdu"], 3, "2026-09-06T02:58:26"),
    (&["bench", "segment+sqlite:missing.db?tag=a"], 4, "missing.db"),
    (&["bench", "uuid:"], 2, "error[unsupported]: only snowflakes and segments"),
    (&["bench", "--threads", "0"], 2, "0 is not in 1..=64"),
    (&["bench", "--threads", "65"], 2, "65 is not in 1..=64"),
    (&["bench", "--seconds", "0"], 2, "0 is not in 1..=3600"),
    (&["bench", "--seconds", "3601"], 2, "3601 is not in 1..=3600"),
];

#[test]
fn each_has_a_message_a_hint_and_an_exit_status() {
    for (arguments, status, message) in CASES {
        let user = User::new();
        let arguments: Vec<String> = arguments.iter().map(|text| user.url(text)).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let outcome = user.run(&arguments);
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        if arguments.is_empty() {
            assert!((outcome.status, outcome.stderr.contains(message)) == (*status, true));
            continue;
        }
        eprintln!("{arguments:?}"); // shown if it fails
        outcome.refused(*status, message);
    }
}

#[test]
fn no_message_shows_a_variable_whose_name_is_secret() {
    let user = User::new();
    let mut command = user.command(&["id", "snowflake:?worker_id=env:PGPASSWORD"]);
    let outcome = crate::finish(command.env("PGPASSWORD", "S3CRET"));
    assert_ne!(outcome.status, 0);
    assert!(outcome.stderr.contains("PGPASSWORD=\"***\" is no worker ID"), "{}", outcome.stderr);
}

/// No command shows a password, even if it cannot use the URL.
#[test]
fn no_message_shows_a_password() {
    let user = User::new();
    for url in [
        "postgres://ann:S3CRET@db:5432/ids",
        "segment+postgres://ann:S3CRET@db/ids?tag=a",
        "mysql://ann:S3CRET@db:3306/ids?ssl-mode=no",
        "snowflake+sqlite://ann:S3CRET@db/ids.db",
        "ann:S3CRET@db/ids",
        "sqlite:ids.db?password=S3CRET",
        "sqlite:ids.db?token=S3CRET&S3CRET",
        "segment+sqlite:ids.db?pasword=S3CRET&tag=a",
    ] {
        for command in [
            &["id", url][..],
            &["id", "snowflake:?worker_id=1", url],
            &["id", "-n", url],
            &["id", "--format", url],
            &["id", &format!("--{url}")],
            &[url],
            &["bench", url],
            &["segment", "list", url],
            &["segment", "create", url, "orders"],
            &["segment", "list", "ids.db", url],
            &["worker", "list", url],
            &["worker", "release", "ids.db", url],
            &["layouts", "twitter", url],
        ] {
            let outcome = user.run(command);
            assert_ne!(outcome.status, 0, "{command:?}");
            let shown = format!("{}{}", outcome.stdout, outcome.stderr);
            assert!(!shown.contains("S3CRET"), "{command:?}: {shown}");
        }
    }
}

#[test]
fn a_wrong_tag_makes_no_file() {
    let user = User::new();
    user.run(&["segment", "create", "ids.db", "a b"]).refused(2, "1 to 64");
    user.run(&["segment", "create", "ids.db", "a", "--step", "0"]).refused(2, "step of 0");
    user.run(&["segment", "list", "ids.db"]).refused(4, "ids.db");
    assert!(!user.path("ids.db").exists());
}

#[test]
fn a_tag_is_created_once_and_must_exist() {
    let user = User::new();
    user.run(&["segment", "create", "sqlite:ids.db?create=true", "orders"]).done();
    user.run(&["segment", "create", "ids.db", "orders"]).refused(2, "orders");
    user.run(&["recover", "ids.db", "--yes"]).refused(2, "how far orders went");
    user.run(&["recover", "ids.db", "--server", "a"]).refused(2, "leave --server out");
    user.run(&["recover", "ids.db", "--from", "./ids.db"]).refused(2, "the store that goes on");
    user.run(&["segment", "set", "ids.db", "bills", "--step", "5"]).refused(2, "bills");
    user.run(&["worker", "release", "ids.db", "7"]).refused(2, "nobody ever took worker ID 7");
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let user = User::new();
    let text = "not a database, but a letter of some length: ".repeat(100);
    std::fs::write(user.path("ids.db"), &text).unwrap();
    for command in [
        &["segment", "list", "ids.db"][..],
        &["segment", "create", "ids.db", "orders"],
        &["worker", "list", "ids.db"],
        &["id", "snowflake+sqlite:ids.db"],
        &["id", "segment+sqlite:ids.db?tag=a"],
    ] {
        user.run(command).refused(4, "ids.db");
        assert_eq!(std::fs::read_to_string(user.path("ids.db")).unwrap(), text);
    }
}

#[test]
fn a_directory_is_no_database() {
    let user = User::new();
    std::fs::create_dir(user.path("ids.db")).unwrap();
    user.run(&["id", "snowflake+sqlite:ids.db"]).refused(2, "ids.db");
    user.run(&["segment", "list", "ids.db"]).refused(2, "ids.db");
}

#[test]
fn a_state_directory_that_cannot_be_made_is_said() {
    let user = User::new();
    std::fs::write(user.path("state"), "a file").unwrap();
    user.run(&["id"]).refused(4, "state");
}
