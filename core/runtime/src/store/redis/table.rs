//! Checks that a table has all its rows. The schema counts the rows of each table. A table with
//! fewer rows was deleted, evicted or has expired, which a hash alone does not show.

use redis_protocol::resp2::types::OwnedFrame;
#[cfg(doc)]
use snowmint_engine::Code;

use super::errors;
use super::server::Server;
use crate::error::Result;
use crate::store::values::space::Space;

/// The field of the mark in the schema. No table has an empty name.
pub(super) const MARKED: &[u8] = b"";

/// A table: its name in the schema, its key and the key of the schema.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) key: String,
    pub(super) schema: String,
}

impl Named {
    /// The questions that show whether the table is whole. The noted count is read before the rows
    /// are counted, because rows only increase.
    pub(super) fn questions(&self) -> [Vec<&[u8]>; 5] {
        let [schema, key, name] = [&self.schema, &self.key, &self.name].map(String::as_bytes);
        [
            vec![b"HGET", schema, MARKED],
            vec![b"HGET", schema, name],
            vec![b"HLEN", key],
            vec![b"PTTL", schema],
            vec![b"PTTL", key],
        ]
    }

    /// Checks the answers to these questions and returns the answer that follows them.
    ///
    /// # Errors
    /// [`Code::StoreMissing`] if the key space or rows of the table are gone,
    /// [`Code::UnsafeSetting`] if a key will expire.
    pub(super) fn checked(
        &self,
        server: &Server,
        space: &Space,
        answers: Vec<OwnedFrame>,
    ) -> Result<OwnedFrame> {
        let answers = <[OwnedFrame; 6]>::try_from(answers);
        let [mark, noted, count, schema_ttl, ttl, last] =
            answers.map_err(|_| server.strange("a question"))?;
        space.note(server.text(mark)?.as_deref())?;
        let noted = server.text(noted)?.map_or(Ok(0), |noted| noted.parse::<i64>());
        let noted = noted.map_err(|_| server.strange("for a number"))?;
        let count = server.number(count)?;
        if count < noted {
            let Named { name, key, schema } = self;
            return Err(errors::rows_missing(name, key, schema, count, noted));
        }
        for (key, ttl) in [(&self.schema, schema_ttl), (&self.key, ttl)] {
            let ttl_ms = server.number(ttl)?;
            if ttl_ms >= 0 {
                return Err(errors::key_expires(key, ttl_ms));
            }
        }
        server.sound(last)
    }
}
