//! `decode`: known IDs as printed, every text form, lines of standard input.

use serde_json::Value;
use snowmint::{TextForm, escaped};

use crate::{User, vectors};

const ID: &str = "1541815603606036480";
const JSON: &str = concat!(
    r#"{"id":"1541815603606036480","layout":"twitter","time":"2022-06-28T16:07:40.105Z","#,
    r#""unix_ms":1656432460105,"datacenter":11,"worker":26,"sequence":0}"#,
    "\n"
);

#[test]
fn prints_one_object_a_line() {
    let user = User::new();
    assert_eq!(user.run(&["decode", "--json", "--layout", "twitter", ID]).done(), JSON);
}

#[test]
fn decodes_every_known_id_as_printed() {
    let user = User::new();
    let vectors = vectors("known-ids.json");
    let known = vectors["ids"].as_array().unwrap();
    assert!(known.len() >= 30, "{} known IDs", known.len());
    for entry in known {
        let text = |key: &str| entry[key].as_str().unwrap();
        let mut expected = format!(
            r#"{{"id":"{}","layout":"{}","time":"{}","unix_ms":{}"#,
            text("id"),
            text("preset"),
            text("time"),
            text("unix_ms")
        );
        for (name, value) in entry["fields"].as_object().unwrap() {
            if name != "time" {
                expected += &format!(r#","{name}":{value}"#);
            }
        }
        expected += "}\n";
        let arguments = ["decode", "--json", "--layout", text("preset"), text("id")];
        assert_eq!(user.run(&arguments).done(), expected);
    }
}

#[test]
fn a_system_that_is_named_beside_an_id_comes_first() {
    let user = User::new();
    let decode = ["decode", "--json", "--beside", "guild_id", "175928847299117063"];
    let out = user.run(&decode).done();
    assert!(out.lines().next().unwrap().contains(r#""layout":"discord""#), "{out}");
}

#[test]
fn lists_the_plausible_presets_likeliest_first() {
    let user = User::new();
    let out = user.run(&["decode", "--json", ID]).done();
    let layouts: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["layout"].take())
        .collect();
    assert_eq!(layouts[0], "twitter");
    assert!(layouts.iter().any(|layout| layout == "leaf"), "{layouts:?}");
    assert!(JSON.starts_with(out.lines().next().unwrap()));
    let text = user.run(&["decode", ID]).done();
    assert!(text.starts_with(&format!("{ID} may be, likeliest first:\n")), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("sequence=")).count(), layouts.len());
}

#[test]
fn reads_every_text_form() {
    let user = User::new();
    for form in TextForm::ALL {
        let text = form.format(ID.parse().unwrap());
        let arguments = ["decode", "--json", "--layout", "twitter", "--format", form.name(), &text];
        assert_eq!(user.run(&arguments).done(), JSON, "{}", form.name());
    }
    for form in TextForm::ALL.iter().filter(|form| form.width().is_some()) {
        let text = form.format(ID.parse().unwrap());
        assert_eq!(user.run(&["decode", "--json", "-l", "twitter", &text]).done(), JSON);
    }
    let hex = format!("0x{:X}", ID.parse::<u64>().unwrap());
    assert_eq!(user.run(&["decode", "--json", "-l", "twitter", &hex]).done(), JSON);
}

#[test]
fn a_text_alike_in_base_58_and_base_62_is_refused() {
    let user = User::new();
    let id = ID.parse().unwrap();
    for form in [TextForm::Base58, TextForm::Base58Flickr] {
        let text = form.format(id);
        for arguments in [&["decode", "-l", "twitter", &text][..], &["decode", &text]] {
            let refused = user.run(arguments);
            assert_eq!(refused.stdout, "");
            refused.refused(2, "it may be base58 or base58-flickr or base62");
        }
    }
}

#[test]
fn reads_lines_and_goes_on_after_a_wrong_one() {
    let user = User::new();
    let input = format!("{ID}\n\n  {ID}  \r\nnonsense\n-7\n\u{e9}\n{ID}");
    let arguments = ["decode", "--json", "--layout", "twitter", "-"];
    let outcome = user.run_with_input(&arguments, input.as_bytes());
    assert_eq!(outcome.stdout, JSON.repeat(3));
    assert_eq!(outcome.status, 2);
    let expected = [
        "error[unknown_text_form]: line 4: \"nonsense\"",
        "error[id_not_in_layout]: line 5: -7, which is 18446744073709551609",
        "error[invalid_text]: line 6: ",
    ];
    for error in expected {
        assert!(outcome.stderr.contains(error), "{}", outcome.stderr);
    }
}

#[test]
fn a_hint_is_said_once_and_blanks_around_an_id_are_ignored() {
    let user = User::new();
    let spaced = format!(" {ID}\t");
    assert_eq!(user.run(&["decode", "--json", "-l", "twitter", &spaced]).done(), JSON);
    let outcome = user.run_with_input(&["decode", "-"], b"nonsense\nfoo\n1!\n2!\n");
    assert_eq!(outcome.stderr.matches("error[").count(), 4, "{outcome:?}");
    assert_eq!(outcome.stderr.matches("hint: ").count(), 1, "{outcome:?}");
}

#[test]
fn survives_lines_that_are_no_text() {
    let user = User::new();
    let mut input = vec![b'1'; 100_000];
    input.extend(b"\n\xff\xfe\n");
    input.extend(ID.as_bytes());
    let outcome = user.run_with_input(&["decode", "--json", "--layout", "twitter", "-"], &input);
    assert_eq!((outcome.stdout.as_str(), outcome.status), (JSON, 2));
    assert!(outcome.stderr.contains("line 1: the line is longer"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("line 2: the line is not UTF-8"), "{}", outcome.stderr);
}

#[test]
fn takes_a_layout_by_its_fields() {
    let user = User::new();
    let fields = "time:41,worker:10,sequence:12";
    let arguments = ["decode", "--json", "--layout", fields, "--epoch-ms", "1288834974657", ID];
    let out = user.run(&arguments).done();
    assert!(out.contains(r#""layout":"zero:1,time:41,worker:10,sequence:12""#), "{out}");
    assert!(out.contains(r#""time":"2022-06-28T16:07:40.105Z""#), "{out}");
}

#[test]
fn recognises_uuids() {
    let user = User::new();
    let cases = [
        (
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
            r#""layout":"uuid-v7","time":"2022-02-22T19:22:22.000Z","unix_ms":1645557742000}"#,
        ),
        (
            "c232ab00-9414-11ec-b3c8-9f6bdeced846",
            r#""layout":"uuid-v1","time":"2022-02-22T19:22:22.000Z","unix_ms":1645557742000}"#,
        ),
        ("919108f7-52d1-4320-9bac-f847db4148a8", r#""layout":"uuid-v4"}"#),
    ];
    for (uuid, rest) in cases {
        let expected = format!("{{\"id\":\"{uuid}\",{rest}\n");
        assert_eq!(user.run(&["decode", "--json", uuid]).done(), expected);
    }
}

#[test]
fn draws_the_bits() {
    let user = User::new();
    let out = user.run(&["decode", "--bits", "--layout", "twitter", ID]).done();
    let drawn = "id  0 00101010110010110100001000111110110001000 01011 11010 000000000000";
    assert!(out.lines().any(|line| line == drawn), "{out}");
}

#[test]
fn a_pipe_is_read_where_no_id_is_given() {
    let user = User::new();
    let arguments = ["decode", "--json", "--layout", "twitter"];
    assert_eq!(user.run_with_input(&arguments, ID.as_bytes()).done(), JSON);
    assert_eq!(user.run_with_input(&arguments, b"").done(), "");
}

#[test]
fn a_negative_number_is_read_as_its_64_bits() {
    let user = User::new();
    let out = user.run(&["decode", "--json", "--layout", "discord", "-1"]).done();
    assert!(out.starts_with(r#"{"id":"18446744073709551615","#), "{out}");
}

#[test]
fn reads_what_the_vectors_say() {
    let user = User::new();
    let vectors = vectors("readings.json");
    for vector in vectors["readings"].as_array().unwrap() {
        let text = vector["text"].as_str().unwrap();
        let outcome = user.run(&[
            "decode",
            "--json",
            "--layout",
            "time:42,worker:10,sequence:12",
            "--",
            text,
        ]);
        let said = |sentence: &Value| {
            outcome.stderr.contains(&*escaped(sentence.as_str().unwrap_or_default()))
        };
        match vector["kind"].as_str().unwrap() {
            "problem" => assert!(outcome.status == 2 && said(&vector["sentence"]), "{outcome:?}"),
            "uncertain" => assert!(outcome.stderr.contains("--format "), "{outcome:?}"),
            "other" => {
                let reading: Value = serde_json::from_str(&outcome.done()).unwrap();
                assert_eq!(reading["layout"], vector["name"], "{text}");
                let unix_ms = vector["unix_ms"].as_str().map(|ms| ms.parse::<i64>().unwrap());
                assert_eq!(reading["unix_ms"].as_i64(), unix_ms, "{text}");
            }
            _ => {
                assert!(text.starts_with('-') || said(&vector["sentence"]), "{outcome:?}");
                let ids = outcome
                    .stdout
                    .lines()
                    .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].take());
                let ids: Vec<_> = ids.collect();
                assert_eq!(Some(&ids), vector["ids"].as_array(), "{text}");
            }
        }
    }
}

#[test]
fn the_names_of_columns_go_with_each_line() {
    let user = User::new();
    let decode = |input: &str| user.run_with_input(&["decode", "--json"], input.as_bytes());
    let damaged = decode("user_id,amount\n7.08E+17,200\n7.09E+17,300\n");
    assert_eq!((&*damaged.stdout, damaged.status), ("", 2));
    assert!(damaged.stderr.contains("line 2: user_id is damaged: "), "{damaged:?}");
    assert!(damaged.stderr.contains("line 3: user_id is damaged: "), "{damaged:?}");
    let whole = decode("guild_id\tmembers\n175928847299117063\t200\n");
    assert!(whole.done().starts_with(r#"{"id":"175928847299117063","layout":"discord""#));
}

/// Output that another program reads is written in blocks, not in pieces of lines.
#[cfg(target_os = "linux")]
#[test]
fn lines_are_written_in_blocks() {
    let user = User::new();
    let ids = format!("{ID}\n").repeat(20_000);
    let writes = |arguments: &[&str]| {
        let (file, log) = (user.path("input"), user.path("writes"));
        std::fs::write(&file, &ids).unwrap();
        let mut traced = std::process::Command::new("strace");
        traced.args(["-f", "-e", "trace=write", "-o", log.to_str().unwrap()]);
        traced.arg(env!("CARGO_BIN_EXE_snowmint")).args(arguments);
        traced.stdin(std::fs::File::open(file).unwrap()).stdout(std::process::Stdio::null());
        assert!(traced.status().unwrap().success());
        std::fs::read_to_string(log).unwrap().lines().count()
    };
    for arguments in [&["decode", "-l", "twitter"][..], &["decode", "-l", "twitter", "--json"]] {
        let count = writes(arguments);
        assert!(count < 200, "{count} writes for 20,000 lines");
    }
}

#[test]
fn which_time_is_taken_is_said_where_the_clocks_are_changed() {
    let user = User::new();
    for (time, words) in [
        ("2026-10-25T02:30", "is there twice when the clocks are put back: 2026-10-25T00:30:00"),
        ("2026-03-29T02:30", "is left out when the clocks are put forward: 2026-03-29T01:30:00"),
    ] {
        let zoned = format!("{time}[Europe/Berlin]");
        let bounds = user.run(&["bounds", "--layout", "twitter", &zoned]);
        assert!(bounds.status == 0 && bounds.stderr.contains(words), "{bounds:?}");
    }
    user.run(&["bounds", "--layout", "twitter", "2026-10-25[Europe/Berlin]"]).done();
}

#[test]
fn a_uuid_has_no_bits_to_draw() {
    let drawn = User::new().run(&["decode", "--bits", "0197a5b0-0000-7000-8000-000000000000"]);
    assert!(
        drawn.status == 0 && drawn.stderr.contains("a UUID of version 7 has no layout"),
        "{drawn:?}"
    );
    assert!(drawn.stdout.contains("uuid-v7"), "{drawn:?}");
}

#[test]
fn the_ids_of_a_time_lie_between_its_bounds() {
    let user = User::new();
    let bounds = |time: &str| -> Vec<u64> {
        let out = user.run(&["bounds", "--layout", "twitter", time]).done();
        out.lines().map(|line| line.parse().unwrap()).collect()
    };
    let id: u64 = ID.parse().unwrap();
    for time in ["2022-06-28", "2022-06-28T16:07..2022-06-28T16:08", "2022-06-28..", "..2022-06-29"]
    {
        let bounds = bounds(time);
        assert!(bounds[0] <= id && id <= bounds[1], "{time}: {bounds:?}");
    }
    // The end is not in it, whose tick is the next range's first.
    let (before, after) =
        (bounds("..2022-06-28T16:07:40.105Z"), bounds("2022-06-28T16:07:40.105Z.."));
    assert_eq!(before[1] + 1, after[0]);
    assert_eq!(bounds("2022-06-28T16:07:40.105Z"), [id & !0x3f_ffff, id | 0x3f_ffff]);
    let json = user.run(&["bounds", "--layout", "twitter", "--json", "2022-06-28"]).done();
    let object: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["from"], "2022-06-28T00:00:00.000Z");
    assert_eq!(object["to"], "2022-06-28T23:59:59.999Z");
}
