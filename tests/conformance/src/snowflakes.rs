//! `snowflakes.json`: clock policies, and generators step by step.

use serde::Serialize;
use snowmint_engine::{
    Action, ClockPolicy, Error, Grant, Lane, Layout, Pace, Preset, SequenceStart, Snowflake,
};

use crate::layouts::custom;
use crate::policies::{Policy, Start};
use crate::render::render;

mod clocks;
mod lanes;
mod limits;
mod starts;

/// Runs of at most so many IDs are written out.
const SHOWN_MAX: usize = 8;

#[derive(Serialize)]
struct Document {
    policies: Vec<NamedPolicy>,
    refused: Vec<Refused>,
    traces: Vec<Trace>,
}

#[derive(Serialize)]
struct NamedPolicy {
    name: &'static str,
    #[serde(flatten)]
    policy: Policy,
}

/// A generator that cannot be made.
#[derive(Serialize)]
struct Refused {
    layout: LayoutIs,
    lane: LaneIs,
    error: &'static str,
}

#[derive(Serialize)]
struct Trace {
    name: String,
    about: &'static str,
    layout: LayoutIs,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'static str>,
    max_ahead_ms: u32,
    start: Start,
    lane: LaneIs,
    steps: Vec<Step>,
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum LayoutIs {
    Preset { preset: &'static str },
    Custom { fields: String, epoch_ms: String, tick_ms: u32 },
}

#[derive(Serialize)]
struct LaneIs {
    worker_id: u32,
    rollback: u32,
    floor: String,
    reserved: String,
}

#[derive(Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Step {
    Issue {
        now_ms: String,
        n: u32,
        #[serde(flatten)]
        result: Issued,
    },
    Extend {
        reserved: String,
    },
    Open(Change),
    Jump(Change),
}

/// A change of lane, done or refused.
#[derive(Serialize)]
struct Change {
    #[serde(flatten)]
    lane: LaneIs,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

impl Change {
    fn of(lane: Lane, result: Result<(), Error>) -> Change {
        Change { lane: lane_is(lane), error: result.err().map(|error| error.code().name()) }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Issued {
    Ids {
        first: String,
        last: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ids: Vec<String>,
    },
    Stall {
        error: &'static str,
        wait_ms: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        action: Option<String>,
    },
    Error {
        error: &'static str,
    },
}

/// The layout that a trace runs on.
#[derive(Clone, Copy)]
enum On {
    Preset(&'static str),
    Custom(&'static str, i64, u32),
}

impl On {
    fn layout(self) -> Layout {
        match self {
            On::Preset(name) => Preset::from_name(name).expect("a preset's name").layout,
            On::Custom(fields, epoch_ms, tick_ms) => {
                custom(fields, epoch_ms, tick_ms).expect("the traces' layouts are valid")
            }
        }
    }

    fn shown(self) -> LayoutIs {
        match self {
            On::Preset(preset) => LayoutIs::Preset { preset },
            On::Custom(_, epoch_ms, tick_ms) => LayoutIs::Custom {
                fields: self.layout().fields_text().to_string(),
                epoch_ms: epoch_ms.to_string(),
                tick_ms,
            },
        }
    }
}

/// Runs a generator and writes down what it does.
struct Recorder {
    trace: Trace,
    machine: Snowflake,
    policy: Option<ClockPolicy>,
}

impl Recorder {
    fn new(
        name: impl Into<String>,
        about: &'static str,
        on: On,
        lane: Lane,
        pace: Pace,
    ) -> Recorder {
        let trace = Trace {
            name: name.into(),
            about,
            layout: on.shown(),
            policy: None,
            max_ahead_ms: pace.max_ahead_ms,
            start: Start::of(pace.start),
            lane: lane_is(lane),
            steps: Vec::new(),
        };
        let machine = Snowflake::new(on.layout(), lane, pace).expect("the traces' lanes are valid");
        Recorder { trace, machine, policy: None }
    }

    /// A generator that borrows nothing and starts at sequence 0.
    fn plain(name: impl Into<String>, about: &'static str, on: On, lane: Lane) -> Recorder {
        Recorder::new(name, about, on, lane, Pace::default())
    }

    /// A generator under a clock policy, whose action is noted with each stall.
    fn under(policy: &'static str, about: &'static str, on: On) -> Recorder {
        let known = ClockPolicy::from_name(policy).expect("a policy's name");
        let pace = Pace { max_ahead_ms: known.max_ahead_ms, start: SequenceStart::Zero };
        let mut recorder =
            Recorder::new(format!("policy {policy}"), about, on, Lane::of_worker(5), pace);
        recorder.trace.policy = Some(policy);
        recorder.policy = Some(known);
        recorder
    }

    fn issue(&mut self, now_ms: i64, n: u32) {
        let result = match self.machine.issue(now_ms, n) {
            Ok(ids) => issued(ids),
            Err(Error::Stall(stall)) => Issued::Stall {
                error: stall.reason.code().name(),
                wait_ms: stall.wait_ms.to_string(),
                action: self.policy.map(|policy| action(policy.action(stall))),
            },
            Err(error) => Issued::Error { error: error.code().name() },
        };
        self.trace.steps.push(Step::Issue { now_ms: now_ms.to_string(), n, result });
    }

    fn extend(&mut self, reserved: u64) {
        self.machine.extend(reserved);
        self.trace.steps.push(Step::Extend { reserved: reserved.to_string() });
    }

    fn open(&mut self, lane: Lane) {
        let result = self.machine.open(lane);
        self.trace.steps.push(Step::Open(Change::of(lane, result)));
    }

    fn jump(&mut self, lane: Lane) {
        let result = self.machine.jump(lane);
        self.trace.steps.push(Step::Jump(Change::of(lane, result)));
    }
}

fn issued(ids: impl ExactSizeIterator<Item = u64>) -> Issued {
    let is_short = ids.len() <= SHOWN_MAX;
    let (mut first, mut last, mut shown) = (None, 0, Vec::new());
    for id in ids {
        first.get_or_insert(id);
        last = id;
        if is_short {
            shown.push(id.to_string());
        }
    }
    Issued::Ids { first: first.unwrap_or_default().to_string(), last: last.to_string(), ids: shown }
}

fn action(action: Action) -> String {
    match action {
        Action::Fail => "fail".into(),
        Action::Wait { wait_ms } => format!("wait {wait_ms}"),
        Action::CountRollback => "count_rollback".into(),
        Action::ChangeWorker => "change_worker".into(),
        Action::ExtendGrant => "extend_grant".into(),
        other => panic!("the vectors have no {other:?}"),
    }
}

fn lane_is(lane: Lane) -> LaneIs {
    LaneIs {
        worker_id: lane.worker_id,
        rollback: lane.rollback,
        floor: lane.grant.floor.to_string(),
        reserved: lane.grant.reserved.to_string(),
    }
}

fn lane(worker_id: u32, rollback: u32, floor: u64, reserved: u64) -> Lane {
    Lane { worker_id, rollback, grant: Grant { floor, reserved } }
}

/// Numbers without a pattern, the same each time (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }
}

pub(crate) fn document() -> String {
    let policies = ClockPolicy::ALL
        .iter()
        .map(|&(name, policy)| NamedPolicy { name, policy: Policy::of(policy) });
    let recorders = [clocks::all(), limits::all(), lanes::all(), starts::all()];
    let document = Document {
        policies: policies.collect(),
        refused: lanes::refused(),
        traces: recorders.into_iter().flatten().map(|recorder| recorder.trace).collect(),
    };
    render(&document)
}
