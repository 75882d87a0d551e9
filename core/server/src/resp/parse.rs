//! Commands as clients send them: arrays of bulk strings, or words on a line.

use std::fmt;
use std::ops::Range;

/// The most arguments of a command, including its name.
pub(super) const MAX_ARGUMENTS: usize = 1_024;
/// The most bytes of a command.
pub(super) const MAX_BYTES: usize = 64 * 1_024;
/// The most bytes of a line with a number.
const MAX_NUMBER_LINE: usize = 32;

/// The reason why bytes are not a command. Nothing after them can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The number of arguments is invalid, or above the limit.
    ArrayLength,
    /// The length of an argument is invalid, or above the limit.
    BulkLength,
    /// An argument is not a bulk string; holds its first byte.
    NoBulk(u8),
    /// An argument is not followed by the end of its line.
    NoEnd,
    /// A line without an end, or a command, is longer than the limit.
    TooLong,
    /// A word on a line begins with a quote.
    Quoted,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::ArrayLength => f.write_str("invalid multibulk length"),
            Fault::BulkLength => f.write_str("invalid bulk length"),
            Fault::NoBulk(got) => write!(f, "expected '$', got '{}'", got.escape_ascii()),
            Fault::NoEnd => f.write_str("expected CRLF after a bulk string"),
            Fault::TooLong => f.write_str("too big a request"),
            Fault::Quoted => f.write_str("no quotes on a line: send bulk strings"),
        }
    }
}

/// The arguments of a command, beginning with its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments<'a> {
    bytes: &'a [u8],
    ranges: &'a [Range<usize>],
}

impl<'a> Arguments<'a> {
    pub(super) fn new(bytes: &'a [u8], ranges: &'a [Range<usize>]) -> Arguments<'a> {
        Arguments { bytes, ranges }
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns an argument; empty beyond the last.
    pub(super) fn get(&self, place: usize) -> &'a [u8] {
        let range = self.ranges.get(place).cloned();
        range.and_then(|range| self.bytes.get(range)).unwrap_or_default()
    }

    /// Returns the arguments from `place` on.
    pub(super) fn from(self, place: usize) -> impl Iterator<Item = &'a [u8]> {
        (place..self.len()).map(move |place| self.get(place))
    }

    /// Returns the command as received.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

/// Parses the first command: returns its length, and stores the ranges of its arguments. Returns
/// `None` while it is incomplete. A command without arguments is to be ignored.
pub(super) fn parse(
    bytes: &[u8],
    arguments: &mut Vec<Range<usize>>,
) -> Result<Option<usize>, Fault> {
    arguments.clear();
    let parsed = match bytes.first() {
        None => return Ok(None),
        Some(b'*') => array(bytes, arguments)?,
        Some(_) => inline(bytes, arguments)?,
    };
    match parsed {
        None if bytes.len() > MAX_BYTES => Err(Fault::TooLong),
        Some(length) if length > MAX_BYTES => Err(Fault::TooLong),
        parsed => Ok(parsed),
    }
}

fn array(bytes: &[u8], arguments: &mut Vec<Range<usize>>) -> Result<Option<usize>, Fault> {
    let Some((count, mut at)) = number(bytes, 1, Fault::ArrayLength)? else { return Ok(None) };
    let count = match usize::try_from(count) {
        Ok(count) if count > MAX_ARGUMENTS => return Err(Fault::ArrayLength),
        Ok(count) => count,
        // A null array, which Redis ignores too.
        Err(_) => 0,
    };
    for _ in 0..count {
        match bytes.get(at) {
            None => return Ok(None),
            Some(b'$') => {}
            Some(other) => return Err(Fault::NoBulk(*other)),
        }
        let Some((length, begin)) = number(bytes, at + 1, Fault::BulkLength)? else {
            return Ok(None);
        };
        let length = usize::try_from(length).map_err(|_| Fault::BulkLength)?;
        if length > MAX_BYTES {
            return Err(Fault::BulkLength);
        }
        let end = begin + length;
        match bytes.get(end..end + 2) {
            Some(b"\r\n") => {}
            Some(_) => return Err(Fault::NoEnd),
            None => return Ok(None),
        }
        arguments.push(begin..end);
        at = end + 2;
    }
    Ok(Some(at))
}

/// Returns the number on the line that begins at `from`, and the start of the next line.
fn number(bytes: &[u8], from: usize, fault: Fault) -> Result<Option<(i64, usize)>, Fault> {
    let rest = bytes.get(from..).unwrap_or_default();
    let line = rest.get(..MAX_NUMBER_LINE.min(rest.len())).unwrap_or_default();
    let Some(end) = line.iter().position(|byte| *byte == b'\n') else {
        return if line.len() < MAX_NUMBER_LINE { Ok(None) } else { Err(fault) };
    };
    let digits = line.get(..end).and_then(|line| line.strip_suffix(b"\r")).ok_or(fault)?;
    let value = match digits {
        b"" => None,
        // The length of null, the only negative number.
        b"-1" => Some(-1),
        digits => digits.iter().try_fold(0_i64, |before, byte| {
            let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
            before.checked_mul(10)?.checked_add(digit)
        }),
    };
    Ok(Some((value.ok_or(fault)?, from + end + 1)))
}

