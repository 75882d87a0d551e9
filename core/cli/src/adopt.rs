//! `snowmint adopt`: finds the present generators of numbers, and starts tags above them.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::json;
use snowmint::{
    Code, Column, Common, Filler, Giver, Givers, Result, Sequences, Store, Tag, TagOptions, TagRow,
    common_ids, filled_by, fillers, givers, largest_id, redacted,
};
use snowmint_server::rows::raised_above;

use crate::args::AdoptArgs;
use crate::errors;
use crate::exit::{Done, Failure, hint};
use crate::print::{ERROR, Table, cell, eprintln, grouped, json_line, output};
use crate::segment::{absent, missing_file, open, tell_left_out, url, write};

/// The exit status of a store that refuses.
const MEETS: u8 = 4;
const NO_DIALECT: &str = "snowmint";
const SEQUENCE: &str = "sequence";
const NAME_COLUMNS: &str = "columns that have IDs are named by --from, as `--from orders.id`";

/// The generators and columns found in one database.
struct Found<'a> {
    store: &'a str,
    givers: Vec<Taken>,
    columns: Vec<FoundColumn<'a>>,
    /// The defaults that still fill columns from the sequences found, or beside them.
    fillers: Vec<(Tag, Filler)>,
}

/// A generator of a tag's numbers.
struct Taken {
    tag: Tag,
    giver: Giver,
    /// False for a sequence that belongs to a column and no longer fills it.
    goes_on: bool,
}

/// A column with its tag: the one that `--tag` names, or else the sequence that fills it.
struct FoundColumn<'a> {
    column: &'a Column,
    largest: Option<u64>,
    tag: Option<Tag>,
}

/// Lists the generators, compares them, or starts tags above them.
pub(crate) fn run(args: &AdoptArgs) -> Done {
    let tag = args.tag.as_deref().map(Tag::of_row).transpose()?;
    let found = args.stores.iter().map(|store| look(store, tag.as_ref(), args));
    let found: Vec<Found<'_>> = found.collect::<Done<_>>()?;
    if let Some(tag) = &tag
        && found.iter().all(|found| found.givers.is_empty() && found.columns.is_empty())
    {
        return Err(errors::tag_unknown(tag).into());
    }
    if is_look(args) {
        return show(&found, args.json);
    }
    let starts = starts(&found)?;
    match &args.into {
        _ if args.check => check(args, &starts, &found),
        Some(into) => adopt(into, &starts, &found, args.json),
        None => Ok(()),
    }
}

/// Returns true if nothing is adopted or compared.
fn is_look(args: &AdoptArgs) -> bool {
    !args.check && args.into.is_none()
}

/// Looks into a database for all tags, or the named one. If columns are named without a tag, only
/// their tags are adopted or compared.
fn look<'a>(store: &'a str, tag: Option<&Tag>, args: &'a AdoptArgs) -> Done<Found<'a>> {
    let url = url(store)?;
    let mut found = Found { store, givers: Vec::new(), columns: Vec::new(), fillers: Vec::new() };
    if args.from.is_empty() || tag.is_some() || is_look(args) {
        let Givers { found: givers, refused, .. } = match givers(&url, tag) {
            Err(error) if error.code() == Code::StoreMissing && !args.from.is_empty() => {
                Givers::default()
            }
            Err(error) if error.code() == Code::StoreMissing && missing_file(store).is_none() => {
                return Err(Failure::Hinted(error, NAME_COLUMNS));
            }
            found => found.map_err(|error| absent(store, error))?,
        };
        for row in refused {
            // A row whose name is no tag does not concern other tags. A row refused for another
            // reason stops the command, because its next number is unknown.
            if is_look(args) || row.error.code() == Code::InvalidTag {
                tell_left_out(&row);
            } else {
                return Err(row.error.into());
            }
        }
        let taken = |giver: Giver| Taken { tag: giver.row.tag.clone(), giver, goes_on: true };
        found.givers.extend(givers.into_iter().map(taken));
    }
    for column in &args.from {
        found.add_column(&url, column, tag)?;
    }
    found.add_fillers(&url)?;
    Ok(found)
}

