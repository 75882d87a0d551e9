//! Names as users write them.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use snowmint::{Code, Layout, Network, Preset, Result, SequenceStart, WorkerId, names, open_store};

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>, code: Code, hint: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(hint), "{error}");
}

#[test]
fn layouts_by_preset_or_fields() {
    for preset in Preset::ALL {
        assert_eq!(names::layout(preset.name).unwrap(), preset.layout);
    }
    let fields = Layout::builder().time(44).worker(8).sequence(12).build().unwrap();
    assert_eq!(names::layout("time:44,worker:8,sequence:12").unwrap(), fields);
    refused(names::layout("twiter"), Code::UnknownLayout, "did you mean twitter?; there are");
    refused(names::layout("time:44,worker"), Code::InvalidLayout, "offset 8");
}

#[test]
fn policies_and_sequence_starts() {
    for (name, policy) in snowmint::ClockPolicy::ALL {
        assert_eq!(names::policy(name).unwrap(), *policy);
    }
    refused(names::policy("lax"), Code::InvalidParameter, "twitter");
    assert_eq!(names::sequence_start("zero").unwrap(), SequenceStart::Zero);
    assert_eq!(names::sequence_start("rotate").unwrap(), SequenceStart::Rotate);
    let vibrate = SequenceStart::Vibrate { max_offset: 3 };
    assert_eq!(names::sequence_start("vibrate:3").unwrap(), vibrate);
    let random = names::sequence_start("random:10").unwrap();
    assert!(matches!(random, SequenceStart::Random { below: 10, .. }), "{random:?}");
    for wrong in ["", "zero:1", "rotate:0", "vibrate", "vibrate:-1", "random:0", "random"] {
        refused(names::sequence_start(wrong), Code::InvalidParameter, "vibrate:MAX");
    }
}

#[test]
fn workers() {
    assert_eq!("7".parse::<WorkerId>().unwrap(), WorkerId::Fixed(7));
    let named = WorkerId::Environment("POD".to_owned());
    assert_eq!("env:POD".parse::<WorkerId>().unwrap(), named);
    assert!(matches!("env".parse().unwrap(), WorkerId::Environment(_)));
    assert_eq!("ordinal:POD".parse::<WorkerId>().unwrap(), WorkerId::Ordinal("POD".to_owned()));
    let of_the_pod = WorkerId::Ordinal("POD_NAME".to_owned());
    assert_eq!("ordinal".parse::<WorkerId>().unwrap(), of_the_pod);
    let network: Network = "10.244.0.0/22".parse().unwrap();
    assert_eq!("ip:10.244.0.0/22".parse::<WorkerId>().unwrap(), WorkerId::Address(network));
    for wrong in ["", "-1", "+7", "007", "4294967296", "host"] {
        refused(wrong.parse::<WorkerId>(), Code::InvalidParameter, "a number");
    }
    for wrong in ["ip", "ip:1", "ip:10.244.0.7"] {
        refused(wrong.parse::<WorkerId>(), Code::InvalidParameter, "ip:10.0.4.0/22");
    }
}

#[test]
fn stores_by_url() {
    assert!(open_store("memory:").unwrap().tags().unwrap().is_empty());
    refused(open_store("memory:/here").map(drop), Code::InvalidUrl, "write memory:tests");
    refused(open_store("ids.db").map(drop), Code::InvalidUrl, "ids.db");
    let known = if cfg!(feature = "sqlite") { "sqlite:ids.db" } else { "memory:" };
    refused(open_store("oracle:ids").map(drop), Code::UnknownScheme, known);
    refused(open_store("memory:?size=1").map(drop), Code::UnknownParameter, "size");
}

#[test]
#[cfg(not(any(feature = "daily", feature = "interfaces", feature = "sqlite", feature = "uuid")))]
fn a_feature_the_program_was_built_without_is_named() {
    use snowmint::Mint as _;

    let refused = [
        ("uuid:?version=7", Code::UnknownScheme, "uuid"),
        ("daily+sqlite:ids.db?tag=orders", Code::UnknownScheme, "daily"),
        ("segment+sqlite:ids.db?tag=orders", Code::UnknownScheme, "sqlite"),
        ("snowflake:?worker_id=ip:10.0.4.0/22", Code::Unsupported, "interfaces"),
    ];
    for (url, code, feature) in refused {
        let error = snowmint::open(url).map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(&format!("needs the feature {feature} of")), "{error}");
    }
    let directory = tempfile::tempdir().unwrap();
    let url = format!("snowflake:?worker_id=7&state={}", directory.path().display());
    assert!(snowmint::open(&url).unwrap().next_id().is_ok());
}
