//! Draws the 64 bits of a layout or an ID, field by field.

use std::fmt::Write as _;
use std::io::{self, Write};

use snowmint::{Field, FieldKind, Layout, Timestamp};

use crate::print::{FAINT, Table, cell, field_style, grouped, styled};

/// Draws a layout, or an ID in it: the bits' numbers, the bits, and a legend of the fields.
pub(crate) fn draw(output: &mut impl Write, layout: &Layout, id: Option<u64>) -> io::Result<()> {
    ruler(output, layout, "bit", |bit| bit / 10)?;
    ruler(output, layout, "", |bit| bit % 10)?;
    if let Some(id) = id {
        row(output, layout, "id", |bit, _| if id >> bit & 1 == 1 { '1' } else { '0' })?;
    }
    row(output, layout, "", |_, letter| letter)?;
    writeln!(output)?;
    legend(output, layout, id)
}

/// Draws one digit of the numbers of each field's first and last bit, to be read downwards.
fn ruler(
    output: &mut impl Write,
    layout: &Layout,
    label: &str,
    digit: fn(u32) -> u32,
) -> io::Result<()> {
    let mut line = format!("{label:<4}");
    for field in layout.fields() {
        let (top, bottom) = (field.shift() + field.bits() - 1, field.shift());
        for bit in (bottom..=top).rev() {
            let is_edge = bit == top || bit == bottom;
            let digit = char::from_digit(digit(bit), 10).filter(|_| is_edge);
            line.push(digit.unwrap_or(' '));
        }
        line.push(' ');
    }
    writeln!(output, "{FAINT}{}{FAINT:#}", line.trim_end())
}

fn row(
    output: &mut impl Write,
    layout: &Layout,
    label: &str,
    symbol: impl Fn(u32, char) -> char,
) -> io::Result<()> {
    let mut line = format!("{FAINT}{label:<4}{FAINT:#}");
    for (index, &field) in layout.fields().iter().enumerate() {
        let style = field_style(field.kind());
        let letter = letter(layout, field);
        let bits = (field.shift()..field.shift() + field.bits()).rev();
        let cells: String = bits.map(|bit| symbol(bit, letter)).collect();
        let gap = if index == 0 { "" } else { " " };
        // Writing to a string does not fail.
        let _ = write!(line, "{gap}{style}{cells}{style:#}");
    }
    writeln!(output, "{line}")
}

/// Returns the letter for a field: the first of its name, or `0` for zeros.
fn letter(layout: &Layout, field: Field) -> char {
    match field_name(layout, field) {
        "zero" => '0',
        "shard" => 'h', // `s` is the sequence
        name => name.chars().next().unwrap_or('?'),
    }
}

fn legend(output: &mut impl Write, layout: &Layout, id: Option<u64>) -> io::Result<()> {
    let last = if id.is_some() { ">VALUE" } else { "HOLDS" };
    let mut table = Table::new(&["", "FIELD", ">WIDTH", ">BITS", last, ""]);
    for &field in layout.fields() {
        let style = field_style(field.kind());
        let (value, remark) = match id {
            Some(id) => value(layout, field, id),
            None => (holds(layout, field), String::new()),
        };
        let bottom = field.shift();
        let bits = match field.bits() {
            1 => bottom.to_string(),
            width => format!("{}-{bottom}", bottom + width - 1),
        };
        table.row(vec![
            styled(letter(layout, field), style),
            styled(field_name(layout, field), style),
            cell(field.bits()),
            cell(bits),
            cell(value),
            cell(remark),
        ]);
    }
    table.write(output)
}

fn value(layout: &Layout, field: Field, id: u64) -> (String, String) {
    let remark = match field.kind() {
        FieldKind::Time => Timestamp(layout.parts(id).unix_ms).to_string(),
        _ => String::new(),
    };
    (field.of(id).to_string(), remark)
}

fn holds(layout: &Layout, field: Field) -> String {
    match field.kind() {
        FieldKind::Constant => format!("always {}", field.of(constant_bits(layout))),
        FieldKind::Time => {
            let (tick, epoch) = (layout.tick_ms(), Timestamp(layout.epoch_ms()));
            format!("ticks of {} ms since {epoch}", grouped(tick.into()))
        }
        _ => format!("0 to {}", grouped(field.max())),
    }
}

/// Returns the name of a field: `zero` for constant bits that are 0.
pub(crate) fn field_name(layout: &Layout, field: Field) -> &'static str {
    match field.kind() {
        FieldKind::Constant if field.of(constant_bits(layout)) == 0 => "zero",
        kind => kind.name(),
    }
}

/// Returns the layout's constant bits, as its first ID has them.
pub(crate) fn constant_bits(layout: &Layout) -> u64 {
    layout.min_id(layout.epoch_ms()).unwrap_or(0)
}
