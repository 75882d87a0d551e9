//! `snowmint recover`, on a server that took another's place.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::User;

/// A server of its own, which ends with its standard input.
pub(crate) struct Server {
    process: Child,
    pub(crate) url: String,
    client: Vec<String>,
}

impl Server {
    pub(crate) fn postgres() -> Server {
        let (process, url) = start("postgres");
        let (stops, path) = ("ON_ERROR_STOP=1", "SET search_path TO public, snowmint");
        let client = ["psql", "-X", "-q", "-v", stops, "-d", &url, "-c", path, "-c"];
        Server { process, client: client.map(str::to_owned).to_vec(), url }
    }

    /// With a database of its own.
    pub(crate) fn mariadb() -> Server {
        let (process, url) = start("mariadb");
        let (_, authority) = url.split_once('@').unwrap();
        let (authority, _) = authority.split_once('/').unwrap();
        let (host, port) = authority.split_once(':').unwrap();
        let client = ["mariadb", "--no-defaults", "-u", "root", "-h", host, "-P", port];
        let mut client = client.map(str::to_owned).to_vec();
        let mut make = Command::new(&client[0]);
        make.args(&client[1..]).args(["-e", "CREATE DATABASE test"]);
        assert!(make.status().unwrap().success());
        client.extend(["test", "-e"].map(str::to_owned));
        let url = url.replace("/mysql?", "/test?");
        Server { process, url, client }
    }

    pub(crate) fn run(&self, statements: &str) {
        let mut client = Command::new(&self.client[0]);
        let asked = client.args(&self.client[1..]).arg(statements).stdout(Stdio::null());
        assert!(asked.status().unwrap().success(), "{statements}");
    }
}

/// Its process, and where it is.
fn start(name: &str) -> (Child, String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/servers");
    let mut command = Command::new(script);
    command.args(["run", name]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut url = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
    (process, url.trim_end().to_owned())
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        drop(self.process.wait());
    }
}

#[test]
fn an_operator_recovers_a_postgres_that_refuses() {
    an_operator_recovers(&Server::postgres());
}

#[test]
fn an_operator_recovers_a_mariadb_that_refuses() {
    an_operator_recovers(&Server::mariadb());
}

fn an_operator_recovers(server: &Server) {
    let user = User::new();
    let url = server.url.clone();
    let url = url.as_str();
    let create = format!("{url}&create=true");
    user.run(&["segment", "create", &create, "orders", "--step", "10"]).done();
    server.run(
        "UPDATE snowmint_schema SET tag_incarnation = 'another'; \
         UPDATE snowmint_segment SET incarnation = 'another'",
    );
    let refusal = user.run(&["segment", "create", url, "new"]);
    let (_, named) = refusal.stderr.split_once("--server ").unwrap();
    let id = named.split_once(' ').unwrap().0;
    // As it is printed, the cure changes nothing.
    let pasted = user.run(&["recover", "--server", id, url]);
    assert_eq!(pasted.status, 2, "{pasted:?}");
    assert!(pasted.stderr.ends_with("Nothing was done.\n"), "{pasted:?}");
    assert!(pasted.stderr.contains("how far orders went"), "{pasted:?}");
    let recover = |id: &str, more: &[&str]| {
        user.run(&[&["recover", url, "--json", "--yes", "--server", id], more].concat())
    };
    user.run(&["recover", url, "--yes"]).refused(2, id);
    recover("another", &["--raise-by-steps", "1", "--new-from", "1"]).refused(4, id);
    recover(id, &["--raise-by-steps", "N"]).refused(2, "--raise-by-steps");
    recover(id, &[]).refused(2, "how far orders went");
    recover(id, &["--raise-by-steps", "1"]).refused(2, "--new-from");
    let raised = recover(id, &["--raise-by-steps", "3", "--new-from", "501"]).done();
    let raised: serde_json::Value = serde_json::from_str(&raised).unwrap();
    assert_eq!((&raised["tag"], &raised["next"]), (&"orders".into(), &"31".into()));
    // Nothing is refused any more, which is said.
    let again = recover(id, &["--raise-by-steps", "3"]);
    assert_eq!((again.status, again.stdout.as_str()), (0, ""));
    assert!(again.stderr.contains("--all"), "{again:?}");
    let created = user.run(&["segment", "create", url, "new", "--json"]).done();
    assert!(created.contains("\"next\":\"501\""), "{created}");
    let all = recover(id, &["--raise-by-steps", "1", "--all"]).done();
    assert_eq!(all.lines().count(), 2, "{all}");
    recover(id, &["--next", "orders=1005", "--all"]).refused(2, "--raise-by-steps");
    let known = recover(id, &["--next", "orders=1005", "--raise-by-steps", "2", "--all"]).done();
    assert!(known.contains("\"next\":\"1025\""), "{known}");
}

/// Each start of it needs the word; the store itself has no other server's rows.
#[test]
fn an_operator_recovers_a_start_of_redis() {
    let user = User::new();
    let (process, url) = start("redis");
    let client = ["redis-cli", "-u", &url].map(str::to_owned).to_vec();
    let server = Server { process, url, client };
    let url = format!("{}?restarts=vouched", server.url);
    user.run(&["segment", "create", &format!("{url}&create=true"), "orders", "--step", "10"])
        .done();
    // As after another start, of which nothing else is known either.
    let mut set = Command::new(&server.client[0]);
    set.args(&server.client[1..]).args(["SET", "snowmint:run", "b"]);
    assert!(set.output().unwrap().status.success());
    let refusal = user.run(&["segment", "list", &url]);
    let (_, named) = refusal.stderr.split_once("--server ").unwrap();
    let id = named.split_once(' ').unwrap().0;
    user.run(&["id", &format!("segment+{url}&tag=orders")]).refused(4, id);
    let recover = |id: &str| {
        let words = ["recover", &url, "--json", "--server", id, "--raise-by-steps", "3", "--yes"];
        user.run(&words)
    };
    recover("another").refused(4, id);
    user.run(&["segment", "list", &url]).refused(4, id);
    let raised: serde_json::Value = serde_json::from_str(&recover(id).done()).unwrap();
    assert_eq!((&raised["tag"], &raised["next"]), (&"orders".into(), &"31".into()));
    assert_eq!(user.run(&["id", &format!("segment+{url}&tag=orders")]).done(), "31\n");
}