impl<'a> Found<'a> {
    /// Adds a column, and the sequence that fills it.
    fn add_column(&mut self, url: &str, column: &'a Column, tag: Option<&Tag>) -> Result<()> {
        let largest = largest_id(url, column)?;
        let filler = fillers(url, column)?.into_iter().next();
        let own = filler.as_ref().and_then(|filler| filler.sequence.clone());
        let tag = tag.cloned().or_else(|| own.as_ref().map(|own| own.row.tag.clone()));
        if let (Some(tag), Some(giver)) = (&tag, own) {
            let is_known =
                |it: &Taken| it.giver.dialect == giver.dialect && it.giver.row == giver.row;
            if !self.givers.iter().any(is_known) {
                let goes_on = filler.as_ref().is_some_and(|filler| filler.end.is_some());
                self.givers.push(Taken { tag: tag.clone(), giver, goes_on });
            }
        }
        if let (Some(tag), Some(filler)) = (&tag, filler) {
            self.fillers.push((tag.clone(), filler));
        }
        self.columns.push(FoundColumn { column, largest, tag });
        Ok(())
    }

    /// Adds the columns that are not named but filled by a sequence that was found.
    fn add_fillers(&mut self, url: &str) -> Result<()> {
        for Taken { tag, giver, .. } in &self.givers {
            if giver.dialect.as_deref() != Some(SEQUENCE) {
                continue;
            }
            for filler in filled_by(url, &giver.row.tag)? {
                if self.fillers.iter().all(|(_, known)| known.column != filler.column) {
                    self.fillers.push((tag.clone(), filler));
                }
            }
        }
        Ok(())
    }

    /// Returns a message for each column that still fills itself, with the statement that ends it.
    fn still_filled(&self) -> impl Iterator<Item = String> {
        self.fillers.iter().filter_map(|(tag, Filler { column, end, .. })| {
            let end = end.as_ref()?;
            let store = redacted(self.store);
            Some(format!(
                "{column} of {store} is still filled by itself, with numbers of {tag}: {end}"
            ))
        })
    }
}

