//! The commands of a transaction, kept until EXEC.

use std::ops::Range;

use super::parse::Arguments;
use super::reply;

/// The most bytes that the commands of one MULTI take. A repeat of one of the last [`REMEMBERED`]
/// different commands takes four, and an immediate repeat none.
const MAX_QUEUED_BYTES: usize = 64 * 1024;
/// The number of previous different commands that a new one is compared with.
const REMEMBERED: usize = 16;
/// The most commands of one MULTI.
const MAX_QUEUED: usize = 65_536;
const TOO_MANY: &str = "too many commands in MULTI: send EXEC after 65536 commands, or 64 KiB of \
                        different ones";

/// The commands after MULTI.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The bytes of the different commands, one after another.
    bytes: Vec<u8>,
    /// The range of each command in `bytes`.
    kept: Vec<Range<usize>>,
    /// The commands to carry out, by index into `kept`, each with its count of repeats.
    pub(super) runs: Vec<(u16, u16)>,
    /// The count of all commands, including repeats.
    pub(super) count: usize,
    /// True if a command was refused, so that none will be carried out.
    pub(super) is_broken: bool,
}

impl Queue {
    /// Keeps a command, or breaks the transaction if there are too many.
    pub(super) fn keep(&mut self, arguments: Arguments<'_>, output: &mut Vec<u8>) {
        if self.is_broken {
            // The memory is freed, because none will be carried out.
            (self.bytes, self.kept, self.runs) = Default::default();
            return reply::simple(output, "QUEUED");
        }
        let bytes = arguments.bytes();
        let same = self.same(bytes);
        let taken = self.bytes.len() + size_of_val(&self.kept[..]) + size_of_val(&self.runs[..]);
        let is_again = |(which, times): &&mut (u16, u16)| Some(*which) == same && *times < u16::MAX;
        let again = self.runs.last_mut().filter(is_again);
        let more = match (&again, same) {
            (Some(_), _) => 0,
            (None, Some(_)) => size_of::<(u16, u16)>(),
            (None, None) => bytes.len() + size_of::<Range<usize>>() + size_of::<(u16, u16)>(),
        };
        if taken + more > MAX_QUEUED_BYTES || self.count >= MAX_QUEUED {
            self.is_broken = true;
            return reply::error(output, TOO_MANY);
        }
        match again {
            Some((_, times)) => *times += 1,
            None => {
                let which = same.unwrap_or_else(|| self.add(bytes));
                self.runs.push((which, 1));
            }
        }
        self.count += 1;
        reply::simple(output, "QUEUED");
    }

    /// Finds the same command among the last different ones.
    fn same(&self, bytes: &[u8]) -> Option<u16> {
        let last = self.kept.len().saturating_sub(REMEMBERED)..self.kept.len();
        last.map(number).find(|which| self.command(*which) == bytes)
    }

    fn add(&mut self, bytes: &[u8]) -> u16 {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.kept.push(begin..self.bytes.len());
        number(self.kept.len() - 1)
    }

    pub(super) fn command(&self, which: u16) -> &[u8] {
        &self.bytes[self.kept[usize::from(which)].clone()]
    }
}

/// The limit of bytes keeps the index far below `u16::MAX`.
fn number(which: usize) -> u16 {
    u16::try_from(which).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn kept(queue: &mut Queue, line: &str) -> String {
        let (bytes, mut ranges, mut output) = (line.as_bytes(), Vec::new(), Vec::new());
        parse(bytes, &mut ranges).unwrap();
        queue.keep(Arguments::new(bytes, &ranges), &mut output);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn the_same_command_again_takes_no_room() {
        let mut queue = Queue::default();
        for line in ["INCR a\n", "INCR a\n", "INCR b\n", "INCR a\n"] {
            assert_eq!(kept(&mut queue, line), "+QUEUED\r\n");
        }
        assert_eq!(queue.bytes, b"INCR a\nINCR b\n");
        assert_eq!((queue.runs, queue.count), (vec![(0, 2), (1, 1), (0, 1)], 4));
    }

    #[test]
    fn a_transaction_has_its_bounds() {
        let mut queue = Queue::default();
        for _ in 0..MAX_QUEUED {
            assert_eq!(kept(&mut queue, "INCR a\n"), "+QUEUED\r\n");
        }
        assert!(kept(&mut queue, "INCR a\n").contains("too many commands in MULTI: send EXEC"));

        // As a pipeline on two tags sends them.
        let mut queue = Queue::default();
        for _ in 0..5_000 {
            assert_eq!(kept(&mut queue, "INCR a\n"), "+QUEUED\r\n");
            assert_eq!(kept(&mut queue, "INCR b\n"), "+QUEUED\r\n");
        }

        // Including what each takes beside its bytes.
        let line = |n: u32| format!("INCR {n:0998}\n");
        let beside = size_of::<Range<usize>>() + size_of::<(u16, u16)>();
        assert_eq!((line(0).len() + beside) * 64, MAX_QUEUED_BYTES);
        let mut queue = Queue::default();
        for n in 0..64 {
            assert_eq!(kept(&mut queue, &line(n)), "+QUEUED\r\n");
        }
        assert!(kept(&mut queue, "INCR a\n").starts_with("-ERR too many commands"));
        assert!(queue.is_broken);
        // Commands that will not be carried out are not kept.
        assert_eq!(kept(&mut queue, "INCR a\n"), "+QUEUED\r\n");
        assert_eq!(queue.bytes.capacity(), 0);
    }
}
