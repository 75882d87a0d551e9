//! Stores on servers: what a range and a renewal cost beside a durable statement, script or transaction
//! of the usual driver.

use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use mysql::prelude::Queryable;
use snowmint::{
    Call, LeaseRequest, MemoryStore, Mint, Segment, SegmentStore, Store, Tag, TagOptions,
    allocate_one, open_store,
};

use crate::measure::{Contestant, Effort, Histogram, Outcome, per_operation};
use crate::report::Line;
use crate::stores::BenchStore;
use crate::sustained::each_call;

const GROUP: &str = "databases";

const STATEMENT: &str = "UPDATE counter SET number = number + 1000 WHERE tag = 'orders'";
const TABLE: &str = "CREATE TABLE counter (tag varchar(64) PRIMARY KEY, number bigint NOT NULL)";
const ROW: &str = "INSERT INTO counter VALUES ('orders', 0)";
/// The request to etcd: `counter` becomes `1000`.
const PUT: &str = r#"{"success":[{"request_put":{"key":"Y291bnRlcg==","value":"MTAwMA=="}}]}"#;
/// So many of a kind in a row, on one connection.
const IN_A_ROW: u64 = 20;
/// At ten million IDs a second, a range every hundredth of one.
const STEP: u64 = 100_000;

/// The names of a database's lines.
struct Names {
    statement: &'static str,
    range: &'static str,
    renewal: &'static str,
}

const FAR: &str = "PostgreSQL: Segment::next_id";
const IN_MEMORY: &str = "Segment::next_id, store in memory";

const POSTGRES: Names = Names {
    statement: "PostgreSQL: a change by the crate postgres",
    range: "PostgreSQL: a range",
    renewal: "PostgreSQL: a renewal",
};
const MARIADB: Names = Names {
    statement: "MariaDB: a change by the crate mysql",
    range: "MariaDB: a range",
    renewal: "MariaDB: a renewal",
};
const REDIS: Names = Names {
    statement: "Redis: a script by the crate redis",
    range: "Redis: a range",
    renewal: "Redis: a renewal",
};
const ETCD: Names = Names {
    statement: "etcd: a transaction by the crate ureq",
    range: "etcd: a range",
    renewal: "etcd: a renewal",
};

const ZOOKEEPER: Names = Names {
    statement: "ZooKeeper: a change by the crate zookeeper-client",
    range: "ZooKeeper: a range",
    renewal: "ZooKeeper: a renewal",
};

/// Nothing of a server that cannot be started.
pub fn databases(effort: Effort) -> Vec<Line> {
    let postgres = with_server(&["postgres"], |url| {
        let mut client = postgres::Client::connect(url, postgres::NoTls).expect("a connection");
        // As ours are, whatever the server's setting is.
        let durable = format!("SET synchronous_commit = on; {TABLE}; {ROW}");
        client.batch_execute(&durable).expect("a table");
        let statement = client.prepare(STATEMENT).expect("a statement");
        let mut lines = measure(effort, &POSTGRES, url, || {
            client.execute(&statement, &[]).expect("a change");
        });
        lines.extend(segment(effort, url));
        lines
    });
    let mariadb = with_server(&["mariadb"], |url| {
        let plain = url.split_once('?').map_or(url, |(plain, _)| plain);
        let mut client = mysql::Conn::new(plain).expect("a connection");
        for statement in ["CREATE DATABASE bench", "USE bench", TABLE, ROW] {
            client.query_drop(statement).expect("a table");
        }
        let statement = client.prep(STATEMENT).expect("a statement");
        measure(effort, &MARIADB, &url.replace("/mysql?", "/bench?"), || {
            client.exec_drop(&statement, ()).expect("a change");
        })
    });
    let redis = with_server(&["redis"], |url| {
        let client = redis::Client::open(url).expect("a client");
        let mut connection = client.get_connection().expect("a connection");
        let script = redis::Script::new("return redis.call('INCRBY', KEYS[1], 1000)");
        measure(effort, &REDIS, &format!("{url}/0?durability=checked"), || {
            script.key("counter").invoke::<u64>(&mut connection).expect("a change");
        })
    });
    let etcd = with_server(&["etcd"], |url| {
        let agent = ureq::Agent::new_with_defaults();
        let gateway = format!("{}/v3/kv/txn", url.replace("etcd:", "http:"));
        measure(effort, &ETCD, &format!("{url}/?connect_timeout=0"), || {
            let answer = agent.post(&gateway).content_type("application/json").send(PUT);
            answer.expect("a change").body_mut().read_to_vec().expect("an answer");
        })
    });
    let zookeeper = with_server(&["zookeeper"], |url| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let servers = url.replace("zookeeper://", "");
        let client = runtime.block_on(zookeeper_client::Client::connect(&servers));
        let client = client.expect("a client");
        let mode = zookeeper_client::CreateMode::Persistent;
        let options = mode.with_acls(zookeeper_client::Acls::anyone_all());
        runtime.block_on(client.create("/counter", b"0", &options)).expect("a node");
        measure(effort, &ZOOKEEPER, &format!("{url}/?connect_timeout=0"), || {
            let set = client.set_data("/counter", b"1000", None);
            runtime.block_on(set).expect("a change");
        })
    });
    [postgres, mariadb, redis, etcd, zookeeper].into_iter().flatten().flatten().collect()
}

