//! `snowmint segment`: the tags of a store.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, absolute};
use std::sync::Arc;

use snowmint::{
    Code, Error, RefusedRow, Result, SqliteStore, Store, Tag, TagChange, TagOptions, TagRow,
    Timestamp, escaped, largest_id, move_tag, open_store, redacted,
};
use snowmint_server::rows::{self, raised_above, row_of};

use crate::args::{CreateArgs, ListArgs, MoveArgs, RaiseArgs, SegmentCommand, SetArgs};
use crate::errors;
use crate::exit::{Done, Failure};
use crate::print::{Table, cell, eprintln, grouped, json_line, output};

/// Lists, adds or changes tags.
pub(crate) fn run(command: &SegmentCommand) -> Done {
    match command {
        SegmentCommand::List(args) => list(args),
        SegmentCommand::Create(args) => create(args),
        SegmentCommand::Set(args) => set(args),
        SegmentCommand::Raise(args) => raise(args),
        SegmentCommand::Move(args) => go_on_elsewhere(args),
    }
}

fn list(args: &ListArgs) -> Done {
    // Checked by the rules for tags.
    let within = args.namespace.as_deref().map(|namespace| Tag::within(namespace, "any"));
    let prefix = within.transpose()?.map(|tag| tag.as_str().trim_end_matches("any").to_owned());
    let is_meant = |name: &str| prefix.as_ref().is_none_or(|prefix| name.starts_with(prefix));
    let store = open_to_read(&args.store)?;
    let mut rows = store.tags()?;
    rows.retain(|row| is_meant(row.tag.as_str()));
    for row in store.refused_rows()?.iter().filter(|row| is_meant(&row.name)) {
        tell_left_out(row);
    }
    write(&rows, args.json)
}

fn create(args: &CreateArgs) -> Done {
    // Checked before the store is opened, so that a wrong tag creates no file.
    let tag = Tag::of_row(&args.tag)?;
    let usual = TagOptions::default();
    let options = usual
        .start(args.start.unwrap_or(usual.start))
        .step(args.step.unwrap_or(usual.step))
        .stride(args.stride.unwrap_or(usual.stride))
        .max(args.max.unwrap_or(usual.max));
    options.check()?;
    let store = open(&args.store)?;
    match args.if_not_exists {
        true => store.ensure_tag(&tag, options).map(drop)?,
        false => store.create_tag(&tag, options)?,
    }
    write(store.tag(&tag)?.as_slice(), args.json)
}

fn set(args: &SetArgs) -> Done {
    let tag = Tag::of_row(&args.tag)?;
    let change = TagChange::default().step(args.step).max(args.max);
    write(&[open(&args.store)?.change_tag(&tag, change)?], args.json)
}

/// Moves a tag to the numbers with this remainder by its stride, above all that it gave.
fn in_class(store: &dyn Store, tag: &Tag, remainder: u64, least: Option<u64>) -> Result<TagRow> {
    loop {
        let TagRow { next: present, stride, .. } = row_of(store, tag)?;
        if remainder >= stride {
            return Err(errors::remainder_too_large(remainder, tag, stride));
        }
        let from = least.unwrap_or(present);
        let beyond = (remainder + stride - from % stride) % stride;
        match store.change_tag(tag, TagChange::default().next(from.saturating_add(beyond))) {
            // Another client took a range meanwhile, so try again.
            Err(error) if error.code() == Code::RangeRegressed && least.is_none() => {}
            Ok(row) if row.next % stride != remainder => {
                return Err(errors::remainder_in_column(tag, row.next));
            }
            changed => return changed,
        }
    }
}

/// Returns the first number from `next` on with the tag's remainder by its stride. Other remainders
/// belong to other databases.
fn of_its_class(store: &dyn Store, tag: &Tag, next: u64) -> Result<u64> {
    let TagRow { next: present, stride, .. } = row_of(store, tag)?;
    let beyond = next.saturating_sub(present) % stride.max(1);
    if beyond == 0 {
        return Ok(next);
    }
    let of_class = next.saturating_add(stride - beyond);
    eprintln!(
        "snowmint: {tag} goes on at {of_class}: of the numbers from {next} on, the first that is of \
         its class by its stride of {stride}"
    );
    Ok(of_class)
}

