//! Tags that are made, and an operator's word for all of them.

use std::collections::HashSet;

use snowmint_engine::Code;

use super::fault::Fault;
use super::rows;
use super::session::Transaction;
use super::statement::{Statement, Value};
use crate::error::Error;
use crate::store::remote::succession::another;
pub(super) use crate::store::remote::succession::cure;
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
    match transaction.change(make) {
        Ok(0) => {}
        Err(fault) if fault.is_duplicate() => return Err(tag_exists(tag).into()),
        made => return made.map(drop),
    }
    if transaction.rows(rows::tags(Some(tag)))?.is_empty() {
        return Err(not_made(Code::IncarnationChanged, tag, &transaction.incarnation()).into());
    }
    Err(tag_exists(tag).into())
}

/// Has the present server go on with all that it has; gives the rows that this raised, by tag.
pub(super) fn vouch(
    transaction: &mut Transaction<'_>,
    vouch: &Vouch,
) -> Result<Vec<TagRow>, Fault> {
    let steps = ("steps", Value::from(vouch.raise_by_steps));
    let all = || ("all", Value::from(u32::from(vouch.all)));
    let new_from = ("new_from", Value::from(vouch.new_from));
    let look = Statement::new(include_str!("vouch_look.sql"), &[all()]);
    let found = transaction.rows(look)?;
    let raised = found.iter().map(|row| row.text(0)).collect::<Result<HashSet<_>, _>>()?;
    let present = transaction.incarnation();
    if vouch.server.is_some() && vouch.server != present {
        return Err(another(&vouch.server, &present).into());
    }
    let raise = Statement::new(include_str!("vouch_tags.sql"), &[steps, all()]);
    // The row that others want comes last: with many tags the first takes long.
    let note = Statement::new(include_str!("vouch.sql"), &[new_from]);
    let rows = transaction.rows_after([raise, note], rows::tags(None))?;
    let mut rows = rows.iter().map(rows::tag_row).collect::<Result<Vec<_>, _>>()?;
    rows.retain(|row| raised.contains(row.tag.as_str()));
    Ok(rows)
}

pub(super) fn not_made(code: Code, tag: &Tag, server: &Option<Incarnation>) -> Error {
    let message = format!(
        "tag {tag} is not there, and is not made: this server took the place of the one that made \
         the others, and may lack some: {}",
        cure(server)
    );
    Error::new(code, message)
}
