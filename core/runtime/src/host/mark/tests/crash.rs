//! Law L8: after any failure at any operation, the file opens again with a mark at or above
//! everything acknowledged. A simulated disk fails at each operation.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use super::*;

/// The part of an unsynced write that is left after a power loss.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tear {
    /// Its first bytes.
    Prefix(usize),
    /// Its last bytes.
    Suffix(usize),
    /// The same number of bytes, all of this value, for example zeros; other values stand for an
    /// unreadable sector.
    Fill(u8),
}

/// The failure at the chosen operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// The power goes out.
    Power,
    /// The process is killed. A write is done in part, and the cache survives.
    Kill,
    /// The operation fails. A failed sync drops the data that it should have written, and keeps the
    /// cache.
    Error(io::ErrorKind),
}

#[derive(Clone)]
struct State {
    durable: Vec<u8>,
    cache: Vec<u8>,
    /// The write that is not synced yet.
    pending: Option<(usize, Vec<u8>)>,
    locked: bool,
    operations: usize,
    fault: Option<(usize, Fault, Tear)>,
    dead: Option<Fault>,
}

/// A disk with one file.
pub(super) struct FakeDisk(Arc<Mutex<State>>);

fn overwrite(content: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    if content.len() < offset + bytes.len() && !bytes.is_empty() {
        content.resize(offset + bytes.len(), 0);
    }
    let from = offset.min(content.len());
    content[from..][..bytes.len()].copy_from_slice(bytes);
}

impl State {
    fn tear(content: &mut Vec<u8>, offset: usize, bytes: &[u8], tear: Tear) {
        match tear {
            Tear::Prefix(n) => overwrite(content, offset, &bytes[..n.min(bytes.len())]),
            Tear::Suffix(n) => {
                let from = bytes.len().saturating_sub(n);
                overwrite(content, offset + from, &bytes[from..]);
            }
            Tear::Fill(byte) => overwrite(content, offset, &vec![byte; bytes.len()]),
        }
    }

    /// Counts an operation and returns its fault, if it has one.
    fn step(&mut self) -> io::Result<Option<(Fault, Tear)>> {
        if self.dead.is_some() {
            return Err(io::Error::other("the process is gone"));
        }
        self.operations += 1;
        Ok(self.fault.filter(|fault| fault.0 == self.operations).map(|(_, fault, tear)| {
            if !matches!(fault, Fault::Error(_)) {
                self.dead = Some(fault);
            }
            (fault, tear)
        }))
    }
}

fn failure(fault: Fault) -> io::Error {
    match fault {
        Fault::Error(kind) => kind.into(),
        Fault::Power | Fault::Kill => io::Error::other("the process is gone"),
    }
}

impl FakeDisk {
    /// A disk whose file was just made.
    pub(super) fn new() -> FakeDisk {
        FakeDisk::with(&[0; FILE_LENGTH])
    }

    pub(super) fn with(content: &[u8]) -> FakeDisk {
        FakeDisk(Arc::new(Mutex::new(State {
            durable: content.to_vec(),
            cache: content.to_vec(),
            pending: None,
            locked: false,
            operations: 0,
            fault: None,
            dead: None,
        })))
    }

    pub(super) fn content(&self) -> Vec<u8> {
        self.0.lock().unwrap().cache.clone()
    }

    pub(super) fn operations(&self) -> usize {
        self.0.lock().unwrap().operations
    }

    /// Returns another disk in the same state.
    fn copy(&self) -> FakeDisk {
        FakeDisk(Arc::new(Mutex::new(self.0.lock().unwrap().clone())))
    }

    pub(super) fn fail_at(&self, operation: usize, fault: Fault, tear: Tear) {
        let mut state = self.0.lock().unwrap();
        state.operations = 0;
        state.fault = Some((operation, fault, tear));
    }

    /// Starts the next process; after a power loss it sees only what was durable.
    fn restart(&self) {
        let mut state = self.0.lock().unwrap();
        let tear = state.fault.take().map_or(Tear::Prefix(0), |(_, _, tear)| tear);
        if let Some(Fault::Power) = state.dead.take() {
            if let Some((offset, bytes)) = state.pending.take() {
                State::tear(&mut state.durable, offset, &bytes, tear);
            }
            state.cache = state.durable.clone();
        }
    }

    pub(super) fn power_loss(&self, tear: Tear) {
        let mut state = self.0.lock().unwrap();
        (state.dead, state.fault) = (Some(Fault::Power), Some((0, Fault::Power, tear)));
        drop(state);
        self.restart();
    }

