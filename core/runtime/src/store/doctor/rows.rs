//! Findings from a store's rows: how many numbers and worker IDs are left.

use std::collections::BTreeMap;

use snowmint_engine::{Code, MAX_NUMBER};

use crate::error::Result;
use crate::findings::Finding;
use crate::names;
use crate::store::Store;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) use crate::store::errors::answers::strange;
use crate::store::{KeySpaceId, TagOptions, TagRow, WorkerRow};

const TAGS: &str = "tags";
const KEY_SPACE: &str = "key space";
pub(crate) const WORKERS: &str = "worker IDs";
/// The largest number of tags, or of realms, that are listed one by one.
const NAMED_MAX: usize = 20;
/// A tag is near its end from this percentage of its numbers on.
const USED_PERCENT: u128 = 90;
/// Few worker IDs are left below this percentage of all.
const LEFT_PERCENT: u64 = 10;

/// Reports the key space of a store, and how much is left in it.
pub(crate) fn examine(store: &dyn Store) -> Vec<Finding> {
    let mut findings = vec![of_key_space(store.key_space())];
    findings.extend(of_tags(store.tags()));
    findings.extend(of_workers(store.workers()));
    findings
}

/// Reports the key space, and how clients can refuse any other.
pub(crate) fn of_key_space(id: Result<Option<KeySpaceId>>) -> Finding {
    match id {
        Ok(Some(id)) => {
            let found = format!("begun as {id}: key_space={id} in a URL refuses any other");
            Finding::ok(KEY_SPACE, found)
        }
        Ok(None) => Finding::ok(KEY_SPACE, "it does not tell its identity"),
        Err(error) => Finding::failed(KEY_SPACE, &error),
    }
}

/// Returns true if a finding already refuses with this code.
pub(crate) fn is_refused_by(findings: &[Finding], code: Code) -> bool {
    use crate::findings::Verdict::Refused;
    findings.iter().any(|it| it.verdict == Refused && it.code == Some(code))
}

/// Reports how many numbers each tag has left.
pub(crate) fn of_tags(rows: Result<Vec<TagRow>>) -> Vec<Finding> {
    of_tags_by(rows, cure, |row| row.stride)
}

/// Reports the numbers left of another generator's tags, and which rows minting refuses.
pub(crate) fn of_others(store: &dyn Store, cure: fn(&TagRow) -> &'static str) -> Vec<Finding> {
    // Other generators' statements take whole steps.
    let mut findings = of_tags_by(store.tags(), cure, |row| row.step.saturating_mul(row.stride));
    let (no_tags, refused): (Vec<_>, Vec<_>) = match store.refused_rows() {
        Ok(rows) => rows.into_iter().partition(|row| row.error.code() == Code::InvalidTag),
        Err(_) => return findings, // reported with the tags
    };
    let cure = "do what is said there, or leave it to its owner";
    let failed = refused.iter().map(|row| Finding::failed(TAGS, &row.error).cured_by(cure));
    findings.extend(failed.take(NAMED_MAX));
    if !no_tags.is_empty() {
        let names: Vec<_> = no_tags.iter().map(|row| format!("{:?}", row.name)).collect();
        let named = names[..names.len().min(NAMED_MAX)].join(", ");
        let found = format!("{} rows are left out, whose names are no tags: {named}", names.len());
        let cure = "none is needed, unless something is to be minted of them: a tag has 1 to 64 letters, \
                    digits and the characters _ . : -";
        findings.push(Finding::weaker(TAGS, found, cure));
    }
    findings
}

