//! Guessing a layout from an ID: published IDs find their system, and no likely guess is wrong.
//! `tests/vectors/guesses.json` has more IDs.

use proptest::prelude::*;
use snowmint_engine::{Doubt, FieldKind, Preset, Unfit, guess, guess_beside};

/// 2026-11-21T00:00:00Z.
const NOW_MS: i64 = 1_795_219_200_000;
const DAY_MS: i64 = 86_400_000;

/// IDs as their systems published them, or with a value of its own in each field.
#[rustfmt::skip]
const KNOWN: &[(&str, u64, i64)] = &[
    ("twitter", 1_541_815_603_606_036_480, 1_656_432_460_105),
    ("twitter", 1_050_118_621_198_921_728, 1_539_202_764_211),
    ("twitter", 1_888_944_671_579_078_978, 1_739_194_479_256),
    ("bwmarrin", 1_427_970_479_175_499_776, 1_629_289_667_301),
    ("bwmarrin", 1_116_766_490_855_473_152, 1_555_092_854_595),
    ("discord", 175_928_847_299_117_063, 1_462_015_105_796),
    ("discord", 661_720_242_585_735_168, 1_577_836_800_000),
    ("instagram", 2_384_288_897_814_875_714, 1_598_449_407_313),
    ("mastodon", 103_270_115_826_048_975, 1_575_776_913_849),
    ("baidu-readme", 180_363_646_902_239_241, 1_484_799_346_000),
    ("cosid-ms", 295_913_926_632_165_376, 1_647_754_577_924),
    ("cosid-js-ms", 208_796_080_181_248, 1_628_178_805_513),
    ("yitter", 129_053_495_681_099, 1_613_643_603_094),
    ("twitter", 2_088_605_359_567_999_075, 1_786_797_296_789),
    ("discord", 1_538_164_090_110_152_803, 1_786_797_296_789),
    ("instagram", 3_964_265_510_254_998_627, 1_786_797_296_789),
    ("sonyflake-v1", 632_950_163_876_547_185, 1_786_797_296_780),
    ("baidu-readme", 5_368_648_921_739_305_059, 1_786_797_296_000),
    ("baidu-default", 8_263_209_386_047_840_355, 1_704_164_645_000),
    ("shardingsphere", 1_295_364_220_158_152_803, 1_786_797_296_789),
    ("cosid-s", 900_199_788_228_640_867, 1_786_797_296_000),
    ("cosid-js-ms", 858_497_420_450_403, 1_786_797_296_789),
    ("netease", 744_293_072_535_752_803, 1_786_797_296_789),
    ("lingdu", 9_160_752_415_122_703_459, 1_786_797_296_789),
    ("hazelcast", 1_140_986_989_414_842_481, 1_786_797_296_789),
    ("seata", 1_018_626_006_934_179_939, 1_786_797_296_789),
    ("unix-ms", 7_397_513_585_553_313_792, 1_763_704_677_952),
    ("unix-ms", 7_102_577_116_159_582_209, 1_693_386_343_994),
    ("tiktok", 6_854_717_870_488_702_213, 1_595_988_373_000),
    ("weibo", 4_778_730_424_109_058, 1_654_821_580_000),
    ("bilibili", 1_063_481_512_218_853_397, 1_746_449_485_000),
];

#[test]
fn known_ids_find_their_preset_and_time() {
    for &(name, id, unix_ms) in KNOWN {
        let guessed = guess(id, NOW_MS).find(|guess| guess.preset.name == name);
        let guessed = guessed.unwrap_or_else(|| panic!("{id} is not taken for {name}"));
        assert_eq!(guessed.parts.unix_ms, unix_ms, "{id} as {name}");
        assert_eq!(guessed.preset.layout.decode(id), Ok(guessed.parts));
    }
}

fn names(id: u64, beside: &str) -> Vec<&'static str> {
    guess_beside(id, NOW_MS, beside).map(|guess| guess.preset.name).collect()
}

/// An ID whose bits are alike in many layouts is dated by what stands beside it.
#[test]
fn a_word_beside_an_id_decides_which_guess_comes_first() {
    let id = 175_928_847_299_117_063; // of Discord's documentation
    for beside in [
        "guild_id",
        "guildId",
        "GUILD_IDS",
        "guilds",
        "https://discord.com/channels/175928847299117063",
        "see https://cdn.discordapp.com.",
        "Discord",
    ] {
        let first = guess_beside(id, NOW_MS, beside).next().unwrap();
        assert_eq!((first.preset.name, first.named), ("discord", true), "{beside}");
        assert_eq!(first.parts.unix_ms, 1_462_015_105_796);
        let fields = first.preset.layout.worker_parts(first.parts.worker_id).unwrap();
        let fields: Vec<_> = fields.collect();
        assert_eq!(fields, [(FieldKind::Worker, 1), (FieldKind::Process, 0)]);
    }
    for beside in ["tweet_id", "tweetId", "retweets", "https://x.com/a/status/1", "//twitter.com"] {
        assert_eq!(names(id, beside)[0], "twitter", "{beside}");
    }
    for beside in ["netflix.com", "x.com.evil.example", "https://an-x.com/", "guilder", "misguild"]
    {
        assert_eq!(names(id, beside), names(id, ""), "{beside}");
        assert!(guess_beside(id, NOW_MS, beside).all(|guess| !guess.named), "{beside}");
    }
    assert!(names(id, "sonyflake ids")[0].starts_with("sonyflake"));
    // A word does not name a system that cannot have made the ID.
    assert!(names(12_345, "tweet_id").is_empty());
}

