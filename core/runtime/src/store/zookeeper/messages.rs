//! Messages of ZooKeeper's protocol in jute: numbers are big-endian, a length precedes texts and
//! bytes (see ZooKeeper's `zookeeper.jute` and `ZooDefs.java`).

use std::io;

use super::errors;

/// Matches any version of a node.
pub(super) const ANY_VERSION: i32 = -1;
/// The rights to read, write, create, delete and administer.
const ALL_RIGHTS: i32 = 31;
/// The number of each log-in. No question has it.
const LOG_IN_ID: i32 = -4;
const LOG_IN: i32 = 100;
/// The length in bytes of a session's password.
const PASSWORD_LENGTH: usize = 16;

/// Begins a session. Sent once for each connection.
pub(super) fn begin(timeout_ms: i32) -> Vec<u8> {
    let mut message = Message::default();
    message.int(0); // the version of the protocol
    message.long(0); // the last transaction that was seen: none
    message.int(timeout_ms);
    message.long(0); // a new session
    message.bytes(&[0; PASSWORD_LENGTH]);
    message.0.push(0); // not read-only
    message.framed()
}

/// Logs a user in, who then may own new nodes and read existing ones.
pub(super) fn log_in(user: &str, password: &str) -> Vec<u8> {
    let mut message = Message::default();
    message.int(LOG_IN_ID);
    message.int(LOG_IN);
    message.int(0);
    message.text("digest");
    message.text(&format!("{user}:{password}"));
    message.framed()
}

/// The owner of a node to be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Everybody,
    /// The user who logged in.
    User,
}

#[derive(Clone, Debug)]
pub(super) enum Question<'a> {
    /// Creates a node. If numbered, ZooKeeper appends a number that no other node below the parent
    /// had.
    Create {
        path: &'a str,
        data: &'a str,
        owner: Owner,
        is_numbered: bool,
    },
    Get(&'a str),
    /// Reads the names of a node's children.
    Children(&'a str),
    /// Replaces a node's data, if the node is at this version.
    Set {
        path: &'a str,
        data: &'a str,
        version: i32,
    },
    /// Makes the questions that follow see everything acknowledged before.
    Sync(&'a str),
}

impl Question<'_> {
    pub(super) fn packed(&self, id: i32) -> Vec<u8> {
        let mut message = Message::default();
        message.int(id);
        match *self {
            Question::Create { path, data, owner, is_numbered } => {
                message.int(1);
                message.text(path);
                message.text(data);
                message.int(1); // one entry of rights
                message.int(ALL_RIGHTS);
                let (scheme, id) = match owner {
                    Owner::Everybody => ("world", "anyone"),
                    Owner::User => ("auth", ""),
                };
                message.text(scheme);
                message.text(id);
                message.int(if is_numbered { 2 } else { 0 });
            }
            Question::Get(path) => {
                message.int(4);
                message.text(path);
                message.0.push(0); // no watch
            }
            Question::Children(path) => {
                message.int(8);
                message.text(path);
                message.0.push(0);
            }
            Question::Set { path, data, version } => {
                message.int(5);
                message.text(path);
                message.text(data);
                message.int(version);
            }
            Question::Sync(path) => {
                message.int(9);
                message.text(path);
            }
        }
        message.framed()
    }

    /// Reads the answer to this question, which was not refused.
    fn told(&self, told: &mut Reader<'_>) -> io::Result<Answer> {
        Ok(match self {
            Question::Get(_) => Answer::Node(told.text()?, told.state()?),
            Question::Children(_) => {
                let count = told.int()?;
                Answer::Names((0..count).map(|_| told.text()).collect::<io::Result<_>>()?)
            }
            Question::Set { .. } => Answer::State(told.state()?),
            Question::Create { .. } | Question::Sync(_) => {
                told.text()?; // the path
                Answer::Done
            }
        })
    }
}

#[derive(Debug)]
pub(super) enum Answer {
    Node(String, State),
    State(State),
    Names(Vec<String>),
    Done,
}

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The transaction that created the node; below, the time of that in milliseconds.
    pub(super) created_by: i64,
    pub(super) created_ms: i64,
    /// The time of the last change, by the leader's clock.
    pub(super) changed_ms: i64,
    /// The number of changes.
    pub(super) version: i32,
}

/// A refusal, by its number in `KeeperException.Code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) i32);

