//! `snowflakes.json`, by both machines: each must do what the trace says, so they agree.

use serde_json::Value;
use snowmint_engine::{
    Action, ClockPolicy, Error, Grant, Ids, Lane, Layout, Pace, Preset, SequenceStart,
    SharedSnowflake, Snowflake, SnowflakeOwner,
};

use crate::layouts::policy;
use crate::reading::{document, judge, layout, list, narrow, text, wide};

/// The generator that a trace drives.
trait Machine: Sized {
    fn new(layout: Layout, lane: Lane, pace: Pace) -> Result<Self, Error>;
    fn issue(&mut self, now_ms: i64, n: u32) -> Result<Ids, Error>;
    fn extend(&mut self, reserved: u64);
    fn open(&mut self, lane: Lane) -> Result<(), Error>;
    fn jump(&mut self, lane: Lane) -> Result<(), Error>;
}

macro_rules! machine {
    ($machine:ident, $owner:expr) => {
        impl Machine for $machine {
            fn new(layout: Layout, lane: Lane, pace: Pace) -> Result<Self, Error> {
                $machine::new(layout, lane, pace)
            }

            fn issue(&mut self, now_ms: i64, n: u32) -> Result<Ids, Error> {
                $machine::issue(self, now_ms, n)
            }

            fn extend(&mut self, reserved: u64) {
                $owner(self).extend(reserved);
            }

            fn open(&mut self, lane: Lane) -> Result<(), Error> {
                $owner(self).open(lane)
            }

            fn jump(&mut self, lane: Lane) -> Result<(), Error> {
                $owner(self).jump(lane)
            }
        }
    };
}

machine!(Snowflake, core::convert::identity::<&mut Snowflake>);
machine!(SharedSnowflake, owner);

fn owner(shared: &mut SharedSnowflake) -> SnowflakeOwner<'_> {
    shared.owner().unwrap()
}

#[test]
fn the_plain_machine_follows_the_traces() {
    traces::<Snowflake>();
}

#[test]
fn the_shared_machine_follows_the_traces() {
    traces::<SharedSnowflake>();
}

#[test]
fn policies_are_those_of_the_engine() {
    let document = document("snowflakes.json");
    let rows = list(&document, "policies");
    assert_eq!(rows.len(), ClockPolicy::ALL.len());
    for (row, (name, known)) in rows.iter().zip(ClockPolicy::ALL) {
        assert_eq!((text(row, "name"), policy(row)), (*name, *known));
        let traces = list(&document, "traces");
        assert!(traces.iter().any(|trace| trace["policy"] == **name), "no trace has {name}");
    }
}

fn traces<M: Machine>() {
    let document = document("snowflakes.json");
    for case in list(&document, "refused") {
        let made = M::new(layout(&case["layout"]), lane(&case["lane"]), Pace::default());
        judge(case, made.map(|_| ()), || panic!("it should be refused: {case}"));
    }
    for trace in list(&document, "traces") {
        let pace =
            Pace { max_ahead_ms: narrow(trace, "max_ahead_ms"), start: start(&trace["start"]) };
        let policy = trace["policy"].as_str().map(|name| ClockPolicy::from_name(name).unwrap());
        let mut machine = M::new(layout(&trace["layout"]), lane(&trace["lane"]), pace).unwrap();
        for (at, step) in list(trace, "steps").iter().enumerate() {
            println!("{}: steps[{at}]", text(trace, "name")); // shown where the test fails
            run(&mut machine, policy, step);
        }
    }
}

fn run<M: Machine>(machine: &mut M, policy: Option<ClockPolicy>, step: &Value) {
    match text(step, "op") {
        "issue" => issue(machine, policy, step),
        "extend" => machine.extend(wide(step, "reserved")),
        "open" => judge(step, machine.open(lane(step)), || ()),
        "jump" => judge(step, machine.jump(lane(step)), || ()),
        other => panic!("no operation {other}"),
    }
}

fn issue<M: Machine>(machine: &mut M, policy: Option<ClockPolicy>, step: &Value) {
    let n = narrow(step, "n");
    match machine.issue(wide(step, "now_ms"), n) {
        Ok(ids) => {
            assert_eq!(ids.len(), n as usize, "{step}");
            let ids: Vec<u64> = ids.collect();
            assert_eq!(ids.len(), n as usize, "{step}");
            assert_eq!(ids.first(), Some(&wide(step, "first")), "{step}");
            assert_eq!(ids.last(), Some(&wide(step, "last")), "{step}");
            if n <= 8 {
                let shown: Vec<String> = ids.iter().map(u64::to_string).collect();
                assert_eq!(Value::from(shown), step["ids"], "{step}");
            }
        }
        Err(error) => {
            assert_eq!(error.code().name(), text(step, "error"), "{step}");
            let Error::Stall(stall) = error else {
                assert!(step["wait_ms"].is_null(), "{step}");
                return;
            };
            assert_eq!(stall.wait_ms, wide::<u64>(step, "wait_ms"), "{step}");
            let action = policy.map(|policy| action_is(policy.action(stall)));
            assert_eq!(action.as_deref(), step["action"].as_str(), "{step}");
        }
    }
}

fn action_is(action: Action) -> String {
    match action {
        Action::Fail => "fail".to_owned(),
        Action::Wait { wait_ms } => format!("wait {wait_ms}"),
        Action::CountRollback => "count_rollback".to_owned(),
        Action::ChangeWorker => "change_worker".to_owned(),
        Action::ExtendGrant => "extend_grant".to_owned(),
        other => panic!("no vector has {other:?}"),
    }
}

fn lane(case: &Value) -> Lane {
    Lane {
        worker_id: narrow(case, "worker_id"),
        rollback: narrow(case, "rollback"),
        grant: Grant { floor: wide(case, "floor"), reserved: wide(case, "reserved") },
    }
}

pub(crate) fn start(case: &Value) -> SequenceStart {
    match text(case, "kind") {
        "zero" => SequenceStart::Zero,
        "vibrate" => SequenceStart::Vibrate { max_offset: narrow(case, "max_offset") },
        "random" => {
            SequenceStart::Random { below: narrow(case, "below"), seed: wide(case, "seed") }
        }
        "rotate" => SequenceStart::Rotate,
        other => panic!("no sequence start {other}"),
    }
}

#[test]
fn every_preset_layout_named_in_a_trace_exists() {
    let document = document("snowflakes.json");
    for trace in list(&document, "traces") {
        if let Some(name) = trace["layout"]["preset"].as_str() {
            assert!(Preset::from_name(name).is_some(), "{name}");
        }
    }
}
