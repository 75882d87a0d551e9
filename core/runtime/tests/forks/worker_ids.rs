//! Whose worker ID it is, while children live.

use snowmint::open_store;

use super::*;

/// The child has the state file open, too, and with it the lock.
#[test]
fn a_worker_id_given_up_is_free_while_a_child_lives() {
    let directory = tempfile::tempdir().unwrap();
    let open =
        || Snowflake::builder().worker(Worker::Fixed(7)).state_directory(directory.path()).open();
    let flake = open().unwrap();
    let child = fork();
    if child == 0 {
        // SAFETY: waits for the signal that ends it.
        unsafe { libc::pause() };
    }
    let first = flake.next_id().unwrap();
    flake.close().unwrap();
    let again = open().and_then(|flake| flake.next_id());
    // SAFETY: `child` is this process's child.
    unsafe { libc::kill(child, libc::SIGKILL) };
    // SAFETY: nobody else awaits it; its status is of no interest.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    assert!(again.unwrap() > first);
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
