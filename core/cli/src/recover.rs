//! `snowmint recover`: goes on with a store that was put back from a backup, or that took another's
//! place.

use std::collections::BTreeMap;
use std::sync::Arc;

use snowmint::{
    Code, KeySpaceId, Result, Standing, Store, Tag, TagChange, TagOptions, TagRow, Vouch, redacted,
};

use crate::args::RecoverArgs;
use crate::errors;
use crate::exit::{Done, Failure};
use crate::print::{Table, cell, eprintln, output};
use crate::segment::{are_one, open_to_read, write};

/// The advice once the store goes on.
const AFTERWARDS: &str = "sources with this store's URL go on by themselves. Give this URL to whatever has \
                          another one, and restart or reload it. PostgreSQL, MariaDB and MySQL lease \
                          worker IDs again once all leases that they may lack are over; the refusal says \
                          when. Other stores do not wait: end what has leases of the original first";

/// Says what would be done, or does it.
pub(crate) fn run(args: &RecoverArgs) -> Done {
    let store = open_to_read(&args.store)?;
    let standing = standing(&*store)?;
    check_server(args, standing.as_ref())?;
    if standing.as_ref().is_some_and(|standing| standing.is_confirmed) && !args.all {
        eprintln!(
            "snowmint: nothing waits for an operator here. A backup that was put back in the same \
             place looks like this, too: --all raises every tag"
        );
        return Ok(());
    }
    let originals = originals(args, &store, standing.as_ref())?;
    let plan = Plan::new(args, &*store, standing.as_ref(), originals)?;
    if !args.yes {
        plan.show(args)?;
        plan.explain(args);
        return Err(Failure::Reported(2));
    }
    plan.check(args)?;
    let raised = plan.carry_out(args, &*store)?;
    if !args.json {
        eprintln!("snowmint: {AFTERWARDS}");
    }
    write(&raised, args.json)
}

/// Returns what the store refuses; `None` if it cannot tell that it is a copy, so it refuses nothing.
fn standing(store: &dyn Store) -> Result<Option<Standing>> {
    match store.standing() {
        Err(error) if error.code() == Code::Unsupported => Ok(None),
        standing => standing.map(Some),
    }
}

fn check_server(args: &RecoverArgs, standing: Option<&Standing>) -> Result<()> {
    if standing.is_some_and(|standing| standing.server.is_empty()) {
        return Err(errors::server_not_promoted());
    }
    match (&args.server, standing) {
        (None, Some(standing)) if args.yes => Err(errors::server_not_named(&standing.server)),
        (Some(_), None) => Err(errors::server_untold()),
        (Some(named), Some(standing)) if **named != *standing.server => {
            Err(errors::server_differs(&standing.server, named))
        }
        _ => Ok(()),
    }
}

/// Returns the tags of the stores that gave numbers for longer.
fn originals(
    args: &RecoverArgs,
    store: &Arc<dyn Store>,
    here: Option<&Standing>,
) -> Result<Vec<TagRow>> {
    let mut rows = Vec::new();
    for url in &args.from {
        let (original, shown) = (open_to_read(url)?, redacted(url));
        let there = standing(&*original)?;
        let is_here = here.zip(there.as_ref()).is_some_and(|(a, b)| a.server == b.server);
        if is_here || are_one((&args.store, store), (url, &original)) {
            return Err(errors::recovered_from_itself(&shown));
        }
        if let (Some(here), Some(there)) = (key_space(&**store)?, key_space(&*original)?)
            && here != there
        {
            return Err(errors::of_another_key_space(&shown, there, here));
        }
        rows.extend(original.tags()?);
    }
    Ok(rows)
}

/// Returns the key space; `None` if the store does not tell, or not before it is confirmed.
fn key_space(store: &dyn Store) -> Result<Option<KeySpaceId>> {
    match store.key_space() {
        Err(error) if error.code() == Code::IncarnationChanged => Ok(None),
        key_space => key_space,
    }
}

/// A tag of the store or of an original.
struct Planned {
    tag: Tag,
    /// Its row in the store.
    here: Option<TagRow>,
    /// Its row as far as is known.
    known: Option<TagRow>,
    /// True if the store refuses it, or every tag is to be raised.
    is_meant: bool,
}

