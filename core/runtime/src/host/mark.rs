//! The high-water mark of a fixed worker ID: how far its time is reserved, in a locked file.
//!
//! Nothing is issued at or above the mark before the file holds it durably, and nothing is issued
//! below the mark that was found at the start. So a restart continues above everything issued,
//! whatever the clock does meanwhile (law L8).
//!
//! # Format
//!
//! Two slots of 64 bytes, at offsets 0 and 4096; the file always has 4160 bytes. The bytes between
//! the slots are 0 and are ignored. Numbers are little-endian.
//!
//! | Offset | Bytes | Field                                                                   |
//! |-------:|------:|-------------------------------------------------------------------------|
//! |      0 |     8 | `SNOWMARK`                                                              |
//! |      8 |     4 | version: 1                                                              |
//! |     12 |     4 | worker ID                                                               |
//! |     16 |     8 | FNV-1a of the realm text, 64 bits                                       |
//! |     24 |     8 | first Unix millisecond not reserved, signed; the lowest number for none |
//! |     32 |     8 | counter: 0 when the file is made, one more for each change              |
//! |     40 |    20 | 0; ignored                                                              |
//! |     60 |     4 | CRC-32 (that of zlib) of the 60 bytes before                            |
//!
//! Every version keeps the magic, the version and the checksum where they are.
//!
//! 4096 is the largest sector in use. Drives with such sectors read, change and write a whole one
//! even if they show sectors of 512 bytes, so that slots closer together could be lost together.
//!
//! # Protocol
//!
//! A change is written to slot 0 and synced, then to slot 1 and synced, then acknowledged. A tear
//! hits only the slot being written, and the other is durable: the older record while slot 0 is
//! written, the newer one while slot 1 is. At the start the higher counter wins.
//!
//! Writing the two slots in turn with one sync a change, as journals do, would be cheaper. But a
//! damaged newest slot would then look like a torn write that was never acknowledged, and the start
//! would fall back to an older mark: IDs could repeat.
//!
//! Here both slots hold every acknowledged
//! mark, so either of them may be lost. The second sync costs some 4 ms, twice a second, on the
//! scheduler's thread; issuing never waits for it.
//!
//! Writes of a dead process may be in the page cache and not on the disk, so opening syncs first. A
//! sync may also succeed for data that an earlier sync failed to write, so opening then writes
//! again, in an order that keeps a durable slot at each moment: see [`MarkFile::settle`].
//!
//! # The first write
//!
//! A file is made as zeros of its full length before it gets its name. The first record goes to
//! slot 1 and is durable before slot 0 is touched. So a file of full length was never finished if
//! it begins with zeros and its slot 1 holds only zeros and bytes of its first record. Nothing was
//! reserved in it, and it counts as new. Any other length is damage, including 0.
//!
//! A missing file is made if the caller asks for that, and counts as new:
//! [`MarkFile::reserved_ms`] is then `None`. New may also mean lost, which only the caller can
//! judge.
//!
//! # The name
//!
//! A lock belongs to a file, not to a name. After the file was removed, moved or replaced, another
//! process that opens the name locks another file and knows nothing of this one. Every change is
//! therefore acknowledged only while the name still leads to the open file: see
//! [`MarkFile::reserve`].

use std::io;
use std::path::{Path, PathBuf};

#[cfg(doc)]
use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::errors;
use crate::host::files::{Files, StateFile};
use crate::host::identity::FileId;
use crate::host::process::{ForkGuard, Generation};

mod held;

const MAGIC: [u8; 8] = *b"SNOWMARK";
const VERSION: u32 = 1;
/// Bytes of a slot.
const SLOT_LENGTH: usize = 64;
const CHECKED_LENGTH: usize = SLOT_LENGTH - size_of::<u32>();
/// The offset of slot 1.
const SECTOR: usize = 4096;
const FILE_LENGTH: usize = SECTOR + SLOT_LENGTH;
/// The mark while nothing is reserved.
const NOTHING_MS: i64 = i64::MIN;

