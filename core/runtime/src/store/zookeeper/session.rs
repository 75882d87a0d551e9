//! A session with a member that takes several questions at once. No node of ours ends with its
//! session.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use super::errors;
use super::messages::{self, Answered, Question, Refusal};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::pool::Connection;
use crate::store::remote::wire::Wire;

/// The session timeout in milliseconds that we ask for. The member's settings may change it.
const TIMEOUT_MS: i32 = 40_000;
/// The limit in bytes on one answer.
const ANSWER_MAX: usize = 64 << 20;

/// A session for one call at a time.
pub(super) struct Session {
    wire: Wire,
    /// The member's index in the list of members.
    pub(super) member: usize,
    /// The longest pause between questions after which the session is still used.
    patience: Duration,
    asked: Instant,
    last_id: i32,
    /// A time by the leader's clock, and the moment when we learned it.
    beat: Option<(i64, Instant)>,
    /// True once the session must not be used again.
    is_over: bool,
}

impl Session {
    pub(super) fn begin(wire: Wire, member: usize) -> io::Result<Session> {
        let (asked, patience) = (Instant::now(), Duration::ZERO);
        let mut session =
            Session { wire, member, patience, asked, last_id: 0, beat: None, is_over: false };
        session.say(&messages::begin(TIMEOUT_MS))?;
        let timeout_ms = messages::begun(&session.hear()?)?;
        // The ensemble may hear of a call late and so end the session early: half of the timeout is
        // used.
        let patience_ms = u64::try_from(timeout_ms).unwrap_or(0) / 2;
        Ok(Session { patience: Duration::from_millis(patience_ms), ..session })
    }

    /// Logs a user in, who then may own new nodes and read existing ones.
    pub(super) fn log_in(&mut self, user: &str, password: &str) -> io::Result<Result<(), Refusal>> {
        self.say(&messages::log_in(user, password))?;
        messages::logged_in(&self.hear()?)
    }

    /// Returns the answers in the order of the questions. A refusal does not stop the questions
    /// after it.
    pub(super) fn ask(
        &mut self,
        questions: &[Question<'_>],
        deadline: Deadline,
    ) -> io::Result<Vec<Answered>> {
        self.wire.set_deadline(deadline);
        self.asked = Instant::now();
        let answered = self.converse(questions);
        self.is_over |= answered.is_err();
        answered
    }

    fn converse(&mut self, questions: &[Question<'_>]) -> io::Result<Vec<Answered>> {
        let mut asked = Vec::new();
        let mut ids = Vec::new();
        for question in questions {
            self.last_id = self.last_id.checked_add(1).unwrap_or(1);
            ids.push(self.last_id);
            asked.extend(question.packed(self.last_id));
        }
        self.say(&asked)?;
        let answer =
            |(question, &id): (&Question<'_>, &i32)| messages::answer(question, id, &self.hear()?);
        questions.iter().zip(&ids).map(answer).collect()
    }

    fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.wire.write_all(bytes)?;
        self.wire.flush()
    }

    fn hear(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; size_of::<u32>()];
        self.wire.read_exact(&mut length)?;
        let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
        if length > ANSWER_MAX {
            return Err(errors::answer_too_long());
        }
        let mut answer = vec![0; length];
        self.wire.read_exact(&mut answer)?;
        Ok(answer)
    }

    /// Notes a time by the leader's clock that was just heard.
    pub(super) fn note_beat(&mut self, leader_ms: i64) {
        self.beat = Some((leader_ms, Instant::now()));
    }

    /// Returns a lower bound of the leader's time, if its clock was heard within this time.
    pub(super) fn now_ms(&self, within: Duration) -> Option<i64> {
        let (leader_ms, noted) = self.beat?;
        let since = noted.elapsed();
        let since_ms = i64::try_from(since.as_millis()).ok()?;
        (since <= within).then(|| leader_ms.saturating_add(since_ms))
    }

    /// Keeps the session from being used again.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }
}

impl Connection for Session {
    fn is_of_use(&mut self) -> bool {
        let link = self.wire.link();
        !self.is_over && self.asked.elapsed() < self.patience && link.is_ours() && link.is_silent()
    }
}