    pub(super) fn open(&self) -> Result<MarkFile> {
        MarkFile::open(self, Path::new("worker-7.mark"), REALM, WORKER, Missing::Make)
    }
}

impl Files for FakeDisk {
    fn open_exclusive(&self, _: &Path, _: Option<u64>) -> io::Result<Box<dyn StateFile>> {
        let mut state = self.0.lock().unwrap();
        if state.locked {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        if let Some((fault, _)) = state.step()? {
            return Err(failure(fault));
        }
        state.locked = true;
        Ok(Box::new(FakeFile(FakeDisk(Arc::clone(&self.0)))))
    }

    fn read_once_written(&self, _: &Path, _: Option<&[u8]>) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn named(&self, _: &Path) -> io::Result<Option<FileId>> {
        Ok(Some(THE_FILE))
    }
}

const THE_FILE: FileId = FileId { device: 0, inode: 0 };

struct FakeFile(FakeDisk);

impl Drop for FakeFile {
    fn drop(&mut self) {
        // Poisoned only if a test has failed already.
        if let Ok(mut state) = self.0.0.lock() {
            state.locked = false;
        }
    }
}

impl StateFile for FakeFile {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut state = self.0.0.lock().unwrap();
        match state.step()? {
            Some((fault, _)) => Err(failure(fault)),
            None => Ok(state.cache.clone()),
        }
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.0.0.lock().unwrap();
        let offset = usize::try_from(offset).unwrap();
        let fault = state.step()?;
        let written = match fault {
            // The kernel copies from the front; only the disk has another order.
            Some((Fault::Kill | Fault::Error(_), Tear::Prefix(n) | Tear::Suffix(n))) => n,
            Some((Fault::Kill | Fault::Error(_), Tear::Fill(_))) => 0,
            Some((Fault::Power, _)) | None => bytes.len(),
        };
        overwrite(&mut state.cache, offset, &bytes[..written]);
        if written > 0 {
            assert_eq!(state.pending, None, "a write before the one in doubt is settled");
            state.pending = Some((offset, bytes[..written].to_vec()));
        }
        fault.map_or(Ok(()), |(fault, _)| Err(failure(fault)))
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.0.0.lock().unwrap();
        let fault = state.step()?;
        match fault {
            Some((Fault::Power | Fault::Kill, _)) => {}
            Some((Fault::Error(_), tear)) => {
                if let Some((offset, bytes)) = state.pending.take() {
                    State::tear(&mut state.durable, offset, &bytes, tear);
                }
            }
            None => {
                if let Some((offset, bytes)) = state.pending.take() {
                    overwrite(&mut state.durable, offset, &bytes);
                }
            }
        }
        fault.map_or(Ok(()), |(fault, _)| Err(failure(fault)))
    }

    fn id(&self) -> io::Result<FileId> {
        Ok(THE_FILE)
    }
}

/// Every tear of a slot.
fn all_tears() -> Vec<Tear> {
    let prefixes = (0..=SLOT_LENGTH).map(Tear::Prefix);
    let suffixes = (1..SLOT_LENGTH).map(Tear::Suffix);
    prefixes.chain(suffixes).chain([Tear::Fill(0), Tear::Fill(0xA5)]).collect()
}

/// Tears that end in different fields.
fn some_tears() -> Vec<Tear> {
    let prefixes = [0, 1, 10, 25, 33, 61, SLOT_LENGTH].map(Tear::Prefix);
    prefixes.into_iter().chain([Tear::Suffix(30), Tear::Fill(0), Tear::Fill(0xA5)]).collect()
}

const FAULTS: [Fault; 4] = [
    Fault::Power,
    Fault::Kill,
    Fault::Error(io::ErrorKind::Other),
    Fault::Error(io::ErrorKind::StorageFull),
];

/// Operations of the first opening after which slot 0 is durable: open, read, sync, and twice write
/// and sync. An unreadable sector before that may hold a finished record, so opening then fails.
const FIRST_WRITES: usize = 7;

/// The marks that the file may hold.
#[derive(Clone, Default)]
struct Law {
    /// The lowest mark allowed: all that was acknowledged, less what was given back.
    acknowledged_ms: Option<i64>,
    /// All other marks allowed: every one that was tried.
    tried_ms: HashSet<i64>,
}

impl Law {
    fn check(&self, mark: &MarkFile) {
        let found = mark.reserved_ms();
        assert!(found >= self.acknowledged_ms, "{found:?} < {:?}", self.acknowledged_ms);
        assert!(
            found.is_none_or(|ms| self.tried_ms.contains(&ms)),
            "{found:?} was never asked for"
        );
    }

