//! `snowmint decode`: decodes IDs, in the layout named or in every plausible one.

use std::collections::BTreeSet;
use std::io::{self, Write};

use snowmint::reading::is_header;
use snowmint::{Doubt, Error, Result, Timestamp, escaped};
use snowmint_server::decoding::{Id, NamedLayout, Parsed, Reading, Readings, parse, readings};
use snowmint_server::moment::now_ms;

use crate::args::DecodeArgs;
use crate::bits;
use crate::errors;
use crate::exit::{Done, Failure, advise, describe, hint, status};
use crate::lines::Lines;
use crate::print::{FAINT, Output, STRONG, Table, cell, eprintln, field_style, json_line, output};

/// Decodes every ID. A wrong ID is reported, and the others are decoded.
pub(crate) fn run(args: &DecodeArgs) -> Done {
    let layout = NamedLayout::parse_if_named(args.layout.as_deref(), args.base.into())?;
    let mut decoder = Decoder {
        args,
        layout,
        output: output(),
        now_ms: now_ms(),
        failed: None,
        hinted: BTreeSet::new(),
    };
    let piped = ["-".to_owned()];
    let ids = if args.ids.is_empty() { piped_in().then_some(&piped[..]) } else { Some(&*args.ids) };
    for text in ids.ok_or_else(errors::id_missing)? {
        match text.as_str() {
            "-" => decoder.lines()?,
            text => decoder.one("", Ok(text.trim().to_owned()))?,
        }
    }
    decoder.output.flush()?;
    decoder.failed.map_or(Ok(()), |status| Err(Failure::Reported(status)))
}

/// Returns true if standard input is a pipe or file, not a terminal or `/dev/null`.
fn piped_in() -> bool {
    #[cfg(unix)]
    let is_device = rustix::fs::fstat(io::stdin())
        .is_ok_and(|file| rustix::fs::FileType::from_raw_mode(file.st_mode).is_char_device());
    #[cfg(not(unix))]
    let is_device = io::IsTerminal::is_terminal(&io::stdin());
    !is_device
}

/// Rewords an error of an ID that was written with a sign, because the error names the number
/// without it.
fn as_written(text: &str, id: &Id, error: Error) -> Error {
    let Id::Number(number) = id else { return error };
    if !text.starts_with('-') {
        return error;
    }
    let message = error.to_string();
    let rest = message.strip_prefix(&format!("{number}: ")).unwrap_or(&message);
    errors::signed_id_refused(error.code(), text, *number, rest)
}

struct Decoder<'a> {
    args: &'a DecodeArgs,
    layout: Option<NamedLayout>,
    output: Output,
    now_ms: i64,
    /// The hints that were already given.
    hinted: BTreeSet<&'static str>,
    /// The exit status of the first ID that could not be decoded.
    failed: Option<u8>,
}

