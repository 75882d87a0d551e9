//! Tables that JavaScript builds its constants from, so that nothing is typed in twice.

use core::ptr;

use snowmint_engine::{
    ClockPolicy, Code, FieldKind, MAX_COUNT, MAX_DISTANCE, MAX_NUMBER, MAX_STEP, MAX_TAG_LENGTH,
    Preset, SequenceStart, TextForm, WhenBehind, WhenFull,
};

use crate::exchange::{Output, write_output};

/// Ends a column of [`CODES`].
const END: u8 = 0;

/// Every code's number, name and summary: as one text, they take no table of where each of them is.
static CODES: [u8; codes_length()] = {
    let mut text = [END; codes_length()];
    let mut at = 0;
    let mut row = 0;
    while row < Code::ALL.len() {
        let code = Code::ALL[row];
        let number = code.number();
        let digits = [number / 100, number / 10 % 10, number % 10];
        let mut digit = 0;
        while digit < digits.len() {
            text[at + digit] = b'0' + digits[digit] as u8;
            digit += 1;
        }
        at = append(&mut text, at + digits.len() + 1, code.name());
        at = append(&mut text, at, code.summary());
        row += 1;
    }
    text
};

const fn codes_length() -> usize {
    let mut length = 0;
    let mut row = 0;
    while row < Code::ALL.len() {
        let code = Code::ALL[row];
        assert!(code.number() < 1000, "three digits");
        length += 3 + 1 + code.name().len() + 1 + code.summary().len() + 1;
        row += 1;
    }
    length
}

/// Writes a column, and says where the next one begins.
const fn append(text: &mut [u8], at: usize, column: &str) -> usize {
    let bytes = column.as_bytes();
    let mut n = 0;
    while n < bytes.len() {
        text[at + n] = bytes[n];
        n += 1;
    }
    at + n + 1
}

/// The tables, as JSON. A preset's layout is a handle, never given back.
#[unsafe(export_name = "tables")]
pub extern "C" fn tables() -> usize {
    write_output(|output| {
        write_codes(output.text("{").key("codes"));
        output.key("policies").list(ClockPolicy::ALL, |output, (name, policy)| {
            write_policy(output.text("{").name("name", name), *policy);
        });
        output.key("presets").list(Preset::ALL, write_preset);
        output.key("textForms").list(TextForm::ALL, |output, form| {
            output.text("{").name("name", form.name()).name("alphabet", form.alphabet());
            output.key("width");
            match form.width() {
                Some(width) => output.number(width),
                None => output.text("null"),
            };
            output.key("sortable").text(if form.is_sortable() { "true" } else { "false" });
            output.text("}");
        });
        output.key("kinds").list(FieldKind::NAMED, |output, kind| {
            output.text("\"").text(kind.name()).text("\"");
        });
        output.key("limits").text("{").wide("maxNumber", MAX_NUMBER);
        output.wide("maxStep", MAX_STEP).narrow("maxDistance", MAX_DISTANCE);
        output.narrow("maxCount", MAX_COUNT as u32);
        output.narrow("maxTagLength", MAX_TAG_LENGTH as u32).text("}}");
    })
}

fn write_codes(output: &mut Output) {
    let mut columns = CODES.split(|&byte| byte == END);
    output.list(Code::ALL, |output, _| {
        let mut column = || columns.next().unwrap_or_default();
        output.text("{").key("number").bytes(column());
        output.key("name").text("\"").bytes(column()).text("\"");
        output.key("summary").text("\"").bytes(column()).text("\"}");
    });
}

/// The rest of a row that has begun.
fn write_policy(output: &mut Output, policy: ClockPolicy) {
    let (when_behind, max_wait_ms) = match policy.when_behind {
        WhenBehind::Fail => ("fail", None),
        WhenBehind::Wait { max_ms } => ("wait", Some(max_ms)),
        WhenBehind::CountRollback => ("count_rollback", None),
        WhenBehind::ChangeWorker { max_ms } => ("change_worker", Some(max_ms)),
        _ => ("unknown", None),
    };
    let when_full = match policy.when_full {
        WhenFull::Wait => "wait",
        WhenFull::Fail => "fail",
        _ => "unknown",
    };
    output.narrow("maxAheadMs", policy.max_ahead_ms).name("whenBehind", when_behind);
    if let Some(max_wait_ms) = max_wait_ms {
        output.narrow("maxWaitMs", max_wait_ms);
    }
    output.name("whenFull", when_full).text("}");
}

fn write_preset(output: &mut Output, preset: &'static Preset) {
    let (start, bound) = match preset.start {
        SequenceStart::Zero => ("zero", None),
        SequenceStart::Vibrate { max_offset } => ("vibrate:", Some(max_offset)),
        SequenceStart::Random { below, .. } => ("random:", Some(below)),
        SequenceStart::Rotate => ("rotate", None),
        _ => ("unknown", None),
    };
    let layout = ptr::from_ref(&preset.layout).addr();
    output.text("{").name("name", preset.name).name("note", preset.note);
    output.key("layout").text("{").narrow("at", layout as u32).text("}");
    output.key("start").text("\"").text(start);
    if let Some(bound) = bound {
        output.number(bound);
    }
    write_policy(output.text("\"").key("policy").text("{"), preset.policy);
    output.text("}");
}
