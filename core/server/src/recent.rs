//! The latest errors, in bounded space.

use std::sync::{Mutex, PoisonError};

use super::state::ErrorState;
use crate::moment::now_ms;

/// The limit of entries. Errors with the same code and source share one entry, which counts.
const MAX_KEPT: usize = 64;
/// The bytes of a message that are kept.
const MAX_DETAIL: usize = 400;

/// A few errors, the latest of each code and source.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<Vec<ErrorState>>);

/// An error to note.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted<'a> {
    pub(crate) code: Option<&'static str>,
    pub(crate) event: Option<&'static str>,
    pub(crate) source: Option<&'a str>,
    pub(crate) detail: &'a str,
}

impl Recent {
    pub(crate) fn note(&self, noted: Noted<'_>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |one: &&mut ErrorState| {
            (one.code, one.event, one.source.as_deref()) == (noted.code, noted.event, noted.source)
        };
        let (at_ms, detail) = (now_ms(), shortened(noted.detail));
        if let Some(same) = all.iter_mut().find(is_same) {
            (same.at_ms, same.count) = (at_ms, same.count.saturating_add(1));
            detail.clone_into(&mut same.detail);
            return;
        }
        if all.len() >= MAX_KEPT {
            let oldest = all.iter().enumerate().min_by_key(|(_, one)| one.at_ms);
            let oldest = oldest.map(|(place, _)| place).unwrap_or_default();
            all.swap_remove(oldest);
        }
        all.push(ErrorState {
            at_ms,
            count: 1,
            code: noted.code,
            event: noted.event,
            source: noted.source.map(str::to_owned),
            detail: detail.to_owned(),
        });
    }

    /// Merges the errors of several lists.
    pub(crate) fn of_all<'a>(several: impl Iterator<Item = &'a Recent>) -> Vec<ErrorState> {
        let mut all: Vec<ErrorState> = Vec::new();
        for recent in several {
            for one in &*recent.0.lock().unwrap_or_else(PoisonError::into_inner) {
                let is_same = |other: &&mut ErrorState| {
                    (other.code, other.event, &other.source) == (one.code, one.event, &one.source)
                };
                match all.iter_mut().find(is_same) {
                    Some(same) => {
                        let count = same.count.saturating_add(one.count);
                        if one.at_ms > same.at_ms {
                            *same = one.clone();
                        }
                        same.count = count;
                    }
                    None => all.push(one.clone()),
                }
            }
        }
        all.sort_by_key(|one| std::cmp::Reverse(one.at_ms));
        all.truncate(MAX_KEPT);
        all
    }
}

fn shortened(detail: &str) -> &str {
    let ends = detail.char_indices().map(|(at, symbol)| at + symbol.len_utf8());
    let end = ends.take_while(|end| *end <= MAX_DETAIL).last().unwrap_or_default();
    detail.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted<'a>(source: &'a str, detail: &'a str) -> Noted<'a> {
        Noted { code: Some("unknown_tag"), event: None, source: Some(source), detail }
    }

    #[test]
    fn the_same_of_the_same_source_is_one_that_counts() {
        let loops = [Recent::default(), Recent::default()];
        for (recent, detail) in [(&loops[0], "a"), (&loops[1], "b"), (&loops[0], "c")] {
            recent.note(noted("orders", detail));
        }
        loops[1].note(noted("users", "d"));
        let all = Recent::of_all(loops.iter());
        let counts: Vec<_> = all.iter().map(|it| (it.source.as_deref(), it.count)).collect();
        assert!(counts.contains(&(Some("orders"), 3)) && counts.contains(&(Some("users"), 1)));
        assert_eq!(counts.len(), 2);
    }

    #[test]
    fn a_flood_of_errors_keeps_the_last_ones_alone() {
        let recent = Recent::default();
        for number in 0..=MAX_KEPT {
            recent.note(noted(&number.to_string(), &"ä".repeat(MAX_DETAIL)));
        }
        let all = Recent::of_all([&recent].into_iter());
        assert_eq!(all.len(), MAX_KEPT);
        assert!(all.iter().any(|one| one.source == Some(MAX_KEPT.to_string())));
        assert!(all.iter().all(|one| one.detail.len() <= MAX_DETAIL));
    }
}