fn measure(effort: Effort, names: &Names, url: &str, mut bare: impl FnMut()) -> Vec<Line> {
    let store = open_store(&format!("{url}&create=true")).expect("a store");
    let tag = with_tag(&*store);
    let request = LeaseRequest::new("bench", "bench");
    let mut lease = store.acquire(&request, &call()).expect("a lease");
    let contestants = vec![
        Contestant::new(names.statement, || per_operation(IN_A_ROW, &mut bare)),
        Contestant::new(names.range, || {
            per_operation(IN_A_ROW, || allocate_one(&*store, &tag, None).expect("a range"))
        }),
        Contestant::new(names.renewal, || {
            per_operation(IN_A_ROW, || {
                lease = store.renew(&lease, request.reserve_ms, &call()).expect("a renewal");
            })
        }),
    ];
    let outcome = Outcome::of(effort.rounds, contestants);
    let line = |name| Line::new(GROUP, name, outcome.median(name) / 1e3, "µs");
    let compared = |name| {
        let ratio = outcome.ratio(name, &[names.statement]);
        line(name).against(names.statement, ratio).at_most(1.3)
    };
    let [range, renewal] = [names.range, names.renewal].map(compared);
    vec![line(names.statement), range, renewal]
}

fn with_tag(store: &dyn Store) -> Tag {
    let tag = BenchStore::tag_name();
    store.create_tag(&tag, TagOptions::default().step(STEP)).expect("a tag");
    tag
}

fn call() -> Call {
    let mut token = [0; 16];
    getrandom::fill(&mut token).expect("random bits");
    Call::new(Duration::from_secs(60), token)
}

/// Measures the cost of a database's ranges for the callers that mint from them.
fn segment(effort: Effort, url: &str) -> Vec<Line> {
    let memory: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let tag = with_tag(&*memory);
    let [far, near] = [open_store(url).expect("a store"), memory].map(|store| {
        let store: Arc<dyn SegmentStore> = store;
        Segment::builder(store, tag.clone()).open().expect("a segment")
    });
    let of = |name, segment: &Segment| {
        let segment = segment.clone();
        let operations = 10 * effort.operations;
        Contestant::new(name, move || per_operation(operations, || segment.next_id()))
    };
    let contestants = vec![of(FAR, &far), of(IN_MEMORY, &near)];
    let outcome = Outcome::of(effort.rounds, contestants);
    let line = Line::new(GROUP, FAR, outcome.median(FAR), "ns");
    let ratio = outcome.ratio(FAR, &[IN_MEMORY]);
    let line = line.against(IN_MEMORY, ratio).at_most(1.0 / 0.9);
    let mut lines = vec![line];
    lines.extend(pauses(effort, &far));
    lines
}

/// A call that takes longer than this was a pause.
const PAUSE_NS: usize = 50_000;

/// Counts the pauses of a thread that mints without an end, beside a thread that only reads the
/// clock. The machine causes the pauses of both.
fn pauses(effort: Effort, segment: &Segment) -> Vec<Line> {
    let calls = 5_000 * effort.operations;
    let counted = |work: &(dyn Fn() + Sync)| {
        let mut histogram = Histogram::empty();
        each_call(&mut histogram, calls, work);
        histogram
    };
    let (minting, control) = thread::scope(|scope| {
        let control = scope.spawn(|| counted(&|| ()));
        let minting = counted(&|| {
            black_box(segment.next_id().expect("a number"));
        });
        (minting, control.join().expect("a thread"))
    });
    let line = |name: &str, of: &Histogram| {
        let what = format!("{FAR}, {name}: pauses above 50 µs");
        let worst = format!("{FAR}, {name}: the longest pause");
        [
            Line::new(GROUP, what, of.above(PAUSE_NS) as f64, ""),
            Line::new(GROUP, worst, of.max_ns() / 1e3, "µs"),
        ]
    };
    let of_calls = line(&format!("{calls} calls"), &minting);
    let of_control = line("a clock that is read beside them", &control);
    of_calls.into_iter().chain(of_control).collect()
}

/// Has a server of its own; none where that cannot be had, which is said.
fn with_server<T>(server: &[&str], work: impl FnOnce(&str) -> T) -> Option<T> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/servers");
    let mut command = Command::new(script);
    command.arg("run").args(server).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("scripts/servers");
    let input = process.stdin.take(); // it ends with that
    let mut url = String::new();
    let output = process.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut url).expect("a line");
    let done = match url.trim_end() {
        "" => {
            eprintln!("no {server:?}: its lines are left out; scripts/setup installs it");
            None
        }
        url => Some(work(url)),
    };
    drop(input);
    process.wait().expect("its end");
    done
}
