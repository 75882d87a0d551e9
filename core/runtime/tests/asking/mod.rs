//! The requests and waits that the tests of all databases share.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use snowmint::doctor::{Finding, Verdict, examine};
use snowmint::{
    Allocation, AllocationRequest, Call, Code, LeaseRequest, Random as _, Result, SegmentStore,
    System, Tag, open_store,
};

pub(crate) mod certificates;
#[cfg(unix)]
pub(crate) mod children;
pub(crate) mod crowds;
pub(crate) mod moves;
#[cfg(unix)]
pub(crate) mod parents;

pub(crate) fn orders() -> Tag {
    Tag::new("orders").unwrap()
}

pub(crate) fn call(within: Duration) -> Call {
    Call::new(within, System.token().unwrap())
}

pub(crate) fn long() -> Call {
    call(Duration::from_secs(60))
}

/// The next range, by a call that may take so long.
pub(crate) fn take_within(store: &dyn SegmentStore, within: Duration) -> Result<Allocation> {
    let request = AllocationRequest::new(orders(), None);
    store.allocate(&[request], &call(within))?.pop().unwrap()
}

/// The first number of the next range.
pub(crate) fn take(store: &dyn SegmentStore) -> Result<u64> {
    Ok(take_within(store, Duration::from_secs(60))?.range.start())
}

/// One of the layout that sources have unless told otherwise.
#[allow(dead_code, reason = "of stores with sessions alone")]
pub(crate) fn of_sources(owner: &str) -> LeaseRequest {
    changed(request(owner), |it| it.realm = snowmint::Layout::TWITTER.to_string())
}

pub(crate) fn request(owner: &str) -> LeaseRequest {
    changed(LeaseRequest::new("realm", owner), |it| it.max_worker_id = 1023)
}

/// The same but for a part.
pub(crate) fn changed<T>(mut it: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut it);
    it
}

#[track_caller]
pub(crate) fn refused<T: Debug>(result: Result<T>, code: Code) -> String {
    let error = result.expect_err("this should have been refused");
    assert_eq!(error.code(), code, "{error}");
    error.to_string()
}

/// Whatever opening a store refuses, the doctor refuses by the same code.
#[track_caller]
pub(crate) fn refused_to_open(url: &str, code: Code) -> String {
    examined(url).refuses_by(code);
    refused(open_store(url).map(drop), code)
}

/// Repeats a call that a server answers in the end, even if the machine is busy at first.
pub(crate) fn patiently<T>(mut ask: impl FnMut() -> Result<T>) -> T {
    let began = Instant::now();
    loop {
        match ask() {
            Err(error) if error.is_transient() && began.elapsed() < Duration::from_secs(120) => {}
            done => return done.unwrap(),
        }
    }
}

/// Waits until it is so; what never is ends the test.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what} never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Ends what goes on, also where the test fails.
pub(crate) struct Until<'a>(pub(crate) &'a AtomicBool);

impl Drop for Until<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// The doctor's findings about a store, by subject.
pub(crate) struct Findings(Vec<Finding>);

pub(crate) fn examined(url: &str) -> Findings {
    Findings(examine(url).unwrap())
}

impl Findings {
    /// Checks a finding, which has a part of this text, or its cure has. What is not ok has a cure, or
    /// a code that names one.
    #[track_caller]
    pub(crate) fn has(&self, subject: &str, verdict: Verdict, says: &str) -> &Findings {
        let finding = self.0.iter().find(|it| it.subject == subject);
        let finding = finding.unwrap_or_else(|| panic!("no {subject} in {:?}", self.0));
        assert_eq!(finding.verdict, verdict, "{finding:?}");
        let cure = finding.cure.as_deref().unwrap_or_default();
        assert!(finding.found.contains(says) || cure.contains(says), "no {says:?} in {finding:?}");
        let is_fine = verdict == Verdict::Ok || !cure.is_empty() || finding.code.is_some();
        assert!(is_fine || verdict == Verdict::Unseen, "{finding:?}");
        self
    }

    /// Checks that a finding says so.
    #[track_caller]
    pub(crate) fn says(&self, part: &str) -> &Findings {
        assert!(self.0.iter().any(|it| it.found.contains(part)), "no {part:?} in {:?}", self.0);
        self
    }

    /// Checks that something is refused by that code.
    #[track_caller]
    pub(crate) fn refuses_by(&self, code: Code) -> &Findings {
        let is_refused = |it: &Finding| it.verdict == Verdict::Refused && it.code == Some(code);
        assert!(self.0.iter().any(is_refused), "no {code} in {:?}", self.0);
        self
    }

    /// Checks that nothing is refused but these.
    #[track_caller]
    pub(crate) fn refuses(&self, subjects: &[&str]) -> &Findings {
        let refused = self.0.iter().filter(|it| it.verdict == Verdict::Refused);
        let refused: Vec<_> = refused.map(|it| it.subject).collect();
        assert_eq!(refused, subjects, "{:?}", self.0);
        self
    }
}
