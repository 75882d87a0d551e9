//! The runtime's error: a code of the engine's table, a message, and a cause.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use snowmint_engine::{Code, CodeGroup};

/// A failed call. Nothing was issued.
///
/// The source goes on working, unless it is closed, its ranges went back ([`Code::RangeRegressed`])
/// or its state file is gone ([`Code::StateMissing`]). Nor does it if its worker ID or its store in
/// memory belongs to another process ([`Code::Forked`], [`Code::StoreUnavailable`]). Open it again
/// then.
///
/// The code is the same in every language. The message is one line and says what was wrong and what
/// would be right. Texts of users, stores and files in it are [`escaped`]; the text of a cause is
/// as its library made it. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Error {
    code: Code,
    message: Arc<str>,
    wait_ms: Option<u64>,
    is_final: bool,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The result of this crate's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The number of bytes of a long message that are kept at each end.
const END_BYTES: usize = 1_000;

/// Returns true if trying again may succeed after an error with this code.
pub(crate) fn is_transient(code: Code) -> bool {
    matches!(
        code,
        Code::ClockBehind
            | Code::SequenceExhausted
            | Code::GrantExhausted
            | Code::WaitTimeout
            | Code::Empty
            | Code::WorkersExhausted
            | Code::LeaseLost
            | Code::LeaseUnavailable
            | Code::StoreLocked
            | Code::StoreUnavailable
            | Code::OutcomeUnknown
            | Code::Overloaded
            | Code::InvalidAnswer
            | Code::NoResource
    )
}

impl Error {
    /// Creates an error with a code and a message, which is [`escaped`]. The middle of a long
    /// message is left out, because it is mostly a long name that the caller gave.
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        let message = without_middle(&escaped(&message.into())).into();
        Error { code, message, wait_ms: None, is_final: false, source: None }
    }

    /// Adds the cause.
    #[must_use]
    pub fn caused_by(self, source: impl StdError + Send + Sync + 'static) -> Error {
        Error { source: Some(Arc::new(source)), ..self }
    }

    /// Adds when to ask again. An overloaded store ([`Overloaded`](Code::Overloaded)) is left alone
    /// for that long, but at most a minute.
    #[must_use]
    pub fn ask_again_in(self, wait_ms: u64) -> Error {
        Error { wait_ms: Some(wait_ms), ..self }
    }

    /// Marks the error as final: no later call can succeed, although other errors of this code may
    /// pass.
    pub(crate) fn for_good(self) -> Error {
        Error { is_final: true, ..self }
    }

    /// The frozen code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The time until the call can succeed if the clock goes on, in milliseconds. It is known for
    /// stalls, and for stores that say when to ask again.
    pub fn wait_ms(&self) -> Option<u64> {
        self.wait_ms
    }

    /// Returns true if the clock alone ends this failure, so that asking again before
    /// [`wait_ms`](Self::wait_ms) is over does not help.
    pub fn ends_by_clock(&self) -> bool {
        matches!(self.code, Code::SequenceExhausted | Code::ClockBehind)
    }

    /// Returns true if trying again later can succeed without anyone changing anything.
    pub fn is_transient(&self) -> bool {
        !self.is_final && is_transient(self.code)
    }

    /// Returns true if the source will issue nothing more. You have to open it again, raise its tag
    /// or make another call.
    pub fn ends_source(&self) -> bool {
        let is_ended = matches!(
            self.code,
            Code::Closed
                | Code::Forked
                | Code::StateMissing
                | Code::RangeRegressed
                | Code::TagExhausted
                | Code::Unsupported
        );
        is_ended || self.is_final
    }

    /// Returns true if trying again later can succeed: by itself, or once the store has been
    /// repaired.
    pub(crate) fn may_be_mended(&self) -> bool {
        let is_of_store = self.code.group() == CodeGroup::Store;
        self.is_transient() || (is_of_store && !self.is_final)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<snowmint_engine::Error> for Error {
    fn from(error: snowmint_engine::Error) -> Error {
        let wait_ms = match error {
            snowmint_engine::Error::Stall(stall) => Some(stall.wait_ms),
            _ => None,
        };
        Error { wait_ms, ..Error::new(error.code(), error.to_string()) }
    }
}

#[cfg(feature = "public-ids")]
impl From<snowmint_opaque::Error> for Error {
    fn from(error: snowmint_opaque::Error) -> Error {
        // The message already names every cause.
        Error::new(error.code(), error.to_string())
    }
}

/// Returns foreign text as one line that is harmless to a terminal or a log. Control characters,
/// line breaks, characters that set the text direction and invisible characters are written as, for
/// example, `\u{1b}` or `\n`. Everything else stays, including backslashes and quotes.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_plain(c) {
            line.push(c);
        } else {
            line.extend(c.escape_debug());
        }
    }
    Cow::Owned(line)
}