impl Planned {
    /// Returns true if it is not known how far the tag went.
    fn is_unknown(&self, args: &RecoverArgs) -> bool {
        let has_left = self.here.as_ref().is_some_and(|row| row.moved_to.is_some());
        self.is_meant && !has_left && self.known.is_none() && args.raise_by_steps.is_none()
    }

    /// Returns the numbers known and here, if what is known is behind what the store has.
    fn behind(&self) -> Option<(u64, u64)> {
        let (known, here) = (self.known.as_ref()?.next, self.here.as_ref()?.next);
        (self.is_meant && known < here).then_some((known, here))
    }

    /// Returns the place to which the tag has moved since, if it is still open here.
    fn left_since(&self) -> Option<&str> {
        let is_open = self.here.as_ref().is_some_and(|row| row.moved_to.is_none());
        self.known.as_ref()?.moved_to.as_deref().filter(|_| is_open)
    }

    /// Returns the least number at which the tag goes on.
    fn goes_on_at(&self, steps: u64) -> u64 {
        let raised = |row: &TagRow| {
            let by = row.step.saturating_mul(row.stride).saturating_mul(steps);
            row.next.saturating_add(by).min(i64::MAX.unsigned_abs())
        };
        let here = self.here.as_ref().map_or(0, |row| match self.is_meant {
            true => raised(row),
            false => row.next,
        });
        here.max(self.known.as_ref().map_or(0, raised))
    }

    /// Returns the row above which the store has to raise or make the tag.
    fn above(&self) -> Option<TagRow> {
        let known = self.known.as_ref()?;
        let is_behind = |here: &TagRow| here.next < known.next || here.moved_to != known.moved_to;
        self.here.as_ref().is_none_or(is_behind).then(|| known.clone())
    }
}

struct Plan<'a> {
    standing: Option<&'a Standing>,
    tags: Vec<Planned>,
}

