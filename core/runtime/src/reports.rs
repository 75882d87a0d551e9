//! Events of one store's sources, collected under locks and delivered without.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use snowmint_engine::{Code, CodeGroup, Layout, Timestamp};

use crate::error::{Error, Result, escaped};
use crate::events::{Event, EventKind, deliver};
use crate::host::Clock;
use crate::retry::{MENDED_MAX_MS, said_ms};
use crate::store::Tag;

/// After this time without a failed call, a success of any source ends the outage. It is longer
/// than a source waits before it tries again after a failure.
const QUIET_MS: i64 = 2_000;
/// The corresponding time after a failure that an operator has to mend.
const MENDED_QUIET_MS: i64 = MENDED_MAX_MS + QUIET_MS;
/// The time before its end at which a layout is reported, because changing a layout takes long.
const EXPIRES_WITHIN_MS: i64 = 365 * 86_400_000;

/// The source that an event is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subject {
    pub(crate) source: &'static str,
    pub(crate) tag: Option<String>,
    pub(crate) worker_id: Option<u32>,
    /// True if the source has something reserved to go on with while its store fails.
    pub(crate) has_reserve: bool,
    /// True if this is only a look at the store, which can succeed while ranges are refused.
    pub(crate) is_look: bool,
}

impl Subject {
    /// A source with a worker ID has time reserved.
    pub(crate) fn of_worker(worker_id: Option<u32>) -> Subject {
        let has_reserve = worker_id.is_some();
        Subject { source: "snowflake", worker_id, has_reserve, ..Subject::default() }
    }

    pub(crate) fn of_tag(source: &'static str, tag: &Tag, has_reserve: bool) -> Subject {
        let tag = Some(tag.as_str().to_owned());
        Subject { source, tag, has_reserve, ..Subject::default() }
    }

    /// Marks the source as looking at the store.
    pub(crate) fn looking(self) -> Subject {
        Subject { is_look: true, ..self }
    }

    pub(crate) fn event(
        &self,
        kind: EventKind,
        code: Option<Code>,
        message: &str,
        unix_ms: i64,
    ) -> Event {
        let Subject { source, tag, worker_id, .. } = self.clone();
        let message = escaped(message).into_owned();
        Event { kind, source, tag, worker_id, code, message, unix_ms }
    }

    fn fails(&self, failure: &Error, unix_ms: i64) -> Event {
        let meanwhile = if self.has_reserve {
            "its sources go on with what they have reserved"
        } else {
            "this source has nothing reserved"
        };
        // Only a call makes a scheduler ask for a section of keys.
        let again = if self.source == "sequences" { "when next called" } else { "by itself" };
        let message = format!(
            "the store fails; {meanwhile}, and it is asked again {again}: see that it runs and can be \
             reached: {failure}"
        );
        self.event(EventKind::StoreDown, Some(failure.code()), &message, unix_ms)
    }

    /// The event of a store that gave numbers it had given before.
    pub(crate) fn fenced(&self, why: &Error, can_be_raised: bool, unix_ms: i64) -> Event {
        let (tag, source) = (self.tag(), self.source);
        let anew = if source == "sequences" { " and open the sequences anew" } else { "" };
        let cure = if can_be_raised {
            format!(
                "raise the tag above all that were ever issued, by `snowmint segment raise STORE {tag} \
                 --next NUMBER` where a URL reaches the store, else by the store itself{anew}"
            )
        } else {
            format!(
                "raise what is next where the tag is kept, above all that were ever issued, and open \
                 the {source} anew"
            )
        };
        let message = format!(
            "the store went back to numbers of tag {tag:?} that it had given before, and no more \
             of them are minted; {cure}: {why}"
        );
        self.event(EventKind::Fenced, Some(why.code()), &message, unix_ms)
    }

    pub(crate) fn raised(&self, next: u64, unix_ms: i64) -> Event {
        let message = format!("tag {:?} was raised to {next}, and is minted again", self.tag());
        self.event(EventKind::Unfenced, None, &message, unix_ms)
    }

    fn tag(&self) -> &str {
        self.tag.as_deref().unwrap_or_default()
    }
}

/// The undelivered events of a store's sources, and the store's outage, if it has one.
#[derive(Default)]
pub(crate) struct Reports {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: Vec<Event>,
    down: Option<Outage>,
}

