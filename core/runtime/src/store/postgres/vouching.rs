//! Tags that are made, and an operator's word for all of them.

use snowmint_engine::Code;

use super::fault::Fault;
use super::rows;
use super::session::Transaction;
use super::statement::{Statement, Value};
use super::tables;
use crate::error::Error;
use crate::store::remote::succession;
use crate::store::{Incarnation, Tag, TagOptions, TagRow, Vouch, tag_exists};

/// Makes a tag, unless it is there, or was perhaps on a server whose place this one took.
pub(super) fn create(
    transaction: &mut Transaction<'_>,
    tag: &Tag,
    options: TagOptions,
) -> Result<(), Fault> {
    let parameters = [
        ("tag", Value::from(tag.as_str())),
        ("start", options.start.into()),
        ("step", options.step.into()),
        ("stride", options.stride.into()),
        ("ends", (options.max + 1).into()),
    ];
    let make = Statement::new(include_str!("create_tag.sql"), &parameters);
    // Whoever was first is seen by a further statement.
    let answers = transaction.all([make, rows::tags(Some(tag))])?;
    match answers.as_slice() {
        [made, _] if !made.is_empty() => Ok(()),
        [_, there] if !there.is_empty() => Err(tag_exists(tag).into()),
        _ => Err(tables::why_unseen(transaction)?
            .unwrap_or_else(|| not_made(Code::IncarnationChanged, tag, &transaction.server()))
            .into()),
    }
}

/// Has the present server go on with all that it has; gives the rows that this raised, by tag.
pub(super) fn vouch(
    transaction: &mut Transaction<'_>,
    vouch: &Vouch,
) -> Result<Vec<TagRow>, Fault> {
    let steps = ("steps", Value::from(vouch.raise_by_steps));
    let all = ("all", Value::from(u32::from(vouch.all)));
    let new_from = ("new_from", Value::from(vouch.new_from));
    // The row that others want comes last: with many tags the first takes long.
    let answers = transaction.all([
        Statement::new(include_str!("vouch_tags.sql"), &[steps, all]),
        Statement::new(include_str!("vouch.sql"), &[new_from]),
    ])?;
    let present = transaction.server();
    if vouch.server.is_some() && vouch.server != present {
        return Err(succession::another(&vouch.server, &present).into());
    }
    let raised = answers.first().into_iter().flatten();
    let mut raised = raised.map(rows::tag_row).collect::<Result<Vec<_>, _>>()?;
    raised.sort_by(|a, b| a.tag.cmp(&b.tag));
    Ok(raised)
}

/// What ends the refusals of a server, and what would have none.
pub(super) fn cure(server: &Option<Incarnation>) -> String {
    format!(
        "{}; have all standbys confirm, as synchronous_standby_names = '2 (a, b)' does, so that \
         none is",
        succession::cure(server)
    )
}

pub(super) fn not_made(code: Code, tag: &Tag, server: &Option<Incarnation>) -> Error {
    let message = format!(
        "tag {tag} is not there, and is not made: this server took the place of the one that made \
         the last tag, which not all standbys had to confirm, or who made that may not ask which \
         server it was; it may lack some: {}",
        cure(server)
    );
    Error::new(code, message)
}
