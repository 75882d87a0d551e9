//! Baidu's table of worker IDs, by its own statement, beside a store of ours.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

use snowmint::doctor::Verdict;
use snowmint::{Code, LeaseRequest, Mint, WorkerStore, open, open_store};

use crate::Server;
use crate::asking::{call, changed, examined, long, refused};
use crate::dialects::{STARTED, WORKER_NODE};
use crate::owners::{Run, numbers};

const STARTS: usize = 12;

fn request(owner: &str) -> LeaseRequest {
    changed(LeaseRequest::new("realm", owner), |it| it.max_worker_id = 20_000)
}

/// Both together take each worker ID once.
#[test]
fn baidus_worker_ids_and_ours_never_meet() {
    let database = Server::shared().database();
    database.run(WORKER_NODE);
    let url = format!("{}&dialect=worker-node", database.url);
    let taken = Mutex::new(BTreeSet::new());
    let note = |worker_id: u64| {
        assert!(taken.lock().unwrap().insert(worker_id), "{worker_id} was given twice");
    };
    thread::scope(|scope| {
        scope.spawn(|| (0..STARTS).for_each(|_| note(numbers(&database.run(STARTED))[0])));
        for _ in 0..2 {
            scope.spawn(|| {
                let store = open_store(&url).unwrap();
                for _ in 0..STARTS {
                    let lease = store.acquire(&request("web-1:7:0000000a"), &long()).unwrap();
                    assert!(lease.floor_ms <= lease.now_ms && lease.now_ms < lease.reserved_ms);
                    store.release(&lease, &long()).unwrap();
                    note(u64::from(lease.worker_id));
                }
            });
        }
    });
    examined(&url).has("worker IDs", Verdict::Ok, "36 of the 4194303").has(
        "worker IDs",
        Verdict::Ok,
        "36 a month",
    );
}

/// A lease is renewed by who has its token, for as long as its row is there.
#[test]
fn a_worker_id_of_a_row_is_renewed_by_its_token() {
    let database = Server::shared().database();
    database.run(WORKER_NODE);
    let url = format!("{}&dialect=worker-node", database.url);
    let store = open_store(&url).unwrap();
    let lease = store.acquire(&request(&"ö".repeat(100)), &long()).unwrap();
    let attempt = long();
    let renewed = store.renew(&lease, 120_000, &attempt).unwrap();
    assert!(renewed.reserved_ms > lease.reserved_ms);
    let again = store.renew(&lease, 120_000, &attempt).unwrap();
    assert_eq!((again.worker_id, again.token), (renewed.worker_id, renewed.token));
    refused(store.renew(&lease, 1_000, &long()), Code::LeaseLost);
    store.release(&lease, &long()).unwrap();
    let renewed = store.renew(&renewed, 1_000, &long()).unwrap();
    store.release(&renewed, &long()).unwrap();
    refused(store.renew(&renewed, 1_000, &long()), Code::LeaseLost);

    let lease = store.acquire(&request("me"), &long()).unwrap();
    database.run("UPDATE WORKER_NODE SET PORT = '8080'");
    refused(store.renew(&lease, 1_000, &long()), Code::LeaseLost);
    refuse_what_is_wrong(&url, &*store, &|statements| database.run(statements));
}

fn refuse_what_is_wrong(url: &str, store: &dyn WorkerStore, run: Run<'_>) {
    let narrow = changed(LeaseRequest::new("realm", "me"), |it| it.max_worker_id = 1);
    let rows = || run("SELECT max(ID) FROM WORKER_NODE");
    let before = rows();
    let told = refused(store.acquire(&narrow, &long()), Code::WorkersExhausted);
    assert_eq!(rows(), before);
    let next = store.acquire(&request("next"), &long()).unwrap();
    assert_eq!(u64::from(next.worker_id), numbers(&before)[0] + 1, "none was used up");
    assert!(told.contains("22") && told.contains("ends at 1"), "{told}");
    let told = refused(open(&format!("segment+{url}&tag=orders")), Code::InvalidParameter);
    assert!(told.contains("worker IDs"), "{told}");
    let told = refused(open_store(&format!("{url}&create=true")).map(drop), Code::InvalidParameter);
    assert!(told.contains("owner's script"), "{told}");
    run("ALTER TABLE WORKER_NODE DROP COLUMN MODIFIED");
    refused(store.acquire(&request("me"), &call(long().within)), Code::StoreSchema);
    let told = refused(open_store(url).map(drop), Code::StoreSchema);
    assert!(told.contains("lacks MODIFIED"), "{told}");
    run("DROP TABLE WORKER_NODE");
    let told = refused(open_store(url).map(drop), Code::StoreMissing);
    assert!(told.contains("WORKER_NODE"), "{told}");
    examined(url).has("tables", Verdict::Refused, "WORKER_NODE");
}

/// Sources mint by its worker IDs, in the layout of its owner, and no two of them by the same.
#[test]
fn sources_mint_by_worker_ids_of_rows() {
    let database = Server::shared().database();
    database.run(WORKER_NODE);
    let url = format!(
        "snowflake+{}&dialect=worker-node&layout=zero:1,time:28,worker:22,sequence:13&tick_ms=1000&epoch_ms=1767225600000",
        database.url
    );
    let mut workers = BTreeSet::new();
    for _ in 0..3 {
        let source = open(&url).unwrap();
        let id = source.next_id().unwrap();
        let parts = source.layout().unwrap().decode(id).unwrap();
        assert!(workers.insert(parts.worker_id), "{workers:?}");
        source.close().unwrap();
    }
    assert_eq!(workers, BTreeSet::from([1, 2, 3]));
}