/// Reports how many numbers each tag has left. `cure` returns the advice for a tag near its end,
/// and `least` the length of its shortest range, including the gaps of its stride.
fn of_tags_by(
    rows: Result<Vec<TagRow>>,
    cure: fn(&TagRow) -> &'static str,
    least: fn(&TagRow) -> u64,
) -> Vec<Finding> {
    let rows = match rows {
        Ok(rows) => rows,
        Err(error) => return vec![Finding::failed(TAGS, &error)],
    };
    let is_over =
        |row: &TagRow| row.next.saturating_add(least(row).saturating_sub(row.stride)) >= row.ends();
    let is_near = |row: &&TagRow| {
        let is_used = u128::from(row.next) * 100 > u128::from(row.ends()) * USED_PERCENT;
        row.moved_to.is_none() && (is_used || is_over(row))
    };
    let mut near: Vec<_> = rows.iter().filter(is_near).collect();
    near.sort_by_key(|row| std::cmp::Reverse(row.next));
    if near.is_empty() {
        let moved = rows.iter().filter(|row| row.moved_to.is_some()).count();
        let found = match (rows.len() - moved, moved) {
            (0, 0) => "there is none yet".to_owned(),
            (0, _) => format!("there is none but {moved} that moved to another store"),
            (here, _) => {
                let beside = format!(", beside {moved} that moved to another store");
                let beside = if moved > 0 { beside.as_str() } else { "" };
                format!("none of {here} has used more than {USED_PERCENT} % of its numbers{beside}")
            }
        };
        return vec![Finding::ok(TAGS, found)];
    }
    let near = near.into_iter().take(NAMED_MAX);
    near.map(|row| near_its_end(row, is_over(row), cure(row))).collect()
}

/// Returns the advice for a tag that is near its end.
pub(crate) fn cure(row: &TagRow) -> &'static str {
    match row.max < TagOptions::default().max {
        true => {
            "raise its max with the column (`snowmint segment set STORE TAG --max NUMBER`), or create \
                 a new tag, which begins at 1 again, for another column"
        }
        false => "create a new tag, which begins at 1 again, for another column",
    }
}

fn near_its_end(row: &TagRow, is_over: bool, cure: &str) -> Finding {
    if is_over {
        let reached = match row.max {
            max if max >= TagOptions::default().max => format!("{MAX_NUMBER}, where numbers end"),
            max => format!("its max, {max}"),
        };
        let found = format!("{} has reached {reached}: no range is left", row.tag);
        return Finding::refused(TAGS, Code::TagExhausted, found, cure);
    }
    let left = match (row.ends() - row.next).div_ceil(row.stride.max(1)) {
        1 => "1 number is left".to_owned(),
        left => format!("{left} numbers are left"),
    };
    let found = format!("{} is at {}: {left}", row.tag, row.next);
    Finding::weaker(TAGS, found, cure)
}

/// Reports how many worker IDs of each realm are held, and how many are left.
pub(crate) fn of_workers(rows: Result<Vec<WorkerRow>>) -> Vec<Finding> {
    let rows = match rows {
        Ok(rows) => rows,
        Err(error) => return vec![Finding::failed(WORKERS, &error)],
    };
    let mut realms: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in &rows {
        let (held, known) = realms.entry(&row.realm).or_default();
        *held += u64::from(row.held);
        *known += 1;
    }
    if realms.is_empty() {
        return vec![Finding::ok(WORKERS, "none was ever leased")];
    }
    let named = realms.into_iter().take(NAMED_MAX);
    named.map(|(realm, (held, known))| of_realm(realm, held, known)).collect()
}

fn of_realm(realm: &str, held: u64, known: u64) -> Finding {
    let Some(possible) = possible(realm) else {
        let found = format!("{held} of {known} are held in {realm}, a realm of another's making");
        return Finding::ok(WORKERS, found);
    };
    let left = possible.saturating_sub(held);
    let found = format!("{held} of {possible} are held, and {left} left, in {realm}");
    let cure = "end what needs none (`snowmint worker list` shows who holds them), or take a layout \
                with more bits for worker IDs";
    match left {
        0 => Finding::refused(WORKERS, Code::WorkersExhausted, found, cure),
        _ if left * 100 < possible * LEFT_PERCENT => Finding::weaker(WORKERS, found, cure),
        _ => Finding::ok(WORKERS, found),
    }
}

/// Returns how many worker IDs a realm has, if the part before `@` is a layout's text.
fn possible(realm: &str) -> Option<u64> {
    let layout = names::layout(realm.rsplit_once('@')?.0).ok()?;
    Some(u64::from(layout.max_worker_id()) + 1)
}

