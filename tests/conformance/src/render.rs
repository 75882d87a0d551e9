//! JSON with one case a line. Cases that have a heading and lists of their own take several.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// The sections whose cases have lists of their own.
const NESTED: &[&str] = &["layouts", "traces"];

pub(crate) fn render(document: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let lines =
        Lines { open: Vec::new(), filled: false, in_section_name: false, section: String::new() };
    document
        .serialize(&mut Serializer::with_formatter(&mut bytes, lines))
        .expect("the documents have text keys only, and a Vec takes every byte");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("serde_json writes UTF-8")
}

struct Lines {
    /// For each open container, true if it is broken into lines.
    open: Vec<bool>,
    /// True if the container that ends next has a value.
    filled: bool,
    in_section_name: bool,
    /// The document's key that is being written.
    section: String,
}

impl Lines {
    /// Opens a container, which is broken into lines if it is less deep than `limit`, or than two
    /// more in a nested section.
    fn begin<W: ?Sized + Write>(
        &mut self,
        to: &mut W,
        text: &[u8],
        limit: usize,
    ) -> io::Result<()> {
        let more = if NESTED.contains(&self.section.as_str()) { 2 } else { 0 };
        self.open.push(self.open.len() < limit + more);
        self.filled = false;
        to.write_all(text)
    }

    fn separate<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if self.open.last() == Some(&true) {
            if !first {
                to.write_all(b",")?;
            }
            return self.new_line(to);
        }
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn end<W: ?Sized + Write>(&mut self, to: &mut W, text: &[u8]) -> io::Result<()> {
        let broken = self.open.pop() == Some(true);
        if broken && self.filled {
            self.new_line(to)?;
        }
        self.filled = true;
        to.write_all(text)
    }

    fn new_line<W: ?Sized + Write>(&self, to: &mut W) -> io::Result<()> {
        to.write_all(b"\n")?;
        self.open.iter().try_for_each(|_| to.write_all(b" "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.begin(to, b"[", 2)
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.separate(to, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.begin(to, b"{", 1)
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if self.open.len() == 1 {
            self.in_section_name = true;
            self.section.clear();
        }
        self.separate(to, first)
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        to: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if self.in_section_name {
            self.section.push_str(fragment);
        }
        to.write_all(fragment.as_bytes())
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.in_section_name = false;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}
