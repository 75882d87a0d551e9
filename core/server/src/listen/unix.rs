//! A Unix socket that all event loops share.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The path of a socket, removed on drop. This happens before the sockets close, because the next
/// server may own the path after that.
#[derive(Debug)]
pub(crate) struct Held(PathBuf);

impl Drop for Held {
    fn drop(&mut self) {
        // The next server replaces a path that stays.
        let _ = fs::remove_file(&self.0);
    }
}

/// Listens at a path, and replaces the socket of a server that ended without removing it.
///
/// # Errors
/// The system's error; a path is refused if another process listens there, or if it is no socket.
pub(super) fn bind(path: &Path, loops: usize) -> io::Result<(Held, Vec<UnixListener>)> {
    // Locked: if two servers find a dead socket, the second could remove the first one's new
    // socket.
    let directory = fs::File::open(directory(path))?;
    directory.lock()?;
    let first = match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_left(path) => {
            fs::remove_file(path)?;
            UnixListener::bind(path)?
        }
        bound => bound?,
    };
    let held = Held(path.to_owned());
    // Connecting needs write permission. The permissions of the directory decide who may connect.
    fs::set_permissions(path, Permissions::from_mode(0o666))?;
    first.set_nonblocking(true)?;
    let others = (1..loops).map(|_| first.try_clone()).collect::<io::Result<Vec<_>>>()?;
    Ok((held, [first].into_iter().chain(others).collect()))
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns true if the path is a socket without a listener.
fn is_left(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|it| it.file_type().is_socket());
    let connected = UnixStream::connect(path);
    is_socket && connected.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    #[test]
    fn a_path_is_taken_from_the_dead_alone_and_removed_at_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ids.sock");
        let (held, sockets) = bind(&path, 3).unwrap();
        assert_eq!(sockets.len(), 3);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o666);
        assert_eq!(bind(&path, 1).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        drop(held);
        assert!(!path.exists());
        // After a crash the file exists, but no process listens.
        drop(UnixListener::bind(&path).unwrap());
        drop(bind(&path, 1).unwrap());
        // If several servers find a dead socket at once, exactly one gets the path.
        let together = Barrier::new(4);
        let start = || {
            together.wait();
            bind(&path, 1)
        };
        for _ in 0..200 {
            drop(UnixListener::bind(&path).unwrap());
            let all = thread::scope(|scope| {
                let starting = [(); 4].map(|()| scope.spawn(start));
                starting.map(|it| it.join().unwrap())
            });
            assert_eq!(all.iter().filter(|bound| bound.is_ok()).count(), 1);
            UnixStream::connect(&path).unwrap();
        }
        fs::write(&path, "mine").unwrap();
        assert!(bind(&path, 1).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    }
}
