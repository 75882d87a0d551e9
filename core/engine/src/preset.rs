//! The layouts of systems that mint 64-bit IDs today, by name.

use core::str::FromStr;

use crate::error::{Error, LayoutFault};
use crate::layout::{FieldKind, Layout, LayoutBuilder};
use crate::policy::{ClockPolicy, SequenceStart};
use crate::text::TextForm;

/// A named layout, with the rules of its system.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Preset {
    /// The name in URLs and on the command line.
    pub name: &'static str,
    /// One line about its origin and peculiarities.
    pub note: &'static str,
    /// The layout.
    pub layout: Layout,
    /// The reaction of its system to a clock that goes back and to a full tick.
    pub policy: ClockPolicy,
    /// The start of a fresh tick's sequence in its system.
    pub start: SequenceStart,
    /// The Unix millisecond since which the system mints such IDs: the layout's epoch, unless the
    /// system is known to be younger. A decoded time before it points to another preset.
    pub since_ms: i64,
    /// Lower-case words that identify it beside an ID: words of keys, and hosts, which have a dot.
    pub names: &'static [&'static str],
}

/// Builds a layout at compile time.
const fn built(builder: LayoutBuilder) -> Layout {
    match builder.build() {
        Ok(layout) => layout,
        #[expect(
            clippy::panic,
            reason = "evaluated at compile time: a wrong preset does not build"
        )]
        Err(_) => panic!("a preset's layout is invalid"),
    }
}

/// The most common shape, in milliseconds: `zero:1`, time, worker, sequence.
const fn classic(time: u32, worker: u32, sequence: u32, epoch_ms: i64) -> Layout {
    let fields = Layout::builder().zero(1).time(time).worker(worker).sequence(sequence);
    built(fields.epoch_ms(epoch_ms))
}

/// The shape of `classic` with ticks of a second.
const fn seconds(time: u32, worker: u32, sequence: u32, epoch_ms: i64) -> Layout {
    let fields = Layout::builder().zero(1).time(time).worker(worker).sequence(sequence);
    built(fields.epoch_ms(epoch_ms).tick_ms(1000))
}

/// Time, sequence, then the worker at the bottom.
const fn worker_last(time: u32, sequence: u32, worker: u32) -> LayoutBuilder {
    Layout::builder().zero(1).time(time).sequence(sequence).worker(worker)
}

const TWITTER_EPOCH_MS: i64 = 1_288_834_974_657;
const COSID_EPOCH_MS: i64 = 1_577_203_200_000;
/// 2017-07-01 in UTC+8, from which Bilibili counts seconds.
const BILIBILI_EPOCH_MS: i64 = 1_498_838_400_000;
/// 1986-05-03, from which Weibo counts seconds.
const WEIBO_EPOCH_MS: i64 = 515_483_463_000;
/// 2017-09-04, when such IDs were proposed for Mastodon, which had used consecutive numbers until
/// then: <https://github.com/mastodon/mastodon/pull/4801>. Imported statuses can have earlier IDs:
/// <https://github.com/mastodon/mastodon/pull/5260>.
const MASTODON_SINCE_MS: i64 = 1_504_483_200_000;

/// Returns the first millisecond of the year in which a system was created, for systems with an
/// older epoch. The year is that of its repository's first commit, or of the article about it.
const fn year(number: i64) -> i64 {
    // Valid for 1970 to 2099, where every fourth year is a leap year.
    let (years, leap_days) = (number.wrapping_sub(1970), number.wrapping_sub(1969) / 4);
    years.wrapping_mul(365).wrapping_add(leap_days).wrapping_mul(86_400_000)
}

