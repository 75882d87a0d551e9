//! `segments.json`: what a segment buffer asks for, gives and refuses, step by step.

use serde::Serialize;
use snowmint_engine::{MAX_NUMBER, MAX_STEP, NumberRange, Prefetch, SegmentBuffer, StepSize};

use crate::render::render;

mod scenarios;

#[derive(Serialize)]
struct Document {
    limits: Vec<Limit>,
    ranges: Vec<RangeCase>,
    steps: Vec<StepCase>,
    traces: Vec<Trace>,
}

#[derive(Serialize)]
struct Limit {
    name: &'static str,
    value: String,
}

#[derive(Serialize)]
struct RangeCase {
    start: String,
    end: String,
    stride: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

#[derive(Serialize)]
struct StepCase {
    min: String,
    max: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

#[derive(Serialize)]
struct Trace {
    name: String,
    about: &'static str,
    prefetch: Ahead,
    step: StepCase,
    above: String,
    steps: Vec<Action>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Ahead {
    DoubleBucket { used_percent: u8 },
    Chain { distance: u32 },
}

#[derive(Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Action {
    Wants {
        now_ms: String,
        step: Option<String>,
    },
    Take {
        n: String,
        range: Option<RangeIs>,
        remaining: String,
    },
    TakeUntilRequest {
        range: Option<RangeIs>,
        remaining: String,
    },
    Supply {
        start: String,
        end: String,
        stride: String,
        now_ms: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'static str>,
        remaining: String,
        floor: String,
    },
    Failed,
    Resize(StepCase),
}

#[derive(Serialize)]
struct RangeIs {
    start: String,
    end: String,
    stride: String,
}

/// Runs a buffer and writes down what it does.
struct Recorder {
    trace: Trace,
    buffer: SegmentBuffer,
    /// The start of the next range of the imagined store.
    stored: u64,
    stride: u64,
}

impl Recorder {
    fn new(
        name: impl Into<String>,
        about: &'static str,
        prefetch: Prefetch,
        (min, max): (u64, u64),
    ) -> Recorder {
        let sizes = StepSize::adaptive(min, max).expect("the steps of the traces are valid");
        let prefetch_case = match prefetch {
            Prefetch::DoubleBucket { used_percent } => Ahead::DoubleBucket { used_percent },
            Prefetch::Chain { distance } => Ahead::Chain { distance },
            other => panic!("the vectors have no {other:?}"),
        };
        let step = step_case(min, max);
        let (above, steps) = ("0".into(), Vec::new());
        let trace = Trace { name: name.into(), about, prefetch: prefetch_case, step, above, steps };
        Recorder { trace, buffer: SegmentBuffer::new(prefetch, sizes), stored: 1, stride: 1 }
    }

    fn above(mut self, floor: u64) -> Recorder {
        self.trace.above = floor.to_string();
        self.buffer = self.buffer.above(floor);
        self.stored = floor;
        self
    }

    fn strided(mut self, stride: u64) -> Recorder {
        self.stride = stride;
        self
    }

    fn wants(&mut self, now_ms: i64) -> Option<u64> {
        let step = self.buffer.wants(now_ms).map(|request| request.step);
        let (now_ms, text) = (now_ms.to_string(), step.map(|step| step.to_string()));
        self.trace.steps.push(Action::Wants { now_ms, step: text });
        step
    }

    /// Asks, and has the imagined store answer at once; whether there was something to ask.
    fn fill(&mut self, now_ms: i64) -> bool {
        let step = self.wants(now_ms);
        if let Some(step) = step {
            let start = self.stored;
            self.supply(start, start + step * self.stride, now_ms);
        }
        step.is_some()
    }

