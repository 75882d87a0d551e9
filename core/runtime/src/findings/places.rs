//! The file system of a file, and the users who may change it.

use std::path::Path;

use super::Finding;

const FILE_SYSTEM: &str = "file system";
const ACCESS: &str = "access";

/// The kind of a file system, by the guarantees it gives.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Local,
    /// Files and locks are on another machine.
    Network,
    /// A user's program keeps the files, perhaps elsewhere.
    Program,
    /// The files are lost when the machine restarts.
    Memory,
    /// The files are lost with their container, unless the container is the whole machine.
    Layer,
}

/// The file systems by their magic numbers on Linux.
#[cfg(target_os = "linux")]
const KNOWN: &[(u64, &str, Kind)] = &[
    (0xEF53, "ext", Kind::Local),
    (0x5846_5342, "XFS", Kind::Local),
    (0x9123_683E, "Btrfs", Kind::Local),
    (0x2FC1_2FC1, "ZFS", Kind::Local),
    (0xF2F5_2010, "F2FS", Kind::Local),
    (0x6969, "NFS", Kind::Network),
    (0x517B, "SMB", Kind::Network),
    (0xFE53_4D42, "SMB", Kind::Network),
    (0xFF53_4D42, "CIFS", Kind::Network),
    (0x00C3_6400, "Ceph", Kind::Network),
    (0x5346_414F, "AFS", Kind::Network),
    (0x0BD0_0BD0, "Lustre", Kind::Network),
    (0x4750_4653, "GPFS", Kind::Network),
    (0x0116_1970, "GFS2", Kind::Network),
    (0x7461_636F, "OCFS2", Kind::Network),
    (0x0102_1997, "9P", Kind::Network),
    (0x6573_5546, "FUSE", Kind::Program),
    (0x0102_1994, "tmpfs", Kind::Memory),
    (0x8584_58F6, "ramfs", Kind::Memory),
    (0x794C_7630, "overlay", Kind::Layer),
];

/// Examines the file system of an existing path.
#[cfg(target_os = "linux")]
pub(crate) fn file_system(path: &Path) -> Finding {
    let number = match rustix::fs::statfs(path) {
        // The width and sign of `f_type` depend on the architecture.
        Ok(told) => told.f_type as u64 & 0xFFFF_FFFF,
        Err(error) => {
            return Finding::hidden(FILE_SYSTEM, format!("could not be seen: {error}"));
        }
    };
    match KNOWN.iter().find(|(known, ..)| *known == number) {
        Some((_, name, kind)) => judged(name, *kind),
        None => Finding::hidden(FILE_SYSTEM, format!("one that is not known here ({number:#x})")),
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn file_system(_: &Path) -> Finding {
    Finding::hidden(FILE_SYSTEM, "which one, is not seen on this system")
}

#[cfg(target_os = "linux")]
fn judged(name: &str, kind: Kind) -> Finding {
    let (found, cure) = match kind {
        Kind::Local => return Finding::ok(FILE_SYSTEM, name),
        Kind::Network => (
            "of a network: its locks are often not what they say, and then IDs repeat",
            "put the file on a disk of this machine, or take a database for several machines",
        ),
        Kind::Program => (
            "of a program: whether its locks and syncs are what they say, cannot be seen",
            "put the file on a disk of this machine",
        ),
        Kind::Memory => (
            "in memory: a restart of the machine loses the file, and its numbers repeat",
            "put the file on a disk",
        ),
        Kind::Layer => (
            "of layers, as a container's own files are: they are gone with it, and numbers repeat",
            "in a container, mount a directory of its host's for the file",
        ),
    };
    Finding::weaker(FILE_SYSTEM, format!("{name}, {found}"), cure)
}

/// Examines whether this user may change an existing path, and whether every user may.
#[cfg(unix)]
pub(crate) fn access(path: &Path) -> Finding {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::Access;
    use snowmint_engine::Code;

    let shown = path.display();
    let file = match std::fs::metadata(path) {
        Ok(file) => file,
        Err(error) => return Finding::hidden(ACCESS, format!("could not be seen: {error}")),
    };
    let (found, mode) = (owned(path, &file), file.mode() & 0o7777);
    if let Err(error) = rustix::fs::access(path, Access::WRITE_OK) {
        let found = format!("{found}, who may not write it ({error})");
        return Finding::refused(ACCESS, Code::StoreReadOnly, found, "allow this user to write it");
    }
    // In a directory with the sticky bit, only its owner can remove or replace a file.
    let is_open = mode & 0o002 != 0 && (file.is_file() || mode & 0o1000 == 0);
    if is_open {
        let found = format!("{found}: anybody may change it, and have IDs repeat");
        return Finding::weaker(ACCESS, found, format!("chmod o-w {shown}"));
    }
    Finding::ok(ACCESS, found)
}

/// Describes the owner and mode of an existing path that this user may not read.
#[cfg(all(unix, feature = "sqlite"))]
pub(crate) fn unreadable(path: &Path) -> Option<String> {
    let file = std::fs::metadata(path).ok()?;
    let refusal = rustix::fs::access(path, rustix::fs::Access::READ_OK).err()?;
    Some(format!("{}, who may not read it ({refusal})", owned(path, &file)))
}

#[cfg(all(not(unix), feature = "sqlite"))]
pub(crate) fn unreadable(_: &Path) -> Option<String> {
    None
}

#[cfg(unix)]
fn owned(path: &Path, file: &std::fs::Metadata) -> String {
    use std::os::unix::fs::MetadataExt;

    let (user, mode) = (rustix::process::geteuid().as_raw(), file.mode() & 0o7777);
    let shown = path.display();
    format!("{shown} is user {}'s, mode {mode:o}, and this is user {user}", file.uid())
}

#[cfg(not(unix))]
pub(crate) fn access(path: &Path) -> Finding {
    match std::fs::metadata(path) {
        Ok(_) => Finding::ok(ACCESS, format!("{} is there", path.display())),
        Err(error) => Finding::hidden(ACCESS, format!("could not be seen: {error}")),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::super::Verdict;
    use super::*;

    #[test]
    fn only_a_local_file_system_passes_without_a_cure() {
        for (_, name, kind) in KNOWN {
            let finding = judged(name, *kind);
            assert_eq!(finding.verdict == Verdict::Ok, *kind == Kind::Local, "{finding:?}");
            assert_eq!(finding.cure.is_some(), *kind != Kind::Local, "{finding:?}");
        }
        let missing = file_system(Path::new("/nowhere"));
        assert_eq!(missing.verdict, Verdict::Unseen);
        assert!(file_system(Path::new("/proc")).found.contains("0x9fa0"));
    }

    #[test]
    fn a_file_that_anybody_may_change_is_weaker() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ids.db");
        fs::write(&file, "").unwrap();
        for (mode, verdict) in
            [(0o600, Verdict::Ok), (0o660, Verdict::Ok), (0o606, Verdict::Weaker)]
        {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(access(&file).verdict, verdict, "{mode:o}");
        }
        for (mode, verdict) in [(0o777, Verdict::Weaker), (0o1777, Verdict::Ok)] {
            fs::set_permissions(directory.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(access(directory.path()).verdict, verdict, "{mode:o}");
        }
        assert_eq!(access(&directory.path().join("none")).verdict, Verdict::Unseen);
    }
}
