//! IDs as people paste them, by the system that they come from.

/// IDs of a system, as they were found.
pub(super) struct Found {
    pub(super) system: &'static str,
    /// The preset with the system's layout, if there is one.
    pub(super) preset: Option<&'static str>,
    /// The place where the IDs were published.
    pub(super) source: &'static str,
    /// The text beside them.
    pub(super) beside: &'static str,
    pub(super) ids: &'static [u64],
}

const fn found(
    system: &'static str,
    preset: Option<&'static str>,
    source: &'static str,
    ids: &'static [u64],
) -> Found {
    Found { system, preset, source, beside: "", ids }
}

impl Found {
    const fn beside(self, beside: &'static str) -> Found {
        Found { beside, ..self }
    }
}

const CODE: &str = "links in public repositories";

pub(super) const PUBLISHED: &[Found] = &[
    found(
        "X",
        Some("twitter"),
        CODE,
        &[
            156_997_915_011_854_336,
            356_095_192_085_962_752,
            389_030_410_992_484_352,
            525_397_368_116_895_744,
            568_279_010_968_383_488,
            711_956_736_639_418_369,
            769_583_291_666_169_862,
            937_994_790_553_227_264,
            1_106_693_954_991_476_745,
            1_314_130_099_399_061_504,
            1_382_350_606_417_817_604,
            1_397_038_905_405_452_296,
            1_736_706_173_951_496_411,
            1_754_040_936_005_538_201,
            1_791_940_668_992_172_051,
            1_903_671_737_780_498_883,
            1_986_869_609_085_993_071,
            2_039_805_659_525_644_595,
            2_064_722_440_224_432_132,
            2_105_399_472_809_247_162,
        ],
    ),
    found(
        "X",
        Some("twitter"),
        "Wikipedia, Snowflake ID",
        &[1_541_815_603_606_036_480, 1_888_944_671_579_078_978],
    ),
    found("X", Some("twitter"), "X API docs", &[1_050_118_621_198_921_728]),
    found(
        "Discord",
        Some("discord"),
        "Discord API docs",
        &[
            175_928_847_299_117_063,
            80_351_110_224_678_912,
            197_038_439_483_310_086,
            290_926_798_626_357_250,
        ],
    ),
    found(
        "Discord",
        Some("discord"),
        "Discord API docs",
        &[175_928_847_299_117_063, 80_351_110_224_678_912],
    )
    .beside("guild_id"),
    found(
        "Discord",
        Some("discord"),
        CODE,
        &[
            270_667_098_143_981_589,
            347_773_487_093_383_189,
            752_188_923_505_279_037,
            822_583_790_773_862_470,
            889_931_348_469_485_619,
            1_014_906_857_795_637_398,
            1_066_668_454_192_623_636,
            1_163_465_539_981_672_559,
            1_210_292_746_817_110_027,
            1_266_057_429_091_881_011,
            1_422_565_501_959_147_581,
            1_456_729_030_459_134_115,
            1_554_521_669_400_526_873,
        ],
    ),
    found("Discord", Some("discord"), CODE, &[1_422_565_501_959_147_581])
        .beside("https://discord.com/channels/1066668454192623636/1422565501959147581"),
    found(
        "Instagram",
        Some("instagram"),
        CODE,
        &[
            2_850_692_389_359_545_326,
            3_106_266_946_206_908_221,
            3_415_377_340_345_869_279,
            3_595_095_639_669_043_484,
            3_818_983_333_057_983_988,
            908_540_701_891_980_503,
            1_579_076_894_773_971_876,
        ],
    ),
    found(
        "Instagram",
        Some("instagram"),
        "Instagram's engineering article",
        &[11_637_205_501_278_089],
    ),
    found(
        "Instagram",
        Some("instagram"),
        "Instagram's engineering article",
        &[11_637_205_501_278_089],
    )
    .beside("instagram"),
    found("Mastodon", Some("mastodon"), "Mastodon API docs", &[103_270_115_826_048_975]),
    found(
        "Mastodon",
        Some("mastodon"),
        CODE,
        &[
            100_254_678_717_223_630,
            104_429_046_400_473_860,
            109_897_515_140_097_691,
            111_788_469_431_630_382,
            114_984_688_481_336_401,
            115_605_334_176_250_687,
        ],
    ),
    found(
        "LinkedIn",
        Some("unix-ms"),
        CODE,
        &[
            6_101_725_014_762_020_864,
            6_184_957_676_598_870_016,
            6_550_769_325_224_054_784,
            6_857_290_678_196_686_848,
            6_979_057_387_965_931_520,
            7_163_147_469_877_407_744,
            7_391_942_200_911_110_144,
            7_458_871_168_176_033_794,
            7_506_370_624_076_959_745,
        ],
    ),
    found("LinkedIn", Some("unix-ms"), "a report of a user", &[7_397_513_585_553_313_792]),
    found("LinkedIn", Some("unix-ms"), CODE, &[6_157_099_556_133_000_266]),
    found("LinkedIn", Some("unix-ms"), CODE, &[6_157_099_556_133_000_266])
        .beside("urn:li:activity:6157099556133000266"),
    found(
        "snowflake-id (Python)",
        Some("unix-ms"),
        "its README",
        &[6_820_698_575_169_822_721, 6_820_698_575_174_017_024],
    ),
    found(
        "snowflake-id (Python)",
        Some("unix-ms"),
        "a report of a user",
        &[7_102_577_116_159_582_209],
    ),
    found(
        "TikTok",
        Some("tiktok"),
        CODE,
        &[
            6_703_712_940_684_385_219,
            6_718_335_390_845_095_173,
            6_954_172_227_130_641_670,
            7_113_220_013_762_366_725,
            7_238_296_021_363_707_142,
            7_292_038_399_458_954_501,
            7_431_296_661_177_093_382,
            7_576_061_243_321_011_486,
            7_644_298_321_166_667_041,
        ],
    ),
    found("TikTok", Some("tiktok"), "a report of a user", &[6_854_717_870_488_702_213]),
    found("Douyin", Some("tiktok"), CODE, &[7_661_288_207_509_769_506]),
    found(
        "Toutiao",
        Some("tiktok"),
        CODE,
        &[
            6_805_704_151_348_019_715,
            6_835_126_947_312_304_651,
            7_137_507_638_694_281_764,
            7_602_916_065_953_251_875,
        ],
    ),
    found(
        "Weibo",
        Some("weibo"),
        CODE,
        &[
            4_189_191_225_395_228,
            4_506_950_043_618_873,
            4_540_412_688_340_564,
            4_585_001_998_353_993,
            4_725_600_311_578_496,
            4_778_730_424_109_058,
            4_823_585_938_735_546,
            4_985_092_973_790_250,
        ],
    ),
    found("Weibo", Some("weibo"), CODE, &[4_506_950_043_618_873])
        .beside("https://m.weibo.cn/detail/4506950043618873"),
    found(
        "Bilibili",
        Some("bilibili"),
        CODE,
        &[
            745_324_585_822_453_908,
            1_033_106_442_681_319_432,
            1_063_481_512_218_853_397,
            1_217_047_827_404_816_392,
        ],
    ),
    found("Bilibili", Some("bilibili"), CODE, &[1_063_481_512_218_853_397])
        .beside("https://www.bilibili.com/opus/1063481512218853397"),
    found(
        "MyBatis-Plus",
        Some("twitter"),
        CODE,
        &[1_088_248_166_370_832_385, 1_516_981_119_923_392_513, 1_701_470_299_167_850_497],
    ),
    found(
        "bwmarrin",
        Some("bwmarrin"),
        "its tests",
        &[1_116_766_490_855_473_152, 1_427_970_479_175_499_776],
    ),
    found(
        "snowflake-id (Python)",
        Some("twitter"),
        "its README, with Twitter's epoch",
        &[856_165_981_072_306_191, 1_414_934_653_136_449_536],
    ),
    found("Sonyflake", Some("sonyflake-v1"), CODE, &[612_022_676_378_137_381]),
    found("Sonyflake", Some("sonyflake-v1"), CODE, &[612_022_676_378_137_381])
        .beside("sonyflake id"),
    found("UidGenerator", Some("baidu-readme"), "its README", &[180_363_646_902_239_241]),
    found("CosId", Some("cosid-ms"), "CosId docs", &[295_913_926_632_165_376]),
    found("CosId", Some("cosid-js-ms"), "CosId docs", &[208_796_080_181_248]),
    found("CosId", Some("cosid-js-ms"), "CosId docs", &[208_796_080_181_248]).beside("cosid"),
    found("yitter", Some("yitter"), "its README", &[129_053_495_681_099]),
    found(
        "NetEase",
        Some("netease"),
        "NetEase's examples",
        &[4_194_308_097, 491_031_363_588_106, 923_887_730_696_217, 1_409_793_654_796_289],
    ),
    found(
        "Seata",
        None,
        "logs in public repositories",
        &[98_511_002_756_775_936, 131_405_855_596_744_704, 710_997_400_403_664_896],
    ),
    found(
        "Seata",
        Some("seata"),
        "logs in public repositories",
        &[8_079_739_318_321_859_573, 5_161_956_697_001_525_281],
    ),
    found(
        "Facebook",
        None,
        CODE,
        &[
            483_037_603_868_461,
            719_676_287_548_549,
            820_363_857_527_889,
            1_025_501_584_180_532,
            1_884_995_171_534_624,
            1_893_189_787_425_704,
            9_938_360_156_189_707,
            10_153_252_661_638_928,
            10_220_055_581_075_910,
            122_271_566_744_068_184,
        ],
    ),
    found(
        "Steam",
        None,
        CODE,
        &[
            76_561_197_960_287_930,
            76_561_197_999_655_940,
            76_561_198_135_875_727,
            76_561_198_968_457_747,
            76_561_199_869_630_181,
        ],
    ),
    found(
        "Zhihu",
        None,
        CODE,
        &[
            1_905_773_415_048_143_364,
            1_923_794_430_491_620_846,
            1_933_215_367_158_830_792,
            1_949_503_510_795_233_209,
            1_990_875_531_034_514_231,
        ],
    ),
    found(
        "snowflake-gen (npm)",
        None,
        "its README",
        &[1_119_762_871_952_658_432, 1_119_781_265_757_814_784],
    ),
    found(
        "snowflakeid-producer (npm)",
        None,
        "its README",
        &[7_775_772_507_156_480, 7_775_828_467_560_448, 349_477_010_654_887_936],
    ),
    found("sonyflake (npm)", None, "its README", &[1_211_144_891_006_978]),
    found("ymdsnowflake", None, "its README", &[1_902_284_193_284_128_769]),
    found("ultimatelemon/snowflake", None, "its README", &[131_557_566_537_793_536]),
    found(
        "a library with an epoch of its own",
        None,
        "articles",
        &[779_281_037_489_340_416, 972_178_778_925_039_616, 69_715_707_826_409_472],
    ),
    found(
        "time in nanoseconds",
        None,
        "computed",
        &[1_700_000_000_000_000_000, 1_795_219_200_000_000_000, 1_712_345_678_901_234_567],
    ),
    found("time in microseconds", None, "computed", &[1_795_219_200_000_000]),
    found("time in milliseconds", None, "computed", &[1_700_000_000_000]),
    found("a test card's number", None, "public documents of banks", &[4_111_111_111_111_111]),
    found("small numbers", None, "computed", &[0, 1, 12345, 1_700_000_000]),
    found(
        "the largest numbers",
        None,
        "computed",
        &[9_223_372_036_854_775_807, 18_446_744_073_709_551_615],
    ),
];
