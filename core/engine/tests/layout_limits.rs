//! Layouts at their limits and one past them, and the presets against their published fields.

use snowmint_engine::{
    Error, FieldKind, Fit, Layout, LayoutBuilder, LayoutFault, MAX_FIELDS, MAX_ROLLBACK_BITS,
    MAX_SEQUENCE_BITS, MAX_TIME_BITS, MAX_WORKER_BITS, Preset,
};

fn built(text: &str) -> Result<Layout, Error> {
    Layout::builder().fields(text).and_then(LayoutBuilder::build)
}

#[track_caller]
fn refused(text: &str, fault: LayoutFault) {
    assert_eq!(built(text), Err(Error::InvalidLayout(fault)), "{text}");
}

#[test]
fn widths_reach_their_limit_and_no_further() {
    let cases = [
        (FieldKind::Time, MAX_TIME_BITS, ""),
        (FieldKind::Sequence, MAX_SEQUENCE_BITS, "time:1,"),
        (FieldKind::Rollback, MAX_ROLLBACK_BITS, "time:1,"),
        (FieldKind::Datacenter, MAX_WORKER_BITS, "time:1,"),
        (FieldKind::Worker, MAX_WORKER_BITS, "time:1,"),
        (FieldKind::Process, MAX_WORKER_BITS, "time:1,"),
        (FieldKind::Shard, MAX_WORKER_BITS, "time:1,"),
    ];
    for (field, max, before) in cases {
        let text = |bits: u32| format!("{before}{}:{bits}", field.name());
        assert!(built(&text(max)).is_ok(), "{field:?}");
        for bits in [0, max + 1, u32::MAX] {
            refused(&text(bits), LayoutFault::Width { field, bits, max });
        }
    }
    assert!(built("constant:63=9223372036854775807,time:1").is_ok());
    let width = LayoutFault::Width { field: FieldKind::Constant, bits: 64, max: 63 };
    refused("zero:64,time:1", width);
}

#[test]
fn all_fields_together_take_64_bits_and_no_more() {
    assert!(built("time:48,sequence:16").is_ok());
    refused("time:48,sequence:17", LayoutFault::TooWide { bits: 65 });
    refused("zero:63,constant:63=1,time:62", LayoutFault::TooWide { bits: 188 });
}

#[test]
fn worker_fields_take_32_bits_together() {
    assert!(built("time:1,datacenter:16,worker:16").is_ok());
    let layout = built("time:1,datacenter:8,worker:8,process:8,shard:8").unwrap();
    assert_eq!(layout.max_worker_id(), u32::MAX);
    let wide = LayoutFault::WorkersTooWide { bits: 33 };
    refused("time:1,datacenter:16,worker:17", wide);
}

#[test]
fn constants_fit_their_bits() {
    assert!(built("constant:3=7,time:5").is_ok());
    refused("constant:3=8,time:5", LayoutFault::Constant { value: 8, bits: 3 });
    refused("constant:1=18446744073709551615,time:5", {
        LayoutFault::Constant { value: u64::MAX, bits: 1 }
    });
}

#[test]
fn fields_stand_once_and_time_is_one_of_them() {
    let twice = [
        ("time:5,time:5", FieldKind::Time),
        ("time:5,worker:1,worker:1", FieldKind::Worker),
        ("sequence:5,time:5,sequence:5", FieldKind::Sequence),
        ("rollback:1,time:5,rollback:1", FieldKind::Rollback),
    ];
    for (text, field) in twice {
        refused(text, LayoutFault::Twice(field));
    }
    assert!(built("zero:1,time:5,zero:1,constant:2=3").is_ok());
    refused("worker:5,sequence:5", LayoutFault::NoTime);
    assert_eq!(Layout::builder().build(), Err(Error::InvalidLayout(LayoutFault::NoTime)));
}

#[test]
fn as_many_fields_as_the_limit_and_no_more() {
    let fields = |count: usize| format!("time:50{}", ",zero:1".repeat(count - 1));
    let layout = built(&fields(MAX_FIELDS)).unwrap();
    refused(&fields(MAX_FIELDS + 1), LayoutFault::TooManyFields);
    // The zeros on top of it are no field of the builder's: what it displays is a layout still.
    assert_eq!(built(&layout.fields_text().to_string()), Ok(layout));
}

#[test]
fn epoch_and_tick_are_read_as_they_are_displayed() {
    let read = |text: &str| text.parse::<Layout>();
    let layout = read("time:41,worker:10,sequence:12@-5/10").unwrap();
    assert_eq!((layout.epoch_ms(), layout.tick_ms()), (-5, 10));
    assert_eq!(layout.to_string(), "zero:1,time:41,worker:10,sequence:12@-5/10");
    assert_eq!(read("time:41"), read("time:41@0/1"));
    for time in ["", "0", "0/", "/1", "0/1/1", "0@1/1", "+5/1", "--5/1", " 0/1", "0/4294967296"] {
        let fault = LayoutFault::Syntax { at: 7 };
        assert_eq!(read(&format!("time:41@{time}")), Err(Error::InvalidLayout(fault)), "{time}");
    }
    for time in ["9223372036854775808/1", "-9223372036854775809/1", "18446744073709551616/1"] {
        assert!(read(&format!("time:41@{time}")).is_err(), "{time}");
    }
    let fault = Err(Error::InvalidLayout(LayoutFault::TickZero));
    assert_eq!(read("time:41@0/0"), fault);
    assert_eq!(read("twitter@0/1"), Err(Error::UnknownLayout));
    // The builder has calls of its own for them.
    assert!(Layout::builder().fields("time:41@0/1").is_err());
}