/// The finding for a store without tables.
pub(crate) fn no_tables() -> Finding {
    let cure = "`snowmint migrate` makes them, or create=true in a URL: a key space of its own, which \
                repeats the IDs of every other";
    Finding::refused("tables", Code::StoreMissing, "there are none", cure)
}

/// Returns the finding of a question, or one that says that the question had no answer.
pub(crate) fn one(subject: &'static str, asked: Result<Finding>) -> Vec<Finding> {
    vec![asked.unwrap_or_else(|error| Finding::unseen(subject, &error))]
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Layout;

    use super::*;
    use crate::findings::Verdict;
    use crate::store::Tag;

    fn tag(next: u64) -> TagRow {
        TagRow::new(&Tag::new("orders").unwrap(), TagOptions::default().start(next))
    }

    #[test]
    fn a_tag_past_nine_tenths_is_near_its_end() {
        let edge = (u128::from(MAX_NUMBER) * USED_PERCENT / 100) as u64;
        for (next, verdict) in [
            (1, Verdict::Ok),
            (edge, Verdict::Ok),
            (edge + 1, Verdict::Weaker),
            (MAX_NUMBER - 1, Verdict::Weaker),
            (MAX_NUMBER, Verdict::Refused),
        ] {
            let findings = of_tags(Ok(vec![tag(1), tag(next)]));
            assert_eq!(findings.len(), 1);
            assert_eq!(findings[0].verdict, verdict, "{next}: {findings:?}");
        }
        let cure = |row| of_tags(Ok(vec![row])).remove(0).cure.unwrap();
        assert!(!cure(tag(MAX_NUMBER)).contains("max"));
        let bounded = TagRow::new(&Tag::new("a").unwrap(), TagOptions::default().start(95).max(99));
        assert!(cure(bounded).starts_with("raise its max"));
        assert_eq!(of_tags(Ok(vec![tag(MAX_NUMBER); 100])).len(), NAMED_MAX);
    }

    #[test]
    fn the_finding_on_tags_counts_numbers_left_and_tags_that_moved() {
        let found = |rows: Vec<TagRow>| of_tags(Ok(rows)).remove(0).found;
        assert!(found(vec![tag(MAX_NUMBER - 1)]).ends_with(": 1 number is left"));
        assert!(found(vec![tag(MAX_NUMBER - 2)]).ends_with(": 2 numbers are left"));
        let ended = found(vec![tag(MAX_NUMBER)]);
        assert!(ended.contains("has reached 9223372036854775807, where numbers end"), "{ended}");
        let moved = TagRow { moved_to: Some("sqlite:b.db".to_owned()), ..tag(MAX_NUMBER) };
        let gone = found(vec![moved.clone(), moved.clone()]);
        assert_eq!(gone, "there is none but 2 that moved to another store");
        assert!(found(vec![moved, tag(1)]).ends_with(", beside 1 that moved to another store"));
    }

    fn worker(realm: &str, worker_id: u32) -> WorkerRow {
        let owner = "a".to_owned();
        let realm = realm.to_owned();
        WorkerRow { realm, worker_id, owner, epoch: 1, reserved_ms: 9, expires_ms: 9, held: true }
    }

    #[test]
    fn worker_ids_are_counted_in_each_realm() {
        let realm = format!("{}@0/1", Layout::TWITTER);
        for (held, verdict) in [
            (1, Verdict::Ok),
            (921, Verdict::Ok),
            (922, Verdict::Weaker),
            (1023, Verdict::Weaker),
            (1024, Verdict::Refused),
        ] {
            let mut rows: Vec<_> = (0..held).map(|it| worker(&realm, it)).collect();
            rows.push(worker("\u{1b}[2J", 0));
            let findings = of_workers(Ok(rows));
            assert_eq!(findings.len(), 2, "{findings:?}");
            assert!(findings[0].found.contains(r"1 of 1 are held in \u{1b}[2J"), "{findings:?}");
            assert_eq!(findings[1].verdict, verdict, "{findings:?}");
            let says = format!("{held} of 1024 are held, and {} left", 1024 - held);
            assert!(findings[1].found.contains(&says), "{findings:?}");
        }
    }
}
