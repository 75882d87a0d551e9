//! Tables that JavaScript builds its constants from, so that nothing is typed in twice.

use core::ptr;

use snowmint_engine::{
    ClockPolicy, Code, FieldKind, MAX_COUNT, MAX_DISTANCE, MAX_NUMBER, MAX_STEP, MAX_TAG_LENGTH,
    Preset, SequenceStart, TextForm, WhenBehind, WhenFull,
};

use crate::exchange::{Output, write_output};

struct CodeRow {
    number: u32,
    name: &'static str,
    summary: &'static str,
}

/// Every code's facts side by side: data is smaller than the functions that know them.
static CODES: [CodeRow; Code::ALL.len()] = {
    let mut rows = [const { CodeRow { number: 0, name: "", summary: "" } }; Code::ALL.len()];
    let mut at = 0;
    while at < rows.len() {
        let code = Code::ALL[at];
        rows[at] = CodeRow { number: code.number(), name: code.name(), summary: code.summary() };
        at += 1;
    }
    rows
};

/// The tables, as JSON. A preset's layout is a handle, never given back.
#[unsafe(export_name = "tables")]
pub extern "C" fn tables() -> usize {
    write_output(|output| {
        output.text("{").key("codes").list(&CODES, |output, code| {
            output.text("{").narrow("number", code.number).name("name", code.name);
            output.name("summary", code.summary).text("}");
        });
        output.key("policies").list(ClockPolicy::ALL, |output, (name, policy)| {
            write_policy(output, name, *policy);
        });
        output.key("presets").list(Preset::ALL, write_preset);
        output.key("textForms").list(TextForm::ALL, |output, form| {
            output.text("{").name("name", form.name()).name("alphabet", form.alphabet());
            if let Some(width) = form.width() {
                output.narrow("width", width);
            }
            output.key("sortable").text(if form.is_sortable() { "true" } else { "false" });
            output.text("}");
        });
        output.key("kinds").list(FieldKind::NAMED, |output, kind| {
            output.text("\"").text(kind.name()).text("\"");
        });
        output.key("limits").text("{").wide("maxNumber", MAX_NUMBER);
        output.key("maxStep").number(MAX_STEP).narrow("maxDistance", MAX_DISTANCE);
        output.narrow("maxCount", MAX_COUNT as u32);
        output.narrow("maxTagLength", MAX_TAG_LENGTH as u32).text("}}");
    })
}

fn write_policy(output: &mut Output, name: &str, policy: ClockPolicy) {
    let (when_behind, max_wait_ms) = match policy.when_behind {
        WhenBehind::Fail => ("fail", None),
        WhenBehind::Wait { max_ms } => ("wait", Some(max_ms)),
        WhenBehind::CountRollback => ("count_rollback", None),
        WhenBehind::ChangeWorker { max_ms } => ("change_worker", Some(max_ms)),
    };
    let when_full = match policy.when_full {
        WhenFull::Wait => "wait",
        WhenFull::Fail => "fail",
    };
    output.text("{").name("name", name).narrow("maxAheadMs", policy.max_ahead_ms);
    if let Some(max_wait_ms) = max_wait_ms {
        output.narrow("maxWaitMs", max_wait_ms);
    }
    output.name("whenBehind", when_behind).name("whenFull", when_full).text("}");
}

fn write_preset(output: &mut Output, preset: &'static Preset) {
    let (start, bound) = match preset.start {
        SequenceStart::Zero => ("zero", None),
        SequenceStart::Vibrate { max_offset } => ("vibrate:", Some(max_offset)),
        SequenceStart::Random { below, .. } => ("random:", Some(below)),
        SequenceStart::Rotate => ("rotate", None),
    };
    let layout = ptr::from_ref(&preset.layout).addr();
    output.text("{").name("name", preset.name).name("note", preset.note);
    output.narrow("layout", layout as u32).key("start").text("\"").text(start);
    if let Some(bound) = bound {
        output.number(bound);
    }
    output.text("\"").key("policy");
    write_policy(output, "", preset.policy);
    output.text("}");
}
