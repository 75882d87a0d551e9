//! Commands of the Redis protocol: what the service reads is what `redis-protocol` reads, from the
//! same bytes, and how they are cut into pieces makes no difference.

use redis_protocol::resp2::decode::decode;
use redis_protocol::resp2::types::OwnedFrame;

/// The service's parser, whose crate is a command without a library.
#[path = "../../../core/server/src/resp/parse.rs"]
mod parse;

use parse::{Arguments, Fault, MAX_ARGUMENTS, MAX_BYTES};

/// A command's arguments, and its length.
type Command = (Vec<Vec<u8>>, usize);

fn read(bytes: &[u8]) -> Result<Option<Command>, Fault> {
    let mut ranges = Vec::new();
    let Some(length) = parse::parse(bytes, &mut ranges)? else { return Ok(None) };
    let arguments = Arguments::new(&bytes[..length], &ranges);
    assert_eq!(arguments.bytes().len(), length);
    assert!(arguments.len() <= MAX_ARGUMENTS && length <= MAX_BYTES);
    assert!(arguments.get(arguments.len()).is_empty());
    Ok(Some((arguments.from(0).map(<[u8]>::to_vec).collect(), length)))
}

/// A byte that says where to cut; the rest are commands.
pub fn run(data: &[u8]) {
    let Some((cut, mut bytes)) = data.split_first() else { return };
    loop {
        let ours = read(bytes);
        let beginning = read(&bytes[..bytes.len() * usize::from(*cut) / 256]);
        if !matches!(beginning, Ok(None)) {
            assert_eq!(beginning, ours, "more bytes change what came before");
        }
        if bytes.first() == Some(&b'*') {
            compare(bytes, &ours);
        }
        match ours {
            Ok(Some((_, length))) => bytes = &bytes[length..],
            Ok(None) => return,
            Err(fault) => return assert!(!fault.to_string().is_empty()),
        }
    }
}

fn compare(bytes: &[u8], ours: &Result<Option<Command>, Fault>) {
    let theirs = decode(bytes).ok().flatten();
    if let Ok(Some((arguments, length))) = ours {
        let (frame, read) = theirs.expect("what is a command to us is one to them");
        assert_eq!((bulks(&frame).as_ref(), read), (Some(arguments), *length));
        return;
    }
    // They have no limits, and numbers with a sign: what is written as we would is ours as well.
    let Some((frame, length)) = theirs else { return };
    let Some(arguments) = bulks(&frame).filter(|bulks| bulks.len() <= MAX_ARGUMENTS) else {
        return;
    };
    assert!(length > MAX_BYTES || written(&arguments) != bytes[..length], "{ours:?}");
}

/// The arguments of an array of bulk strings; none of a null.
fn bulks(frame: &OwnedFrame) -> Option<Vec<Vec<u8>>> {
    match frame {
        OwnedFrame::Null => Some(Vec::new()),
        OwnedFrame::Array(frames) => {
            let bulk = |frame: &OwnedFrame| match frame {
                OwnedFrame::BulkString(bytes) => Some(bytes.clone()),
                _ => None,
            };
            frames.iter().map(bulk).collect()
        }
        _ => None,
    }
}

fn written(arguments: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", arguments.len()).into_bytes();
    for argument in arguments {
        bytes.extend(format!("${}\r\n", argument.len()).bytes());
        bytes.extend_from_slice(argument);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}
