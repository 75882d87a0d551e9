//! Days of daily sources: a client names the day, and gets 1, 2, 3 …. A day is opened at its first
//! request, and only yesterday, today and tomorrow in the source's zone are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use snowmint::{Attempt, Daily, Error, Mint, Result, Source};
use tokio::task::spawn_blocking;

use super::NamedSource;
use crate::errors;
use crate::polling::{asked, until};

/// The pause between two looks at a day that is being opened.
const POLL: Duration = Duration::from_millis(5);
/// The pause before a day is opened again after a failure.
const REST: Duration = Duration::from_millis(100);

/// The days of a source that clients asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Days(Arc<Mutex<BTreeMap<u32, Day>>>);

#[derive(Debug)]
enum Day {
    /// A thread opens the day. Holds the error of an earlier try.
    Opening(Option<Error>),
    Open(Arc<NamedSource>),
    Failed(Error, Instant),
}

pub(crate) async fn day(named: &NamedSource, date: u32) -> Result<Arc<NamedSource>> {
    let (daily, near) = check(named, date)?;
    asked(until(daily.wait()), || named.days.poll(named, daily, date, near)).await
}

/// Returns the daily source and the days that it opens.
///
/// # Errors
/// [`snowmint::Code::Unsupported`] for a source without days; [`snowmint::Code::InvalidTime`] for a
/// day other than yesterday, today and tomorrow, so that clients cannot create any tag they like.
pub(crate) fn check(named: &NamedSource, date: u32) -> Result<(&Daily, [u32; 3])> {
    let Source::Daily(daily) = named.source()? else {
        return Err(errors::sources::source_without_days(&named.name));
    };
    let near = daily.days()?;
    if near.contains(&date) {
        Ok((daily, near))
    } else {
        Err(errors::sources::day_too_far(&named.name, date, near))
    }
}

impl Days {
    /// Returns a day that is open.
    pub(crate) fn present(&self, date: u32) -> Option<Arc<NamedSource>> {
        match self.lock().get(&date) {
            Some(Day::Open(day)) => Some(Arc::clone(day)),
            _ => None,
        }
    }

    fn poll(
        &self,
        named: &NamedSource,
        daily: &Daily,
        date: u32,
        near: [u32; 3],
    ) -> Result<Attempt<Arc<NamedSource>>> {
        let mut days = self.lock();
        let later = |pause, why: &Error| Ok(Attempt::Later { pause, why: why.clone() });
        let not_yet = || errors::sources::day_not_open(&named.name, date);
        let before = match days.get(&date) {
            Some(Day::Open(day)) => return Ok(Attempt::Done(Arc::clone(day))),
            Some(Day::Opening(Some(why))) => return later(POLL, why),
            Some(Day::Opening(None)) => return later(POLL, &not_yet()),
            Some(Day::Failed(why, since)) if since.elapsed() < REST => {
                return if why.is_transient() { later(REST, why) } else { Err(why.clone()) };
            }
            Some(Day::Failed(why, _)) => Some(why.clone()),
            None => None,
        };
        // Days that are over are dropped, and the numbers they still have are lost.
        days.retain(|kept, _| near.contains(kept));
        let why = before.clone().unwrap_or_else(not_yet);
        days.insert(date, Day::Opening(before));
        let (days, daily, of_day) = (self.clone(), daily.clone(), named.of_day(date));
        spawn_blocking(move || {
            let day = match daily.open_day(date) {
                Ok(segment) => Day::Open(Arc::new(of_day.on(Source::Segment(segment)))),
                Err(why) => Day::Failed(why, Instant::now()),
            };
            days.lock().insert(date, day);
        });
        Ok(Attempt::Later { pause: POLL, why })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u32, Day>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