impl Layout {
    /// Twitter, 2010: 41 bits of milliseconds, 5 datacenter, 5 worker, 12 sequence.
    pub const TWITTER: Layout = built(
        Layout::builder()
            .zero(1)
            .time(41)
            .field(FieldKind::Datacenter, 5)
            .worker(5)
            .sequence(12)
            .epoch_ms(TWITTER_EPOCH_MS),
    );
    /// bwmarrin/snowflake: Twitter's epoch, one worker field of 10 bits.
    pub const BWMARRIN: Layout = classic(41, 10, 12, TWITTER_EPOCH_MS);
    /// Meituan Leaf.
    pub const LEAF: Layout = classic(41, 10, 12, TWITTER_EPOCH_MS);
    /// Discord: 42 bits of time, worker and process of 5 bits; unsigned.
    pub const DISCORD: Layout = built(
        Layout::builder()
            .time(42)
            .worker(5)
            .field(FieldKind::Process, 5)
            .sequence(12)
            .epoch_ms(1_420_070_400_000),
    );
    /// Instagram: 13 bits of shard, 10 of sequence; negative as a signed integer from 2046.
    pub const INSTAGRAM: Layout = built(
        Layout::builder()
            .time(41)
            .field(FieldKind::Shard, 13)
            .sequence(10)
            .epoch_ms(1_314_220_021_721),
    );
    /// Mastodon: 48 bits of Unix milliseconds and 16 of sequence; no worker.
    pub const MASTODON: Layout = built(Layout::builder().time(48).sequence(16));
    /// Unix milliseconds above 10 bits of worker and 12 of sequence: LinkedIn's posts, ClickHouse's
    /// `generateSnowflakeID`, and libraries without an epoch of their own, such as the Python
    /// package `snowflake-id`.
    ///
    /// - <https://github.com/Ollie-Boyd/Linkedin-post-timestamp-extractor>
    /// - <https://clickhouse.com/docs/sql-reference/functions/uuid-functions#generatesnowflakeid>
    /// - <https://github.com/vd2org/snowflake>
    pub const UNIX_MS: Layout = classic(41, 10, 12, 0);
    /// TikTok, Douyin and Toutiao of ByteDance: 32 bits of Unix seconds. ByteDance does not document
    /// the lower bits, which are one sequence here: <https://arxiv.org/abs/2504.13279>.
    pub const TIKTOK: Layout = built(Layout::builder().time(32).sequence(32).tick_ms(1000));
    /// Weibo: 32 bits of seconds, 4 of a data centre, 18 of sequence:
    /// <https://github.com/weibocom/breeze>, `UuidConst`.
    pub const WEIBO: Layout = built(
        Layout::builder()
            .zero(10)
            .time(32)
            .worker(4)
            .sequence(18)
            .epoch_ms(WEIBO_EPOCH_MS)
            .tick_ms(1000),
    );
    /// Bilibili's posts (`t.bilibili.com`, `opus`): 32 bits of seconds. Bilibili does not document
    /// the lower bits: <https://github.com/cssxsh/bilibili-helper>, `dynamicTimestamp`.
    pub const BILIBILI: Layout =
        built(Layout::builder().time(32).sequence(32).epoch_ms(BILIBILI_EPOCH_MS).tick_ms(1000));
    /// sonyflake before 2.0: ticks of 10 ms, the sequence above the worker.
    pub const SONYFLAKE_V1: Layout =
        built(worker_last(39, 8, 16).epoch_ms(1_409_529_600_000).tick_ms(10));
    /// sonyflake 2.
    pub const SONYFLAKE_V2: Layout =
        built(worker_last(39, 8, 16).epoch_ms(1_735_689_600_000).tick_ms(10));
    /// Baidu UidGenerator's default; it expired in 2024 and only decodes.
    pub const BAIDU_DEFAULT: Layout = seconds(28, 22, 13, 1_463_673_600_000);
    /// Baidu UidGenerator as configured in its README.
    pub const BAIDU_README: Layout = seconds(29, 21, 13, 1_474_300_800_000);
    /// ShardingSphere, epoch at UTC midnight.
    pub const SHARDINGSPHERE: Layout = classic(41, 10, 12, 1_477_958_400_000);
    /// ShardingSphere's older releases on a JVM in UTC+8.
    pub const SHARDINGSPHERE_CST: Layout = classic(41, 10, 12, 1_477_929_600_000);
    /// yitter's IdGenerator: 6 worker and 6 sequence bits; 53 bits until 2089.
    pub const YITTER: Layout = classic(51, 6, 6, 1_582_136_402_000);
    /// CosId in milliseconds.
    pub const COSID_MS: Layout = classic(41, 10, 12, COSID_EPOCH_MS);
    /// CosId in seconds.
    pub const COSID_S: Layout = seconds(31, 10, 22, COSID_EPOCH_MS);
    /// CosId for JavaScript, in milliseconds: 53 bits. Until August 2026, CosId's own factory
    /// (`SafeJavaScriptSnowflakeId.ofMillisecond(machineId)`) used the epoch in seconds as
    /// milliseconds: its IDs have an `epoch_ms` of 1577203200.
    pub const COSID_JS_MS: Layout =
        built(Layout::builder().zero(11).time(41).worker(3).sequence(9).epoch_ms(COSID_EPOCH_MS));
    /// CosId for JavaScript, in seconds: 53 bits.
    pub const COSID_JS_S: Layout = built(
        Layout::builder()
            .zero(11)
            .time(31)
            .worker(3)
            .sequence(19)
            .epoch_ms(COSID_EPOCH_MS)
            .tick_ms(1000),
    );
    /// NetEase: epoch at the last day of 2020 in UTC+8.
    pub const NETEASE: Layout = classic(41, 10, 12, 1_609_344_000_000);
    /// lingdu: 15 worker bits; it expired in 2026 and only decodes.
    pub const LINGDU: Layout = classic(38, 15, 10, 1_513_785_600_000);
    /// Hazelcast's Flake IDs: the sequence above 16 node bits.
    pub const HAZELCAST: Layout = built(worker_last(41, 6, 16).epoch_ms(1_514_764_800_000));
    /// Seata: the worker is at the top, so only the IDs of one worker sort by time.
    pub const SEATA: Layout = built(
        Layout::builder().zero(1).worker(10).time(41).sequence(12).epoch_ms(1_588_435_200_000),
    );
    /// InfluxDB: 42 bits of time, unsigned.
    pub const INFLUX: Layout =
        built(Layout::builder().time(42).worker(10).sequence(12).epoch_ms(1_491_696_000_000));
    /// A layout with 8 worker bits, and 2 bits that count the clock's rollbacks.
    pub const ROLLBACK_BITS: Layout = built(
        Layout::builder()
            .zero(1)
            .time(41)
            .worker(8)
            .field(FieldKind::Rollback, 2)
            .sequence(12)
            .epoch_ms(1_580_601_600_000),
    );