impl<'a> Plan<'a> {
    fn new(
        args: &RecoverArgs,
        store: &dyn Store,
        standing: Option<&'a Standing>,
        rows: Vec<TagRow>,
    ) -> Result<Plan<'a>> {
        let mut tags = BTreeMap::new();
        let here = standing.map_or_else(|| store.tags(), |standing| Ok(standing.tags.clone()))?;
        for row in here {
            let is_refused = |standing: &Standing| standing.refused.contains(&row.tag);
            let is_meant = args.all || standing.is_none_or(is_refused);
            let tag = row.tag.clone();
            tags.insert(tag.clone(), Planned { tag, here: Some(row), known: None, is_meant });
        }
        for row in rows {
            let planned = of_tag(&mut tags, &row.tag);
            if planned.known.as_ref().is_none_or(|known| known.next < row.next) {
                planned.known = Some(row);
            }
        }
        for (tag, next) in &args.next {
            let planned = of_tag(&mut tags, tag);
            let base = planned.known.as_ref().or(planned.here.as_ref()).cloned();
            let base = base.unwrap_or_else(|| TagRow::new(tag, TagOptions::default().start(*next)));
            planned.known = Some(of_its_class(base, *next));
        }
        Ok(Plan { standing, tags: tags.into_values().collect() })
    }

    fn show(&self, args: &RecoverArgs) -> Done {
        let mut table = Table::new(&["TAG", ">NEXT HERE", ">KNOWN", ">AT LEAST"]);
        let number = |row: Option<&TagRow>| row.map_or("-".to_owned(), |row| row.next.to_string());
        for planned in &self.tags {
            let goes_on_at = match planned.is_unknown(args) {
                true => "?".to_owned(),
                false => planned.goes_on_at(args.raise_by_steps.unwrap_or(0)).to_string(),
            };
            table.row(vec![
                cell(&planned.tag),
                cell(number(planned.here.as_ref())),
                cell(number(planned.known.as_ref())),
                cell(goes_on_at),
            ]);
        }
        Ok(table.write(&mut output())?)
    }

    /// Says what is refused, what is missing, and what the next command is.
    fn explain(&self, args: &RecoverArgs) {
        let mut options = String::from("--yes");
        match self.standing {
            Some(standing) => {
                let server = &standing.server;
                if standing.is_confirmed {
                    eprintln!(
                        "snowmint: the server {server} refuses nothing. If a backup was put back in \
                         its place, end whatever mints from it, and wait until the longest lease is \
                         over, a minute unless set."
                    );
                } else {
                    eprintln!(
                        "snowmint: the server {server} took another's place, or its tables are a \
                         copy. What the table shows is refused until this command confirms it."
                    );
                }
                options = format!("--server {server} --yes");
            }
            None => eprintln!(
                "snowmint: this store cannot tell that it is a copy, so it refuses nothing by itself. \
                 End whatever mints from it, and wait until the longest lease is over, a minute \
                 unless set."
            ),
        }
        match self.check(args) {
            Err(error) => eprintln!("snowmint: {error}"),
            Ok(()) => eprintln!("snowmint: to do it, repeat this command with {options}"),
        }
        eprintln!("Nothing was done.");
    }

    /// Checks that enough is known.
    fn check(&self, args: &RecoverArgs) -> Result<()> {
        let unknown = self.tags.iter().filter(|planned| planned.is_unknown(args));
        let unknown: Vec<_> = unknown.map(|planned| planned.tag.as_str()).collect();
        if !unknown.is_empty() {
            return Err(errors::tags_unknown(&unknown));
        }
        if !(args.next.is_empty() && args.from.is_empty()) && args.raise_by_steps.is_none() {
            return Err(errors::known_may_be_old());
        }
        for planned in &self.tags {
            let tag = &planned.tag;
            if let (Some((known, here)), None | Some(0)) = (planned.behind(), args.raise_by_steps) {
                return Err(errors::known_is_behind(tag, known, here));
            }
            if let (Some(place), None) = (planned.left_since(), self.standing) {
                return Err(errors::tag_left_since(tag, place));
            }
        }
        if self.standing.is_none() && args.new_from.is_some_and(|first| first > 1) {
            return Err(errors::new_from_not_kept());
        }
        let may_lack = self.standing.is_some_and(|standing| standing.may_lack_tags);
        if may_lack && args.from.is_empty() && args.new_from.is_none() {
            return Err(errors::new_tags_unknown());
        }
        Ok(())
    }

    /// Raises the tags, and confirms the store if it waits for that. Returns the raised rows.
    fn carry_out(&self, args: &RecoverArgs, store: &dyn Store) -> Result<Vec<TagRow>> {
        let steps = args.raise_by_steps.unwrap_or(0);
        let Some(standing) = self.standing else { return self.raise_each(store, steps) };
        let vouch = Vouch::new(steps)
            .server(Arc::clone(&standing.server))
            .new_from(args.new_from)
            .all(args.all)
            .above(self.tags.iter().filter_map(Planned::above).collect());
        vouch.check()?;
        store.vouch(&vouch)
    }

    /// Raises the tags one by one, in a store that has no confirmation.
    fn raise_each(&self, store: &dyn Store, steps: u64) -> Result<Vec<TagRow>> {
        let mut raised = Vec::new();
        for planned in &self.tags {
            let (tag, next) = (&planned.tag, planned.goes_on_at(steps));
            match (&planned.here, &planned.known) {
                (Some(here), _) if here.moved_to.is_some() || here.next == next => continue,
                (Some(_), _) => drop(store.change_tag(tag, TagChange::default().next(next))?),
                (None, Some(known)) if known.moved_to.is_none() => {
                    let usual = TagOptions::default().start(next).step(known.step);
                    store.create_tag(tag, usual.stride(known.stride).max(known.max))?;
                }
                (None, _) => continue,
            }
            raised.extend(store.tag(tag)?);
        }
        Ok(raised)
    }
}

fn of_tag<'a>(tags: &'a mut BTreeMap<Tag, Planned>, tag: &Tag) -> &'a mut Planned {
    tags.entry(tag.clone()).or_insert_with(|| Planned {
        tag: tag.clone(),
        here: None,
        known: None,
        is_meant: true,
    })
}

/// Returns the row with the first number of its class from `next` on, or with `next` itself if that is
/// below its own.
fn of_its_class(mut row: TagRow, next: u64) -> TagRow {
    row.next = match next.checked_sub(row.next) {
        Some(above) => {
            let beyond = above.div_ceil(row.stride.max(1));
            row.next.saturating_add(beyond.saturating_mul(row.stride))
        }
        None => next,
    };
    row
}
