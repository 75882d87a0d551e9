//! Sources that are opened by one URL. Alone in its process, whose threads and files it counts.

#![cfg(all(feature = "sqlite", target_os = "linux"))]
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::fs;
use std::path::Path;

use snowmint::{Code, Mint, Tag, TagOptions, open, open_store};

/// Returns the number of descriptors that lead to a file.
fn descriptors(path: &Path) -> usize {
    let open = fs::read_dir("/proc/self/fd").unwrap();
    open.filter(|entry| fs::read_link(entry.as_ref().unwrap().path()).is_ok_and(|to| to == path))
        .count()
}

/// Returns the number of this process's threads that belong to a store.
fn schedulers() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.starts_with("snowmint-")).count()
}

#[test]
fn a_thousand_sources_of_one_file_have_one_thread_and_one_connection() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path().canonicalize().unwrap();
    let path = directory.join("ids.db");
    let shown = path.display();
    let store = open_store(&format!("sqlite:{shown}?create=true")).unwrap();
    let sources: Vec<_> = (0..1_000)
        .map(|n| {
            let tag = Tag::new(&format!("tag{}", n % 50)).unwrap();
            if n < 50 {
                store.create_tag(&tag, TagOptions::default()).unwrap();
            }
            open(&format!("segment+sqlite:{shown}?tag={tag}")).unwrap()
        })
        .collect();
    let flake = open(&format!("snowflake+sqlite:{shown}?layout=twitter")).unwrap();
    flake.next_id().unwrap();
    for source in &sources {
        source.next_id().unwrap();
    }
    // The connection's, and the lock's.
    assert_eq!((descriptors(&path), schedulers()), (2, 1));

    // Another file in its place is another store, for those who open it from now on.
    fs::rename(&path, directory.join("moved.db")).unwrap();
    let fresh = open(&format!("snowflake+sqlite:{shown}?create=true")).unwrap();
    fresh.next_id().unwrap();
    let gone = store.tags().unwrap_err().code();
    assert!(matches!(gone, Code::StoreUnavailable | Code::IncarnationChanged), "{gone}");
}