impl Refusal {
    pub(super) const NO_NODE: Refusal = Refusal(-101);
    pub(super) const NO_RIGHTS: Refusal = Refusal(-102);
    pub(super) const OTHER_VERSION: Refusal = Refusal(-103);
    pub(super) const NODE_EXISTS: Refusal = Refusal(-110);
    pub(super) const SESSION_EXPIRED: Refusal = Refusal(-112);
    pub(super) const NO_SUCH_USER: Refusal = Refusal(-115);
    pub(super) const SESSION_MOVED: Refusal = Refusal(-118);
    pub(super) const QUOTA: Refusal = Refusal(-125);
    pub(super) const THROTTLED: Refusal = Refusal(-127);
}

pub(super) type Answered = Result<Answer, Refusal>;

/// Returns the session's timeout in milliseconds.
pub(super) fn begun(bytes: &[u8]) -> io::Result<i32> {
    let mut told = Reader(bytes);
    told.int()?;
    told.int()
}

/// Reads the answer to the question with this number.
pub(super) fn answer(question: &Question<'_>, id: i32, bytes: &[u8]) -> io::Result<Answered> {
    let mut told = Reader(bytes);
    match told.header(id)? {
        0 => question.told(&mut told).map(Ok),
        refusal => Ok(Err(Refusal(refusal))),
    }
}

pub(super) fn logged_in(bytes: &[u8]) -> io::Result<Result<(), Refusal>> {
    match Reader(bytes).header(LOG_IN_ID)? {
        0 => Ok(Ok(())),
        refusal => Ok(Err(Refusal(refusal))),
    }
}

/// A message to send.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn int(&mut self, value: i32) {
        self.0.extend(value.to_be_bytes());
    }

    fn long(&mut self, value: i64) {
        self.0.extend(value.to_be_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        // A message that is longer exceeds the server's own limit (`jute.maxbuffer`) anyway.
        self.int(i32::try_from(bytes.len()).unwrap_or(i32::MAX));
        self.0.extend(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Puts the length before the message.
    fn framed(self) -> Vec<u8> {
        let mut framed = Message::default();
        framed.bytes(&self.0);
        framed.0
    }
}

/// The part of an answer that was not read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> io::Result<&'a [u8]> {
        let (taken, left) = self.0.split_at_checked(length).ok_or_else(errors::no_answer)?;
        self.0 = left;
        Ok(taken)
    }

    fn int(&mut self) -> io::Result<i32> {
        let bytes = self.take(size_of::<i32>())?;
        Ok(i32::from_be_bytes(bytes.try_into().map_err(|_| errors::no_answer())?))
    }

    fn long(&mut self) -> io::Result<i64> {
        let bytes = self.take(size_of::<i64>())?;
        Ok(i64::from_be_bytes(bytes.try_into().map_err(|_| errors::no_answer())?))
    }

    /// Reads a missing text (length -1), as a node's data can be, as an empty one.
    fn text(&mut self) -> io::Result<String> {
        let length = usize::try_from(self.int()?).unwrap_or(0);
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| errors::no_answer())
    }

    /// Returns the refusal's number, or 0. Fails if the answer belongs to another question.
    fn header(&mut self, id: i32) -> io::Result<i32> {
        if self.int()? != id {
            return Err(errors::no_answer());
        }
        self.long()?; // the transaction
        self.int()
    }

    fn state(&mut self) -> io::Result<State> {
        let created_by = self.long()?;
        self.long()?; // the transaction of the last change
        let (created_ms, changed_ms) = (self.long()?, self.long()?);
        let version = self.int()?;
        Ok(State { created_by, created_ms, changed_ms, version })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_as_the_protocol_has_them() {
        let get = Question::Get("/a").packed(7);
        assert_eq!(get, b"\0\0\0\x0f\0\0\0\x07\0\0\0\x04\0\0\0\x02/a\0");
        let set = Question::Set { path: "/a", data: "x", version: 2 }.packed(1);
        assert_eq!(set[12..], *b"\0\0\0\x02/a\0\0\0\x01x\0\0\0\x02");
        assert_eq!(begin(40_000).len(), 4 + 45);
    }

    #[test]
    fn an_answer_cut_off_or_to_another_question_is_refused() {
        let question = Question::Sync("/a");
        let sound = b"\0\0\0\x07\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0\x02/a";
        assert!(matches!(answer(&question, 7, sound), Ok(Ok(Answer::Done))));
        assert!(answer(&question, 8, sound).is_err());
        for length in 0..sound.len() {
            assert!(answer(&question, 7, &sound[..length]).is_err(), "{length}");
        }
        let refused = b"\0\0\0\x07\0\0\0\0\0\0\0\x09\xff\xff\xff\x9b";
        assert_eq!(answer(&question, 7, refused).unwrap().unwrap_err(), Refusal::NO_NODE);
    }
}
