//! The content of the file, its owner, and the effects of damage.

use snowmint_engine::Code;

use super::*;
use crate::host::files::Disk;

use crash::{FakeDisk, Fault, Tear};

mod crash;

const REALM: &str = "time:41,worker:10,sequence:12@2010-11-04";
const WORKER: u32 = 7;

/// A finished file: 10, 20 and 30 were reserved, and 30 is acknowledged.
fn finished() -> Vec<u8> {
    let disk = FakeDisk::new();
    let mut mark = disk.open().unwrap();
    for reserved_ms in [10, 20, 30] {
        mark.reserve(reserved_ms).unwrap();
    }
    disk.content()
}

fn code(disk: &FakeDisk) -> Code {
    let before = disk.content();
    let error = disk.open().map(drop).unwrap_err();
    assert_eq!(disk.content(), before, "a file that is refused is left as it is");
    error.code()
}

#[test]
fn a_new_file_reserves_nothing() {
    let disk = FakeDisk::new();
    assert_eq!(disk.open().unwrap().reserved_ms(), None);
    assert_eq!(disk.open().unwrap().reserved_ms(), None);
    assert_eq!(disk.content().len(), FILE_LENGTH);
}

#[test]
fn the_mark_is_found_again_and_never_goes_down() {
    let disk = FakeDisk::new();
    let mut mark = disk.open().unwrap();
    mark.reserve(NOTHING_MS).unwrap();
    assert_eq!(mark.reserved_ms(), None);
    for (asked, expected) in [(-5, -5), (1_000, 1_000), (999, 1_000), (i64::MAX, i64::MAX)] {
        mark.reserve(asked).unwrap();
        assert_eq!(mark.reserved_ms(), Some(expected));
    }
    drop(mark);
    assert_eq!(disk.open().unwrap().reserved_ms(), Some(i64::MAX));
}

#[test]
fn the_newer_of_two_intact_slots_counts() {
    let (older, disk) = (finished(), FakeDisk::with(&finished()));
    disk.open().unwrap().reserve(40).unwrap();
    let newer = disk.content();
    for (zero, one) in [(&newer, &older), (&older, &newer)] {
        let mixed = [&zero[..SECTOR], &one[SECTOR..]].concat();
        assert_eq!(FakeDisk::with(&mixed).open().unwrap().reserved_ms(), Some(40));
    }
}

#[test]
fn a_change_costs_two_writes_and_two_syncs_and_no_change_nothing() {
    let disk = FakeDisk::new();
    let mut mark = disk.open().unwrap();
    let before = disk.operations();
    mark.reserve(10).unwrap();
    assert_eq!(disk.operations(), before + 4);
    mark.reserve(10).unwrap();
    mark.reserve(9).unwrap();
    assert_eq!(disk.operations(), before + 4);
}

#[test]
fn release_gives_back_only_what_this_process_reserved() {
    let disk = FakeDisk::new();
    for (reserve_ms, release_ms, expected) in
        [(100, 60, 60), (200, 300, 200), (300, 150, 200), (200, 0, 200)]
    {
        let mut mark = disk.open().unwrap();
        mark.reserve(reserve_ms).unwrap();
        mark.release(release_ms).unwrap();
        assert_eq!(disk.open().unwrap().reserved_ms(), Some(expected));
    }
}

#[test]
fn a_file_cut_short_is_corrupt_at_every_length() {
    let whole = finished();
    for length in 0..whole.len() {
        assert_eq!(code(&FakeDisk::with(&whole[..length])), Code::StateCorrupt, "{length} bytes");
    }
    assert_eq!(code(&FakeDisk::with(&[&whole[..], &[0]].concat())), Code::StateCorrupt);
}

#[test]
fn one_damaged_byte_or_sector_does_not_move_the_mark() {
    let whole = finished();
    for (at, flip) in (0..whole.len()).flat_map(|at| [0xFF, 1 << (at % 8)].map(|flip| (at, flip))) {
        let mut damaged = whole.clone();
        damaged[at] ^= flip;
        let disk = FakeDisk::with(&damaged);
        assert_eq!(disk.open().unwrap().reserved_ms(), Some(30), "byte {at}");
        disk.power_loss(Tear::Prefix(0));
        let slots = [0, SECTOR].map(|from| disk.content()[from..][..SLOT_LENGTH].to_vec());
        assert_eq!(slots[0], slots[1], "opening mends it");
    }
    for (from, fill) in [(0, 0), (0, 0xFF), (SECTOR, 0), (SECTOR, 0xFF)] {
        let mut damaged = whole.clone();
        damaged[from..][..SLOT_LENGTH].fill(fill);
        assert_eq!(FakeDisk::with(&damaged).open().unwrap().reserved_ms(), Some(30));
    }
}