    /// Returns the layout of a preset's name, of fields as text (ticks of 1 ms since 1970), or of a
    /// layout's own text. Returns `None` if no preset has that name.
    ///
    /// # Errors
    /// [`Error::InvalidLayout`] for fields that do not make a layout.
    pub fn named(text: &str) -> Result<Option<Layout>, Error> {
        if text.contains(':') {
            let (fields, time) = match text.split_once('@') {
                Some((fields, time)) => (fields, Some(time)),
                None => (text, None),
            };
            let builder = Layout::builder().fields(fields)?;
            let builder = match time.map(parse_time) {
                Some(Some((epoch_ms, tick_ms))) => builder.epoch_ms(epoch_ms).tick_ms(tick_ms),
                Some(None) => {
                    let at = u32::try_from(fields.len()).unwrap_or(u32::MAX);
                    return Err(Error::InvalidLayout(LayoutFault::Syntax { at }));
                }
                None => builder,
            };
            return builder.build().map(Some);
        }
        Ok(Preset::from_name(text).map(|preset| preset.layout))
    }
}

/// Reads `epoch/tick`, each as a layout writes it.
fn parse_time(text: &str) -> Option<(i64, u32)> {
    let (epoch, tick) = text.split_once('/')?;
    let (is_before, digits) = match epoch.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, epoch),
    };
    let epoch_ms = i128::from(TextForm::Decimal.parse(digits).ok()?);
    let epoch_ms = if is_before { epoch_ms.checked_neg()? } else { epoch_ms };
    let tick_ms = TextForm::Decimal.parse(tick).ok()?;
    Some((i64::try_from(epoch_ms).ok()?, u32::try_from(tick_ms).ok()?))
}

