//! State files on drives that fail, stall, and lose unsynced data when power goes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use snowmint::{FileId, Files, StateFile};

use crate::random::Random;
use crate::world::{Home, START_MS, State, World};

/// The unit in which the system writes, in bytes.
const PAGE: usize = 4096;

/// The files of all machines.
#[derive(Debug, Default)]
pub struct Drives {
    files: BTreeMap<(usize, PathBuf), Content>,
    /// Until this moment, writes take up to 5 s.
    pub(crate) slow_until_us: i64,
}

#[derive(Debug, Default)]
struct Content {
    /// The content as readers see it.
    cache: Vec<u8>,
    /// The content that surely survives a loss of power.
    durable: Vec<u8>,
    /// Written, but not synced.
    pending: Vec<(usize, Vec<u8>)>,
    /// Written before a sync that failed. Readers see it, but the system takes it for clean, and no
    /// later sync writes it.
    forgotten: Vec<(usize, Vec<u8>)>,
    holder: Option<Home>,
}

impl Drives {
    /// Deletes a machine's files.
    pub(crate) fn lose_files(&mut self, node: usize) {
        self.files.retain(|(of, _), _| *of != node);
    }

    /// Applies a loss of power to a machine's drive: each unsynced write survives whole, in part or
    /// not at all.
    pub(crate) fn lose_power(&mut self, node: usize, random: &mut Random) {
        for ((_, _), content) in self.files.iter_mut().filter(|((of, _), _)| *of == node) {
            let unsynced = content.forgotten.drain(..).chain(content.pending.drain(..));
            for (offset, mut bytes) in unsynced.collect::<Vec<_>>() {
                match random.below(4) {
                    0 => continue,
                    1 => put(&mut content.durable, offset, &bytes),
                    2 => {
                        bytes.truncate(random.below(bytes.len() as u64 + 1) as usize);
                        put(&mut content.durable, offset, &bytes);
                    }
                    // Old and new bytes are mixed.
                    _ => {
                        for (index, byte) in bytes.iter().enumerate() {
                            if random.chance(500_000) {
                                put(&mut content.durable, offset + index, &[*byte]);
                            }
                        }
                    }
                }
            }
            content.cache.clone_from(&content.durable);
        }
    }
}

impl Content {
    /// Makes the pending pages durable, including forgotten writes on the same pages.
    fn write_back(&mut self) {
        let pages: Vec<_> = self.pending.iter().map(|(offset, _)| offset / PAGE).collect();
        self.forgotten.retain(|(offset, bytes)| {
            let is_dirty = pages.contains(&(offset / PAGE));
            if is_dirty {
                put(&mut self.durable, *offset, bytes);
            }
            !is_dirty
        });
        for (offset, bytes) in self.pending.drain(..) {
            put(&mut self.durable, offset, &bytes);
        }
    }
}

fn put(to: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    to.resize(to.len().max(offset + bytes.len()), 0);
    to[offset..offset + bytes.len()].copy_from_slice(bytes);
}

/// Returns the first millisecond that a mark file does not reserve, read by the definition of its
/// format.
fn mark_of(content: &[u8]) -> Option<i64> {
    let number = |slot: &[u8], at: usize| slot[at..at + 8].try_into().map(i64::from_le_bytes).ok();
    let slots = [0, 4096].into_iter().filter_map(|at| content.get(at..at + 64));
    let intact = slots.filter(|slot| {
        slot.starts_with(b"SNOWMARK") && crc32fast::hash(&slot[..60]).to_le_bytes() == slot[60..]
    });
    let newest = intact.max_by_key(|slot| (number(slot, 32), number(slot, 24)))?;
    number(newest, 24)
}

/// The files of a process.
pub struct Disk {
    world: World,
    home: Home,
}

impl Disk {
    /// Creates the files of a process.
    pub(crate) fn new(world: World, home: Home) -> Disk {
        Disk { world, home }
    }
}

