//! `serve --print-config`: what a service was told, by its file, the environment and flags.

use std::process::Stdio;

use crate::{User, finish};

#[test]
fn printed_settings_are_a_file_that_says_the_same() {
    let user = User::new();
    let shown = user.run(&["serve", "--print-config", "--limits-count", "7"]).done();
    assert!(shown.contains("\n[limits]\n") && shown.contains("\ncount = 7\n"), "{shown}");
    let default = user.path("state").join("snowmint/ids.db");
    let source = format!("ids\" = \"snowflake+sqlite:{}?create=true\"\n", default.display());
    assert!(shown.contains(&source), "{shown}");
    assert!(!default.exists(), "nothing is opened");

    std::fs::write(user.path("serve.toml"), &shown).unwrap();
    let again = user.run(&["serve", "--print-config", "--config", "serve.toml"]).done();
    assert_eq!(again, shown);
}

#[test]
fn the_environment_stands_between_the_file_and_the_flags() {
    let user = User::new();
    std::fs::write(user.path("serve.toml"), "[limits]\ncount = 1\nconnections = 1\n").unwrap();
    let mut command = user.command(&["serve", "--print-config", "--limits-connections", "3"]);
    command
        .env("SNOWMINT_SERVE_CONFIG", "serve.toml")
        .env("SNOWMINT_SERVE_LIMITS_COUNT", "2")
        .env("SNOWMINT_SERVE_LIMITS_CONNECTIONS", "2")
        .env("SNOWMINT_SERVE_SOURCES_ORDERS", "uuid:");
    let shown = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped())).done();
    for line in ["count = 2", "connections = 3", "\"orders\" = \"uuid:\""] {
        assert!(shown.lines().any(|one| one == line), "{line}: {shown}");
    }
}

#[test]
fn an_unknown_or_unsafe_setting_is_refused() {
    let user = User::new();
    std::fs::write(user.path("serve.toml"), "[http]\nport = 80\n").unwrap();
    std::fs::write(user.path("list.toml"), "[http]\nlisten = 80\n").unwrap();
    std::fs::write(user.path("number.toml"), "[limits]\ncount = \"5\"\n").unwrap();
    let cases: [(&[&str], i32, &str); 9] = [
        (
            &["--config", "list.toml"],
            2,
            "line 2: invalid type: integer `80`, expected a list of texts, or one text",
        ),
        (
            &["--config", "number.toml"],
            2,
            "line 2: invalid type: string \"5\", expected a whole number",
        ),
        (&["--config", "serve.toml"], 2, "unknown field `port`"),
        (&["--config", "missing.toml"], 2, "missing.toml cannot be read"),
        (&["--config", "missing.toml"], 2, "`snowmint serve --print-config` prints such a file"),
        (&["--limits-count", "0"], 2, "limits.count = 0 is not possible: use 1 to 1000000"),
        (&["--limits-rate", "-1"], 2, "limits.rate = -1 is not possible: use 0 to 1073741824"),
        (&["--source", "orders"], 2, "--source names a source and its URL"),
        (&["--http-listen", "0.0.0.0:8064"], 4, "allow_plaintext = true"),
    ];
    for (arguments, status, message) in cases {
        user.run(&[&["serve", "--print-config"], arguments].concat()).refused(status, message);
    }
    let mut command = user.command(&["serve", "--print-config"]);
    let outcome = finish(command.env("SNOWMINT_SERVE_COLOUR", "1"));
    outcome.refused(2, "SNOWMINT_SERVE_COLOUR in the environment is no setting");
}