/// Parses words separated by spaces, as people type them.
fn inline(bytes: &[u8], arguments: &mut Vec<Range<usize>>) -> Result<Option<usize>, Fault> {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
    let line = bytes.get(..end).unwrap_or_default();
    let mut begin = None;
    for (at, byte) in line.iter().chain(b" ").enumerate() {
        match begin {
            None if matches!(byte, b'"' | b'\'') => return Err(Fault::Quoted),
            None if !byte.is_ascii_whitespace() => begin = Some(at),
            Some(from) if byte.is_ascii_whitespace() => {
                if arguments.len() == MAX_ARGUMENTS {
                    return Err(Fault::ArrayLength);
                }
                arguments.push(from..at);
                begin = None;
            }
            _ => {}
        }
    }
    Ok(Some(end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Command = (Vec<Vec<u8>>, usize);

    fn command(bytes: &[u8]) -> Result<Option<Command>, Fault> {
        let mut ranges = Vec::new();
        let length = parse(bytes, &mut ranges)?;
        Ok(length.map(|length| {
            let arguments = Arguments::new(&bytes[..length], &ranges);
            (arguments.from(0).map(<[u8]>::to_vec).collect(), length)
        }))
    }

    fn words(texts: &[&[u8]]) -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.to_vec()).collect()
    }

    #[test]
    fn a_command_is_an_array_or_a_line() {
        let cases: [(&[u8], &[&[u8]]); 8] = [
            (b"*2\r\n$4\r\nINCR\r\n$6\r\norders\r\n", &[b"INCR", b"orders"]),
            (b"*1\r\n$0\r\n\r\n", &[b""]),
            (b"*1\r\n$5\r\na\r\nb\n\r\n", &[b"a\r\nb\n"]),
            (b"*0\r\n", &[]),
            (b"*-1\r\n", &[]),
            (b"PING\r\n", &[b"PING"]),
            (b"  INCR \t orders \r\n", &[b"INCR", b"orders"]),
            (b"\r\n", &[]),
        ];
        for (bytes, expected) in cases {
            let shown = bytes.escape_ascii();
            assert_eq!(command(bytes).unwrap(), Some((words(expected), bytes.len())), "{shown}");
            for end in 0..bytes.len() {
                assert_eq!(command(&bytes[..end]).unwrap(), None, "{shown} to {end}");
            }
            let more = [bytes, b"*1\r\n"].concat();
            assert_eq!(command(&more).unwrap(), Some((words(expected), bytes.len())), "{shown}");
        }
    }

    #[test]
    fn bytes_that_are_no_command_are_refused() {
        let cases: [(&[u8], Fault); 14] = [
            (b"*x\r\n", Fault::ArrayLength),
            (b"*+1\r\n", Fault::ArrayLength),
            (b"*-2\r\n", Fault::ArrayLength),
            (b"*1\n$1\r\na\r\n", Fault::ArrayLength),
            (b"*\r\n", Fault::ArrayLength),
            (b"*99999999999999999999\r\n", Fault::ArrayLength),
            (b"*1\r\n:1\r\n", Fault::NoBulk(b':')),
            (b"*1\r\n$-1\r\n", Fault::BulkLength),
            (b"*1\r\n$ 1\r\na\r\n", Fault::BulkLength),
            (b"*1\r\n$1\r\nabc", Fault::NoEnd),
            (b"PING 'a'\r\n", Fault::Quoted),
            (b"\"PING\"\r\n", Fault::Quoted),
            (b"*0000000000000000000000000000000000", Fault::ArrayLength),
            (b"*1\r\n$00000000000000000000000000000000", Fault::BulkLength),
        ];
        for (bytes, fault) in cases {
            assert_eq!(command(bytes), Err(fault), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn limits_hold_at_the_limit_and_one_past_it() {
        let array = |count: usize| {
            [format!("*{count}\r\n").into_bytes(), b"$1\r\na\r\n".repeat(count)].concat()
        };
        assert!(command(&array(MAX_ARGUMENTS)).unwrap().is_some());
        assert_eq!(command(&array(MAX_ARGUMENTS + 1)), Err(Fault::ArrayLength));
        let line = |count| [b"a ".repeat(count), b"\n".to_vec()].concat();
        assert!(command(&line(MAX_ARGUMENTS)).unwrap().is_some());
        assert_eq!(command(&line(MAX_ARGUMENTS + 1)), Err(Fault::ArrayLength));

        let head = format!("*1\r\n${}\r\n", MAX_BYTES - 20);
        let bulk = [head.as_bytes(), &vec![b'a'; MAX_BYTES - 20], b"\r\n"].concat();
        assert_eq!(command(&bulk).unwrap().map(|(_, length)| length), Some(bulk.len()));
        assert_eq!(
            command(format!("*1\r\n${}\r\n", MAX_BYTES + 1).as_bytes()),
            Err(Fault::BulkLength)
        );
        assert_eq!(command(&vec![b'a'; MAX_BYTES]), Ok(None));
        assert_eq!(command(&vec![b'a'; MAX_BYTES + 1]), Err(Fault::TooLong));
    }

    /// No bytes cause a panic, and the parse of a prefix stays valid when more bytes come.
    #[test]
    fn any_bytes_are_a_command_or_none() {
        let alphabet = b"*$\r\n012-aPING ";
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..200_000 {
            let length = next() % 24;
            let place = |random: u64| random as usize % alphabet.len();
            let bytes: Vec<u8> = (0..length).map(|_| alphabet[place(next())]).collect();
            let whole = command(&bytes);
            let half = command(&bytes[..bytes.len() / 2]);
            if !matches!(half, Ok(None)) {
                assert_eq!(half, whole, "{}", bytes.escape_ascii());
            }
        }
    }
}