struct Outage {
    since_boot_ms: i64,
    /// The message of the first failure, which names the store.
    failure: String,
    /// The source and tag of the last failed call.
    source: &'static str,
    tag: Option<String>,
    is_of_look: bool,
    last_boot_ms: i64,
    /// The time after the last failure, in milliseconds, in which only the source that failed can
    /// end the outage.
    quiet_ms: i64,
}

impl Reports {
    /// Notes an event. The caller may hold any lock.
    pub(crate) fn note(&self, event: Event) {
        self.state().waiting.push(event);
    }

    /// Notes the outcome of a call of the store. It is an event if it begins or ends an outage.
    ///
    /// A store may fail for one of its sources only. While calls of that source fail, successful
    /// calls of others do not end the outage, nor do looks at the store, so events do not
    /// alternate.
    pub(crate) fn judge<T>(&self, subject: &Subject, called: &Result<T>, clock: &dyn Clock) {
        let boot_ms = clock.boot_ms();
        let mut state = self.state();
        let State { waiting, down } = &mut *state;
        match Verdict::new(called.as_ref().err()) {
            Verdict::Silent => {}
            Verdict::Failed(failure) => {
                if down.is_none() {
                    waiting.push(subject.fails(failure, clock.now_ms()));
                }
                down.get_or_insert_with(|| Outage::new(failure, boot_ms))
                    .goes_on(subject, failure, boot_ms);
            }
            Verdict::Answered => {
                if let Some(over) = down.take_if(|down| down.ends_by(subject, boot_ms)) {
                    let lasted_ms = boot_ms.saturating_sub(over.since_boot_ms);
                    let message = format!(
                        "the store answers again, after {lasted_ms} ms of: {}",
                        over.failure
                    );
                    let back = EventKind::StoreBack;
                    waiting.push(subject.event(back, None, &message, clock.now_ms()));
                }
            }
        }
    }