/// A layout is its bits: zeros on top make none other, written or left over.
#[test]
fn zeros_on_top_are_the_same_written_or_left_over() {
    assert_eq!(
        built("time:41,worker:10,sequence:12"),
        built("zero:1,time:41,worker:10,sequence:12")
    );
}

#[test]
fn the_tick_is_at_least_a_millisecond() {
    let timed = |tick_ms| Layout::builder().time(5).tick_ms(tick_ms).build();
    assert!(timed(1).is_ok());
    assert!(timed(u32::MAX).is_ok());
    assert_eq!(timed(0), Err(Error::InvalidLayout(LayoutFault::TickZero)));
}

#[test]
fn the_last_tick_lies_within_64_bit_milliseconds() {
    let timed = |bits, tick_ms, epoch_ms| {
        Layout::builder().time(bits).tick_ms(tick_ms).epoch_ms(epoch_ms).build()
    };
    let too_long = Err(Error::InvalidLayout(LayoutFault::TimeTooLong));
    let most = i64::MAX - (1 << 62);
    assert_eq!(timed(62, 1, most).unwrap().expires_ms(), i64::MAX);
    assert_eq!(timed(62, 1, most + 1), too_long);
    assert_eq!(timed(61, 3, 0).unwrap().expires_ms(), 3 << 61);
    assert_eq!(timed(61, 4, 0), too_long);
    assert_eq!(timed(62, u32::MAX, 0), too_long);
    assert_eq!(timed(1, 1, i64::MAX), too_long);
}

/// L4 at the other end of time: what `build` accepts, `encode` and `decode` agree on.
#[test]
fn l4_the_first_tick_lies_within_64_bit_milliseconds() {
    for tick_ms in [1, 2, 3, 10, 1000, u32::MAX] {
        let timed =
            |epoch_ms| Layout::builder().time(1).tick_ms(tick_ms).epoch_ms(epoch_ms).build();
        // The first multiple of the tick that 64 bits express.
        let least = i64::MIN / i64::from(tick_ms) * i64::from(tick_ms);
        for epoch_ms in [i64::MIN, least, least + 1] {
            let Ok(layout) = timed(epoch_ms) else { continue };
            let parts = layout.decode(0).unwrap();
            assert!(parts.unix_ms <= epoch_ms, "tick {tick_ms}, epoch {epoch_ms}: {parts:?}");
            assert_eq!(layout.encode(parts), Ok(0), "tick {tick_ms}, epoch {epoch_ms}");
            assert_eq!(layout.check_mints_at(epoch_ms), Ok(()));
        }
        assert!(timed(least).is_ok(), "tick {tick_ms}");
    }
}

#[test]
fn syntax_faults_say_where() {
    let cases = [
        ("", 0),
        ("time", 0),
        ("time:", 0),
        ("time:x", 0),
        ("time:-1", 0),
        ("time:99999999999", 0),
        ("Time:41", 0),
        (" time:41", 0),
        ("time:41,", 8),
        ("time:41, worker:10", 8),
        ("time:41,,worker:10", 8),
        ("time:41,node:10", 8),
        ("time:41,constant:1", 8),
        ("time:41,constant:1=", 8),
        ("time:41,constant:1=18446744073709551616", 8),
        ("time:41,worker:10,zero:1=0", 18),
        ("time:41,é:1", 8),
    ];
    for (text, at) in cases {
        refused(text, LayoutFault::Syntax { at });
    }
}

/// One spelling a number: a sign is none of the digits.
#[test]
fn widths_are_digits_only() {
    refused("time:+41", LayoutFault::Syntax { at: 0 });
    refused("time:41,constant:2=+1", LayoutFault::Syntax { at: 8 });
}

#[test]
fn a_fit_ends_where_the_bit_above_is_first_set() {
    assert_eq!(Layout::TWITTER.fits(63), Fit::Always);
    assert_eq!(Layout::TWITTER.fits(53), Fit::Until(1_288_834_974_657 + (1 << 31)));
    assert_eq!(Layout::TWITTER.fits(21), Fit::Never);
    assert_eq!(Layout::DISCORD.fits(63), Fit::Until(1_420_070_400_000 + (1 << 41)));
    assert_eq!(Layout::INSTAGRAM.fits(63), Fit::Until(2_413_731_649_497));
    assert_eq!(Layout::SEATA.fits(62), Fit::Never);
    assert_eq!(Layout::COSID_JS_MS.fits(53), Fit::Always);
    assert_eq!(Layout::COSID_JS_S.fits(53), Fit::Always);
    assert_eq!(built("constant:1=1,time:5").unwrap().fits(5), Fit::Never);
    assert_eq!(built("time:1,zero:1").unwrap().fits(0), Fit::Until(1));
}