fn without_middle(text: &str) -> Cow<'_, str> {
    if text.len() <= 2 * END_BYTES {
        return Cow::Borrowed(text);
    }
    let boundary = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=END_BYTES).rfind(boundary).unwrap_or(0);
    let tail = (text.len() - END_BYTES..=text.len()).find(boundary).unwrap_or(text.len());
    Cow::Owned(format!("{} … {} bytes left out … {}", &text[..head], tail - head, &text[tail..]))
}

/// Returns true if the debug form of a text keeps the character. The character is tested after a
/// letter, because a combining mark alone would be escaped.
fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    format!("a{c}").escape_debug().nth(1) == Some(c)
}

/// Defines functions that make errors, so that their messages stand in a table and can be read
/// together. An entry has a name with arguments, a [`Code`] or another function that takes the
/// message last, and the message with its values. `caused_by` names the argument with the cause.
///
/// ```
/// snowmint::errors! {
///     port_taken(port: u16) => Unsupported: "port {port} is taken: use another one";
/// }
/// # assert_eq!(port_taken(80).code(), snowmint::Code::Unsupported);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! errors {
    ($(
        $(#[$about:meta])*
        $name:ident($($argument:tt)*) => $made:ident $(($($given:expr),*))? $(caused_by $cause:ident)?:
        $message:literal $(, $value:expr)*;
    )+) => {$(
        $(#[$about])*
        pub(crate) fn $name($($argument)*) -> $crate::Error {
            let message = format!($message $(, $value)*);
            $crate::errors!(@made $made $(($($given),*))? message)$(.caused_by($cause))?
        }
    )+};
    (@made $code:ident $message:ident) => {
        $crate::Error::new($crate::Code::$code, $message)
    };
    (@made $function:ident($($given:expr),*) $message:ident) => {
        $function($($given,)* &$message)
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_in_a_message_are_escaped() {
        let shown = [
            ("\u{1b}]0;title\u{7}", r"\u{1b}]0;title\u{7}"),
            ("\u{1b}[2J", r"\u{1b}[2J"),
            ("\u{9b}31m", r"\u{9b}31m"),
            ("web-1\nerror: forged\r\0\t", r"web-1\nerror: forged\r\0\t"),
            ("\u{7f}\u{85}\u{2028}\u{2029}", r"\u{7f}\u{85}\u{2028}\u{2029}"),
            ("\u{202e}gpj.exe\u{2066}\u{200f}", r"\u{202e}gpj.exe\u{2066}\u{200f}"),
            ("a\u{feff}b\u{ad}c\u{e0041}", r"a\u{feff}b\u{ad}c\u{e0041}"),
        ];
        for (text, line) in shown {
            assert_eq!(escaped(text), line);
            assert_eq!(escaped(line), line, "once is enough");
            let error = Error::new(Code::InvalidUrl, format!("no source is {text}"));
            assert_eq!(error.to_string(), format!("no source is {line}"));
        }
        for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| c.is_control()) {
            assert!(!escaped(&c.to_string()).contains(c), "{c:?}");
        }
    }

    #[test]
    fn a_long_message_keeps_both_of_its_ends() {
        let message = |name: &str| {
            let text = format!("no source is called {name}: use another");
            Error::new(Code::InvalidUrl, text).to_string()
        };
        assert_eq!(message(&"x".repeat(1_967)).len(), 2 * END_BYTES, "whole");
        for sign in ["x", "é", "订", "𝄞"] {
            let shown = message(&sign.repeat(100_000));
            assert!(shown.len() < 2 * END_BYTES + 50, "{}", shown.len());
            assert!(shown.starts_with(&format!("no source is called {sign}")), "{shown}");
            assert!(shown.ends_with(&format!("{sign}: use another")), "{shown}");
            assert!(shown.contains(" bytes left out … "), "{shown}");
        }
    }

    #[test]
    fn text_that_can_be_seen_stays_as_it_is() {
        for text in ["", r#""C:\ids.db" isn't"#, "Zürich", "e\u{301}", "订单", "हिन्दी", "ไทย", "✓"]
        {
            assert!(matches!(escaped(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