impl Files for Disk {
    fn open_exclusive(
        &self,
        path: &Path,
        new_length: Option<u64>,
    ) -> io::Result<Box<dyn StateFile>> {
        self.world.wait_in_runtime_us(50);
        let mut state = self.world.lock();
        if !state.is_alive(self.home) {
            return Err(dead());
        }
        let key = (self.home.node, path.to_owned());
        let holder = state.drives.files.get(&key).and_then(|content| content.holder);
        if holder.is_some_and(|holder| state.is_alive(holder)) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let zeros = |length: u64| {
            let zeros = vec![0; usize::try_from(length).unwrap_or(0)];
            Content { cache: zeros.clone(), durable: zeros, ..Content::default() }
        };
        let content = match state.drives.files.entry(key.clone()) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(name) => name.insert(zeros(new_length.ok_or(io::ErrorKind::NotFound)?)),
        };
        content.holder = Some(self.home);
        Ok(Box::new(Open { world: self.world.clone(), home: self.home, key }))
    }

    fn read_once_written(&self, path: &Path, new: Option<&[u8]>) -> io::Result<Vec<u8>> {
        let mut state = self.world.lock();
        if !state.is_alive(self.home) {
            return Err(dead());
        }
        let content = match state.drives.files.entry((self.home.node, path.to_owned())) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(name) => {
                let new = new.ok_or(io::ErrorKind::NotFound)?.to_owned();
                name.insert(Content { cache: new.clone(), durable: new, ..Content::default() })
            }
        };
        Ok(content.cache.clone())
    }

    /// In a history, files vanish only with the process that has them open, and no name gets
    /// another file.
    fn named(&self, _: &Path) -> io::Result<Option<FileId>> {
        Ok(Some(ID))
    }
}

/// The identity of every file, because none needs to be told apart.
const ID: FileId = FileId { device: 0, inode: 0 };

/// An open state file.
struct Open {
    world: World,
    home: Home,
    key: (usize, PathBuf),
}

impl Open {
    /// Waits as a drive does, then applies `action` unless the process has died. Its last argument
    /// is true if the action must fail.
    fn act<T>(
        &self,
        us: [i64; 2],
        action: impl FnOnce(&mut Content, &mut Random, bool) -> io::Result<T>,
    ) -> io::Result<T> {
        let wait_us = {
            let mut state = self.world.lock();
            let is_slow = state.now_us < state.drives.slow_until_us;
            let [low, high] = if is_slow { [us[0], 5_000_000] } else { us };
            state.random.between(low, high)
        };
        self.world.wait_in_runtime_us(wait_us);
        let mut state = self.world.lock();
        if !state.is_alive(self.home) {
            return Err(dead());
        }
        let State { random, scenario, drives, history, now_us, nodes, .. } = &mut *state;
        let fails = random.chance(scenario.io_error);
        if fails {
            let node = &mut nodes[self.home.node];
            node.trouble_until_us = node.trouble_until_us.max(*now_us);
            history.fault(*now_us, "i/o error", format_args!("n{}", self.home.node));
        }
        let content = drives.files.entry(self.key.clone()).or_default();
        let acted = action(content, random, fails);
        drop(state);
        self.world.wait_in_runtime_us(1);
        acted
    }
}

impl StateFile for Open {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        self.act(
            [20, 200],
            |content, _, fails| {
                if fails { Err(failed()) } else { Ok(content.cache.clone()) }
            },
        )
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.act([5, 300], |content, random, fails| {
            let some = random.below(bytes.len() as u64) as usize;
            let written = if fails { &bytes[..some] } else { bytes };
            put(&mut content.cache, offset as usize, written);
            content.pending.push((offset as usize, written.to_owned()));
            if fails { Err(failed()) } else { Ok(()) }
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        let synced = self.act([300, 5_000], |content, _, fails| {
            if fails {
                content.forgotten.append(&mut content.pending);
                return Err(failed());
            }
            content.write_back();
            Ok(mark_of(&content.durable))
        })?;
        let mut state = self.world.lock();
        if let Some(mark_ms) = synced.filter(|_| state.is_alive(self.home)) {
            let now_us = state.now_us;
            let State { laws, history, .. } = &mut *state;
            laws.mark_durable(self.home.node, mark_ms);
            let after_ms = mark_ms.saturating_sub(START_MS);
            let node = self.home.node;
            history.note(now_us, format_args!("n{node} mark {after_ms} ms durable"));
        }
        Ok(())
    }

    fn id(&self) -> io::Result<FileId> {
        Ok(ID)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut state = self.world.lock();
        // The file of a process that was killed may have been deleted.
        let content = state.drives.files.get_mut(&self.key);
        if let Some(content) = content.filter(|content| content.holder == Some(self.home)) {
            content.holder = None;
        }
    }
}

fn failed() -> io::Error {
    io::Error::other("the simulated drive failed")
}

fn dead() -> io::Error {
    io::Error::other("this process is dead")
}