#[rustfmt::skip]
const PRESETS: &[(&str, &str, u32, i64)] = &[
    ("twitter", "zero:1,time:41,datacenter:5,worker:5,sequence:12", 1, 1_288_834_974_657),
    ("bwmarrin", "zero:1,time:41,worker:10,sequence:12", 1, 1_288_834_974_657),
    ("leaf", "zero:1,time:41,worker:10,sequence:12", 1, 1_288_834_974_657),
    ("discord", "time:42,worker:5,process:5,sequence:12", 1, 1_420_070_400_000),
    ("instagram", "time:41,shard:13,sequence:10", 1, 1_314_220_021_721),
    ("mastodon", "time:48,sequence:16", 1, 0),
    ("unix-ms", "zero:1,time:41,worker:10,sequence:12", 1, 0),
    ("tiktok", "time:32,sequence:32", 1000, 0),
    ("weibo", "zero:10,time:32,worker:4,sequence:18", 1000, 515_483_463_000),
    ("bilibili", "time:32,sequence:32", 1000, 1_498_838_400_000),
    ("sonyflake-v1", "zero:1,time:39,sequence:8,worker:16", 10, 1_409_529_600_000),
    ("sonyflake-v2", "zero:1,time:39,sequence:8,worker:16", 10, 1_735_689_600_000),
    ("baidu-default", "zero:1,time:28,worker:22,sequence:13", 1000, 1_463_673_600_000),
    ("baidu-readme", "zero:1,time:29,worker:21,sequence:13", 1000, 1_474_300_800_000),
    ("shardingsphere", "zero:1,time:41,worker:10,sequence:12", 1, 1_477_958_400_000),
    ("shardingsphere-cst", "zero:1,time:41,worker:10,sequence:12", 1, 1_477_929_600_000),
    ("yitter", "zero:1,time:51,worker:6,sequence:6", 1, 1_582_136_402_000),
    ("cosid-ms", "zero:1,time:41,worker:10,sequence:12", 1, 1_577_203_200_000),
    ("cosid-s", "zero:1,time:31,worker:10,sequence:22", 1000, 1_577_203_200_000),
    ("cosid-js-ms", "zero:11,time:41,worker:3,sequence:9", 1, 1_577_203_200_000),
    ("cosid-js-s", "zero:11,time:31,worker:3,sequence:19", 1000, 1_577_203_200_000),
    ("netease", "zero:1,time:41,worker:10,sequence:12", 1, 1_609_344_000_000),
    ("lingdu", "zero:1,time:38,worker:15,sequence:10", 1, 1_513_785_600_000),
    ("hazelcast", "zero:1,time:41,sequence:6,worker:16", 1, 1_514_764_800_000),
    ("seata", "zero:1,worker:10,time:41,sequence:12", 1, 1_588_435_200_000),
    ("influx", "time:42,worker:10,sequence:12", 1, 1_491_696_000_000),
    ("rollback-bits", "zero:1,time:41,worker:8,rollback:2,sequence:12", 1, 1_580_601_600_000),
];

/// L9: the presets are those published, and no others.
#[test]
fn l9_presets_are_as_published() {
    for &(name, fields, tick_ms, epoch_ms) in PRESETS {
        let preset = Preset::from_name(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(preset.name, name);
        assert_eq!(preset.layout.fields_text().to_string(), fields, "{name}");
        assert_eq!(preset.layout.to_string(), format!("{fields}@{epoch_ms}/{tick_ms}"));
        assert_eq!(preset.layout.to_string().parse(), Ok(preset.layout), "{name}");
        assert_eq!(preset.layout.tick_ms(), tick_ms, "{name}");
        assert_eq!(preset.layout.epoch_ms(), epoch_ms, "{name}");
        assert!(!preset.note.is_empty(), "{name}");
        let rebuilt = Layout::builder().fields(fields).unwrap();
        assert_eq!(
            rebuilt.tick_ms(tick_ms).epoch_ms(epoch_ms).build(),
            Ok(preset.layout),
            "{name}"
        );
    }
    assert_eq!(Preset::ALL.len(), PRESETS.len());
    assert!(Preset::from_name("Twitter").is_none());
}

#[test]
fn presets_expire_when_their_notes_say() {
    assert_eq!(Layout::BAIDU_DEFAULT.expires_ms(), 1_732_109_056_000);
    assert_eq!(Layout::LINGDU.expires_ms(), 1_788_663_506_944);
    assert_eq!(Layout::TWITTER.expires_ms(), 1_288_834_974_657 + (1 << 41));
    assert_eq!(Layout::TWITTER.ids_per_tick(), 4096);
    assert_eq!(Layout::TWITTER.ids_per_second(), 4_096_000);
    assert_eq!(Layout::SONYFLAKE_V2.ids_per_second(), 25_600);
    assert_eq!(Layout::BAIDU_README.ids_per_second(), 8192);
}
