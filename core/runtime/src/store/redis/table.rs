//! Tables that have all rows they ever had. The schema counts the rows of each, and a table with fewer
//! was deleted, has expired or was evicted, which a hash does not tell by itself.

use redis_protocol::resp2::types::OwnedFrame;
use snowmint_engine::Code;

use super::server::Server;
use crate::error::{Error, Result};
use crate::store::values::space::Space;

/// The mark's name in the schema, as no table is called.
pub(super) const MARKED: &[u8] = b"";

/// A table, by what it is called in the schema, and the keys of both.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) key: String,
    pub(super) schema: String,
}

impl Named {
    /// What tells whether it is whole. The rows noted are asked for before they are counted, as they
    /// only become more.
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

    /// The last answer, behind those to these questions.
    ///
    /// # Errors
    /// [`Code::StoreMissing`] where the key space or rows of the table are gone,
    /// [`Code::UnsafeSetting`] where they will go.
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
            return Err(self.vanished(count, noted));
        }
        for (key, ttl) in [(&self.schema, schema_ttl), (&self.key, ttl)] {
            let ttl_ms = server.number(ttl)?;
            if ttl_ms >= 0 {
                return Err(expires(key, ttl_ms));
            }
        }
        server.sound(last)
    }

    fn vanished(&self, count: i64, noted: i64) -> Error {
        let Named { name, key, schema } = self;
        let message = format!(
            "the key {key} has {count} rows and had {noted}: it was deleted or has expired, and what \
             it gave would be given again. Put it back as it was; or wait as long as the longest reservation, \
             say HSET {schema} {name} {count}, and make tags that are gone above all that they gave"
        );
        Error::new(Code::StoreMissing, message)
    }
}

/// A key that somebody gave a time to live.
fn expires(key: &str, ttl_ms: i64) -> Error {
    let message = format!(
        "the key {key} expires in {ttl_ms} ms, after which what was given would be given again: say \
         PERSIST {key}"
    );
    Error::new(Code::UnsafeSetting, message)
}