    /// Runs a process that reserves `marks` in turn, and stops cleanly if `release_ms` is given.
    fn run(&mut self, disk: &FakeDisk, marks: &[i64], release_ms: Option<i64>) {
        let mut mark = match disk.open() {
            Ok(mark) => mark,
            Err(error) => return assert_ne!(error.code(), Code::StateCorrupt, "{error}"),
        };
        self.check(&mark);
        for &reserved_ms in marks {
            self.tried_ms.insert(reserved_ms);
            let before = mark.reserved_ms();
            if let Err(error) = mark.reserve(reserved_ms) {
                let operations = disk.operations();
                assert_eq!(mark.reserve(i64::MAX).unwrap_err().code(), error.code());
                assert_eq!(mark.reserve(0).unwrap_err().code(), error.code());
                assert_eq!(mark.reserved_ms(), before);
                assert_eq!(mark.release(0).unwrap_err().code(), error.code());
                assert_eq!(disk.operations(), operations, "a poisoned file is not touched");
                return;
            }
            self.acknowledged_ms = self.acknowledged_ms.max(Some(reserved_ms));
            assert_eq!(mark.reserved_ms(), self.acknowledged_ms);
        }
        if let Some(release_ms) = release_ms {
            self.tried_ms.insert(release_ms);
            self.acknowledged_ms = self.acknowledged_ms.min(Some(release_ms));
            let _ = mark.release(release_ms);
        }
    }

    /// Checks what the next process finds, with and without a power loss before it.
    fn holds(&self, disk: &FakeDisk) {
        let after_loss = disk.copy();
        after_loss.power_loss(Tear::Prefix(0));
        for disk in [disk.copy(), after_loss] {
            let mut mark = disk.open().unwrap();
            self.check(&mark);
            mark.reserve(1_000).unwrap();
            drop(mark);
            disk.power_loss(Tear::Prefix(0));
            assert_eq!(disk.open().unwrap().reserved_ms(), Some(1_000));
        }
    }
}

const FIRST_RUN: (&[i64], Option<i64>) = (&[10, 20, 30], Some(25));
const SECOND_RUN: (&[i64], Option<i64>) = (&[40, 50], Some(45));

fn count(disk: &FakeDisk, (marks, release_ms): (&[i64], Option<i64>)) -> usize {
    let disk = disk.copy();
    disk.fail_at(0, Fault::Kill, Tear::Prefix(0));
    Law { acknowledged_ms: None, tried_ms: (0..100).collect() }.run(&disk, marks, release_ms);
    disk.operations()
}

/// Calls `then` with the disk after each fault at each operation of a run.
fn each_fault(
    from: (&FakeDisk, &Law),
    run: (&[i64], Option<i64>),
    tears: &[Tear],
    finished: bool,
    mut then: impl FnMut(FakeDisk, Law, bool),
) {
    for operation in 1..=count(from.0, run) {
        let finished = finished || operation > FIRST_WRITES;
        for (fault, &tear) in FAULTS.iter().flat_map(|fault| tears.iter().map(move |t| (fault, t)))
        {
            if matches!(tear, Tear::Fill(1..)) && !finished {
                continue;
            }
            let (disk, mut law) = (from.0.copy(), from.1.clone());
            disk.fail_at(operation, *fault, tear);
            law.run(&disk, run.0, run.1);
            disk.restart();
            then(disk, law, finished);
        }
    }
}

#[test]
fn l8_every_fault_at_every_operation() {
    let mut histories = 0;
    let new = (&FakeDisk::new(), &Law::default());
    each_fault(new, FIRST_RUN, &all_tears(), false, |disk, law, _| {
        law.holds(&disk);
        histories += 1;
    });
    assert!(histories > 10_000, "{histories}");
}

#[test]
fn l8_two_faults() {
    let (mut seen, mut histories) = (HashSet::new(), 0);
    let new = (&FakeDisk::new(), &Law::default());
    each_fault(new, FIRST_RUN, &some_tears(), false, |disk, law, finished| {
        let state = disk.0.lock().unwrap().clone();
        let fresh =
            seen.insert((state.durable, state.cache, state.pending, law.acknowledged_ms, finished));
        if fresh {
            each_fault((&disk, &law), SECOND_RUN, &some_tears(), finished, |disk, law, _| {
                law.holds(&disk);
                histories += 1;
            });
        }
    });
    assert!(histories > 10_000, "{histories}");
}