    fn supply(&mut self, start: u64, end: u64, now_ms: i64) {
        let range =
            NumberRange::new(start, end, self.stride).expect("the traces' ranges are valid");
        let refused = self.buffer.supply(range, now_ms).err();
        if refused.is_none() {
            self.stored = end;
        }
        self.trace.steps.push(Action::Supply {
            start: start.to_string(),
            end: end.to_string(),
            stride: self.stride.to_string(),
            now_ms: now_ms.to_string(),
            error: refused.map(|error| error.code().name()),
            remaining: self.buffer.remaining().to_string(),
            floor: self.buffer.floor().to_string(),
        });
    }

    fn take(&mut self, n: u64) {
        let range = self.buffer.take(n).map(range_is);
        let remaining = self.buffer.remaining().to_string();
        self.trace.steps.push(Action::Take { n: n.to_string(), range, remaining });
    }

    fn take_until_request(&mut self) {
        let range = self.buffer.take_until_request().map(range_is);
        let remaining = self.buffer.remaining().to_string();
        self.trace.steps.push(Action::TakeUntilRequest { range, remaining });
    }

    fn resize(&mut self, min: u64, max: u64) {
        self.buffer
            .resize(StepSize::adaptive(min, max).expect("the steps of the traces are valid"));
        self.trace.steps.push(Action::Resize(step_case(min, max)));
    }

    fn failed(&mut self) {
        self.buffer.failed();
        self.trace.steps.push(Action::Failed);
    }
}

fn range_is(range: NumberRange) -> RangeIs {
    RangeIs {
        start: range.start().to_string(),
        end: range.end().to_string(),
        stride: range.stride().to_string(),
    }
}

fn range_case(start: u64, end: u64, stride: u64) -> RangeCase {
    let range = NumberRange::new(start, end, stride);
    let last = range.ok().and_then(|range| range.start().checked_add((range.count() - 1) * stride));
    RangeCase {
        start: start.to_string(),
        end: end.to_string(),
        stride: stride.to_string(),
        count: range.ok().map(|range| range.count().to_string()),
        last: last.map(|last| last.to_string()),
        error: range.err().map(|error| error.code().name()),
    }
}

fn step_case(min: u64, max: u64) -> StepCase {
    StepCase {
        min: min.to_string(),
        max: max.to_string(),
        error: StepSize::adaptive(min, max).err().map(|error| error.code().name()),
    }
}

pub(crate) fn document() -> String {
    let ranges = [
        (0, 1, 1),
        (1, 1001, 1),
        (7, 8, 1),
        (7, 8, 5),
        (7, 12, 5),
        (7, 13, 5),
        (0, MAX_NUMBER, 1),
        (MAX_NUMBER - 1, MAX_NUMBER, MAX_STEP),
        (3, 1003, MAX_STEP),
        (0, 0, 1),
        (5, 4, 1),
        (5, 5, 1),
        (0, 10, 0),
        (0, 10, MAX_STEP + 1),
        (0, MAX_NUMBER + 1, 1),
        (u64::MAX, u64::MAX, 1),
        (0, u64::MAX, 1),
    ];
    let steps = [
        (1, 1),
        (1000, 1000),
        (1000, 1_000_000),
        (1, MAX_STEP),
        (MAX_STEP, MAX_STEP),
        (0, 0),
        (0, 10),
        (10, 9),
        (1, MAX_STEP + 1),
        (MAX_STEP + 1, MAX_STEP + 1),
        (1, 0),
        (u64::MAX, u64::MAX),
    ];
    let document = Document {
        limits: vec![
            Limit { name: "max_number", value: MAX_NUMBER.to_string() },
            Limit { name: "max_step", value: MAX_STEP.to_string() },
            Limit { name: "max_distance", value: snowmint_engine::MAX_DISTANCE.to_string() },
        ],
        ranges: ranges
            .into_iter()
            .map(|(start, end, stride)| range_case(start, end, stride))
            .collect(),
        steps: steps.into_iter().map(|(min, max)| step_case(min, max)).collect(),
        traces: scenarios::all().into_iter().map(|recorder| recorder.trace).collect(),
    };
    render(&document)
}
