//! State files of fixed worker IDs: any content is refused with a typed error, or is a mark that
//! every ID lies above; also when writes fail or are torn.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use snowmint::{Code, FileId, Files, Layout, Mint, Result, Snowflake, StateFile, System, WorkerId};

use crate::input::Input;

/// Places in a slot: see the runtime's documentation of the format.
const SECTOR: usize = 4096;
const RESERVED: usize = 24;
const COUNTER: usize = 32;
const CHECKSUM: usize = 60;
const LENGTH: usize = 64;

/// The first bytes say how the file is made and how writes fail. The file's bytes follow, or the
/// changes to a good one.
pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let [mode, failing, torn] = input.bytes();
    let content = match mode % 3 {
        0 => input.rest().to_vec(),
        1 => overwritten(&mut input),
        _ => forged(&mut input),
    };
    let mark_ms = intact_mark(&content);
    let disk = Memory::with(Some(content));
    let first = mint(&disk);
    match &first {
        Ok(id) => assert!(mark_ms.is_none_or(|mark_ms| time_of(*id) >= mark_ms)),
        Err(error) => crate::check_error(error),
    }
    if failing > 0 {
        disk.lock().fails_after = Some((failing, torn));
    }
    let second = mint(&disk);
    disk.lock().fails_after = None;
    let third = mint(&disk);
    let mut last = 0;
    for id in [first, second, third].into_iter().flatten() {
        assert!(id > last, "{id} after {last}");
        last = id;
    }
}

fn time_of(id: u64) -> i64 {
    Layout::TWITTER.parts(id).unix_ms
}

/// One ID of a generator with that state file, which is then closed.
fn mint(disk: &Memory) -> Result<u64> {
    let builder = Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory("nowhere");
    let flake = builder.host(System, Arc::new(disk.clone())).open()?;
    let id = flake.next_id_within(Duration::ZERO);
    let closed = flake.close();
    closed.or_else(|error| {
        crate::check_error(&error);
        if error.code() == Code::Forked { Err(error) } else { Ok(()) }
    })?;
    id
}

/// A file that the runtime wrote.
fn good() -> Vec<u8> {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let content = GOOD.get_or_init(|| {
        let disk = Memory::with(None);
        mint(&disk).expect("the file is new");
        let content = disk.lock().bytes().clone();
        assert_eq!(content.len(), SECTOR + LENGTH);
        content
    });
    content.clone()
}

/// A good file with bytes changed anywhere, and perhaps another length.
fn overwritten(input: &mut Input<'_>) -> Vec<u8> {
    let mut content = good();
    let length = usize::from(u16::from_le_bytes(input.bytes()));
    if length > 0 {
        content.resize(length, 0);
    }
    while !input.is_empty() && !content.is_empty() {
        let at = usize::from(u16::from_le_bytes(input.bytes())) % content.len();
        content[at] = input.byte();
    }
    content
}

/// A good file with other numbers in its slots, whose checksums agree.
fn forged(input: &mut Input<'_>) -> Vec<u8> {
    let mut content = good();
    for slot in [0, SECTOR] {
        if input.byte().is_multiple_of(4) {
            content[slot..slot + LENGTH].fill(0);
            continue;
        }
        let slot = &mut content[slot..slot + LENGTH];
        slot[RESERVED..COUNTER].copy_from_slice(&input.i64().to_le_bytes());
        slot[COUNTER..COUNTER + 8].copy_from_slice(&input.i64().to_le_bytes());
        if let [1, at, value] = input.bytes() {
            slot[usize::from(at) % CHECKSUM] = value;
        }
        let checksum = crc32fast::hash(&slot[..CHECKSUM]);
        slot[CHECKSUM..].copy_from_slice(&checksum.to_le_bytes());
    }
    content
}

/// The mark of a file whose slots are both intact and equal: it is believed, or refused.
fn intact_mark(content: &[u8]) -> Option<i64> {
    let (zero, one) = (content.get(..LENGTH)?, content.get(SECTOR..)?);
    let checksum = u32::from_le_bytes(zero[CHECKSUM..].try_into().ok()?);
    let agree = zero == one && crc32fast::hash(&zero[..CHECKSUM]) == checksum;
    let mark_ms = i64::from_le_bytes(zero[RESERVED..COUNTER].try_into().ok()?);
    agree.then_some(mark_ms)
}

/// One state file, in memory.
#[derive(Clone)]
struct Memory(Arc<Mutex<Content>>);

struct Content {
    /// None while there is no file.
    content: Option<Vec<u8>>,
    /// After so many writes and syncs each fails; of a write the second number tells how much is
    /// written all the same.
    fails_after: Option<(u8, u8)>,
}

impl Memory {
    fn with(content: Option<Vec<u8>>) -> Memory {
        Memory(Arc::new(Mutex::new(Content { content, fails_after: None })))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn bytes(&mut self) -> &mut Vec<u8> {
        self.content.get_or_insert_default()
    }

    /// Returns the number of bytes that are written before this operation fails, if it fails.
    fn failure(&mut self) -> Option<usize> {
        let (left, torn) = self.fails_after.as_mut()?;
        *left = left.saturating_sub(1);
        (*left == 0).then_some(usize::from(*torn))
    }
}

impl Files for Memory {
    fn open_exclusive(&self, _: &Path, new_length: Option<u64>) -> io::Result<Box<dyn StateFile>> {
        if self.lock().content.is_none() {
            let length = new_length.ok_or(io::ErrorKind::NotFound)?;
            self.lock().content = Some(vec![0; length as usize]);
        }
        Ok(Box::new(self.clone()))
    }

    fn read_once_written(&self, _: &Path, new: Option<&[u8]>) -> io::Result<Vec<u8>> {
        Ok(new.ok_or(io::ErrorKind::NotFound)?.to_owned())
    }

    fn named(&self, _: &Path) -> io::Result<Option<FileId>> {
        Ok(self.lock().content.is_some().then_some(THE_FILE))
    }
}

/// There is no other.
const THE_FILE: FileId = FileId { device: 0, inode: 0 };

impl StateFile for Memory {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.lock().bytes().clone())
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.lock();
        let failure = file.failure();
        let written = &bytes[..failure.unwrap_or(bytes.len()).min(bytes.len())];
        let (content, start) = (file.bytes(), offset as usize);
        let end = start + written.len();
        content.resize(content.len().max(end), 0);
        content[start..end].copy_from_slice(written);
        failure.map_or(Ok(()), |_| Err(io::ErrorKind::StorageFull.into()))
    }

    fn sync(&mut self) -> io::Result<()> {
        let failure = self.lock().failure();
        failure.map_or(Ok(()), |_| Err(io::Error::from_raw_os_error(5)))
    }

    fn id(&self) -> io::Result<FileId> {
        Ok(THE_FILE)
    }
}