/// The state file of a worker ID, held by this process alone until it is dropped.
///
/// It is the file that is locked, not the process: a second opening is refused in the same process
/// too. A forked child shares the lock and must not use its copy.
pub(crate) struct MarkFile {
    file: Box<dyn StateFile>,
    id: FileId,
    lane: Lane,
    /// The record that both slots hold durably.
    record: Record,
    /// The mark found at opening. Other processes issued below it, so it is never given back.
    opened_ms: i64,
    /// The first failed write. After it the system may believe that lost data was written, so
    /// repeating the write on the same descriptor proves nothing.
    failure: Option<Error>,
    /// Distinguishes the process that holds the lock from its forked children, which inherit the
    /// file.
    guard: ForkGuard,
    opened_in: Generation,
}

impl Drop for MarkFile {
    fn drop(&mut self) {
        if self.guard.is(self.opened_in) {
            held::forget(self.id);
            self.file.unlock();
        }
    }
}

impl MarkFile {
    /// Opens and locks the state file of a worker ID. `missing` says whether a missing file is
    /// made.
    ///
    /// # Errors
    /// - [`Code::WorkerInUse`] if another generator has it open.
    /// - [`Code::StateMissing`] if it is missing and not to be made.
    /// - [`Code::UnsafeSetting`] if others could change its content.
    /// - [`Code::RealmMismatch`] if it belongs to another worker ID or layout.
    /// - [`Code::StateCorrupt`] if it is damaged beyond what a crash can do, or of another version.
    /// - [`Code::StoreFull`], [`Code::StoreReadOnly`], [`Code::StoreUnavailable`] of the system.
    pub(crate) fn open(
        files: &dyn Files,
        path: &Path,
        realm: &str,
        worker_id: u32,
        missing: Missing,
    ) -> Result<MarkFile> {
        let lane = Lane { path: path.to_owned(), worker_id, realm_hash: fnv1a(realm.as_bytes()) };
        let new_length = matches!(missing, Missing::Make).then_some(FILE_LENGTH as u64);
        let mut file = files
            .open_exclusive(path, new_length)
            .map_err(|error| lane.open_failure(files, error, missing))?;
        let id = file.id().map_err(|error| lane.failure("find", error))?;
        let content = file.read().map_err(|error| lane.failure("read", error))?;
        // Synced before anything is written, so that two slots are never in doubt at once.
        file.sync().map_err(|error| lane.failure("write", error))?;
        let first = lane.first_record();
        let slots = if is_unfinished(&content, &first.encode()) {
            put(&mut *file, Slot::One, first).map_err(|error| lane.failure("write", error))?;
            [None, Some(first)]
        } else {
            lane.parse(&content, realm)?
        };
        let record = slots.into_iter().flatten().max_by_key(|it| (it.counter, it.reserved_ms));
        let record =
            record.ok_or_else(|| errors::host::state_file_without_record(path, lane.worker_id))?;
        let opened_ms = record.reserved_ms;
        let guard = ForkGuard::new();
        let mut mark = MarkFile {
            file,
            id,
            lane,
            record,
            opened_ms,
            failure: None,
            guard,
            opened_in: guard.generation(),
        };
        mark.settle(slots)?;
        held::note(id);
        Ok(mark)
    }

    /// The first Unix millisecond that is not reserved; `None` if nothing ever was.
    pub(crate) fn reserved_ms(&self) -> Option<i64> {
        Some(self.record.reserved_ms).filter(|&ms| ms != NOTHING_MS)
    }

    /// Checks that something was ever reserved.
    ///
    /// # Errors
    /// [`Code::StateMissing`]: the file counts as new, which may also mean lost.
    pub(crate) fn check_used(&self) -> Result<()> {
        match self.reserved_ms() {
            Some(_) => Ok(()),
            None => Err(errors::host::state_file_missing(&self.lane.path, self.lane.worker_id)),
        }
    }

    /// Keeps everything below `floor_ms` reserved for good. Even a clean stop does not give it
    /// back.
    pub(crate) fn keep_below(&mut self, floor_ms: i64) {
        self.opened_ms = self.opened_ms.max(floor_ms);
    }