fn show(found: &[Found<'_>], as_json: bool) -> Done {
    let mut output = output();
    let mut table = Table::new(&["DATABASE", "OF", "TAG", ">NEXT", ">STEP", ">STRIDE"]);
    for Found { store, givers, columns, .. } in found {
        let store = redacted(store);
        for Giver { dialect, row, .. } in givers.iter().map(|taken| &taken.giver) {
            let dialect = dialect.as_deref().unwrap_or(NO_DIALECT);
            if as_json {
                let TagRow { tag, next, step, stride, .. } = row;
                let object = json!({ "database": store, "of": dialect, "tag": tag.as_str(),
                    "next": next.to_string(), "step": step, "stride": stride });
                writeln!(output, "{}", json_line(&object))?;
            }
            let cells = [cell(&store), cell(dialect), cell(&row.tag)];
            let numbers = [row.next, row.step, row.stride].map(cell);
            table.row(cells.into_iter().chain(numbers).collect());
        }
        for FoundColumn { column, largest, .. } in columns {
            if as_json {
                let object = json!({ "database": store, "of": "column",
                    "column": column.to_string(), "largest": largest.map(|it| it.to_string()) });
                writeln!(output, "{}", json_line(&object))?;
            }
            let next = largest.map_or_else(|| "no ID".to_owned(), |it| above(it).to_string());
            table.row(vec![cell(&store), cell("column"), cell(column), cell(next)]);
        }
    }
    if !as_json {
        table.write(&mut output)?;
    }
    Ok(output.flush()?)
}

fn above(largest: u64) -> u64 {
    largest.saturating_add(1)
}

/// The settings with which a tag starts.
#[derive(Clone, Copy)]
struct Start {
    /// `next` has the right remainder by the stride; `floor` is the first number that was never
    /// given.
    next: u64,
    floor: u64,
    step: u64,
    stride: u64,
    max: u64,
}

impl Start {
    /// The defaults, for a tag known by columns alone.
    fn usual() -> Start {
        let TagOptions { start, step, stride, max, .. } = TagOptions::default();
        Start { next: start, floor: start, step, stride, max }
    }

    fn from_giver(giver: &Giver) -> Start {
        let TagRow { next, step, stride, max, .. } = giver.row;
        let usual = Start { next, floor: next, step, stride: stride.max(1), max };
        if giver.dialect.as_deref() != Some(SEQUENCE) {
            return usual;
        }
        // A sequence has no step. Whether its values begin or end blocks is up to its application,
        // so start above either.
        let next = next.saturating_add(step - 1);
        Start { next, floor: next, step: step.max(Start::usual().step), ..usual }
    }

    /// Merges two starts: above both and with the lower max. Keeps the stride if strides and
    /// remainders agree, and uses 1 otherwise.
    fn above_both(self, other: Start) -> Start {
        let is_one_class =
            self.stride == other.stride && self.next % self.stride == other.next % self.stride;
        let next = self.next.max(other.next);
        Start {
            next,
            floor: next,
            step: self.step.max(other.step),
            stride: if is_one_class { self.stride } else { 1 },
            max: self.max.min(other.max),
        }
    }

    /// Returns true if numbers above its max were given, for example by hand or in another
    /// database.
    fn is_past_its_max(&self) -> bool {
        self.floor.saturating_sub(self.stride) > self.max
    }

    fn options(self) -> TagOptions {
        // A tag without numbers left is created at its last number, and then raised above it.
        let past = self.next.saturating_sub(self.max).div_ceil(self.stride);
        let start = self.next.saturating_sub(past.saturating_mul(self.stride));
        let Start { step, stride, max, .. } = self;
        TagOptions::default().start(start).step(step).stride(stride).max(max)
    }
}

/// Returns the start of each tag, above everything that was found under its name.
fn starts(found: &[Found<'_>]) -> Result<BTreeMap<Tag, Start>> {
    let mut starts: BTreeMap<Tag, Start> = BTreeMap::new();
    for Taken { tag, giver, .. } in found.iter().flat_map(|found| &found.givers) {
        let start = Start::from_giver(giver);
        let above = match starts.get(tag) {
            Some(before) => {
                same_sections(tag, before.stride, start.stride)?;
                before.above_both(start)
            }
            None => start,
        };
        starts.insert(tag.clone(), above);
    }
    for FoundColumn { column, largest, tag } in found.iter().flat_map(|found| &found.columns) {
        let Some(tag) = tag else {
            return Err(errors::column_without_sequence(column));
        };
        if let Some(largest) = largest {
            let start = starts.entry(tag.clone()).or_insert_with(Start::usual);
            start.floor = start.floor.max(above(*largest));
        }
    }
    if starts.is_empty() {
        return Err(errors::no_numbers());
    }
    match starts.iter().find(|(_, start)| start.is_past_its_max()) {
        Some((tag, Start { floor, max, .. })) => Err(errors::max_passed(tag, *floor, *max)),
        None => Ok(starts),
    }
}

/// Refuses different section sizes. The stride of the record of sequences is the number of keys in
/// a section.
fn same_sections(tag: &Tag, one: u64, other: u64) -> Result<()> {
    if one == other || !Sequences::is_record(tag) {
        return Ok(());
    }
    Err(errors::sections_differ(tag, one, other))
}

/// Creates or raises the tags.
fn adopt(into: &str, starts: &BTreeMap<Tag, Start>, found: &[Found<'_>], as_json: bool) -> Done {
    // The hint says to create the store, which the hint for stores that are only read does not.
    let store = open(into).map_err(|error| match error.code() {
        Code::StoreMissing => Failure::Hinted(error, hint(Code::StoreMissing)),
        _ => error.into(),
    })?;
    let mut rows = Vec::new();
    for (tag, start) in starts {
        match started(&*store, tag, *start) {
            // A row's name may be one that no store accepts as a tag.
            Err(error) if error.code() == Code::InvalidTag => {
                eprintln!("snowmint: {tag} is left out: {error}");
            }
            row => rows.push(row?),
        }
    }
    for still in found.iter().flat_map(Found::still_filled) {
        eprintln!("snowmint: {still}");
    }
    write(&rows, as_json)
}

fn started(store: &dyn Store, tag: &Tag, start: Start) -> Result<TagRow> {
    match store.create_tag(tag, start.options()) {
        // The tag exists and is raised, so it is at least where it was.
        Err(error) if error.code() == Code::TagExists => {
            let stride = store.tag(tag)?.map_or(start.stride, |row| row.stride);
            same_sections(tag, stride, start.stride)?;
        }
        created => created?,
    }
    raised_above(store, tag, start.floor.saturating_sub(1))
}

/// Reports numbers that could be given twice, or were.
fn check(args: &AdoptArgs, starts: &BTreeMap<Tag, Start>, found: &[Found<'_>]) -> Done {
    let mut clashes = Clashes { as_json: args.json, count: 0 };
    match &args.into {
        // With `--into`, the other generators end, so only the target is compared with them.
        Some(into) => {
            would_repeat(&mut clashes, into, starts)?;
            for still in found.iter().flat_map(Found::still_filled) {
                clashes.add("filled", &still)?;
            }
        }
        None => {
            compares_something(args, found)?;
            for (at, one) in found.iter().enumerate() {
                for other in found.iter().skip(at) {
                    givers_meet(&mut clashes, one, other)?;
                }
            }
            columns_passed(&mut clashes, found)?;
        }
    }
    let mut columns = Vec::new();
    for found in found {
        let url = url(found.store)?;
        for FoundColumn { column, tag, .. } in &found.columns {
            columns.push((tag, (url.clone().into_owned(), *column)));
        }
    }
    for (at, (tag, one)) in columns.iter().enumerate() {
        for (_, other) in columns.iter().skip(at + 1).filter(|(of, _)| of == tag) {
            columns_meet(&mut clashes, one, other)?;
        }
    }
    match clashes.count {
        0 => {
            eprintln!("snowmint: no number is given twice by what was found");
            Ok(())
        }
        _ => Err(Failure::Reported(MEETS)),
    }
}

/// Refuses a comparison of one column with nothing.
fn compares_something(args: &AdoptArgs, found: &[Found<'_>]) -> Result<()> {
    let has_giver = found.iter().any(|found| !found.givers.is_empty());
    let columns: usize = found.iter().map(|found| found.columns.len()).sum();
    match &args.tag {
        Some(tag) if !has_giver && columns < 2 => {
            Err(errors::nothing_to_compare(tag, args.from.first()))
        }
        _ => Ok(()),
    }
}

struct Clashes {
    as_json: bool,
    count: u64,
}

impl Clashes {
    fn add(&mut self, what: &str, why: &str) -> Done {
        self.count += 1;
        let mut output = output();
        if self.as_json {
            writeln!(output, "{}", json_line(&json!({ "clash": what, "why": why })))?;
        } else {
            let text = snowmint::escaped(why);
            writeln!(output, "{ERROR}{what:6}{ERROR:#}  {text}")?;
        }
        Ok(output.flush()?)
    }
}

/// Reports tags of the same name that could give the same number. Generators in one database share
/// its key space.
fn givers_meet(clashes: &mut Clashes, one: &Found<'_>, other: &Found<'_>) -> Done {
    let is_same = std::ptr::eq(one, other);
    for (at, left) in one.givers.iter().enumerate() {
        for right in other.givers.iter().skip(if is_same { at + 1 } else { 0 }) {
            let go_on = left.goes_on && right.goes_on;
            if go_on && left.tag == right.tag && left.giver.can_meet(&right.giver) {
                let why = format!(
                    "{} goes on at {} and at {}, and both can give the same number: end one, and \
                     adopt both --into the other",
                    left.tag,
                    named(one.store, &left.giver),
                    named(other.store, &right.giver)
                );
                clashes.add("tags", &why)?;
            }
        }
    }
    Ok(())
}

/// Reports generators whose next numbers include an ID that a column already has.
fn columns_passed(clashes: &mut Clashes, found: &[Found<'_>]) -> Done {
    let givers = found.iter().flat_map(|it| it.givers.iter().map(|taken| (it.store, taken)));
    for (store, Taken { tag, giver, .. }) in givers.filter(|(_, taken)| taken.goes_on) {
        let Start { next, stride, .. } = Start::from_giver(giver);
        let is_to_come = |id: u64| id >= next && (id - next).is_multiple_of(stride);
        let columns = found.iter().flat_map(|it| &it.columns);
        let of_tag = columns.filter(|column| column.tag.as_ref() == Some(tag));
        let ids = of_tag.filter_map(|it| Some((it.column, it.largest?)));
        let passed = ids.filter(|(_, id)| is_to_come(*id));
        if let Some((column, id)) = passed.max_by_key(|(_, id)| *id) {
            let giver = named(store, giver);
            let why = format!(
                "{tag} goes on at {giver}, and {column} has IDs up to {id}: raise it above those, by \
                 `snowmint segment raise`"
            );
            clashes.add("next", &why)?;
        }
    }
    Ok(())
}

fn named(store: &str, giver: &Giver) -> String {
    let of = giver.dialect.as_deref().unwrap_or(NO_DIALECT);
    format!("{} ({of}, next {}, stride {})", redacted(store), giver.row.next, giver.row.stride)
}

/// Reports tags of the target that are below numbers already given.
fn would_repeat(clashes: &mut Clashes, into: &str, starts: &BTreeMap<Tag, Start>) -> Done {
    let store = open(into)?;
    for (tag, Start { floor, .. }) in starts {
        let Some(row) = store.tag(tag)? else {
            eprintln!(
                "snowmint: {} has no tag {tag} yet: it would start at {floor}",
                redacted(into)
            );
            continue;
        };
        if row.next < *floor {
            let cure = match floor - 1 > row.max {
                true => format!(
                    "raise its max, {}, by `snowmint segment set {} {tag} --max NUMBER`, and adopt \
                     it without --check",
                    row.max,
                    redacted(into)
                ),
                false => "adopt it without --check".to_owned(),
            };
            let why = format!(
                "{tag} of {} is at {}, and numbers below {floor} were given: {cure}",
                redacted(into),
                row.next
            );
            clashes.add("next", &why)?;
        }
    }
    Ok(())
}

fn columns_meet(clashes: &mut Clashes, one: &(String, &Column), other: &(String, &Column)) -> Done {
    let (left, right) = (
        format!("{} of {}", one.1, redacted(&one.0)),
        format!("{} of {}", other.1, redacted(&other.0)),
    );
    eprintln!("snowmint: comparing {left} with {right}");
    let tell = |read| eprintln!("snowmint: {} IDs read", grouped(read));
    let Common { count, lowest, .. } =
        common_ids((&one.0, one.1), (&other.0, other.1), every_million(tell))?;
    if count == 0 {
        return Ok(());
    }
    let lowest: Vec<_> = lowest.iter().map(u64::to_string).collect();
    let more = if count > lowest.len() as u64 { ", …" } else { "" };
    let why = format!(
        "{left} and {right} have {} IDs in common: {}{more}",
        grouped(count),
        lowest.join(", ")
    );
    clashes.add("IDs", &why)
}

/// Calls `tell` at each further million.
fn every_million(mut tell: impl FnMut(u64)) -> impl FnMut(u64) {
    let mut told = 0;
    move |read| {
        if read / 1_000_000 > told {
            told = read / 1_000_000;
            tell(read);
        }
    }
}
