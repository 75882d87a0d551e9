//! Children of a test's process: each ends, whatever it meets, and what one fails at is said.

use std::env::{self, current_exe};
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _, pipe};
use std::panic::{self, AssertUnwindSafe};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Set in a process that runs one test alone; the worker ID of one that takes it from there.
pub(crate) const ALONE: &str = "SNOWMINT_TEST_ALONE";
/// One database serves some twenty processes, one after the other, on whatever machine this is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(150);

/// Returns true if this process runs only the test of that name. Otherwise, runs it in a process of
/// its own, where no other test has a lock or a pipe's end that a child would get a copy of.
pub(crate) fn is_alone(test: &str) -> bool {
    if env::var_os(ALONE).is_some() {
        end_after(4 * PATIENCE);
        return true;
    }
    let mut alone = Command::new(current_exe().unwrap());
    // Its output is kept back: its count of tests is not one of this run's.
    let run = alone.args(["--exact", test]).env(ALONE, "7").output().unwrap();
    let said = [run.stdout, run.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(run.status.success() && said.contains(" 1 passed"), "{said}");
    false
}

/// Has the kernel end this process if a lock keeps it and nobody is left to end it.
fn end_after(patience: Duration) {
    // SAFETY: sets a timer of this process, and nothing handles its signal.
    unsafe { libc::alarm(patience.as_secs() as u32) };
}

pub(crate) fn fork() -> libc::pid_t {
    // SAFETY: the child allocates after the fork, which the allocators of glibc and musl allow,
    // uses nothing else of the parent's threads, and ends without unwinding into the harness.
    unsafe { libc::fork() }
}

/// Forks a child that does `work` and ends.
pub(crate) fn begin_by(fork: fn() -> libc::pid_t, work: impl FnOnce()) -> libc::pid_t {
    let child = fork();
    if child == 0 {
        end_after(2 * PATIENCE);
        let done = panic::catch_unwind(AssertUnwindSafe(work));
        if let Err(panic) = &done {
            let said = panic.downcast_ref::<String>().map_or("it did not say why", String::as_str);
            // Beside what the harness keeps of this thread, which ends with the child.
            let _ = writeln!(io::stderr(), "a child: {said}");
        }
        // SAFETY: ends the child at once, without the parent's exit handlers.
        unsafe { libc::_exit(i32::from(done.is_err())) };
    }
    assert!(child > 0);
    child
}

/// Ends the child if it does not end by itself, and says so.
pub(crate) fn await_child(child: libc::pid_t) {
    let deadline = Instant::now() + PATIENCE;
    let mut status = 0;
    loop {
        // SAFETY: `child` is this process's child, and `status` a place for its status.
        match unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } {
            0 if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
            0 => {
                // SAFETY: it has not been waited for, so the number is still the child's.
                unsafe { libc::kill(child, libc::SIGKILL) };
                // SAFETY: as above.
                unsafe { libc::waitpid(child, &raw mut status, 0) };
                panic!("child {child} hangs");
            }
            ended => return assert_eq!((ended, status), (child, 0), "the child ends by itself"),
        }
    }
}

/// A child that gives numbers, beside what its parent does.
pub(crate) struct Forked {
    pub(crate) child: libc::pid_t,
    numbers: PipeReader,
    /// One that stays waits until this is closed.
    stay: Option<PipeWriter>,
}

/// One that ends once its numbers are read.
pub(crate) fn forked(in_child: impl FnOnce() -> Vec<u64>) -> Forked {
    forked_by(fork, in_child)
}

pub(crate) fn forked_by(fork: fn() -> libc::pid_t, in_child: impl FnOnce() -> Vec<u64>) -> Forked {
    let (numbers, writer) = pipe().unwrap();
    let child = begin_by(fork, || tell(writer, in_child()));
    Forked { child, numbers, stay: None }
}

/// One that stays until it is dropped. Alone: two that are forked at the same time by others would
/// each keep what lets the other go.
pub(crate) fn staying(in_child: impl FnOnce() -> Vec<u64>) -> Forked {
    let ((numbers, writer), (mut staying, stay)) = (pipe().unwrap(), pipe().unwrap());
    let mut stay = Some(stay);
    let child = begin_by(fork, || {
        drop(stay.take());
        tell(writer, in_child());
        drop(staying.read(&mut [0]));
    });
    Forked { child, numbers, stay }
}

fn tell(mut parent: PipeWriter, numbers: Vec<u64>) {
    let bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
    parent.write_all(&bytes).unwrap();
}

impl Forked {
    /// Returns the numbers that the child gave.
    pub(crate) fn numbers(&mut self) -> Vec<u64> {
        let mut bytes = Vec::new();
        self.numbers.read_to_end(&mut bytes).unwrap();
        bytes.chunks(8).map(|number| u64::from_le_bytes(number.try_into().unwrap())).collect()
    }
}

impl Drop for Forked {
    fn drop(&mut self) {
        drop(self.stay.take());
        if !thread::panicking() {
            await_child(self.child);
        }
    }
}
