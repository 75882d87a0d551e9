//! The table of error codes, and the engine's own errors.
//!
//! Every language maps every [`Code`], by its number or its [`CodeGroup`]. A published number keeps
//! its meaning for ever, and a retired one stays in the table. The engine's [`Error`] carries the
//! values of its message and is `Copy`, so raising it allocates nothing.

use core::fmt::{self, Write};
use core::str::FromStr;

use crate::layout::FieldKind;
use crate::snowflake::Stall;
use crate::text::TextForm;
use crate::timestamp::Timestamp;

mod layout_fault;

pub use layout_fault::LayoutFault;

macro_rules! codes {
    ($($number:literal $variant:ident $group:ident $name:literal $summary:literal)*) => {
        /// The kind of an error, the same in every language. Numbers and names are frozen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum Code {
            $(#[doc = $summary] $variant = $number,)*
        }

        impl Code {
            /// Every code, in rising order of its number.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// Returns the stable name, in snake_case.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// Returns the group of the code.
            pub const fn group(self) -> CodeGroup {
                match self { $(Code::$variant => CodeGroup::$group,)* }
            }

            /// Returns a sentence that explains the code.
            pub const fn summary(self) -> &'static str {
                match self { $(Code::$variant => $summary,)* }
            }

            /// Returns the address of the page that explains the code's causes and cures.
            pub const fn url(self) -> &'static str {
                match self {
                    $(Code::$variant => concat!(
                        "https://github.com/snowmint/snowmint/blob/main/docs/reference/errors.md#",
                        $name,
                    ),)*
                }
            }

            /// Returns the code with this number, if there is one.
            pub const fn from_number(number: u32) -> Option<Code> {
                match number { $($number => Some(Code::$variant),)* _ => None }
            }
        }
    };
}