fn raise(args: &RaiseArgs) -> Done {
    let tag = Tag::of_row(&args.tag)?;
    let store = open(&args.store)?;
    let raised = match (args.remainder, args.next) {
        (Some(remainder), next) => in_class(&*store, &tag, remainder, next),
        (None, Some(next)) => {
            let next = of_its_class(&*store, &tag, next)?;
            store.change_tag(&tag, TagChange::default().next(next))
        }
        (None, None) => raise_above_columns(&*store, &tag, args),
    };
    let row = raised.map_err(|error| match error.code() {
        // The store did not go back; the user asked for a smaller number.
        Code::RangeRegressed => Failure::Wrong(error),
        _ => error.into(),
    })?;
    write(&[row], args.json)
}

fn raise_above_columns(store: &dyn Store, tag: &Tag, args: &RaiseArgs) -> Result<TagRow> {
    let own = [args.store.clone()];
    let databases = if args.at.is_empty() { &own[..] } else { &args.at[..] };
    let mut found = Vec::new();
    for database in databases {
        for column in &args.from {
            found.push((database, column, largest_id(&url(database)?, column)?));
        }
    }
    for (database, column, largest) in &found {
        let shown = largest.map_or_else(|| "no ID".to_owned(), grouped);
        eprintln!("snowmint: {column} of {}: {shown}", redacted(database));
    }
    match found.into_iter().filter_map(|(_, _, largest)| largest).max() {
        Some(largest) => raised_above(store, tag, largest),
        None => row_of(store, tag),
    }
}

fn go_on_elsewhere(args: &MoveArgs) -> Done {
    let tag = Tag::of_row(&args.tag)?;
    let (from, to) = (open(&args.store)?, open(&args.to)?);
    if are_one((&args.store, &from), (&args.to, &to)) {
        return Err(errors::same_store(&tag).into());
    }
    let row = move_tag(&*from, &tag, &*to, &redacted(&lasting(&args.to)?))?;
    write(&[row], args.json)
}

/// Returns true if two stores, each with its path or URL, are the same. The same URL always opens the
/// same store, and a file is known by its canonical path.
pub(crate) fn are_one(one: (&str, &Arc<dyn Store>), other: (&str, &Arc<dyn Store>)) -> bool {
    let file = |store| file(store).and_then(|(path, _)| std::fs::canonicalize(path).ok());
    let one_file = file(one.0).is_some_and(|path| file(other.0) == Some(path));
    one_file || Arc::ptr_eq(one.1, other.1)
}

/// Returns the URL that others can use later: a file by its absolute path, and without `create`,
/// which would start a lost store over.
fn lasting(store: &str) -> std::io::Result<String> {
    let url = match file(store) {
        Some((path, parameters)) => format!("sqlite:{}{parameters}", absolute(path)?.display()),
        None => store.to_owned(),
    };
    let Some((place, query)) = url.split_once('?') else { return Ok(url) };
    let kept: Vec<_> = query.split('&').filter(|pair| !pair.starts_with("create=")).collect();
    Ok(if kept.is_empty() { place.to_owned() } else { format!("{place}?{}", kept.join("&")) })
}

/// Returns the path of a file, and the parameters after it.
fn file(store: &str) -> Option<(&str, &str)> {
    // A bare path has no parameters.
    if scheme(store).is_none() {
        return Some((store, ""));
    }
    let file = store.strip_prefix("sqlite:")?;
    let (path, parameters) = file.split_at(file.find('?').unwrap_or(file.len()));
    // `sqlite:///dir/ids.db` is the same as `sqlite:/dir/ids.db`.
    Some((path.strip_prefix("//").unwrap_or(path), parameters))
}

/// Opens a store given as a path or as a URL.
pub(crate) fn open(store: &str) -> Result<Arc<dyn Store>> {
    let Some(scheme) = scheme(store) else {
        check_path(store)?;
        return Ok(Arc::new(SqliteStore::open(store)?));
    };
    // A store in memory would be empty.
    if scheme == "memory" {
        return Err(errors::store_in_memory());
    }
    open_store(store)
}