    /// Reserves every millisecond below `reserved_ms`; the mark never goes down. `Ok` means that it
    /// is durable in this file, which only counts while the file [has its name](Self::check_name).
    ///
    /// # Errors
    /// [`Code::StoreFull`], [`Code::StoreReadOnly`], [`Code::StoreUnavailable`] of the system.
    /// Earlier reservations stay valid. All further calls fail in the same way until the file is
    /// opened again.
    pub(crate) fn reserve(&mut self, reserved_ms: i64) -> Result<()> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        if reserved_ms > self.record.reserved_ms { self.change(reserved_ms) } else { Ok(()) }
    }

    pub(crate) fn id(&self) -> FileId {
        self.id
    }

    /// Checks that the name still leads to this file. If it does not, the content no longer counts,
    /// now and later.
    ///
    /// # Errors
    /// [`Code::StateMissing`] if it leads to another file or to none; an error of the system.
    pub(crate) fn check_name(&self, files: &dyn Files) -> Result<()> {
        match files.named(&self.lane.path) {
            Ok(named) if named == Some(self.id) => Ok(()),
            Ok(_) => Err(errors::host::state_file_replaced(&self.lane.path, self.lane.worker_id)),
            Err(error) => Err(self.lane.failure("find", error)),
        }
    }

    /// Assigns the file to another layout, whose IDs begin at `from_ms` or above. Durable once it
    /// returns `Ok`.
    ///
    /// # Errors
    /// As [`reserve`](Self::reserve). The file then belongs to either layout.
    pub(crate) fn change_realm(mut self, realm: &str, from_ms: i64) -> Result<()> {
        self.record.realm_hash = fnv1a(realm.as_bytes());
        self.change(from_ms.max(self.record.reserved_ms))
    }

    /// Stops cleanly: gives back the reserved time from `reached_ms` on. The caller has issued
    /// nothing there and has closed the lane, so nothing will be.
    ///
    /// # Errors
    /// As [`reserve`](Self::reserve). The mark is then where it was, or at `reached_ms`.
    pub(crate) fn release(mut self, reached_ms: i64) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let reached_ms = reached_ms.max(self.opened_ms);
        if reached_ms >= self.record.reserved_ms {
            return Ok(());
        }
        self.change(reached_ms)
    }

    /// Writes a new mark to both slots, one after the other.
    fn change(&mut self, reserved_ms: i64) -> Result<()> {
        // A counter at its end can only be forged. Among equal counters the higher mark wins.
        let counter = self.record.counter.saturating_add(1);
        let next = Record { reserved_ms, counter, ..self.record };
        self.put(Slot::Zero, next)?;
        self.put(Slot::One, next)?;
        self.record = next;
        Ok(())
    }

    /// Makes both slots hold the present mark durably, whatever was found in them.
    ///
    /// Slot 0 always takes a new record first. So if the slots agree, or slot 1 is not intact, slot
    /// 0 is durable and only slot 1 is in doubt. If they differ and slot 1 is intact, slot 1 is
    /// durable: slot 0 was being written, or the write to slot 1 was lost whole. In that case the
    /// counter goes up, so that the slots differ until slot 0 is durable.
    fn settle(&mut self, [zero, one]: [Option<Record>; 2]) -> Result<()> {
        if one.is_some() && zero != one {
            self.change(self.record.reserved_ms)
        } else {
            self.put(Slot::One, self.record)
        }
    }

    fn put(&mut self, slot: Slot, record: Record) -> Result<()> {
        put(&mut *self.file, slot, record).map_err(|error| {
            let failure = self.lane.failure("write", error);
            self.failure = Some(failure.clone());
            failure
        })
    }
}

/// The handling of a missing state file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    Make,
    Refuse,
}

/// The owner of a file, for checks and messages.
struct Lane {
    path: PathBuf,
    worker_id: u32,
    realm_hash: u64,
}

impl Lane {
    fn first_record(&self) -> Record {
        let Lane { worker_id, realm_hash, .. } = *self;
        Record { worker_id, realm_hash, reserved_ms: NOTHING_MS, counter: 0 }
    }

    /// Reads both slots; a slot that is not intact is `None`.
    fn parse(&self, content: &[u8], realm: &str) -> Result<[Option<Record>; 2]> {
        // No crash shortens a finished file: this is a truncated copy, or another program's file.
        if content.len() != FILE_LENGTH {
            let (path, length) = (&self.path, content.len());
            return Err(errors::host::state_file_of_wrong_length(
                path,
                self.worker_id,
                length,
                FILE_LENGTH,
            ));
        }
        let (head, one) = content.split_at(SECTOR);
        let zero = head.split_at(SLOT_LENGTH).0;
        Ok([self.check(zero, realm)?, self.check(one, realm)?])
    }