codes! {
    100 InvalidLayout Layout "invalid_layout" "The fields do not make a layout of 64 bits."
    101 EpochInFuture Layout "epoch_in_future" "The clock reads a time before the layout's epoch."
    102 LayoutExpired Layout "layout_expired" "The layout's time field has run out; it still decodes."
    103 FieldOutOfRange Layout "field_out_of_range" "A value does not fit its field."
    104 IdNotInLayout Layout "id_not_in_layout" "The ID's constant bits are not those of the layout."
    105 TimeOutOfRange Layout "time_out_of_range" "The layout cannot express that time."
    106 UnknownLayout Layout "unknown_layout" "No preset has that name."
    200 ClockBehind Stall "clock_behind" "The clock is behind the time of an ID already issued."
    201 SequenceExhausted Stall "sequence_exhausted" "Every sequence number of the tick is issued."
    202 GrantExhausted Stall "grant_exhausted" "The reserved interval of time is used up."
    203 CountOutOfRange Parameter "count_out_of_range" "The number of IDs asked for is 0 or too large."
    204 Closed Closed "closed" "The source is closed."
    205 WaitTimeout Stall "wait_timeout" "No ID could be had within the caller's bound."
    206 Empty Stall "empty" "The buffer holds no ID at the moment."
    300 InvalidText Text "invalid_text" "The text has a symbol outside its form's alphabet."
    301 TextLength Text "text_length" "The text is too short or too long for its form."
    302 TextOverflow Text "text_overflow" "The text means a number above 64 bits."
    303 TextCheck Text "text_check" "The check symbol does not match."
    304 TextNotCanonical Text "text_not_canonical" "The number has another, canonical spelling."
    305 UnknownTextForm Text "unknown_text_form" "No text form has that name."
    400 InvalidTag Parameter "invalid_tag" "The tag is empty, too long or has a forbidden character."
    401 InvalidStep Parameter "invalid_step" "The step is 0 or above its limit."
    402 InvalidRange Segment "invalid_range" "The range is empty, its stride is 0, or it passes its limit."
    403 RangeRegressed Segment "range_regressed" "The store gave a range that is not above the last one."
    404 TagExhausted Segment "tag_exhausted" "The tag has reached its largest number."
    405 UnknownTag Segment "unknown_tag" "The store has no such tag."
    406 TagExists Segment "tag_exists" "The store has that tag already."
    407 InvalidKey Parameter "invalid_key" "The key's section would have too long a tag."
    408 TagMoved Segment "tag_moved" "The tag goes on in another store."
    500 WorkerInUse Worker "worker_in_use" "Another generator holds that worker ID."
    501 WorkersExhausted Worker "workers_exhausted" "No worker ID of the store is free."
    502 LeaseLost Worker "lease_lost" "The lease belongs to another holder now."
    503 LeaseUnavailable Worker "lease_unavailable" "The lease ran out and the store could not renew it."
    504 WorkerNotConfigured Worker "worker_not_configured" "The environment names no worker ID."
    505 MarkAhead Worker "mark_ahead" "The clock is far behind the time this worker ID has reserved."
    506 StateCorrupt Worker "state_corrupt" "The worker's state file cannot be read as one."
    507 RealmMismatch Worker "realm_mismatch" "The store or state file belongs to another layout."
    508 Forked Worker "forked" "A forked child cannot share a fixed worker ID with its parent."
    509 StateMissing Worker "state_missing" "The fixed worker ID's state file is missing where it is required, or gone while in use."
    510 ClockDiffers Worker "clock_differs" "The clock is not that of the others who take worker IDs there."
    600 StoreLocked Store "store_locked" "Another process holds the database's lock."
    601 StoreReadOnly Store "store_read_only" "The database or file cannot be written."
    602 StoreCorrupt Store "store_corrupt" "The file is not a database, or a damaged one."
    603 StoreSchema Store "store_schema" "The database's tables are not of a schema known here."
    604 StoreFull Store "store_full" "The disk or the database is full."
    605 StoreUnavailable Store "store_unavailable" "The store cannot be reached or does not answer."
    606 OutcomeUnknown Store "outcome_unknown" "The commit was not confirmed; what it reserved is not used."
    607 StoreMissing Store "store_missing" "There is no such file or schema: creating one has to be asked for."
    608 StoreDenied Store "store_denied" "The store refuses this user, password or token."
    609 IncarnationChanged Store "incarnation_changed" "The store is not the incarnation that granted this."
    610 UnsafeSetting Store "unsafe_setting" "The store is set up so that it could lose what it acknowledges."
    611 Overloaded Store "overloaded" "The store has too much to do, and says when to ask again."
    612 InvalidAnswer Store "invalid_answer" "The store answered with what no store may answer; it is not used."
    700 InvalidUrl Url "invalid_url" "The source URL cannot be parsed."
    701 UnknownScheme Url "unknown_scheme" "No source has that URL scheme."
    702 UnknownParameter Url "unknown_parameter" "The source has no such parameter."
    703 InvalidParameter Parameter "invalid_parameter" "A parameter's value is missing or not of its kind."
    704 InvalidTime Parameter "invalid_time" "The date or zone is outside what can be expressed."
    705 Unsupported Parameter "unsupported" "The source cannot do what was asked of it."
    800 InvalidKeys Parameter "invalid_keys" "The keys of public IDs are missing, malformed, weak or not unique."
    801 KeysExposed Parameter "keys_exposed" "Others can read or change the file of the keys."
    802 WrongType Text "wrong_type" "The text is not of the type of public ID asked for."
    803 NotFound Text "not_found" "No ID has that public form."
    900 Internal Internal "internal" "A defect in snowmint; please report it."
    901 NoResource Store "no_resource" "The system gives no thread, memory or random numbers."
}

impl Code {
    /// Returns the frozen number.
    pub const fn number(self) -> u32 {
        self as u32
    }
}

/// The subject of a code, for languages that have a class for each kind of failure.
///
/// The groups are final, so that you can match them all. A new code joins one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodeGroup {
    /// A layout, or a value that it cannot take.
    Layout,
    /// No ID can be had now.
    Stall,
    /// The source is closed.
    Closed,
    /// The text of an ID.
    Text,
    /// A tag or a range of its numbers.
    Segment,
    /// A worker ID, its lease or its state file.
    Worker,
    /// The store, or the system under it.
    Store,
    /// The URL of a source.
    Url,
    /// An argument.
    Parameter,
    /// A defect of ours.
    Internal,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses a code's name, as [`Code::name`] returns it.
impl FromStr for Code {
    type Err = Error;

    fn from_str(name: &str) -> Result<Code, Error> {
        let found = Code::ALL.iter().find(|code| code.name() == name);
        found.copied().ok_or(Error::UnknownCode)
    }
}