/// Opens a store for reading. A missing file is an error with a message of its own.
pub(crate) fn open_to_read(store: &str) -> Result<Arc<dyn Store>> {
    open(store).map_err(|error| absent(store, error))
}

/// Rewords the error for a missing file of a store that is only read.
pub(crate) fn absent(store: &str, error: Error) -> Error {
    match missing_file(store) {
        Some(path) if error.code() == Code::StoreMissing => errors::file_missing(path),
        _ => error,
    }
}

/// Returns the path of a store that is a file but does not exist.
pub(crate) fn missing_file(store: &str) -> Option<&str> {
    file(store).map(|(path, _)| path).filter(|path| !Path::new(path).exists())
}

/// Refuses a path with a question mark, which belongs to URLs, unless there is such a file.
fn check_path(path: &str) -> Result<()> {
    if path.contains('?') && !Path::new(path).exists() {
        return Err(errors::path_with_parameters(path));
    }
    Ok(())
}

/// Returns the URL for a path or a URL.
pub(crate) fn url(store: &str) -> Result<Cow<'_, str>> {
    if scheme(store).is_some() {
        return Ok(Cow::Borrowed(store));
    }
    check_path(store)?;
    Ok(Cow::Owned(format!("sqlite:{store}")))
}

fn scheme(store: &str) -> Option<&str> {
    store.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme))
}

/// Returns true for a scheme. A single letter is a drive, and a path may have a slash before its
/// colon.
fn is_scheme(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+')
}

pub(crate) fn write(rows: &[TagRow], as_json: bool) -> Done {
    let mut output = output();
    let titles = ["TAG", ">NEXT", ">STEP", ">STRIDE", ">MAX", "UPDATED", "MOVED TO"];
    let shown = titles.len() - usize::from(rows.iter().all(|row| row.moved_to.is_none()));
    let mut table = Table::new(&titles[..shown]);
    for row in rows {
        if as_json {
            writeln!(output, "{}", json_line(&rows::tag(row)))?;
            continue;
        }
        // Not every foreign table records the time.
        let updated = match row.updated_ms {
            0 => "-".to_owned(),
            updated_ms => Timestamp(updated_ms).to_string(),
        };
        let mut cells = vec![
            cell(&row.tag),
            cell(row.next),
            cell(row.step),
            cell(row.stride),
            cell(max(row)),
            cell(updated),
            cell(row.moved_to.as_deref().unwrap_or("-")),
        ];
        cells.truncate(shown);
        table.row(cells);
    }
    if !as_json {
        table.write(&mut output)?;
    }
    Ok(output.flush()?)
}

/// Returns the max if it was set, or else `-`.
fn max(row: &TagRow) -> String {
    if row.max < TagOptions::default().max { row.max.to_string() } else { "-".to_owned() }
}

/// Says on standard error that a row of the store is not listed.
pub(crate) fn tell_left_out(RefusedRow { name, error, .. }: &RefusedRow) {
    eprintln!("snowmint: {:?} is left out: {error}", escaped(name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_paths_from_schemes() {
        let code = |store: &str| open(store).map(drop).unwrap_err().code();
        for store in ["missing.db", "./a:b", "C:/missing.db", "/tmp/missing x.db", "a.b:c"] {
            assert_eq!(code(store), Code::StoreMissing, "{store}");
        }
        assert_eq!(code("sqlite:/tmp/missing.db"), Code::StoreMissing);
        for store in ["oracle://localhost/ids", "segment+sqlite:ids.db", "oracle:x"] {
            assert_eq!(code(store), Code::UnknownScheme, "{store}");
        }
        assert_eq!(code("missing.db?create=true"), Code::InvalidUrl);
        assert_eq!(code("memory:"), Code::Unsupported);
        assert_eq!(code("sqlite:"), Code::InvalidUrl);
        assert_eq!(code(""), Code::InvalidParameter);
        assert_eq!(code("sqlite:missing.db?new=true"), Code::UnknownParameter);
    }
}
