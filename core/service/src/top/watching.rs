//! The screen: drawn whenever there is something new, or a key was pressed.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyModifiers};
use snowmint::{Code, Error, Result};
use tokio::runtime::Runtime;
use tokio::time::sleep;

use super::asking;
use super::draw::{News, draw};
use super::place::Place;
use super::signals::{Signal, Signals};
use super::state::State;
use super::tables::{Headline, sheets};
use super::view::View;
use crate::exit::Done;

/// How long a key waits until it is heard, at most.
const LISTENS_FOR: Duration = Duration::from_millis(50);

/// So long the screen has to put the terminal right.
const ENDS_WITHIN: Duration = Duration::from_secs(2);

/// A server that takes longer for its answer is said to be late: what is shown is older by so much.
const LATE_AFTER: Duration = Duration::from_secs(1);

/// What comes from the thread that asks.
enum Told {
    Of(Result<Box<State>>),
    /// Before the process does what it says, the terminal has to be put right.
    By(Signal),
}

/// Shows the server until a person or a signal ends it. `first` was asked before, so that what is
/// wrong from the beginning is told without a screen.
pub(super) fn watch(runtime: Runtime, place: Place, first: State, interval: Duration) -> Done {
    let (news, told) = channel();
    let asked = place.clone();
    // Before anything is shown: whoever sees it may send one.
    let signals = {
        let _context = runtime.enter();
        Signals::take()
    };
    let asker = thread::Builder::new().name("snowmint-top".to_owned());
    let spawned = asker.spawn(move || ask_to_the_end(&runtime, &asked, interval, signals, &news));
    spawned.map_err(|error| {
        Error::new(Code::NoResource, "no thread can be started").caused_by(error)
    })?;
    let mut screen = Screen::new(place, first, interval + LATE_AFTER);
    let mut terminal = ratatui::try_init()?;
    let shown = screen.show(&mut terminal, &told);
    ratatui::try_restore()?;
    Ok(shown?)
}

/// Asks until nobody looks any more, and then ends the process if it does not end by itself: who
/// waits for a key of a terminal that is gone waits for ever, and busily.
fn ask_to_the_end(
    runtime: &Runtime,
    place: &Place,
    interval: Duration,
    signals: Signals,
    news: &Sender<Told>,
) {
    runtime.block_on(ask(place, interval, signals, news));
    thread::sleep(ENDS_WITHIN);
    std::process::exit(0);
}

/// Asks again and again, until nobody looks any more.
async fn ask(place: &Place, interval: Duration, mut signals: Signals, news: &Sender<Told>) {
    loop {
        let mut asked = std::pin::pin!(async {
            sleep(interval).await;
            asking::state(place).await
        });
        let state = loop {
            let signal = tokio::select! {
                state = &mut asked => break state,
                signal = signals.next() => signal,
            };
            if news.send(Told::By(signal)).is_err() || signal == Signal::End {
                return;
            }
        };
        if news.send(Told::Of(state.map(Box::new))).is_err() {
            return;
        }
    }
}

struct Screen {
    place: Place,
    headline: Headline,
    before: State,
    trouble: Option<String>,
    /// How long the server may be silent before that is told.
    patience: Duration,
    /// When it last answered, or failed.
    heard: Instant,
    is_late: bool,
    view: View,
}

impl Screen {
    fn new(place: Place, first: State, patience: Duration) -> Screen {
        let headline = Headline::of(&place, &first, None);
        let mut view = View::default();
        view.take(sheets(&first, None));
        let (trouble, heard) = (None, Instant::now());
        Screen { place, headline, before: first, trouble, patience, heard, is_late: false, view }
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
                if is_stop(key) {
                    step_aside(terminal)?;
                }
                self.view.press(key);
            }
            for told in told.try_iter() {
                match told {
                    Told::By(Signal::End) => self.view.is_over = true,
                    Told::By(Signal::Stop) => step_aside(terminal)?,
                    Told::By(Signal::Continue) => take_again(terminal)?,
                    Told::Of(state) => self.hear(state),
                }
                is_new = true;
            }
            is_new |= self.grow_old();
        }
        Ok(())
    }

    fn hear(&mut self, told: Result<Box<State>>) {
        (self.heard, self.is_late) = (Instant::now(), false);
        match told {
            Err(error) => self.trouble = Some(error.to_string()),
            Ok(state) => {
                self.trouble = None;
                self.headline = Headline::of(&self.place, &state, Some(&self.before));
                self.view.take(sheets(&state, Some(&self.before)));
                self.before = *state;
            }
        }
    }

    /// Tells of a server that is silent before it is given up; whether that is news.
    fn grow_old(&mut self) -> bool {
        let silent = self.heard.elapsed();
        if silent < self.patience || (self.trouble.is_some() && !self.is_late) {
            return false;
        }
        let text = format!("{} has not answered for {} s", self.place.text, silent.as_secs());
        let is_new = self.trouble.as_ref() != Some(&text);
        (self.trouble, self.is_late) = (Some(text), true);
        is_new
    }
}

/// In raw mode Ctrl-Z is a key like any other.
fn is_stop(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('z') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Gives the terminal back while the process is stopped, as a shell expects.
#[cfg(unix)]
fn step_aside(terminal: &mut DefaultTerminal) -> io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};
    ratatui::try_restore()?;
    kill_process(getpid(), Signal::STOP)?;
    *terminal = ratatui::try_init()?;
    Ok(())
}

/// Nothing else stops here.
#[cfg(not(unix))]
fn step_aside(_: &mut DefaultTerminal) -> io::Result<()> {
    Ok(())
}

/// Whoever had the terminal meanwhile left it as they liked.
fn take_again(terminal: &mut DefaultTerminal) -> io::Result<()> {
    ratatui::try_restore()?;
    *terminal = ratatui::try_init()?;
    Ok(())
}
