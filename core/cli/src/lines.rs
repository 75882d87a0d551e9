//! Reads the lines of standard input.

use std::io::{self, BufRead, BufReader, Read, StdinLock};

use snowmint::Result;

use crate::errors;

/// The longest line of standard input, in bytes.
const MAX_LINE_LENGTH: u64 = 4096;

/// The trimmed lines of standard input with their numbers. Empty lines are skipped.
pub(crate) struct Lines {
    reader: BufReader<StdinLock<'static>>,
    number: u64,
}

impl Lines {
    pub(crate) fn of_stdin() -> Lines {
        Lines { reader: BufReader::with_capacity(1 << 16, io::stdin().lock()), number: 0 }
    }

    /// Returns true if the next line may have to be waited for, so that output should be flushed.
    pub(crate) fn may_wait(&self) -> bool {
        !self.reader.buffer().contains(&b'\n')
    }

    /// Returns the next line with its number, or `None` at the end. A line that is too long or not
    /// UTF-8 is an error of its own; the next one can still be read.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, Result<String>)>> {
        loop {
            let mut bytes = Vec::new();
            let mut limited = self.reader.by_ref().take(MAX_LINE_LENGTH);
            if limited.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if bytes.len() as u64 == MAX_LINE_LENGTH && !bytes.ends_with(b"\n") {
                self.reader.skip_until(b'\n')?;
                let error = errors::line_too_long(MAX_LINE_LENGTH);
                return Ok(Some((self.number, Err(error))));
            }
            let Ok(line) = String::from_utf8(bytes) else {
                return Ok(Some((self.number, Err(errors::line_not_utf8()))));
            };
            if !line.trim().is_empty() {
                return Ok(Some((self.number, Ok(line.trim().to_owned()))));
            }
        }
    }
}
