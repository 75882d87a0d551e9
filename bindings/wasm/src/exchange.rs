//! The places in memory that both sides read and write.
//!
//! JavaScript writes a text to the input, calls, and reads the text of the output or the words,
//! before it calls again. Nothing of one call is kept for the next but the issued IDs.

use core::cell::UnsafeCell;
use core::fmt::{self, Write};

use snowmint_engine::TextForm;

/// Bytes of a text that comes in; longer ones are cut there.
const INPUT_BYTES: usize = 16 * 1024;
/// Bytes of a text that goes out. The tables take the most.
const OUTPUT_BYTES: usize = 32 * 1024;
/// IDs of a block.
pub(crate) const BLOCK: usize = 4096;

/// A value of which the module has one.
pub(crate) struct Place<T>(UnsafeCell<T>);

// SAFETY: a module's instance has one thread and a memory of its own.
unsafe impl<T> Sync for Place<T> {}

impl<T> Place<T> {
    pub(crate) const fn new(value: T) -> Place<T> {
        Place(UnsafeCell::new(value))
    }

    /// Lends the value. `work` lends no other reference to it: each place is lent in one function,
    /// which gives it to code that does not know of places.
    pub(crate) fn lend<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY:
        // - There is one thread, and JavaScript does not run before `work` has returned.
        // - `work` does not come back here, as said above.
        work(unsafe { &mut *self.0.get() })
    }
}

static INPUT: Place<[u8; INPUT_BYTES]> = Place::new([0; INPUT_BYTES]);
static OUTPUT: Place<Output> = Place::new(Output { bytes: [0; OUTPUT_BYTES], length: 0 });
static WORDS: Place<[u64; BLOCK]> = Place::new([0; BLOCK]);

/// Where JavaScript writes texts.
#[unsafe(export_name = "inputAt")]
pub extern "C" fn input_at() -> *const u8 {
    INPUT.lend(|bytes| bytes.as_ptr())
}

/// How many bytes it may write there.
#[unsafe(export_name = "inputBytes")]
pub extern "C" fn input_bytes() -> usize {
    INPUT_BYTES
}

/// Where JavaScript reads texts.
#[unsafe(export_name = "outputAt")]
pub extern "C" fn output_at() -> *const u8 {
    OUTPUT.lend(|output| output.bytes.as_ptr())
}

/// Where JavaScript reads and writes IDs and other integers, up to 4096.
#[unsafe(export_name = "wordsAt")]
pub extern "C" fn words_at() -> *const u64 {
    WORDS.lend(|words| words.as_ptr())
}

/// Reads the text that came in.
pub(crate) fn with_input<R>(length: usize, work: impl FnOnce(&str) -> R) -> R {
    INPUT.lend(|bytes| {
        let bytes = bytes.get(..length).unwrap_or_default();
        // SAFETY: JavaScript's TextEncoder writes UTF-8, and cuts no character in two.
        work(unsafe { str::from_utf8_unchecked(bytes) })
    })
}

/// Reads two texts that came in, with a NUL between them.
pub(crate) fn with_inputs<R>(length: usize, work: impl FnOnce(&str, &str) -> R) -> R {
    with_input(length, |text| {
        let end = text.bytes().position(|byte| byte == 0).unwrap_or(text.len());
        work(text.get(..end).unwrap_or_default(), text.get(end + 1..).unwrap_or_default())
    })
}

/// Writes the text that goes out, and says how long it is.
pub(crate) fn write_output(work: impl FnOnce(&mut Output)) -> usize {
    OUTPUT.lend(|output| {
        output.length = 0;
        work(output);
        output.length
    })
}

/// Reads and writes the words.
pub(crate) fn with_words<R>(work: impl FnOnce(&mut [u64; BLOCK]) -> R) -> R {
    WORDS.lend(work)
}

/// Writes the first four words.
pub(crate) fn write_row(row: [u64; 4]) {
    with_words(|words| {
        if let Some(first) = words.first_chunk_mut() {
            *first = row;
        }
    });
}

/// A text that goes out. What does not fit is left out: no text of ours is that long.
pub(crate) struct Output {
    bytes: [u8; OUTPUT_BYTES],
    length: usize,
}

// Out of line: a table is a long row of calls of these.
impl Output {
    #[inline(never)]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Output {
        let end = self.length + bytes.len();
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(bytes);
            self.length = end;
        }
        self
    }

    pub(crate) fn ends_with(&self, byte: u8) -> bool {
        self.length > 0 && self.bytes.get(self.length - 1) == Some(&byte)
    }

    #[inline(never)]
    pub(crate) fn text(&mut self, text: &str) -> &mut Output {
        self.bytes(text.as_bytes())
    }

    /// The digits of a number. The engine's are there anyway, and smaller than those of `fmt`.
    #[inline(never)]
    pub(crate) fn number(&mut self, number: impl Into<u64>) -> &mut Output {
        self.bytes(TextForm::Decimal.format(number.into()).as_bytes())
    }
}

impl Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        Ok(())
    }
}