    /// Delivers the noted events. The caller must hold no lock.
    pub(crate) fn deliver(&self) {
        let waiting = mem::take(&mut self.state().waiting);
        waiting.iter().for_each(deliver);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outage {
    fn new(failure: &Error, boot_ms: i64) -> Outage {
        Outage {
            since_boot_ms: boot_ms,
            failure: failure.to_string(),
            source: "",
            tag: None,
            is_of_look: false,
            last_boot_ms: boot_ms,
            quiet_ms: 0,
        }
    }

    /// A call of this source has failed.
    fn goes_on(&mut self, subject: &Subject, failure: &Error, boot_ms: i64) {
        (self.source, self.tag) = (subject.source, subject.tag.clone());
        (self.is_of_look, self.last_boot_ms) = (subject.is_look, boot_ms);
        let quiet_ms = if failure.is_transient() { QUIET_MS } else { MENDED_QUIET_MS };
        self.quiet_ms = quiet_ms.max(said_ms(failure) + QUIET_MS);
    }

    fn ends_by(&self, subject: &Subject, boot_ms: i64) -> bool {
        let is_same = (self.source, &self.tag) == (subject.source, &subject.tag);
        is_same && (self.is_of_look || !subject.is_look)
            || boot_ms.saturating_sub(self.last_boot_ms) >= self.quiet_ms
    }
}

/// The meaning of a call's outcome for the state of the store.
enum Verdict<'a> {
    Answered,
    Failed(&'a Error),
    /// It says nothing about the store.
    Silent,
}

impl<'a> Verdict<'a> {
    fn new(failure: Option<&'a Error>) -> Verdict<'a> {
        let Some(failure) = failure else { return Verdict::Answered };
        match (failure.code(), failure.code().group()) {
            (Code::NoResource, _) => Verdict::Silent,
            (_, CodeGroup::Store) => Verdict::Failed(failure),
            (Code::LeaseLost | Code::WorkersExhausted, _) | (_, CodeGroup::Segment) => {
                Verdict::Answered
            }
            _ => Verdict::Silent,
        }
    }
}

pub(crate) fn expires_soon(subject: &Subject, layout: &Layout, now_ms: i64) -> Option<Event> {
    let expires_ms = layout.expires_ms();
    if expires_ms.saturating_sub(now_ms) >= EXPIRES_WITHIN_MS {
        return None;
    }
    let message = format!(
        "the layout's time field runs out at {}, and from then on no ID is minted: change to a \
         layout with more time bits before",
        Timestamp(expires_ms)
    );
    Some(subject.event(EventKind::ExpiresSoon, None, &message, now_ms))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::host::manual::Manual;

    /// The kinds of the events since the last call.
    fn told(reports: &Reports) -> Vec<EventKind> {
        mem::take(&mut reports.state().waiting).iter().map(|event| event.kind).collect()
    }

    fn of_tag(name: &str, has_reserve: bool) -> Subject {
        Subject::of_tag("segment", &Tag::new(name).unwrap(), has_reserve)
    }

    fn fails() -> Result<()> {
        Err(Error::new(Code::StoreUnavailable, "no answer"))
    }

    #[test]
    fn an_outage_is_told_when_it_begins_and_when_it_ends() {
        let (reports, clock) = (Reports::default(), Manual::default());
        let lease = Subject::of_worker(Some(7));
        reports.judge(&lease, &Ok(()), &clock);
        assert_eq!(told(&reports), []);
        reports.judge(&lease, &fails(), &clock);
        reports.judge(&lease, &fails(), &clock);
        assert_eq!(told(&reports), [EventKind::StoreDown]);
        let nothing: Result<()> = Err(Error::new(Code::NoResource, "no random numbers"));
        reports.judge(&lease, &nothing, &clock);
        assert_eq!(told(&reports), []);
        let refused: Result<()> = Err(Error::new(Code::WorkersExhausted, "all are held"));
        reports.judge(&lease, &refused, &clock);
        reports.judge(&lease, &Ok(()), &clock);
        assert!(reports.state().waiting[0].message.ends_with(" ms of: no answer"), "which store");
        assert_eq!(told(&reports), [EventKind::StoreBack]);
    }

    #[test]
    fn a_report_tells_whether_its_subject_has_a_reserve() {
        let subjects = [
            (of_tag("a", true), true),
            (of_tag("a", false), false),
            (Subject::of_worker(Some(7)), true),
            (Subject::of_worker(None), false),
        ];
        for (subject, has_reserve) in subjects {
            let (reports, clock) = (Reports::default(), Manual::default());
            reports.judge(&subject, &fails(), &clock);
            let message = reports.state().waiting.remove(0).message;
            let expected =
                if has_reserve { "go on with what they have" } else { "nothing reserved" };
            assert!(message.contains(expected), "{message}");
        }
    }

    /// Otherwise the events would alternate as the calls do.
    #[test]
    fn a_store_that_fails_one_source_alone_is_one_outage() {
        for (code, has_reserve, said_ms, quiet_ms) in [
            (Code::StoreUnavailable, true, 0, QUIET_MS),
            (Code::StoreDenied, true, 0, MENDED_QUIET_MS),
            (Code::StoreDenied, false, 0, MENDED_QUIET_MS),
            (Code::Overloaded, true, 40_000, 40_000 + QUIET_MS),
        ] {
            let (reports, clock) = (Reports::default(), Manual::default());
            let [refused, served] = ["a", "b"].map(|name| of_tag(name, has_reserve));
            let fails: Result<()> = Err(Error::new(code, "no answer").ask_again_in(said_ms));
            for _ in 0..5 {
                reports.judge(&refused, &fails, &clock);
                clock.0.fetch_add(quiet_ms - 1, Ordering::Relaxed);
                reports.judge(&served, &Ok(()), &clock);
                reports.judge(&refused.clone().looking(), &Ok(()), &clock);
            }
            assert_eq!(told(&reports), [EventKind::StoreDown]);
            // The failed source has stopped asking, so a success of another one ends the outage.
            clock.0.fetch_add(1, Ordering::Relaxed);
            reports.judge(&served, &Ok(()), &clock);
            assert_eq!(told(&reports), [EventKind::StoreBack]);
        }
    }

    #[test]
    fn an_outage_that_a_look_found_ends_by_a_look_or_a_call() {
        let (reports, clock) = (Reports::default(), Manual::default());
        let calls = of_tag("a", true);
        let looks = calls.clone().looking();
        for ends in [&looks, &calls] {
            reports.judge(&looks, &fails(), &clock);
            reports.judge(ends, &Ok(()), &clock);
            assert_eq!(told(&reports), [EventKind::StoreDown, EventKind::StoreBack]);
        }
    }
}
