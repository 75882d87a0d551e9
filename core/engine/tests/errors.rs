//! Codes are frozen and total (laws L6, L9); messages say what to do.

use std::collections::HashSet;

use snowmint_engine::{
    ClockPolicy, Code, CodeGroup, Error, FieldKind, Layout, LayoutFault, Preset, SequenceStart,
    Stall, StallReason, TextForm,
};

#[test]
fn l9_codes_are_unique_and_rise() {
    let numbers: Vec<u32> = Code::ALL.iter().map(|code| code.number()).collect();
    assert!(numbers.is_sorted_by(|one, two| one < two));
    let names: HashSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    for code in Code::ALL {
        let name = code.name();
        let snake_case = name
            .split('_')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        assert!(snake_case, "{name}");
        assert_eq!(name.replace('_', ""), format!("{code:?}").to_lowercase());
        assert_eq!(code.to_string(), name);
        assert!(code.summary().ends_with('.') && code.summary().len() > 10, "{name}");
    }
}

#[test]
fn l9_numbers_lead_back_to_their_codes() {
    let numbered: Vec<Code> = (0..100_000).filter_map(Code::from_number).collect();
    assert_eq!(numbered, Code::ALL);
    for code in Code::ALL {
        assert_eq!(Code::from_number(code.number()), Some(*code));
    }
    assert_eq!(Code::from_number(u32::MAX), None);
}

/// A code's number mostly tells its group; these are about something else than their neighbours.
#[test]
fn l9_every_code_is_in_the_group_of_what_it_is_about() {
    use CodeGroup::*;
    let apart = |code| match code {
        Code::CountOutOfRange | Code::InvalidTag | Code::InvalidStep => Some(Parameter),
        Code::InvalidKey | Code::InvalidParameter | Code::InvalidTime => Some(Parameter),
        Code::Unsupported => Some(Parameter),
        Code::InvalidKeys | Code::KeysExposed => Some(Parameter),
        Code::Closed => Some(Closed),
        Code::NoResource => Some(Store),
        _ => None,
    };
    for &code in Code::ALL {
        let hundred = match code.number() / 100 {
            1 => Layout,
            2 => Stall,
            3 => Text,
            4 => Segment,
            5 => Worker,
            6 => Store,
            7 => Url,
            8 => Text,
            _ => Internal,
        };
        assert_eq!(code.group(), apart(code).unwrap_or(hundred), "{code}");
    }
}

/// The numbers that are out in the world. A line here is never changed.
#[test]
fn l9_numbers_are_frozen() {
    let frozen = [
        (100, "invalid_layout"),
        (104, "id_not_in_layout"),
        (200, "clock_behind"),
        (201, "sequence_exhausted"),
        (202, "grant_exhausted"),
        (206, "empty"),
        (300, "invalid_text"),
        (403, "range_regressed"),
        (502, "lease_lost"),
        (508, "forked"),
        (606, "outcome_unknown"),
        (704, "invalid_time"),
        (900, "internal"),
    ];
    for (number, name) in frozen {
        assert_eq!(Code::from_number(number).map(Code::name), Some(name));
    }
}

fn stall(reason: StallReason) -> Error {
    Error::Stall(Stall::new(17, reason))
}

/// Each error, its code, and the words of its message that help.
fn errors() -> Vec<(Error, Code, &'static [&'static str])> {
    let form = TextForm::Base62;
    let sequence = FieldKind::Sequence;
    vec![
        (Error::InvalidLayout(LayoutFault::NoTime), Code::InvalidLayout, &["time"]),
        (
            Error::EpochInFuture { epoch_ms: 2_000, now_ms: 1_000 },
            Code::EpochInFuture,
            &["1970-01-01T00:00:01", "1970-01-01T00:00:02", "set the clock"],
        ),
        (Error::LayoutExpired { since_ms: 5_000 }, Code::LayoutExpired, &["1970", "use a layout"]),
        (
            Error::FieldOutOfRange { field: FieldKind::Worker, value: 1024, max: 1023 },
            Code::FieldOutOfRange,
            &["worker ID 1024", "0 to 1023"],
        ),
        (
            Error::FieldOutOfRange { field: sequence, value: 9, max: 7 },
            Code::FieldOutOfRange,
            &["sequence 9", "0 to 7"],
        ),
        (Error::IdNotInLayout { id: 42 }, Code::IdNotInLayout, &["42", "guess"]),
        (
            Error::TimeOutOfRange { unix_ms: -1, first_ms: 0, last_ms: 999 },
            Code::TimeOutOfRange,
            &["1969-12-31T23:59:59.999", "runs from 1970", "to 1970"],
        ),
        (stall(StallReason::AheadOfClock), Code::ClockBehind, &["17 ms", "wait, or set"]),
        (stall(StallReason::SequenceExhausted), Code::SequenceExhausted, &["in 17 ms"]),
        (stall(StallReason::GrantExhausted), Code::GrantExhausted, &["used up", "ask again"]),
        (Error::CountOutOfRange { count: 0, max: 99 }, Code::CountOutOfRange, &["1 to 99"]),
        (Error::Closed, Code::Closed, &["open a new one"]),
        (Error::Empty, Code::Empty, &["refill", "ask again"]),
        (Error::InvalidText { form, at: 3 }, Code::InvalidText, &["offset 3", "0123456789"]),
        (Error::TextLength { form, length: 3 }, Code::TextLength, &["3", "should have exactly 11"]),
        (Error::TextLength { form, length: 26 }, Code::TextLength, &["128 bits", "a ULID"]),
        (Error::TextLength { form, length: 32 }, Code::TextLength, &["128 bits", "a UUID"]),
        (Error::TextLength { form, length: 36 }, Code::TextLength, &["128 bits", "a UUID"]),
        (Error::TextOverflow { form }, Code::TextOverflow, &["18446744073709551615"]),
        (Error::TextCheck { expected: 'U' }, Code::TextCheck, &["would be U"]),
        (Error::InvalidStep { step: 0, max: 9 }, Code::InvalidStep, &["use 1 to 9"]),
        (
            Error::InvalidRange { start: 7, end: 5, stride: 1 },
            Code::InvalidRange,
            &["7", "5", "start < end"],
        ),
        (
            Error::RangeRegressed { start: 100, expected: 200 },
            Code::RangeRegressed,
            &["100", "200", "raise"],
        ),
    ]
}

