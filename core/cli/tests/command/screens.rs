//! Tests of help, tables and drawings, which are plain text in a pipe.

use serde_json::Value;
use snowmint::Preset;

use crate::User;

const COMMANDS: &[&[&str]] = &[
    &[],
    &["id"],
    &["decode"],
    &["layouts"],
    &["segment"],
    &["segment", "list"],
    &["segment", "create"],
    &["segment", "set"],
    &["worker"],
    &["worker", "list"],
    &["worker", "release"],
    &["migrate"],
    &["doctor"],
    &["public-ids"],
    &["public-ids", "keygen"],
    &["public-ids", "encode"],
    &["public-ids", "decode"],
    &["public-ids", "rotate"],
    &["serve"],
    &["token"],
    &["token", "create"],
    &["token", "list"],
    &["token", "revoke"],
    &["top"],
    &["bench"],
];

#[test]
fn the_help_of_each_has_examples() {
    let user = User::new();
    for command in COMMANDS {
        for flag in ["--help", "-h"] {
            let help = user.run(&[*command, &[flag]].concat()).done();
            assert!(help.contains("\nExamples:\n  snowmint "), "{command:?}: {help}");
            assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        }
    }
}

#[test]
fn the_help_lists_the_exit_statuses() {
    let help = User::new().run(&["--help"]).done();
    for status in 0..=4 {
        assert!(help.contains(&format!("\n  {status}  ")), "{help}");
    }
}

#[test]
fn help_of_help_is_help() {
    let user = User::new();
    for (asked, meant) in [
        (&["help", "--help"][..], &["--help"][..]),
        (&["help", "segment", "-h"], &["segment", "--help"]),
        (&["segment", "help", "--help"], &["segment", "--help"]),
        // A command without subcommands takes `help` as an argument.
        (&["decode", "help", "--help"], &["decode", "--help"]),
    ] {
        assert_eq!(user.run(asked).done(), user.run(meant).done(), "{asked:?}");
    }
}

#[test]
fn other_generators_tables_are_named_where_they_are_taken() {
    let user = User::new();
    let names = |command: &[&str]| user.run(command).done().contains("tinyid");
    assert!(names(&["segment", "list", "--help"]) && names(&["segment", "set", "--help"]));
    assert!(!names(&["segment", "move", "--help"]) && !names(&["migrate", "--help"]));
}

#[test]
fn says_its_version() {
    let expected = format!("snowmint {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(User::new().run(&["--version"]).done(), expected);
}

#[test]
fn a_pipe_gets_plain_text() {
    let user = User::new();
    let commands: &[&[&str]] = &[
        &["--help"],
        &["layouts"],
        &["layouts", "lingdu"],
        &["decode", "1541815603606036480"],
        &["decode", "--bits", "-l", "twitter", "1541815603606036480"],
        &["decode", "-l", "twitter", "1541815603606036480", "nonsense"],
        &["id", "-n", "0"],
        &["id", "--no-such-option"],
    ];
    for command in commands {
        let outcome = user.run(command);
        assert!(!outcome.stdout.contains('\u{1b}'), "{command:?}");
        assert!(!outcome.stderr.contains('\u{1b}'), "{command:?}");
        let mut coloured = user.command(command);
        let output = coloured.env("CLICOLOR_FORCE", "1").output().unwrap();
        assert!([output.stdout, output.stderr].concat().contains(&0x1b), "{command:?}");
    }
}

#[test]
fn lists_every_preset() {
    let user = User::new();
    let table = user.run(&["layouts"]).done();
    let mut lines = table.lines();
    assert!(lines.next().unwrap().starts_with("NAME "));
    for (line, preset) in lines.by_ref().zip(Preset::ALL) {
        assert!(line.starts_with(&format!("{} ", preset.name)), "{line}");
        assert!(line.contains(&preset.layout.fields_text().to_string()), "{line}");
        assert_eq!(line, line.trim_end());
    }
    assert_eq!(table.lines().count(), Preset::ALL.len() + 1);
    let objects = user.run(&["layouts", "--json"]).done();
    for (line, preset) in objects.lines().zip(Preset::ALL) {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["name"], preset.name);
        assert_eq!(object["epoch_ms"], preset.layout.epoch_ms());
    }
    assert_eq!(objects.lines().count(), Preset::ALL.len());
}

#[test]
fn draws_each_preset_in_64_cells() {
    let user = User::new();
    for preset in Preset::ALL {
        let drawing = user.run(&["layouts", preset.name]).done();
        let cells = drawing.lines().find(|line| line.starts_with("    ") && line.contains("ttt"));
        let cells = cells.unwrap().chars().filter(|cell| *cell != ' ').count();
        assert_eq!(cells, 64, "{drawing}");
        for field in preset.layout.fields() {
            let bits = format!("{} ", field.bits());
            assert!(drawing.lines().any(|line| line.contains(&bits)), "{drawing}");
        }
    }
}

#[test]
fn says_since_when_a_layout_is_expired() {
    let user = User::new();
    let lingdu = user.run(&["layouts", "lingdu"]).done();
    assert!(lingdu.contains("expired   since 2026-09-06T02:58:26.944Z, "), "{lingdu}");
    let twitter = user.run(&["layouts", "twitter"]).done();
    assert!(twitter.contains("expires   2080-07-10T17:30:30.209Z, in "), "{twitter}");
    let table = user.run(&["layouts"]).done();
    let line = table.lines().find(|line| line.starts_with("baidu-default")).unwrap();
    assert!(line.contains(" since 2024-11-20 "), "{line}");
    let object: Value =
        serde_json::from_str(&user.run(&["layouts", "lingdu", "--json"]).done()).unwrap();
    assert_eq!(object["expired"], true);
}

#[test]
fn it_carries_the_licences_of_all_that_is_in_it() {
    let licences = User::new().run(&["licences"]).done();
    for part in ["Permission is hereby granted", "Apache License", "\nrustls ", "SQLite"] {
        assert!(licences.contains(part), "{part}");
    }
}

#[test]
fn the_command_line_describes_itself_to_shells_and_as_manual_pages() {
    let user = User::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = user.run(&["completions", shell]).done();
        assert!(script.contains("segment") && script.contains("layout"), "{shell}");
    }
    user.run(&["man", "pages/man1"]).done();
    let page = |name: &str| std::fs::read_to_string(user.path("pages/man1").join(name)).unwrap();
    assert!(page("snowmint.1").contains("snowmint\\-segment(1)"));
    assert!(page("snowmint-segment-create.1").contains("\\-\\-stride"));
    let id = page("snowmint-id.1");
    for section in [
        ".SH \"SOURCES\"\n.nf\nsnowflake:",
        ".SH NOTES\nworker_id=env reads",
        ".SH \"EXAMPLES\"\n.nf\n",
    ] {
        assert!(id.contains(section) && !id.contains("EXTRA"), "{id}");
    }
    assert!(page("snowmint.1").contains(".SH \"EXIT STATUS\"\n.nf\n0  done"));
}