impl Decoder<'_> {
    fn lines(&mut self) -> Done {
        let mut lines = Lines::of_stdin();
        // The names of a table's columns, which each row is read with.
        let mut header = None;
        while let Some((number, line)) = lines.next().map_err(Failure::Input)? {
            match (line, &header) {
                (Ok(line), None) if number == 1 && is_header(&line) => header = Some(line),
                (Ok(line), Some(header)) => {
                    self.one(&format!("line {number}: "), Ok(format!("{header}\n{line}")))?;
                }
                (line, _) => self.one(&format!("line {number}: "), line)?,
            }
            if lines.may_wait() {
                self.output.flush()?;
            }
        }
        Ok(())
    }

    /// Decodes the IDs of one text. A wrong text is reported; only a failure to write is returned.
    fn one(&mut self, place: &str, text: Result<String>) -> Done {
        let (form, beside) = (self.args.format, &self.args.beside);
        let parsed = text.and_then(|text| {
            let parsed = parse(&text, form, self.now_ms, beside, "--format ")?;
            Ok((text, parsed))
        });
        let (text, Parsed { ids, beside, note }) = match parsed {
            Ok(parsed) => parsed,
            Err(error) => return self.report(place, &error),
        };
        if let Some(note) = note {
            self.output.flush()?;
            eprintln!("snowmint: {place}{}", escaped(&note));
        }
        let beside = format!("{} {beside}", self.args.beside);
        for id in &ids {
            match readings(id, self.layout.as_ref(), self.now_ms, &beside, "--layout") {
                Ok(readings) => self.write(id, &readings)?,
                Err(error) => self.report(place, &as_written(&text, id, error))?,
            }
        }
        Ok(())
    }

    fn report(&mut self, place: &str, error: &Error) -> Done {
        // Flushes first, so that results and errors on one terminal stay in order.
        self.output.flush()?;
        describe(place, error);
        // Each hint is given once.
        let hint = hint(error.code());
        if self.hinted.insert(hint) {
            advise(hint);
        }
        self.failed.get_or_insert(status(error.code()));
        Ok(())
    }

    fn write(&mut self, id: &Id, readings: &Readings) -> Done {
        let list = &readings.list;
        if self.args.json {
            for reading in list {
                writeln!(self.output, "{}", json_line(&reading.json()))?;
            }
            return Ok(());
        }
        if let (true, Id::Number(number), Some(likeliest)) = (self.args.bits, id, list.first()) {
            return self.draw(*number, likeliest);
        }
        if let (true, Id::Other(other)) = (self.args.bits, id) {
            self.output.flush()?;
            eprintln!("snowmint: a {} has no layout whose bits could be drawn", other.name);
        }
        if self.layout.is_some() || matches!(id, Id::Other(_)) {
            for reading in list {
                writeln!(self.output, "{}", line(reading))?;
            }
            return Ok(());
        }
        self.table(readings)
    }

    fn draw(&mut self, id: u64, reading: &Reading) -> Done {
        let doubt = reading.doubt.map_or_else(String::new, |doubt| format!(" ({})", doubt.name()));
        writeln!(self.output, "{STRONG}{id}{STRONG:#} in layout {}{doubt}", reading.layout)?;
        if let Some(layout) = reading.in_layout {
            bits::draw(&mut self.output, &layout, Some(id))?;
        }
        Ok(writeln!(self.output)?)
    }

    fn table(&mut self, readings: &Readings) -> Done {
        let Some(first) = readings.list.first() else { return Ok(()) };
        write!(self.output, "{STRONG}{}{STRONG:#}", first.id)?;
        match &readings.none_likely {
            None => writeln!(self.output, " may be, likeliest first:")?,
            Some(why) => writeln!(self.output, ": {why}. It may be:")?,
        }
        let mut table = Table::new(&["LAYOUT", "TIME", "DOUBT", "FIELDS"]).indented(2);
        for reading in &readings.list {
            let time = reading.unix_ms.map_or_else(String::new, |ms| Timestamp(ms).to_string());
            let doubt = reading.doubt.map_or("", Doubt::name);
            let fields = fields_text(reading, false);
            table.row(vec![cell(&reading.layout), cell(time), cell(doubt), cell(fields)]);
        }
        table.write(&mut self.output)?;
        Ok(writeln!(self.output)?)
    }
}

/// Returns a reading as one line, in columns that do not depend on other lines.
fn line(reading: &Reading) -> String {
    let time = reading.unix_ms.map_or_else(String::new, |ms| Timestamp(ms).to_string());
    let (id, layout, fields) = (&reading.id, &reading.layout, fields_text(reading, true));
    let line = format!("{STRONG}{id:<20}{STRONG:#}  {FAINT}{layout}{FAINT:#}  {time}  {fields}");
    line.trim_end().to_owned()
}

fn fields_text(reading: &Reading, coloured: bool) -> String {
    let texts = reading.fields.iter().map(|&(kind, value)| {
        let text = format!("{}={value}", kind.name());
        let style = field_style(kind);
        if coloured { format!("{style}{text}{style:#}") } else { text }
    });
    texts.collect::<Vec<_>>().join(" ")
}
