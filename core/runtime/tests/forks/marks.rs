//! Forks while a thread of the parent's has a state file in hand.

use std::io;
use std::time::Duration;

use snowmint::{Disk, FileId, Files, Mint, StateFile, System, on_restore};

use super::storm::begin_child;
use super::*;

/// A disk whose syncs take as long as the test says.
#[derive(Clone, Default)]
struct Slow {
    is_slow: Arc<AtomicBool>,
    syncs: Arc<AtomicBool>,
}

struct SlowFile {
    file: Box<dyn StateFile>,
    disk: Slow,
}

impl Files for Slow {
    fn open_exclusive(&self, path: &Path, length: Option<u64>) -> io::Result<Box<dyn StateFile>> {
        let file = Disk.open_exclusive(path, length)?;
        Ok(Box::new(SlowFile { file, disk: self.clone() }))
    }

    fn read_once_written(&self, path: &Path, new: Option<&[u8]>) -> io::Result<Vec<u8>> {
        Disk.read_once_written(path, new)
    }

    fn named(&self, path: &Path) -> io::Result<Option<FileId>> {
        Disk.named(path)
    }
}

impl StateFile for SlowFile {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        self.file.read()
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_at(offset, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        while self.disk.is_slow.load(Ordering::Relaxed) {
            self.disk.syncs.store(true, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(1));
        }
        self.file.sync()
    }

    fn id(&self) -> io::Result<FileId> {
        self.file.id()
    }

    fn unlock(&mut self) {
        self.file.unlock();
    }
}

#[test]
fn a_child_that_is_restored_waits_for_no_thread_of_its_parent() {
    if !is_alone("marks::a_child_that_is_restored_waits_for_no_thread_of_its_parent") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let disk = Slow::default();
    let builder =
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path());
    let flake = builder.host(System, Arc::new(disk.clone())).open().unwrap();
    disk.is_slow.store(true, Ordering::Relaxed);
    while !disk.syncs.load(Ordering::Relaxed) {
        drop(flake.next_id());
    }
    let child = begin_child(|| {
        assert_eq!(flake.next_id().unwrap_err().code(), Code::Forked);
        on_restore();
        assert_eq!(flake.next_id().unwrap_err().code(), Code::Forked);
    });
    // In the child's memory it stays slow.
    disk.is_slow.store(false, Ordering::Relaxed);
    await_child(child);
}