#[test]
fn both_slots_damaged_is_corrupt() {
    for (first, second) in (0..SLOT_LENGTH).map(|at| (at, SECTOR + SLOT_LENGTH - 1 - at)) {
        let mut damaged = finished();
        damaged[first] ^= 0x10;
        damaged[second] ^= 0x10;
        assert_eq!(code(&FakeDisk::with(&damaged)), Code::StateCorrupt);
    }
    assert_eq!(code(&FakeDisk::with(b"another program's")), Code::StateCorrupt);
    let error = FakeDisk::with(b"x").open().map(drop).unwrap_err().to_string();
    assert!(error.contains("worker-7.mark") && error.contains("Restore it"), "{error}");
}

#[test]
fn the_format_is_frozen() {
    let lane = Lane { path: PathBuf::new(), worker_id: WORKER, realm_hash: fnv1a(b"foobar") };
    let record = Record { reserved_ms: 1_700_000_000_000, counter: 258, ..lane.first_record() };
    let mut expected = b"SNOWMARK\x01\0\0\0\x07\0\0\0\xe8\x67\x39\xf7\x71\x41\x94\x85".to_vec();
    expected.extend(b"\x00\x68\xe5\xcf\x8b\x01\0\0\x02\x01\0\0\0\0\0\0");
    expected.extend([0; 20]);
    expected.extend(CRC_OF_IT.to_le_bytes());
    assert_eq!(record.encode(), expected);
    let file = finished();
    assert_eq!(file.len(), 4160);
    assert_eq!(file[..64], file[4096..]);
    assert!(file[64..4096].iter().all(|&byte| byte == 0));
    for (text, hash) in [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c)] {
        assert_eq!(fnv1a(text.as_bytes()), hash);
    }
    assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
}

/// Computed with Python's `zlib.crc32`.
const CRC_OF_IT: u32 = 0xf2c2_1f5e;

#[test]
fn another_version_is_named() {
    for from in [0, SECTOR] {
        let mut newer = finished();
        newer[from + 8] = 2;
        let crc = crc32fast::hash(&newer[from..][..CHECKED_LENGTH]).to_le_bytes();
        newer[from + CHECKED_LENGTH..][..4].copy_from_slice(&crc);
        let disk = FakeDisk::with(&newer);
        assert_eq!(code(&disk), Code::StateCorrupt);
        assert!(disk.open().map(drop).unwrap_err().to_string().contains("version 2"));
    }
}

#[test]
fn another_worker_or_realm_is_refused() {
    let disk = FakeDisk::with(&finished());
    let before = disk.content();
    for (realm, worker_id) in [(REALM, 8), ("time:42,sequence:22@0", WORKER)] {
        let opened = MarkFile::open(&disk, Path::new("m"), realm, worker_id, Missing::Make);
        let error = opened.map(drop).unwrap_err();
        assert_eq!(error.code(), Code::RealmMismatch);
        let message = error.to_string();
        for part in [format!("worker {WORKER} of"), format!("worker {worker_id} of"), realm.into()]
        {
            assert!(message.contains(&part), "{message}");
        }
    }
    assert_eq!(disk.content(), before);
}

#[test]
fn errors_of_the_system_have_their_codes() {
    use io::ErrorKind as Kind;
    let kinds = [
        (Kind::StorageFull, Code::StoreFull),
        (Kind::QuotaExceeded, Code::StoreFull),
        (Kind::ReadOnlyFilesystem, Code::StoreReadOnly),
        (Kind::PermissionDenied, Code::StoreReadOnly),
        (Kind::Other, Code::StoreUnavailable),
        (Kind::WriteZero, Code::StoreUnavailable),
    ];
    for (kind, expected) in kinds {
        for operation in 1..=9 {
            let disk = FakeDisk::new();
            disk.fail_at(operation, Fault::Error(kind), Tear::Prefix(9));
            let error = disk.open().map(drop).unwrap_err();
            assert_eq!(error.code(), expected, "{error}");
            assert!(core::error::Error::source(&error).is_some());
        }
    }
}

#[test]
fn a_second_generator_is_refused_until_the_first_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new").join("worker-7.mark");
    let open = || MarkFile::open(&Disk, &path, REALM, WORKER, Missing::Make);
    let mut mark = open().unwrap();
    mark.reserve(1_000).unwrap();
    let error = open().map(drop).unwrap_err();
    assert_eq!(error.code(), Code::WorkerInUse);
    assert!(error.to_string().contains("holds worker 7 "), "{error}");
    mark.reserve(2_000).unwrap();
    drop(mark);
    let mark = open().unwrap();
    assert_eq!(mark.reserved_ms(), Some(2_000));
    mark.release(1_500).unwrap();
    assert_eq!(open().unwrap().reserved_ms(), Some(2_000), "not below what others reserved");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), FILE_LENGTH as u64);
}
