//! `segment vouch`, on a PostgreSQL that took another's place.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::User;

/// A server of its own, which ends with its standard input.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start() -> Server {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/servers");
        let mut command = Command::new(script);
        command.args(["run", "postgres"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Server { process, url: url.trim_end().to_owned() }
    }

    fn run(&self, statements: &str) {
        let psql = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", &self.url, "-c", statements];
        assert!(Command::new("psql").args(psql).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        drop(self.process.wait());
    }
}

#[test]
fn an_operator_vouches_for_the_server_that_refuses() {
    let (user, server) = (User::new(), Server::start());
    let url = server.url.as_str();
    let create = format!("{url}&create=true");
    user.run(&["segment", "create", &create, "orders", "--step", "10"]).done();
    server.run(
        "UPDATE snowmint_schema SET tag_incarnation = 'another'; \
         UPDATE snowmint_segment SET incarnation = 'another'",
    );
    let refusal = user.run(&["segment", "create", url, "new"]);
    let (_, named) = refusal.stderr.split_once("--server ").unwrap();
    let id = named.split_once('`').unwrap().0;
    let vouch = |id: &str, more: &[&str]| {
        user.run(&[&["segment", "vouch", url, "--json", "--server", id], more].concat())
    };
    vouch("another", &["--raise-by-steps", "1"]).refused(4, id);
    let raised = vouch(id, &["--raise-by-steps", "3", "--new-from", "501"]).done();
    let raised: serde_json::Value = serde_json::from_str(&raised).unwrap();
    assert_eq!((&raised["tag"], &raised["next"]), (&"orders".into(), &"31".into()));
    // Nothing is refused any more, which is said.
    let again = vouch(id, &["--raise-by-steps", "3"]);
    assert_eq!((again.status, again.stdout.as_str()), (0, ""));
    assert!(again.stderr.contains("--all"), "{again:?}");
    let created = user.run(&["segment", "create", url, "new", "--json"]).done();
    assert!(created.contains("\"next\":\"501\""), "{created}");
    let all = vouch(id, &["--raise-by-steps", "1", "--all"]).done();
    assert_eq!(all.lines().count(), 2, "{all}");
}
