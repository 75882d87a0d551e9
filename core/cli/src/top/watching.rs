//! The screen, drawn again for each new state or key.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyModifiers};
use snowmint::Result;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use super::asking;
use super::draw::{News, draw};
use super::endpoint::Endpoint;
use super::signals::{Signal, Signals};
use super::state::State;
use super::tables::{Headline, sheets};
use super::view::View;
use crate::errors;
use crate::exit::Done;

/// The longest delay before a key is handled.
const LISTENS_FOR: Duration = Duration::from_millis(50);

/// The time that the screen gets to restore the terminal.
const ENDS_WITHIN: Duration = Duration::from_secs(2);

/// An answer that takes longer than this is shown as late.
const LATE_AFTER: Duration = Duration::from_secs(1);

/// A message from the thread that asks the server.
enum Message {
    State(Result<Box<State>>),
    /// A signal. The terminal must be restored before it takes effect.
    Signal(Signal),
}

/// Shows the server until the user or a signal ends it. `first` was requested before, so that an
/// error at the start is printed without a screen.
pub(super) fn watch(
    runtime: Runtime,
    endpoint: Endpoint,
    first: State,
    interval: Duration,
) -> Done {
    let (news, told) = channel();
    let asked = endpoint.clone();
    // Handled before anything is shown, because the user may send a signal from then on.
    let signals = {
        let _context = runtime.enter();
        Signals::take()
    };
    let asker = thread::Builder::new().name("snowmint-top".to_owned());
    let spawned = asker.spawn(move || ask_to_the_end(&runtime, &asked, interval, signals, &news));
    spawned.map_err(errors::thread_not_started)?;
    let mut screen = Screen::new(endpoint, first, interval + LATE_AFTER);
    let mut terminal = ratatui::try_init()?;
    let shown = screen.show(&mut terminal, &told);
    ratatui::try_restore()?;
    Ok(shown?)
}

/// Asks until the screen has ended. Then ends the process if it does not end by itself, because
/// waiting for a key from a closed terminal would spin for ever.
fn ask_to_the_end(
    runtime: &Runtime,
    endpoint: &Endpoint,
    interval: Duration,
    signals: Signals,
    news: &Sender<Message>,
) {
    runtime.block_on(ask(endpoint, interval, signals, news));
    thread::sleep(ENDS_WITHIN);
    std::process::exit(0);
}

/// Asks again and again, until the screen has ended.
async fn ask(
    endpoint: &Endpoint,
    interval: Duration,
    mut signals: Signals,
    news: &Sender<Message>,
) {
    loop {
        let mut asked = std::pin::pin!(async {
            sleep(interval).await;
            asking::state(endpoint).await
        });
        let state = loop {
            let signal = tokio::select! {
                state = &mut asked => break state,
                signal = signals.next() => signal,
            };
            if news.send(Message::Signal(signal)).is_err() || signal == Signal::End {
                return;
            }
        };
        if news.send(Message::State(state.map(Box::new))).is_err() {
            return;
        }
    }
}

struct Screen {
    endpoint: Endpoint,
    headline: Headline,
    before: State,
    trouble: Option<String>,
    /// The screen reports a server that is silent for longer than this.
    patience: Duration,
    /// The time of the last answer or failure.
    heard: Instant,
    is_late: bool,
    view: View,
}

impl Screen {
    fn new(endpoint: Endpoint, first: State, patience: Duration) -> Screen {
        let headline = Headline::new(&endpoint, &first, None);
        let mut view = View::default();
        view.take(sheets(&first, None));
        let (trouble, heard) = (None, Instant::now());
        Screen { endpoint, headline, before: first, trouble, patience, heard, is_late: false, view }
    }

    fn show(&mut self, terminal: &mut DefaultTerminal, told: &Receiver<Message>) -> io::Result<()> {
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
                    Message::Signal(Signal::End) => self.view.is_over = true,
                    Message::Signal(Signal::Stop) => step_aside(terminal)?,
                    Message::Signal(Signal::Continue) => take_again(terminal)?,
                    Message::State(state) => self.hear(state),
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
                self.headline = Headline::new(&self.endpoint, &state, Some(&self.before));
                self.view.take(sheets(&state, Some(&self.before)));
                self.before = *state;
            }
        }
    }

    /// Reports a server that is silent, before the request times out. Returns true if the message
    /// is new.
    fn grow_old(&mut self) -> bool {
        let silent = self.heard.elapsed();
        if silent < self.patience || (self.trouble.is_some() && !self.is_late) {
            return false;
        }
        let text = format!("{} has not answered for {} s", self.endpoint.text, silent.as_secs());
        let is_new = self.trouble.as_ref() != Some(&text);
        (self.trouble, self.is_late) = (Some(text), true);
        is_new
    }
}

/// Returns true for Ctrl-Z, which raw mode delivers as a key.
fn is_stop(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('z') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Restores the terminal while the process is stopped, as a shell expects.
#[cfg(unix)]
fn step_aside(terminal: &mut DefaultTerminal) -> io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};
    ratatui::try_restore()?;
    kill_process(getpid(), Signal::STOP)?;
    *terminal = ratatui::try_init()?;
    Ok(())
}

/// Other systems cannot stop a process.
#[cfg(not(unix))]
fn step_aside(_: &mut DefaultTerminal) -> io::Result<()> {
    Ok(())
}

/// Sets up the terminal again, because another program may have changed it.
fn take_again(terminal: &mut DefaultTerminal) -> io::Result<()> {
    ratatui::try_restore()?;
    *terminal = ratatui::try_init()?;
    Ok(())
}
