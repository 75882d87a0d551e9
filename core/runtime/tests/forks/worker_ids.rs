//! Tests of the owner of a worker ID while child processes live.

use std::io::{Read as _, Write as _, pipe};

use snowmint::{Mint, open_store};

use super::*;

/// The child has the state file open, too, and with it the lock.
#[test]
fn a_worker_id_given_up_is_free_while_a_child_lives() {
    let directory = tempfile::tempdir().unwrap();
    let open = || {
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path()).open()
    };
    let flake = open().unwrap();
    let child = fork();
    if child == 0 {
        // SAFETY: waits for the signal that ends it.
        unsafe { libc::pause() };
    }
    let first = flake.next_id().unwrap();
    flake.close().unwrap();
    let again = open().and_then(|flake| flake.next_id());
    kill(child);
    // SAFETY: nobody else awaits it; its status is of no interest.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    assert!(again.unwrap() > first);
}

/// A prefork server whose master was killed begins anew while its workers end.
#[test]
fn a_worker_id_of_a_killed_process_is_free_while_its_child_lives() {
    let directory = tempfile::tempdir().unwrap();
    let open = || {
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path()).open()
    };
    let (mut told, mut tell) = pipe().unwrap();
    let parent = fork();
    if parent == 0 {
        let flake = open().unwrap();
        tell.write_all(&flake.next_id().unwrap().to_ne_bytes()).unwrap();
        if fork() == 0 {
            // It tells itself that it is there: its parent may go on before it has begun.
            tell.write_all(&std::process::id().to_ne_bytes()).unwrap();
            // SAFETY: waits for the signal that ends it.
            unsafe { libc::pause() };
        }
        // SAFETY: its own process ID.
        kill(unsafe { libc::getpid() });
    }
    drop(tell);
    let (mut first, mut child) = ([0; 8], [0; 4]);
    told.read_exact(&mut first).unwrap();
    told.read_exact(&mut child).unwrap();
    // SAFETY: nobody else awaits it; its status is of no interest.
    unsafe { libc::waitpid(parent, std::ptr::null_mut(), 0) };
    let again = open().and_then(|flake| flake.next_id());
    kill(libc::pid_t::from_ne_bytes(child));
    assert!(again.unwrap() > u64::from_ne_bytes(first));
}

fn kill(process: libc::pid_t) {
    // SAFETY: a process of this test's.
    unsafe { libc::kill(process, libc::SIGKILL) };
}

#[test]
fn a_childs_lease_names_the_child() {
    let directory = tempfile::tempdir().unwrap();
    let store = store(directory.path());
    let flake = Snowflake::builder().lease_from(store.clone()).open().unwrap();
    flake.next_id().unwrap();
    let in_child = || vec![flake.next_id().unwrap(), std::process::id().into()];
    let (theirs, ()) = forked(in_child, || ());
    let child = format!(":{}:", theirs[1]);
    let rows = store.workers().unwrap();
    assert_eq!(rows.iter().filter(|row| row.owner.contains(&child)).count(), 1, "{rows:?}");
}

#[test]
fn a_child_that_closes_leaves_its_parents_lease_alone() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}?create=true", directory.path().join("ids.db").display());
    drop(open_store(&url).unwrap());
    let url = url.replace("create=true", "create=false");
    asking::parents::a_child_that_closes_leaves_its_parents_lease_alone(&url);
}