#[track_caller]
fn is_a_message(text: &str) {
    assert!(text.len() > 15, "too short: {text}");
    assert!(!text.contains(['{', '}', '\n']), "unformatted: {text}");
    assert!(!text.contains("  "), "two spaces: {text}");
    assert!(!text.ends_with(['.', ' ', ';', ':']), "its end: {text}");
    assert!(text.chars().next().is_some_and(|first| !first.is_uppercase()), "its start: {text}");
}

#[test]
fn l6_errors_say_what_to_do() {
    for (error, code, helps) in errors() {
        assert_eq!(error.code(), code);
        let text = error.to_string();
        is_a_message(&text);
        for words in helps {
            assert!(text.contains(words), "no `{words}` in: {text}");
        }
    }
}

/// The limit that a range breaks is named, whichever it is.
#[test]
fn an_invalid_range_names_every_limit() {
    let text = Error::InvalidRange { start: 0, end: 5, stride: (1 << 30) + 1 }.to_string();
    assert!(text.contains("1073741824"), "the largest stride is not in: {text}");
}

#[test]
fn l6_layout_faults_say_what_is_wrong() {
    let field = FieldKind::Rollback;
    let faults: [(LayoutFault, &[&str]); 10] = [
        (LayoutFault::TooWide { bits: 65 }, &["65", "64"]),
        (LayoutFault::TooManyFields, &["9"]),
        (LayoutFault::Twice(field), &["rollback"]),
        (LayoutFault::NoTime, &["time"]),
        (LayoutFault::Width { field, bits: 3, max: 2 }, &["rollback", "1 to 2", "3"]),
        (LayoutFault::WorkersTooWide { bits: 33 }, &["33", "32"]),
        (LayoutFault::Constant { value: 8, bits: 3 }, &["8", "3 bits"]),
        (LayoutFault::TickZero, &["1 ms"]),
        (LayoutFault::TimeTooLong, &["fewer time bits"]),
        (
            LayoutFault::Syntax { at: 8 },
            &["offset 8", "time:41,worker:10,sequence:12", "a preset by its name"],
        ),
    ];
    for (fault, helps) in faults {
        let text = Error::InvalidLayout(fault).to_string();
        is_a_message(&text);
        for words in helps {
            assert!(text.contains(words), "no `{words}` in: {text}");
        }
    }
}

#[test]
fn a_value_is_read_from_the_text_it_is_written_as() {
    assert_eq!("twitter".parse(), Ok(Layout::TWITTER));
    for preset in Preset::ALL {
        assert_eq!(preset.name.parse(), Ok(preset.layout));
    }
    let plain = Layout::builder().fields("time:41,worker:10,sequence:12").unwrap().build().unwrap();
    assert_eq!(plain.to_string().parse(), Ok(plain));
    for &(name, policy) in ClockPolicy::ALL {
        assert_eq!(name.parse(), Ok(policy));
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
    let custom = ClockPolicy::SNOWMINT.with_max_ahead_ms(7);
    assert_eq!(
        (custom.to_string(), format!("{:>5}", ClockPolicy::LEAF)),
        ("custom".into(), " leaf".into())
    );
    for &form in TextForm::ALL {
        assert_eq!(form.to_string().parse(), Ok(form));
    }
    for &code in Code::ALL {
        assert_eq!(code.to_string().parse(), Ok(code));
    }
    for text in ["zero", "rotate", "vibrate:0", "vibrate:9", "random:1", "random:4294967295"] {
        assert_eq!(text.parse::<SequenceStart>().map(|start| start.to_string()), Ok(text.into()));
    }
    let leaf = SequenceStart::Random { below: 100, seed: 0 };
    assert_eq!("random:100".parse(), Ok(leaf));
    for text in ["", "Zero", "zero:1", "rotate:", "vibrate", "vibrate:-1", "random:0", "random:x"] {
        assert_eq!(text.parse::<SequenceStart>(), Err(Error::UnknownStart), "{text}");
    }
    assert_eq!("Twitter".parse::<Layout>(), Err(Error::UnknownLayout));
    assert_eq!("none".parse::<ClockPolicy>(), Err(Error::UnknownPolicy));
    assert_eq!("hex16".parse::<TextForm>(), Err(Error::UnknownTextForm));
    assert_eq!("none".parse::<Code>(), Err(Error::UnknownCode));
    assert_eq!("time:41,time:2".parse::<Layout>().unwrap_err().code(), Code::InvalidLayout);
}
