//! `snowmint segment`: the tags of a store.

use std::io::Write;

use serde_json::json;
use snowmint::{
    Code, Error, Result, SegmentStore, SqliteStore, Tag, TagChange, TagOptions, TagRow, Timestamp,
};

use crate::args::{CreateArgs, ListArgs, SegmentCommand, SetArgs};
use crate::exit::Done;
use crate::print::{Table, cell, json_line, output};

/// Lists, adds or changes tags.
pub(crate) fn run(command: &SegmentCommand) -> Done {
    match command {
        SegmentCommand::List(args) => list(args),
        SegmentCommand::Create(args) => create(args),
        SegmentCommand::Set(args) => set(args),
    }
}

fn list(args: &ListArgs) -> Done {
    let store = SqliteStore::open_existing(path(&args.store)?)?;
    write(&store.tags()?, args.json)
}

fn create(args: &CreateArgs) -> Done {
    // Checked before the store is opened: a wrong tag makes no file.
    let (path, tag) = (path(&args.store)?, Tag::new(&args.tag)?);
    let usual = TagOptions::default();
    let options = TagOptions {
        start: args.start.unwrap_or(usual.start),
        step: args.step.unwrap_or(usual.step),
        stride: args.stride.unwrap_or(usual.stride),
    };
    options.check()?;
    let store = SqliteStore::open(path)?;
    store.create_tag(&tag, options)?;
    write(store.tag(&tag)?.as_slice(), args.json)
}

fn set(args: &SetArgs) -> Done {
    let (path, tag) = (path(&args.store)?, Tag::new(&args.tag)?);
    let store = SqliteStore::open_existing(path)?;
    let row = store.change_tag(&tag, TagChange { next: args.next, step: args.step })?;
    write(&[row], args.json)
}

/// The path of a store written `PATH` or `sqlite:PATH`.
pub(crate) fn path(store: &str) -> Result<&str> {
    let (scheme, rest) = match store.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme, rest),
        _ => ("sqlite", store),
    };
    if scheme != "sqlite" {
        let message = format!(
            "no store is opened by {scheme:?}: write sqlite:PATH or PATH (./{store} for a file of \
             that name)"
        );
        return Err(Error::new(Code::UnknownScheme, message));
    }
    if rest.is_empty() {
        return Err(Error::new(Code::InvalidUrl, "the store has no path: write sqlite:ids.db"));
    }
    Ok(rest)
}

/// A single letter is a drive, and a path with a slash before its colon no scheme.
fn is_scheme(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+')
}

fn write(rows: &[TagRow], as_json: bool) -> Done {
    let mut output = output();
    let mut table = Table::new(&["TAG", ">NEXT", ">STEP", ">STRIDE", "UPDATED"]);
    for row in rows {
        if as_json {
            writeln!(output, "{}", json_line(&object(row)))?;
            continue;
        }
        let updated = Timestamp(row.updated_ms);
        table.row(vec![
            cell(&row.tag),
            cell(row.next),
            cell(row.step),
            cell(row.stride),
            cell(updated),
        ]);
    }
    if !as_json {
        table.write(&mut output)?;
    }
    Ok(output.flush()?)
}

fn object(row: &TagRow) -> serde_json::Value {
    json!({
        "tag": row.tag.as_str(),
        "next": row.next.to_string(),
        "step": row.step,
        "stride": row.stride,
        "updated": Timestamp(row.updated_ms).to_string(),
        "updated_ms": row.updated_ms,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_paths_from_schemes() {
        for store in ["ids.db", "./a:b", "C:/ids.db", "/tmp/x y.db", "a.b:c"] {
            assert_eq!(path(store).unwrap(), store);
        }
        assert_eq!(path("sqlite:/tmp/ids.db").unwrap(), "/tmp/ids.db");
        for store in ["postgres://localhost/ids", "segment+sqlite:ids.db", "redis:x"] {
            assert_eq!(path(store).unwrap_err().code(), Code::UnknownScheme, "{store}");
        }
        assert_eq!(path("").unwrap_err().code(), Code::InvalidUrl);
        assert_eq!(path("sqlite:").unwrap_err().code(), Code::InvalidUrl);
    }
}