/// Parses a preset's name, fields written as text, or a layout's own text: see [`Layout::named`].
impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Layout, Error> {
        Layout::named(text)?.ok_or(Error::UnknownLayout)
    }
}

const fn preset(
    name: &'static str,
    layout: Layout,
    policy: ClockPolicy,
    start: SequenceStart,
    note: &'static str,
) -> Preset {
    Preset { name, note, layout, policy, start, since_ms: layout.epoch_ms(), names: &[] }
}

const ZERO: SequenceStart = SequenceStart::Zero;
const LEAF_START: SequenceStart = SequenceStart::Random { below: 100, seed: 0 };
const VIBRATE: SequenceStart = SequenceStart::Vibrate { max_offset: 1 };

impl Preset {
    /// Every preset. If nothing else decides, `guess` uses this order: the most common systems
    /// first.
    #[rustfmt::skip]
    pub const ALL: &'static [Preset] = &[
        preset("twitter", Layout::TWITTER, ClockPolicy::TWITTER, ZERO,
            "Twitter 2010; 63 bits used")
            .names(&["tweet", "retweet", "retweeted", "twitter", "twitter.com", "x.com", "t.co"]),
        preset("discord", Layout::DISCORD, ClockPolicy::TWITTER, SequenceStart::Rotate,
            "unsigned; the increment is per process and not reset each ms")
            .names(&["discord", "guild", "discord.com", "discordapp.com", "discord.gg"]),
        preset("instagram", Layout::INSTAGRAM, ClockPolicy::TWITTER, ZERO,
            "all 64 bits: negative as a signed integer from 2046-06-27")
            .names(&["instagram", "ig", "instagram.com", "cdninstagram.com"]),
        preset("mastodon", Layout::MASTODON, ClockPolicy::TWITTER, ZERO,
            "Unix milliseconds and a sequence; no worker").since(MASTODON_SINCE_MS)
            .names(&["mastodon", "toot", "mastodon.social", "mastodon.online", "mstdn.social"]),
        preset("unix-ms", Layout::UNIX_MS, ClockPolicy::TWITTER, ZERO,
            "milliseconds since 1970: LinkedIn, ClickHouse, libraries without an epoch")
            .since(year(2011))
            .names(&["linkedin", "urn:li", "ugcpost", "linkedin.com", "lnkd.in", "clickhouse"]),
        preset("tiktok", Layout::TIKTOK, ClockPolicy::TWITTER, ZERO,
            "ByteDance: seconds since 1970 above 32 bits that are not documented")
            .since(year(2014))
            .names(&["tiktok", "douyin", "toutiao", "aweme", "bytedance", "tiktok.com",
                "douyin.com", "iesdouyin.com", "toutiao.com"]),
        preset("weibo", Layout::WEIBO, ClockPolicy::TWITTER, ZERO,
            "seconds since 1986-05-03; 53 bits until 2054")
            .since(year(2009)).names(&["weibo", "weibo.com", "weibo.cn"]),
        preset("bilibili", Layout::BILIBILI, ClockPolicy::TWITTER, ZERO,
            "seconds since 2017-07-01T00:00+08:00 above 32 bits that are not documented")
            .names(&["bilibili", "bilibili.com"]),
        preset("leaf", Layout::LEAF, ClockPolicy::LEAF, LEAF_START,
            "sequence starts random 0-99 on each fresh tick, also after overflow")
            .since(year(2017)),
        preset("bwmarrin", Layout::BWMARRIN, ClockPolicy::TWITTER, ZERO,
            "Twitter's epoch with one worker field of 10 bits")
            .since(year(2016)).names(&["bwmarrin"]),
        preset("shardingsphere", Layout::SHARDINGSPHERE, ClockPolicy::SHARDINGSPHERE, VIBRATE,
            "since 2026-06: epoch at UTC midnight").names(&["shardingsphere"]),
        preset("shardingsphere-cst", Layout::SHARDINGSPHERE_CST, ClockPolicy::SHARDINGSPHERE,
            VIBRATE, "older releases on a JVM in UTC+8").names(&["shardingsphere"]),
        preset("sonyflake-v2", Layout::SONYFLAKE_V2, ClockPolicy::SONYFLAKE, ZERO,
            "ticks of 10 ms, sequence above the machine bits").names(&["sonyflake"]),
        preset("sonyflake-v1", Layout::SONYFLAKE_V1, ClockPolicy::SONYFLAKE, ZERO,
            "ticks of 10 ms, sequence above the machine bits")
            .since(year(2015)).names(&["sonyflake"]),
        preset("cosid-ms", Layout::COSID_MS, ClockPolicy::TWITTER, SequenceStart::Rotate,
            "CosId's default").since(year(2021)).names(&["cosid"]),
        preset("baidu-readme", Layout::BAIDU_README, ClockPolicy::BAIDU, ZERO,
            "ticks of a second, borrows from the future")
            .since(year(2017)).names(&["baidu"]),
        preset("baidu-default", Layout::BAIDU_DEFAULT, ClockPolicy::BAIDU, ZERO,
            "expired 2024-11-20: decodes only").since(year(2017)).names(&["baidu"]),
        preset("yitter", Layout::YITTER, ClockPolicy::TWITTER, ZERO,
            "yitter itself reserves sequence 0-4; 53 bits until 2089").names(&["yitter"]),
        preset("netease", Layout::NETEASE, ClockPolicy::NETEASE, ZERO,
            "epoch 2020-12-31T00:00+08:00").names(&["netease"]),
        preset("seata", Layout::SEATA, ClockPolicy::SEATA, ZERO,
            "worker on top: not sortable by time across workers; borrows the future")
            .names(&["seata"]),
        preset("hazelcast", Layout::HAZELCAST, ClockPolicy::HAZELCAST, ZERO,
            "sequence above the node bits").names(&["hazelcast"]),
        preset("cosid-s", Layout::COSID_S, ClockPolicy::TWITTER, SequenceStart::Rotate,
            "CosId in seconds").since(year(2021)).names(&["cosid"]),
        preset("cosid-js-ms", Layout::COSID_JS_MS, ClockPolicy::TWITTER, SequenceStart::Rotate,
            "53 bits, safe as a JavaScript number; IDs of CosId's own factory up to 2026-08 have \
             another epoch: epoch_ms=1577203200").since(year(2021)).names(&["cosid"]),
        preset("cosid-js-s", Layout::COSID_JS_S, ClockPolicy::TWITTER, SequenceStart::Rotate,
            "53 bits, safe as a JavaScript number").since(year(2021)).names(&["cosid"]),
        preset("lingdu", Layout::LINGDU, ClockPolicy::LINGDU, ZERO,
            "expired 2026-09-06: decodes only").names(&["lingdu"]),
        preset("influx", Layout::INFLUX, ClockPolicy::TWITTER, ZERO,
            "InfluxDB; unsigned").names(&["influx", "influxdb"]),
        preset("rollback-bits", Layout::ROLLBACK_BITS, ClockPolicy::ROLLBACK_BITS, ZERO,
            "the rollback counter goes up by one, cyclically, at each clock rollback"),
    ];

    /// Sets the start of a system that is younger than its epoch.
    const fn since(self, since_ms: i64) -> Preset {
        Preset { since_ms, ..self }
    }

    /// Sets the names that identify the system beside an ID.
    const fn names(self, names: &'static [&'static str]) -> Preset {
        Preset { names, ..self }
    }

    /// Returns the preset with this name.
    pub fn from_name(name: &str) -> Option<&'static Preset> {
        Preset::ALL.iter().find(|preset| preset.name == name)
    }
}