fn doubts(id: u64, beside: &str) -> Vec<(&'static str, Option<Doubt>)> {
    guess_beside(id, NOW_MS, beside).map(|guess| (guess.preset.name, guess.doubt)).collect()
}

/// Twitter's epoch is that of other presets, whose guesses say the same.
#[test]
fn likely_guesses_have_one_time() {
    let likely = guess(1_541_815_603_606_036_480, NOW_MS).filter(|guess| guess.doubt.is_none());
    let names: Vec<_> = likely.map(|guess| (guess.preset.name, guess.parts.unix_ms)).collect();
    let unix_ms = 1_656_432_460_105;
    assert_eq!(names, [("twitter", unix_ms), ("leaf", unix_ms), ("bwmarrin", unix_ms)]);
}

#[test]
fn systems_that_bits_do_not_tell_apart_are_ambiguous() {
    let id = 1_427_970_479_175_499_776; // of bwmarrin's tests: worker 0 and sequence 0
    let ambiguous = Some(Doubt::Ambiguous);
    assert_eq!(doubts(id, "")[..2], [("twitter", ambiguous), ("discord", ambiguous)]);
    assert_eq!(
        guess(id, NOW_MS).none_likely().unwrap().to_string(),
        "no preset is likely: its bits do not tell apart twitter, discord, instagram and systems with \
         epochs of their own"
    );
    assert_eq!(doubts(id, "bwmarrin")[0], ("bwmarrin", None));
    assert!(guess_beside(id, NOW_MS, "bwmarrin").none_likely().is_none());
}

/// Both systems of this name are plausible, and each would give the ID another time.
/// snowmint's own IDs use all workers and sequences, which Twitter's do not.
#[test]
fn an_id_that_was_just_made_has_its_time() {
    for preset in Preset::ALL.iter().filter(|it| ["twitter", "instagram"].contains(&it.name)) {
        for unix_ms in [0, 40, 12_000, DAY_MS / 2].map(|ago_ms| NOW_MS - ago_ms) {
            let of = |unix_ms| preset.layout.min_id(unix_ms).unwrap();
            let (first, next) = (of(unix_ms), of(unix_ms + 1));
            for id in [first, first + 114, first + (next - first) / 3, next - 1] {
                let first = guess(id, NOW_MS).next().unwrap();
                assert_eq!((first.parts.unix_ms, first.doubt), (unix_ms, None), "{id}");
            }
        }
    }
}

#[test]
fn names_of_two_plausible_layouts_do_not_decide() {
    let doubts = doubts(1_295_364_220_158_152_803, "shardingsphere");
    let ambiguous = Some(Doubt::Ambiguous);
    assert_eq!(doubts[..2], [("shardingsphere", ambiguous), ("shardingsphere-cst", ambiguous)]);
}

#[test]
fn expired_and_rare_presets_are_likely_only_if_they_are_named() {
    for (name, id, doubt, beside) in [
        ("baidu-default", 8_263_209_386_047_840_355, Doubt::Expired, "a baidu uid"),
        ("lingdu", 9_160_752_415_122_703_459, Doubt::Expired, "lingdu"),
        ("seata", 5_161_956_697_001_525_281, Doubt::Rare, "seata"),
        ("yitter", 129_053_495_681_099, Doubt::Rare, "yitter"),
    ] {
        let find = |beside| doubts(id, beside).into_iter().find(|&(found, _)| found == name);
        assert_eq!(find(""), Some((name, Some(doubt))));
        assert!(doubts(id, "").iter().all(|(_, doubt)| doubt.is_some()), "{name}");
        assert_eq!(doubts(id, beside)[0], (name, None));
    }
}

#[test]
fn small_numbers_are_not_dated() {
    for id in [0, 1, 12_345, 4_194_308_097, 1_700_000_000, 9_999_999_999] {
        assert!(names(id, "").is_empty(), "{id}: {:?}", names(id, ""));
    }
    assert_eq!(
        guess(12_345, NOW_MS).none_likely().unwrap().to_string(),
        "no preset is likely: it is as small as in the first day of 27 of the layouts"
    );
}

