//! Listeners that are called by a separate thread.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::{Event, Listening, on_event};
use crate::host::process::PerProcess;
use crate::host::threads;
use crate::panics::caught;

/// The number of events that wait for a listener; further events are lost.
const MAX_WAITING: usize = 256;

/// Like [`on_event`], for a listener that may block, such as a logger. A separate thread calls the
/// listener with one event after the other, in their order.
///
/// The thread starts with an event and ends when none is left. A listener that hangs delays only
/// itself: up to 256 events wait for it, and further events are lost. Waiting events are also lost
/// when the process ends or the returned handle is dropped.
pub fn on_event_aside(listener: impl Fn(&Event) + Send + Sync + 'static) -> Listening {
    let aside = Arc::new(Aside { listener: Box::new(listener), mail: PerProcess::new() });
    on_event(move |event| aside.post(event))
}

struct Aside {
    listener: Box<dyn Fn(&Event) + Send + Sync>,
    /// Per process, so that a forked child begins without its parent's events.
    mail: PerProcess<Mutex<Mail>>,
}

#[derive(Default)]
struct Mail {
    waiting: VecDeque<Event>,
    /// True while there is a thread.
    is_read: bool,
}

impl Aside {
    fn post(self: &Arc<Self>, event: &Event) {
        let mail = self.mail.get_or_init(Mutex::default);
        let mut mail = lock(&mail);
        if mail.waiting.len() < MAX_WAITING {
            mail.waiting.push_back(event.clone());
        }
        if !mail.is_read {
            let reader = Arc::downgrade(self);
            // After a failed start, the next event tries again.
            mail.is_read = threads::start("snowmint-events", move || read(&reader)).is_ok();
        }
    }

    fn next(&self) -> Option<Event> {
        let mail = self.mail.get_or_init(Mutex::default);
        let mut mail = lock(&mail);
        let event = mail.waiting.pop_front();
        mail.is_read = event.is_some();
        event
    }
}

/// Calls the listener until no event waits or the listener is removed.
fn read(aside: &Weak<Aside>) {
    while let Some(aside) = aside.upgrade()
        && let Some(event) = aside.next()
    {
        caught(|| (aside.listener)(&event)).ok();
    }
}

fn lock(mail: &Mutex<Mail>) -> MutexGuard<'_, Mail> {
    mail.lock().unwrap_or_else(PoisonError::into_inner)
}
