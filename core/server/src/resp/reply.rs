//! Replies of RESP 2 and 3.

use snowmint::TextForm;

/// The version of the protocol that a connection uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Protocol {
    #[default]
    Resp2,
    Resp3,
}

impl Protocol {
    /// Returns the version for the number that `HELLO` sends.
    pub(super) fn from_number(number: &[u8]) -> Option<Protocol> {
        match number {
            b"2" => Some(Protocol::Resp2),
            b"3" => Some(Protocol::Resp3),
            _ => None,
        }
    }

    pub(super) const fn number(self) -> u64 {
        match self {
            Protocol::Resp2 => 2,
            Protocol::Resp3 => 3,
        }
    }
}

pub(super) fn ok(output: &mut Vec<u8>) {
    simple(output, "OK");
}

/// Writes a fixed word.
pub(super) fn simple(output: &mut Vec<u8>, text: &str) {
    line(output, b'+', text.as_bytes());
}

/// Writes an error. Its text may contain input of clients.
pub(super) fn error(output: &mut Vec<u8>, text: &str) {
    plain_error(output, &format!("ERR {text}"));
}

/// Writes an error with a prefix of its own. Control characters become spaces.
pub(super) fn plain_error(output: &mut Vec<u8>, text: &str) {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line(output, b'-', text.as_bytes());
}

/// Writes a number of at most 63 bits.
pub(super) fn integer(output: &mut Vec<u8>, number: u64) {
    line(output, b':', TextForm::Decimal.format(number).as_bytes());
}

/// Writes a number that may be negative.
pub(super) fn signed(output: &mut Vec<u8>, number: &str) {
    line(output, b':', number.as_bytes());
}

/// Writes any bytes.
pub(super) fn bulk(output: &mut Vec<u8>, bytes: &[u8]) {
    line(output, b'$', bytes.len().to_string().as_bytes());
    output.extend_from_slice(bytes);
    output.extend_from_slice(b"\r\n");
}

pub(super) fn null(output: &mut Vec<u8>, protocol: Protocol) {
    output.extend_from_slice(match protocol {
        Protocol::Resp2 => b"$-1\r\n",
        Protocol::Resp3 => b"_\r\n",
    });
}

/// Writes the head of an array.
pub(super) fn array(output: &mut Vec<u8>, count: usize) {
    line(output, b'*', count.to_string().as_bytes());
}

/// Writes the head of a map with `count` pairs; in RESP 2 that is an array.
pub(super) fn map(output: &mut Vec<u8>, count: usize, protocol: Protocol) {
    match protocol {
        Protocol::Resp2 => array(output, 2 * count),
        Protocol::Resp3 => line(output, b'%', count.to_string().as_bytes()),
    }
}

fn line(output: &mut Vec<u8>, kind: u8, text: &[u8]) {
    output.push(kind);
    output.extend_from_slice(text);
    output.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_as_the_protocol_has_them() {
        let mut output = Vec::new();
        ok(&mut output);
        integer(&mut output, 9_223_372_036_854_775_807);
        bulk(&mut output, b"a\r\nb");
        null(&mut output, Protocol::Resp2);
        null(&mut output, Protocol::Resp3);
        array(&mut output, 2);
        map(&mut output, 2, Protocol::Resp2);
        map(&mut output, 2, Protocol::Resp3);
        error(&mut output, "no source is \"a\r\n+OK\"");
        let expected = "+OK\r\n:9223372036854775807\r\n$4\r\na\r\nb\r\n$-1\r\n_\r\n*2\r\n*4\r\n%2\r\n\
                        -ERR no source is \"a  +OK\"\r\n";
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}
