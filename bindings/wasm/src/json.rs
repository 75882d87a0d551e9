//! How texts go out: rows of facts as JSON, and messages.

use crate::exchange::Output;

// Out of line: a table is a long row of calls of these.
impl Output {
    /// A key, and its number.
    #[inline(never)]
    pub(crate) fn narrow(&mut self, key: &str, number: u32) -> &mut Output {
        self.key(key).number(number)
    }

    /// A key, and its text, which needs no escapes.
    #[inline(never)]
    pub(crate) fn name(&mut self, key: &str, text: &str) -> &mut Output {
        self.key(key).text("\"").text(text).text("\"")
    }

    /// A key, and its number that JavaScript makes a bigint.
    #[inline(never)]
    pub(crate) fn wide(&mut self, key: &str, number: u64) -> &mut Output {
        self.key(key).text("\"").number(number).text("n\"")
    }

    /// The same of a number with a sign.
    pub(crate) fn time(&mut self, key: &str, unix_ms: i64) -> &mut Output {
        self.key(key).signed(unix_ms)
    }

    /// A number with a sign that JavaScript makes a bigint.
    #[inline(never)]
    pub(crate) fn signed(&mut self, number: i64) -> &mut Output {
        self.text(if number < 0 { "\"-" } else { "\"" });
        self.number(number.unsigned_abs()).text("n\"")
    }

    /// A key, after a comma if it is not the first.
    #[inline(never)]
    pub(crate) fn key(&mut self, key: &str) -> &mut Output {
        let is_first = self.ends_with(b'{');
        self.text(if is_first { "\"" } else { ",\"" }).text(key).text("\":")
    }

    /// A text of the user's, with quotes.
    pub(crate) fn quoted(&mut self, text: &str) -> &mut Output {
        self.text("\"");
        for byte in text.bytes() {
            if matches!(byte, b'"' | b'\\') {
                self.text("\\");
            }
            self.bytes(&[byte]);
        }
        self.text("\"")
    }

    /// A list, each item by a function.
    pub(crate) fn list<I: IntoIterator>(
        &mut self,
        items: I,
        mut write: impl FnMut(&mut Output, I::Item),
    ) -> &mut Output {
        self.text("[");
        for item in items {
            let is_first = self.ends_with(b'[');
            self.text(if is_first { "" } else { "," });
            write(self, item);
        }
        self.text("]")
    }
}