    /// Returns the record of a slot if it is intact, and an error if it belongs to another lane.
    fn check(&self, slot: &[u8], realm: &str) -> Result<Option<Record>> {
        match Record::decode(slot) {
            None => Ok(None),
            Some(Found::Version(version)) => {
                Err(errors::host::state_file_of_another_version(&self.path, version, VERSION))
            }
            Some(Found::Record(record)) => {
                let Record { worker_id, realm_hash, .. } = record;
                let (theirs, ours) = ((worker_id, realm_hash), (self.worker_id, self.realm_hash));
                if theirs == ours {
                    return Ok(Some(record));
                }
                let path = &self.path;
                Err(errors::host::state_file_of_another_worker(path, theirs, ours, realm))
            }
        }
    }

    fn open_failure(&self, files: &dyn Files, error: io::Error, missing: Missing) -> Error {
        let Lane { path, worker_id, .. } = self;
        let since_ms = || files.named(path).ok().flatten().and_then(held::since_ms);
        match error.kind() {
            // Without a system error number it comes from the lock; other calls have one.
            io::ErrorKind::WouldBlock if error.raw_os_error().is_none() => match since_ms() {
                Some(since) => errors::host::worker_in_use_here(path, *worker_id, since, error),
                None => errors::host::worker_in_use(path, *worker_id, error),
            },
            io::ErrorKind::NotFound if matches!(missing, Missing::Refuse) => {
                errors::host::state_file_missing(path, *worker_id).caused_by(error)
            }
            _ => self.failure("open", error),
        }
    }

    fn failure(&self, action: &str, error: io::Error) -> Error {
        errors::host::state_file_unusable(action, &self.path, self.worker_id, error)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    worker_id: u32,
    realm_hash: u64,
    reserved_ms: i64,
    counter: u64,
}

/// The meaning of an intact slot.
enum Found {
    Record(Record),
    Version(u32),
}

impl Record {
    fn encode(&self) -> Vec<u8> {
        let mut slot = Vec::with_capacity(SLOT_LENGTH);
        slot.extend(MAGIC);
        slot.extend(VERSION.to_le_bytes());
        slot.extend(self.worker_id.to_le_bytes());
        slot.extend(self.realm_hash.to_le_bytes());
        slot.extend(self.reserved_ms.to_le_bytes());
        slot.extend(self.counter.to_le_bytes());
        slot.resize(CHECKED_LENGTH, 0);
        slot.extend(crc32fast::hash(&slot).to_le_bytes());
        slot
    }

    /// Returns `None` if the slot is not intact.
    fn decode(slot: &[u8]) -> Option<Found> {
        let (mut rest, &checksum) = slot.split_last_chunk()?;
        if crc32fast::hash(rest) != u32::from_le_bytes(checksum) || take(&mut rest)? != MAGIC {
            return None;
        }
        let version = u32::from_le_bytes(take(&mut rest)?);
        if version != VERSION {
            return Some(Found::Version(version));
        }
        Some(Found::Record(Record {
            worker_id: u32::from_le_bytes(take(&mut rest)?),
            realm_hash: u64::from_le_bytes(take(&mut rest)?),
            reserved_ms: i64::from_le_bytes(take(&mut rest)?),
            counter: u64::from_le_bytes(take(&mut rest)?),
        }))
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (&head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(head)
}

#[derive(Clone, Copy)]
enum Slot {
    Zero,
    One,
}

/// Writes a slot and waits until it is durable.
fn put(file: &mut dyn StateFile, slot: Slot, record: Record) -> io::Result<()> {
    let offset = match slot {
        Slot::Zero => 0,
        Slot::One => SECTOR as u64,
    };
    file.write_at(offset, &record.encode())?;
    file.sync()
}

/// Returns true if the very first write to the file was never finished or never begun.
fn is_unfinished(content: &[u8], first: &[u8]) -> bool {
    let (head, one) = content.split_at(content.len().min(SECTOR));
    content.len() == FILE_LENGTH
        && head.iter().all(|&byte| byte == 0)
        && one.iter().zip(first).all(|(&byte, &first)| byte == 0 || byte == first)
}

/// FNV-1a with 64 bits, as in the IETF's draft-eastlake-fnv. It tells realms apart, and does not
/// protect against deliberate collisions.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;