/// Systems were not busy in the first month of their layout, but published their examples.
#[test]
fn numbers_of_a_layout_s_first_month_come_last_with_a_doubt() {
    let id = 1_409_793_654_796_289; // of NetEase
    let found = doubts(id, "");
    assert!(found.contains(&("netease", Some(Doubt::Young))), "{found:?}");
    assert!(found.iter().all(|&(_, doubt)| doubt == Some(Doubt::Young)), "{found:?}");
    assert_eq!(doubts(id, "netease")[0], ("netease", None));
    let instagram = guess_beside(11_637_205_501_278_089, NOW_MS, "instagram").next().unwrap();
    assert_eq!((instagram.doubt, instagram.parts.unix_ms), (None, 1_315_607_284_721));
    let doubts = doubts(7_775_828_467_560_448, "").into_iter().map(|(_, doubt)| doubt);
    assert!(doubts.is_sorted(), "the young are not last");
}

#[test]
fn each_preset_that_is_left_out_has_its_reason() {
    let guesses = guess(7_397_513_585_553_313_792, NOW_MS);
    let left_out: Vec<_> = guesses.left_out().map(|(preset, why)| (preset.name, why)).collect();
    for expected in
        [("twitter", Unfit::Future), ("cosid-js-ms", Unfit::Bits), ("mastodon", Unfit::Future)]
    {
        assert!(left_out.contains(&expected), "{left_out:?}");
    }
    assert_eq!(left_out.len() + guesses.count(), Preset::ALL.len());
    let early = guess(1_409_793_654_796_289, NOW_MS);
    let early: Vec<_> = early.left_out().filter(|&(_, why)| why == Unfit::Early).collect();
    assert!(early.iter().any(|(preset, _)| preset.name == "leaf"), "{early:?}");
}

#[test]
fn no_time_before_the_system_had_such_ids_or_in_its_layout_s_first_day() {
    for preset in Preset::ALL {
        let first_ms = preset.since_ms.max(preset.layout.epoch_ms() + DAY_MS);
        let is_guessed = |unix_ms| {
            let id = preset.layout.min_id(unix_ms).unwrap();
            guess(id, NOW_MS).any(|guess| guess.preset.name == preset.name)
        };
        assert!(is_guessed(first_ms + i64::from(preset.layout.tick_ms())), "{}", preset.name);
        assert!(!is_guessed(first_ms - 1), "{}", preset.name);
    }
    let since = |name| Preset::from_name(name).unwrap().since_ms;
    assert_eq!(since("leaf"), 1_483_228_800_000); // 2017-01-01T00:00:00Z
    assert_eq!(since("bwmarrin"), 1_451_606_400_000); // 2016-01-01T00:00:00Z
}

#[test]
fn a_time_more_than_a_day_ahead_is_not_plausible() {
    let (id, unix_ms) = (1_541_815_603_606_036_480, 1_656_432_460_105);
    let is_twitter = |now_ms| guess(id, now_ms).any(|guess| guess.preset.name == "twitter");
    assert!(is_twitter(unix_ms - DAY_MS));
    assert!(!is_twitter(unix_ms - DAY_MS - 1));
}

/// A timestamp in nanoseconds lies among Twitter's IDs.
#[test]
fn the_present_in_nanoseconds_is_not_dated_as_an_id() {
    for id in [1_795_219_200_000_000_000, 1_700_000_000_000_000_000, 1_712_345_678_901_234_567] {
        assert!(guess(id, NOW_MS).none_likely().is_some(), "{id}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// L6: any ID at any time, and the answer is what decoding with every preset says.
    #[test]
    fn l6_any_id_is_guessed_at(id in any::<u64>(), shift in 0..64_u32, now_ms in
        prop_oneof![Just(NOW_MS), any::<i64>()]) {
        let id = id >> shift;
        let names: Vec<&str> = guess(id, now_ms).map(|guess| guess.preset.name).collect();
        let again: Vec<&str> = guess(id, now_ms).map(|guess| guess.preset.name).collect();
        prop_assert_eq!(&names, &again);
        let likely = guess(id, now_ms).filter(|guess| guess.doubt.is_none());
        let mut times: Vec<i64> = likely.map(|guess| guess.parts.unix_ms).collect();
        times.dedup();
        prop_assert!(times.len() <= 1);
        prop_assert_eq!(times.is_empty(), guess(id, now_ms).none_likely().is_some());
        for preset in Preset::ALL {
            let latest_ms = now_ms.saturating_add(DAY_MS);
            let earliest_ms = preset.since_ms.max(preset.layout.epoch_ms() + DAY_MS);
            let plausible = preset
                .layout
                .decode(id)
                .is_ok_and(|parts| (earliest_ms..=latest_ms).contains(&parts.unix_ms));
            let times = names.iter().filter(|name| **name == preset.name).count();
            prop_assert_eq!(times, usize::from(plausible), "{}", preset.name);
        }
    }
}
