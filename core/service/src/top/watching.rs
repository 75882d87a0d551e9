//! The screen: drawn whenever there is something new, or a key was pressed.

use std::future::pending;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event};
use snowmint::{Code, Error, Result};
use tokio::runtime::Runtime;
use tokio::time::sleep;

use super::asking;
use super::draw::{News, draw};
use super::place::Place;
use super::state::State;
use super::tables::{Headline, sheets};
use super::view::View;
use crate::exit::Done;

/// How long a key waits until it is heard, at most.
const LISTENS_FOR: Duration = Duration::from_millis(50);

/// So long the screen has to put the terminal right.
const ENDS_WITHIN: Duration = Duration::from_secs(2);

/// What comes from the thread that asks.
enum Told {
    Of(Result<Box<State>>),
    /// The process was told to end: the terminal has to be put right before.
    End,
}

/// Shows the server until a person or a signal ends it. `first` was asked before, so that what is
/// wrong from the beginning is told without a screen.
pub(super) fn watch(runtime: Runtime, place: Place, first: State, interval: Duration) -> Done {
    let (news, told) = channel();
    let asked = place.clone();
    let asker = thread::Builder::new().name("snowmint-top".to_owned());
    let spawned = asker.spawn(move || ask_to_the_end(&runtime, &asked, interval, &news));
    spawned.map_err(|error| {
        Error::new(Code::NoResource, "no thread can be started").caused_by(error)
    })?;
    let mut screen = Screen::new(place, first);
    let mut terminal = ratatui::try_init()?;
    let shown = screen.show(&mut terminal, &told);
    ratatui::try_restore()?;
    Ok(shown?)
}

/// Asks until nobody looks any more, and then ends the process if it does not end by itself: who
/// waits for a key of a terminal that is gone waits for ever, and busily.
fn ask_to_the_end(runtime: &Runtime, place: &Place, interval: Duration, news: &Sender<Told>) {
    runtime.block_on(ask(place, interval, news));
    thread::sleep(ENDS_WITHIN);
    std::process::exit(0);
}

/// Asks again and again, until nobody looks any more.
async fn ask(place: &Place, interval: Duration, news: &Sender<Told>) {
    let mut ends = std::pin::pin!(told_to_end());
    loop {
        let asked = async {
            sleep(interval).await;
            asking::state(place).await
        };
        let told = tokio::select! {
            state = asked => Told::Of(state.map(Box::new)),
            () = &mut ends => Told::End,
        };
        let is_end = matches!(told, Told::End);
        if news.send(told).is_err() || is_end {
            return;
        }
    }
}

/// Until a signal ends the process.
#[cfg(unix)]
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let [terminate, interrupt, hangup] = kinds.map(signal);
    let (Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)) = (terminate, interrupt, hangup)
    else {
        // The system has its own way to end it then.
        return pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
    }
}

#[cfg(not(unix))]
async fn told_to_end() {
    if tokio::signal::ctrl_c().await.is_err() {
        pending().await
    }
}

struct Screen {
    place: Place,
    headline: Headline,
    before: State,
    trouble: Option<String>,
    view: View,
}

impl Screen {
    fn new(place: Place, first: State) -> Screen {
        let headline = Headline::of(&place, &first, None);
        let mut view = View::default();
        view.take(sheets(&first, None));
        Screen { place, headline, before: first, trouble: None, view }
    }

    fn show(&mut self, terminal: &mut DefaultTerminal, told: &Receiver<Told>) -> io::Result<()> {
        let mut is_new = true;
        while !self.view.is_over {
            if is_new {
                let news = News { headline: &self.headline, trouble: self.trouble.as_deref() };
                terminal.draw(|frame| draw(frame, &news, &mut self.view))?;
            }
            is_new = event::poll(LISTENS_FOR)?;
            if is_new && let Event::Key(key) = event::read()? {
                self.view.press(key);
            }
            for told in told.try_iter() {
                self.hear(told);
                is_new = true;
            }
        }
        Ok(())
    }

    fn hear(&mut self, told: Told) {
        match told {
            Told::End => self.view.is_over = true,
            Told::Of(Err(error)) => self.trouble = Some(error.to_string()),
            Told::Of(Ok(state)) => {
                self.trouble = None;
                self.headline = Headline::of(&self.place, &state, Some(&self.before));
                self.view.take(sheets(&state, Some(&self.before)));
                self.before = *state;
            }
        }
    }
}
