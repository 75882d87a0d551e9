//! Starts of a server. Each one may have loaded an older file, so with `restarts=vouched` it gives
//! nothing until an operator has vouched for it.

use redis_protocol::resp2::types::OwnedFrame;
#[cfg(doc)]
use snowmint_engine::Code;

use super::endpoint::Endpoint;
use super::session::Session;
use super::table::MARKED;
use super::{RedisStore, SCHEMA, errors, fault};
use crate::error::Result;
use crate::store::errors::nothing_to_vouch_for;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::succession::{another, cure};
use crate::store::{CALL_WITHIN, Incarnation, Standing, TagRow, Vouch, values};

/// The key of the run ID of the start that an operator vouched for.
const RUN: &str = "run";

impl Endpoint {
    /// Checks the start of the server behind a new connection. Once is enough, because no
    /// connection survives a restart.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`] if no operator vouched for this start.
    pub(super) fn check_start(&self, session: &mut Session, deadline: Deadline) -> Result<()> {
        if !self.builder.restarts_vouched {
            return Ok(());
        }
        let (run, schema) = (self.key(RUN), self.key(SCHEMA));
        let [info, get_run]: [[&[u8]; 2]; 2] = [[b"INFO", b"server"], [b"GET", run.as_bytes()]];
        let get_mark: [&[u8]; 3] = [b"HGET", schema.as_bytes(), MARKED];
        let answers = session.ask(&[&info, &get_run, &get_mark], deadline);
        let answers = answers.map_err(|error| fault::unreachable(self, error))?;
        let texts: Vec<_> = answers.into_iter().map(text).collect();
        let [Ok(Some(info)), Ok(vouched), Ok(mark)] = &texts[..] else {
            let said = texts.iter().find_map(|text| text.as_ref().err().and_then(Option::as_deref));
            return Err(match said {
                Some(said) => fault::said(self, said),
                None => errors::strange_answer(self, "INFO"),
            });
        };
        let present = run_id(info);
        // Without a mark there is no key space yet, and the store gives nothing anyway.
        if mark.is_none() || (present.is_some() && present.as_deref() == vouched.as_deref()) {
            return Ok(());
        }
        Err(errors::start_not_vouched_for(self, &cure(&present)))
    }
}

impl RedisStore {
    /// Returns the run ID of the present start.
    pub(super) fn start(&self, deadline: Deadline) -> Result<Incarnation> {
        let info = self.server.told(&[&[b"INFO", b"server"]], false, deadline)?.1.pop();
        let info = info.map(|info| self.server.text(info)).transpose()?.flatten();
        info.as_deref().and_then(run_id).ok_or_else(|| self.server.strange("INFO"))
    }

    /// Notes that an operator vouches for a start. It has no effect if that start is over by now.
    pub(super) fn note_start(&self, start: &Incarnation, deadline: Deadline) -> Result<()> {
        let key = self.key(RUN);
        self.server.change(&[b"SET", key.as_bytes(), start.as_bytes()], deadline).map(drop)
    }

    /// Returns the present start, and every tag if nobody has vouched for it.
    pub(super) fn standing_of_start(&self) -> Result<Standing> {
        let builder = &self.server.endpoint.builder;
        if !builder.restarts_vouched {
            return Err(nothing_to_vouch_for());
        }
        let open = RedisStore::unseen(builder.clone().restarts_vouched(false))?;
        let deadline = Deadline::after(CALL_WITHIN);
        let server = open.start(deadline)?;
        let key = open.key(RUN);
        let vouched = open.answer(&[b"GET", key.as_bytes()], deadline)?;
        let vouched = open.server.text(vouched)?;
        let is_confirmed = vouched.as_deref() == Some(&*server);
        let tags = values::tags(&open)?;
        let refused = match is_confirmed {
            true => Vec::new(),
            false => tags.iter().map(|row| row.tag.clone()).collect(),
        };
        Ok(Standing { server, tags, refused, may_lack_tags: false, is_confirmed })
    }

    /// Raises the tags that may have lost numbers, and vouches for the present start.
    pub(super) fn vouch_for(&self, vouch: &Vouch) -> Result<Vec<TagRow>> {
        vouch.check()?;
        let builder = &self.server.endpoint.builder;
        if !builder.restarts_vouched {
            return Err(errors::vouching_not_in_url());
        }
        if vouch.new_from.is_some_and(|first| first > 1) {
            return Err(errors::new_from_not_kept());
        }
        // These connections skip the check of the start.
        let open = RedisStore::unseen(builder.clone().restarts_vouched(false))?;
        let present = open.start(Deadline::after(CALL_WITHIN))?;
        if vouch.server.as_ref().is_some_and(|server| *server != present) {
            return Err(another(&vouch.server, &Some(present)));
        }
        let mut raised = Vec::new();
        for row in values::tags(&open)?.iter().filter(|row| row.moved_to.is_none()) {
            raised.push(values::raise_tag(&open, &row.tag, vouch.raise_by_steps)?);
        }
        for known in &vouch.above {
            let row = values::raise_above(&open, known, vouch.raise_by_steps)?;
            raised.retain(|raised| raised.tag != row.tag);
            raised.push(row);
        }
        raised.sort_by(|a, b| a.tag.cmp(&b.tag));
        open.note_start(&present, Deadline::after(CALL_WITHIN))?;
        Ok(raised)
    }
}

/// Returns a text or `None`; on failure, the refusal if there was one.
fn text(answer: OwnedFrame) -> Result<Option<String>, Option<String>> {
    match answer {
        OwnedFrame::Null => Ok(None),
        OwnedFrame::BulkString(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| None),
        OwnedFrame::Error(said) => Err(Some(said)),
        _ => Err(None),
    }
}

fn run_id(info: &str) -> Option<Incarnation> {
    info.lines().find_map(|line| line.strip_prefix("run_id:")).map(|id| id.trim().into())
}