/// The reason why the engine refused a call. Nothing was issued and nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The fields do not make a layout.
    InvalidLayout(LayoutFault),
    /// The clock reads a time before the layout's epoch.
    EpochInFuture {
        /// Unix time of the epoch in milliseconds.
        epoch_ms: i64,
        /// The time given, in Unix milliseconds.
        now_ms: i64,
    },
    /// The layout's time field has run out.
    LayoutExpired {
        /// The first Unix millisecond that the layout cannot express.
        since_ms: i64,
    },
    /// A value does not fit its field.
    FieldOutOfRange {
        /// The field.
        field: FieldKind,
        /// The value given.
        value: u64,
        /// The largest value the field holds.
        max: u64,
    },
    /// The ID's constant bits are not those of the layout.
    IdNotInLayout {
        /// The ID given.
        id: u64,
    },
    /// The layout cannot express that time.
    TimeOutOfRange {
        /// The time given, in Unix milliseconds.
        unix_ms: i64,
        /// The first time that the layout can express, in Unix milliseconds.
        first_ms: i64,
        /// The last time that the layout can express, in Unix milliseconds.
        last_ms: i64,
    },
    /// This system's clock cannot express that time.
    NoSystemTime {
        /// The time given, in Unix milliseconds.
        unix_ms: i64,
    },
    /// No ID can be had now; the stall tells why, and when to ask again.
    Stall(Stall),
    /// The number of IDs requested is 0, or more than one call can ever return.
    CountOutOfRange {
        /// The number requested.
        count: u64,
        /// The largest number that one call can return.
        max: u64,
    },
    /// The generator is closed.
    Closed,
    /// The buffer is empty.
    Empty,
    /// A symbol is not in the form's alphabet.
    InvalidText {
        /// The form the text was read as.
        form: TextForm,
        /// Byte offset of the symbol.
        at: u32,
    },
    /// The text has the wrong length for its form.
    TextLength {
        /// The form the text was read as.
        form: TextForm,
        /// The text's length in bytes.
        length: u32,
    },
    /// The text means a number above 64 bits.
    TextOverflow {
        /// The form the text was read as.
        form: TextForm,
    },
    /// The check symbol does not match.
    TextCheck {
        /// The check symbol that would match.
        expected: char,
    },
    /// The step is 0 or above its limit.
    InvalidStep {
        /// The step given.
        step: u64,
        /// The largest step allowed.
        max: u64,
    },
    /// The range is empty, its stride is 0, or its end is above the largest number.
    InvalidRange {
        /// First number.
        start: u64,
        /// First number past the range.
        end: u64,
        /// The distance between two numbers.
        stride: u64,
    },
    /// No preset has that name.
    UnknownLayout,
    /// No text form has that name.
    UnknownTextForm,
    /// No clock policy has that name.
    UnknownPolicy,
    /// The text names no start of a sequence.
    UnknownStart,
    /// No code has that name.
    UnknownCode,
    /// The range does not lie above the last one of its tag.
    RangeRegressed {
        /// First number of the refused range.
        start: u64,
        /// The lowest number it may begin with.
        expected: u64,
    },
}

impl Error {
    /// Returns the frozen code of this error.
    pub const fn code(&self) -> Code {
        match self {
            Error::InvalidLayout(_) => Code::InvalidLayout,
            Error::EpochInFuture { .. } => Code::EpochInFuture,
            Error::LayoutExpired { .. } => Code::LayoutExpired,
            Error::FieldOutOfRange { .. } => Code::FieldOutOfRange,
            Error::IdNotInLayout { .. } => Code::IdNotInLayout,
            Error::TimeOutOfRange { .. } | Error::NoSystemTime { .. } => Code::TimeOutOfRange,
            Error::Stall(stall) => stall.reason.code(),
            Error::CountOutOfRange { .. } => Code::CountOutOfRange,
            Error::Closed => Code::Closed,
            Error::Empty => Code::Empty,
            Error::InvalidText { .. } => Code::InvalidText,
            Error::TextLength { .. } => Code::TextLength,
            Error::TextOverflow { .. } => Code::TextOverflow,
            Error::TextCheck { .. } => Code::TextCheck,
            Error::InvalidStep { .. } => Code::InvalidStep,
            Error::InvalidRange { .. } => Code::InvalidRange,
            Error::UnknownLayout => Code::UnknownLayout,
            Error::UnknownTextForm => Code::UnknownTextForm,
            Error::UnknownPolicy | Error::UnknownStart | Error::UnknownCode => {
                Code::InvalidParameter
            }
            Error::RangeRegressed { .. } => Code::RangeRegressed,
        }
    }
}

