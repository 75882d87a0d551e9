//! The errors of daily numbers.

use snowmint_engine::{Code, MAX_TAG_LENGTH, Timestamp};

use crate::error::Error;

// Settings.

errors! {
    tag_without_room_for_date(tag: &str, room: usize) => InvalidTag:
        "the tag {tag:?} leaves no room for a date: each day's numbers have the tag \
         {tag}:yyyymmdd, of at most {MAX_TAG_LENGTH} characters; use at most {room}";

    digits_out_of_range(digits: u32, max: u32) => InvalidParameter:
        "{digits} digits after the date are not possible: use 1 to {max}, which with the date fit \
         64 bits";

    step_beyond_day(step: u64, of_day: u64) => InvalidStep:
        "a range of {step} numbers is more than the {of_day} of a day";
}

pub(crate) fn zone_unknown(zone: &str) -> Error {
    let shown: String = zone.chars().take(MAX_TAG_LENGTH).collect();
    let message = format!(
        "{shown:?} is no time zone known here: use UTC, an offset from -18:00 to +18:00 such as \
         +08:00, or an IANA name such as Asia/Shanghai, which needs the system's zone database"
    );
    Error::new(Code::InvalidTime, message)
}

// Days.

errors! {
    year_out_of_range(now_ms: i64) => InvalidTime:
        "the clock reads {}: dates of 8 digits run from the year 1000 to 9999; set the clock",
        Timestamp(now_ms);

    date_out_of_reach(date: u32, [yesterday, today, tomorrow]: [u32; 3]) => InvalidTime:
        "{date:08} is not of these days: the numbers of {yesterday}, {today} and {tomorrow} can be \
         had by their date";

    day_pending(tag: &str) => WaitTimeout:
        "the day's tag of {tag:?} is still being opened; ask again, or wait longer";

    day_used_up(numbers: u64, tag: &str) => TagExhausted:
        "the {numbers} numbers of {tag} are used up; the next day goes on. Use more digits, or a \
         smaller step where many processes each lose part of a range";

    day_over(tag: &str) => UnknownTag:
        "the store has no tag {tag}: its day is over, and as tags go there by themselves, its \
         numbers may have been given. It is not begun again";
}
