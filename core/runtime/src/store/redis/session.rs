//! A connection to a server that sends several commands at once.

use std::io::{self, Read, Write};

use redis_protocol::resp2::decode::decode;
use redis_protocol::resp2::encode::encode;
use redis_protocol::resp2::types::{OwnedFrame, Resp2Frame};

use super::errors;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::errors::answer_endless;
use crate::store::remote::pool::Connection;
use crate::store::remote::wire::Wire;

/// The limit in bytes on the answers to one call.
const ANSWERS_MAX: usize = 64 << 20;
/// The most bytes of one read.
const CHUNK: usize = 16 << 10;

/// A connection for one call at a time.
pub(super) struct Session {
    wire: Wire,
    /// True once the connection must not be used again.
    is_over: bool,
}

impl Session {
    pub(super) fn new(wire: Wire) -> Session {
        Session { wire, is_over: false }
    }

    /// Returns the answers in the order of the commands.
    pub(super) fn ask(
        &mut self,
        commands: &[&[&[u8]]],
        deadline: Deadline,
    ) -> io::Result<Vec<OwnedFrame>> {
        self.wire.set_deadline(deadline);
        let answered = self.converse(commands);
        self.is_over |= answered.is_err();
        answered
    }

    fn converse(&mut self, commands: &[&[&[u8]]]) -> io::Result<Vec<OwnedFrame>> {
        let mut asked = Vec::new();
        for command in commands {
            asked.extend(packed(command)?);
        }
        self.wire.write_all(&asked)?;
        self.wire.flush()?;
        let (mut heard, mut answers) = (Vec::new(), Vec::new());
        while answers.len() < commands.len() {
            let decoded = decode(&heard);
            match decoded.map_err(|_| errors::no_redis())? {
                Some((frame, length)) => {
                    heard.drain(..length);
                    answers.push(frame);
                }
                None => self.hear(&mut heard)?,
            }
        }
        if heard.is_empty() { Ok(answers) } else { Err(errors::answer_unasked()) }
    }

    fn hear(&mut self, heard: &mut Vec<u8>) -> io::Result<()> {
        let before = heard.len();
        if before > ANSWERS_MAX {
            return Err(answer_endless());
        }
        heard.resize(before + CHUNK, 0);
        let count = self.wire.read(&mut heard[before..])?;
        heard.truncate(before + count);
        if count == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// Keeps the connection from being used again.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }
}

impl Connection for Session {
    fn is_of_use(&mut self) -> bool {
        let link = self.wire.link();
        !self.is_over && link.is_ours() && link.is_silent()
    }
}

fn packed(command: &[&[u8]]) -> io::Result<Vec<u8>> {
    let words = command.iter().map(|word| OwnedFrame::BulkString(word.to_vec()));
    let frame = OwnedFrame::Array(words.collect());
    let mut bytes = vec![0; frame.encode_len(false)];
    encode(&mut bytes, &frame, false).map_err(io::Error::other)?;
    Ok(bytes)
}