impl core::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Error::InvalidLayout(fault) => write!(f, "invalid layout: {fault}"),
            Error::EpochInFuture { epoch_ms, now_ms } => write!(
                f,
                "the clock reads {}, before the layout's epoch {}; use an epoch in the past or \
                 set the clock",
                Timestamp(now_ms),
                Timestamp(epoch_ms)
            ),
            Error::LayoutExpired { since_ms } => write!(
                f,
                "the layout expired at {}: it decodes, but mints no more; use a layout with more \
                 time bits or a later epoch",
                Timestamp(since_ms)
            ),
            Error::FieldOutOfRange { field, value, max } => {
                write!(f, "{} {value} does not fit: it takes 0 to {max}", Plain(field.title()))
            }
            Error::IdNotInLayout { id } => write!(
                f,
                "{id} is no ID of this layout: its constant bits differ; a guess without \
                 it lists the layouts that the ID may come from"
            ),
            Error::TimeOutOfRange { unix_ms, first_ms, last_ms } => write!(
                f,
                "the layout cannot express {}: it runs from {} to {}",
                Timestamp(unix_ms),
                Timestamp(first_ms),
                Timestamp(last_ms)
            ),
            Error::NoSystemTime { unix_ms } => {
                write!(f, "this system's clock has no {}", Timestamp(unix_ms))
            }
            Error::Stall(stall) => stall.fmt(f),
            Error::CountOutOfRange { count, max } => {
                write!(f, "{count} is out of range: use 1 to {max}")
            }
            Error::Closed => f.write_str("the source is closed; open a new one"),
            Error::Empty => f.write_str("no ID is ready; refill the buffer or ask again"),
            Error::InvalidText { form, at } => write!(
                f,
                "no {} number: the symbol at offset {at} is not one of {}",
                Plain(form.name()),
                Plain(form.alphabet())
            ),
            Error::TextLength { form, length } => write!(
                f,
                "no {} number: it has {length} symbols and should have {}{}",
                Plain(form.name()),
                Plain(form.length_rule()),
                Plain(wider(length))
            ),
            Error::TextOverflow { form } => {
                write!(
                    f,
                    "the {} number is above 18446744073709551615, the largest ID",
                    Plain(form.name())
                )
            }
            Error::TextCheck { expected } => {
                f.write_str("a symbol is mistyped: the check symbol for the rest would be ")?;
                f.write_char(expected)
            }
            Error::InvalidStep { step, max } => {
                write!(f, "a step of {step} is not possible: use 1 to {max}")
            }
            Error::InvalidRange { start, end, stride } => write!(
                f,
                "[{start}, {end}) with stride {stride} is no range: it needs start < end <= \
                 9223372036854775807 and a stride of 1 to 1073741824"
            ),
            Error::UnknownLayout => {
                f.write_str("no layout is called so: `Preset::ALL` lists them; or write its fields")
            }
            Error::UnknownTextForm => {
                f.write_str("no text form is called so: `TextForm::ALL` lists them")
            }
            Error::UnknownPolicy => {
                f.write_str("no clock policy is called so: `ClockPolicy::ALL` lists them")
            }
            Error::UnknownStart => {
                f.write_str("no sequence starts so: use zero, vibrate:MAX, random:BELOW or rotate")
            }
            Error::UnknownCode => f.write_str("no code is called so: `Code::ALL` lists them"),
            Error::RangeRegressed { start, expected } => write!(
                f,
                "the store gave a range from {start}, below {expected}, which was reached before. \
                 The store went back in time (a restored backup?), so the range is not used; raise \
                 the tag's next number above everything issued, or open the segment anew, above \
                 that, where nobody can"
            ),
        }
    }
}

/// Returns a hint if a text's length suggests 128 bits; 64-bit numbers have at most 20 symbols.
const fn wider(length: u32) -> &'static str {
    match length {
        26 => "; so many has a ULID, of 128 bits, and no 64-bit ID",
        32 | 36 => "; so many has a UUID, of 128 bits, and no 64-bit ID",
        _ => "",
    }
}

/// A word of a message. Displaying a `str` would also compile its padding, which no message needs.
struct Plain(&'static str);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
