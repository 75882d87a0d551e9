//! The work of the nodes, and the faults that they suffer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use snowmint::engine::Code;
use snowmint::{
    ClockPolicy, Error, FieldKind, Layout, Mint, Prefetch, Segment, SegmentStore, SequenceStart,
    Snowflake, StepSize, Tag, TagOptions, WorkerId, WorkerStore,
};

use crate::disk::Disk;
use crate::laws::{CALM_US, Call, Ending};
use crate::machine::Machine;
use crate::network::{Name, Network, Op};
use crate::random::Random;
use crate::scenario::{Fault, Kind, Scenario};
use crate::world::{Home, State, World};

/// The callers of a process, as threads would be.
const CALLERS: usize = 2;
/// The time that a clean stop waits for the store.
const CLOSE_WITHIN: Duration = Duration::from_millis(500);
const TAGS: [&str; 2] = ["orders", "users"];

/// The settings that all nodes of a history share.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) layout: Layout,
    /// The layout of the last node, if there are two layouts.
    other_layout: Layout,
    pub(crate) policy: ClockPolicy,
    start: SequenceStart,
    reserve_ms: i64,
    pub(crate) wait_ms: i64,
    prefetch: Prefetch,
    stride: u64,
    step: Option<StepSize>,
}

impl Setup {
    pub(crate) fn of(random: &mut Random, scenario: &Scenario) -> Setup {
        let layout = layout(random, scenario);
        let policy = match random.below(10) {
            0 => ClockPolicy::TWITTER,
            1 => ClockPolicy::HAZELCAST,
            2 if scenario.kind == Kind::Lease => ClockPolicy::LINGDU,
            3 if layout.rollback().max() > 0 => ClockPolicy::ROLLBACK_BITS,
            _ => ClockPolicy::SNOWMINT,
        };
        let policy = scenario.policy.unwrap_or(policy);
        let starts = [
            SequenceStart::Zero,
            SequenceStart::Rotate,
            SequenceStart::Rotate,
            SequenceStart::Random { below: 100, seed: random.bits() },
            SequenceStart::Vibrate { max_offset: 3 },
        ];
        let [low, high] = scenario.reserve_ms;
        let asked_ms = random.between(low, high);
        let least_ms = i64::from(policy.max_ahead_ms * 2).max(i64::from(layout.tick_ms()) * 4);
        Setup {
            layout,
            other_layout: other_layout(scenario),
            policy,
            start: random.pick(&starts),
            reserve_ms: asked_ms.max(least_ms),
            wait_ms: random.pick(&[1_000, 2_000, 5_000]),
            prefetch: random.pick(&[Prefetch::LEAF, Prefetch::NETEASE, Prefetch::COSID]),
            stride: random.pick(&[1, 1, 3]),
            step: StepSize::fixed(random.between(20, 200) as u64)
                .ok()
                .filter(|_| random.chance(500_000)),
        }
    }
}

fn layout(random: &mut Random, scenario: &Scenario) -> Layout {
    let bits = scenario.worker_bits;
    let twitter = Layout::TWITTER.epoch_ms();
    let rollback = Layout::builder().time(41).field(FieldKind::Rollback, 2);
    let drawn = random.below(5);
    let builder = match drawn {
        _ if scenario.policy == Some(ClockPolicy::ROLLBACK_BITS) => {
            rollback.worker(bits).sequence(6).epoch_ms(twitter)
        }
        0 => Layout::builder().time(41).worker(bits).sequence(4).epoch_ms(twitter),
        1 => Layout::builder().time(39).sequence(8).worker(bits).tick_ms(10).epoch_ms(twitter),
        2 => rollback.worker(bits).sequence(6).epoch_ms(twitter),
        _ => Layout::builder().zero(1).time(41).worker(bits).sequence(12).epoch_ms(twitter),
    };
    builder.build().expect("these fields fit")
}

/// A layout that can give the same IDs as the others, with the worker ID in other bits.
fn other_layout(scenario: &Scenario) -> Layout {
    let bits = scenario.worker_bits;
    let builder = Layout::builder().zero(1).time(41).worker(bits - 1).sequence(13);
    builder.epoch_ms(Layout::TWITTER.epoch_ms()).build().expect("these fields fit")
}

/// Starts every node, and the faults.
pub(crate) fn begin(world: &World) {
    let mut state = world.lock();
    let setup = Arc::clone(&state.setup);
    for name in TAGS {
        let options = TagOptions::default().step(100).stride(setup.stride);
        let created = state.server.execute(0, Op::Create(tag(name), options));
        created.expect("a new store takes a tag");
    }
    let text = format!("{setup:?}");
    state.history.note(0, format_args!("{text}"));
    for node in 0..state.nodes.len() {
        let text = format!("{:?}", state.nodes[node].clocks);
        state.history.note(0, format_args!("n{node} {text}"));
        let late_us = if state.has_other_layout(node) { 2_000_000 } else { 0 };
        let after_us = late_us + state.random.between(0, 300_000);
        start_process(world, &mut state, node, after_us);
    }
    let world = world.clone();
    state.start(0, None, Box::new(move || go_wrong(&world)));
}

fn tag(name: &str) -> Tag {
    Tag::new(name).expect("letters make a tag")
}

fn start_process(world: &World, state: &mut State, node: usize, after_us: i64) {
    let life = state.nodes[node].life;
    let (world, home) = (world.clone(), Home { node, life });
    state.start(after_us, Some(home), Box::new(move || live(&world, home)));
}

/// Ends a node's process, and starts another one.
pub(crate) fn die(world: &World, state: &mut State, node: usize, why: &'static str) {
    let (now_us, life) = (state.now_us, state.nodes[node].life);
    if !state.kill(node) {
        return;
    }
    state.history.fault(now_us, why, format_args!("{}", Name(Home { node, life })));
    let loses_power = why == "power loss" || state.random.chance(300_000);
    if loses_power && state.scenario.kind == Kind::Fixed {
        let State { drives, random, .. } = state;
        drives.lose_power(node, random);
        state.history.note(now_us, format_args!("n{node} loses power"));
    }
    let after_us = state.random.between(1_000, 1_500_000);
    start_process(world, state, node, after_us);
}

/// The source that a process mints with.
#[derive(Clone)]
pub(crate) enum Minting {
    Flake(Snowflake),
    Segments([Segment; 2]),
}

impl Minting {
    fn open(world: &World, home: Home, setup: &Setup) -> Result<Minting, Error> {
        let (kind, is_other) = {
            let state = world.lock();
            (state.scenario.kind, state.has_other_layout(home.node))
        };
        let host = Machine::new(world.clone(), home);
        let wait = Duration::from_millis(setup.wait_ms as u64);
        if kind == Kind::Segment {
            let open = |index: usize| {
                let network = Network::new(world.clone(), home, index);
                let store: Arc<dyn SegmentStore> = Arc::new(network);
                let segment = Segment::builder(store, tag(TAGS[index])).wait(wait);
                let segment = segment.prefetch(setup.prefetch).host(host.clone());
                if let Some(step) = setup.step { segment.step(step) } else { segment }.open()
            };
            return Ok(Minting::Segments([open(0)?, open(1)?]));
        }
        let files = Arc::new(Disk::new(world.clone(), home));
        let layout = if is_other { setup.other_layout } else { setup.layout };
        let flake = Snowflake::builder().layout(layout).policy(setup.policy);
        let flake =
            flake.sequence_start(setup.start).wait(wait).reserve_ms(setup.reserve_ms as u32);
        let flake = match kind {
            Kind::Fixed => {
                flake.worker_id(WorkerId::Fixed(home.node as u32)).state_directory("state")
            }
            Kind::Lease | Kind::Segment => {
                let store: Arc<dyn WorkerStore> = Arc::new(Network::new(world.clone(), home, 0));
                flake.lease_from(store)
            }
        };
        flake.host(host, files).open().map(Minting::Flake)
    }

    fn next_ids(&self, tag: usize, count: usize) -> Result<Vec<u64>, Error> {
        match (self, count) {
            (Minting::Flake(flake), 1) => flake.next_id().map(|id| vec![id]),
            (Minting::Flake(flake), _) => flake.next_ids(count),
            (Minting::Segments(segments), 1) => segments[tag].next_id().map(|id| vec![id]),
            (Minting::Segments(segments), _) => segments[tag].next_ids(count),
        }
    }

    fn close(&self) {
        match self {
            // If this fails, the lease expires.
            Minting::Flake(flake) => drop(flake.close_within(CLOSE_WITHIN)),
            Minting::Segments(segments) => {
                segments.iter().for_each(|segment| drop(segment.close()));
            }
        }
    }
}

/// Runs a process from its start to its end, unless it is killed.
fn live(world: &World, home: Home) {
    let (setup, lasts_us) = {
        let mut state = world.lock();
        if !state.is_alive(home) {
            return; // killed before it began
        }
        let now_us = state.now_us;
        state.nodes[home.node].clocks.begin(now_us);
        let [low_ms, high_ms] = state.scenario.lives_ms;
        let lasts_us = state.random.between(low_ms * 1_000, high_ms * 1_000);
        (Arc::clone(&state.setup), now_us + lasts_us)
    };
    let mint = loop {
        if !world.goes_on() {
            return;
        }
        let opened = catch_unwind(AssertUnwindSafe(|| Minting::open(world, home, &setup)));
        let panicked = |_| Err(Error::new(Code::StoreUnavailable, "the store panicked"));
        match opened.unwrap_or_else(panicked) {
            Ok(mint) => break mint,
            Err(error) => {
                let pause_us = {
                    let mut state = world.lock();
                    let now_us = state.now_us;
                    let code = error.code();
                    let name = Name(home);
                    state.history.note(now_us, format_args!("{name} does not open: {code:?}"));
                    let is_other = state.has_other_layout(home.node);
                    if matches!(code, Code::StateCorrupt | Code::RealmMismatch) && !is_other {
                        state.history.violation(now_us, "L8", format_args!("{name}: {error}"));
                    }
                    state.random.between(50_000, 1_000_000)
                };
                world.wait_us(pause_us);
            }
        }
    };
    for _ in 1..CALLERS {
        let (world, mint) = (world.clone(), mint.clone());
        let theirs = world.clone();
        let call = move || call_until(&theirs, home, &mint, i64::MAX);
        world.lock().start(0, Some(home), Box::new(call));
    }
    call_until(world, home, &mint, lasts_us);
    stop(world, home, mint);
}

/// Stops a process cleanly, and starts the next one.
fn stop(world: &World, home: Home, mint: Minting) {
    // The scheduler may hold the mark while it waits for the drive, and a real thread would wait
    // for the scheduler.
    while world.goes_on() && world.lock().nodes[home.node].keeps {
        world.wait_us(1_000);
    }
    if !world.goes_on() {
        world.lock().left_behind.push(mint);
        return;
    }
    // Closing calls the store, which may panic.
    drop(catch_unwind(AssertUnwindSafe(|| mint.close())));
    drop(mint);
    let mut state = world.lock();
    if state.is_alive(home) && state.kill(home.node) {
        let now_us = state.now_us;
        state.history.note(now_us, format_args!("{} stops", Name(home)));
        let after_us = state.random.between(1_000, 1_000_000);
        start_process(world, &mut state, home.node, after_us);
    }
}

/// Mints until a moment.
fn call_until(world: &World, home: Home, mint: &Minting, until_us: i64) {
    loop {
        let Some((call, think_us)) = plan(world, home, until_us) else { return };
        let minted = mint.next_ids(call.tag, call.count);
        if matches!(&minted, Err(error) if error.code() == Code::Closed) {
            return;
        }
        judge(world, &call, &minted);
        if !world.wait_us(think_us) {
            return;
        }
    }
}

/// Draws the next call, and the pause after it.
fn plan(world: &World, home: Home, until_us: i64) -> Option<(Call, i64)> {
    let mut state = world.lock();
    if !state.is_alive(home) || state.now_us >= until_us {
        return None;
    }
    let is_segment = state.scenario.kind == Kind::Segment;
    let burst = state.scenario.burst;
    let count = match state.random.below(300) {
        _ if !is_segment && state.random.chance(burst) => state.random.between(100, 2_000),
        1..=45 => state.random.between(2, 20),
        _ => 1,
    };
    let tag = if is_segment { state.random.below(2) as usize } else { 0 };
    let think_us = state.scenario.think_ms * 1_000;
    let think_us = if state.random.chance(100_000) { 1 } else { state.random.about(think_us) };
    let mut call = state.laws.call(home, tag, count as usize);
    let node = &state.nodes[home.node];
    call.called_us = state.now_us;
    call.frozen_us = node.frozen_us;
    call.is_calm = state.now_us >= node.trouble_until_us + CALM_US;
    Some((call, think_us))
}

/// Checks the result of a call against the laws. A dead process is not checked, because its results
/// are never seen.
fn judge(world: &World, call: &Call, minted: &Result<Vec<u64>, Error>) {
    let mut state = world.lock();
    if !state.is_alive(call.home) {
        return;
    }
    let State { laws, history, nodes, server, now_us, .. } = &mut *state;
    let node = &nodes[call.home.node];
    let ending = Ending {
        now_us: *now_us,
        frozen_us: node.frozen_us,
        clocks: &node.clocks,
        store_us: [server.ahead_us, server.behind_us],
        is_store_steady: server.is_steady,
        stood_us: [node.frozen_from_us, node.frozen_until_us],
    };
    let name = Name(call.home);
    match minted {
        Ok(ids) => {
            let (first, count) = (ids.first().copied().unwrap_or_default(), ids.len());
            history.note(*now_us, format_args!("{name} mints {count} from {first}"));
            laws.issued(history, call, ids, &ending);
        }
        Err(error) => {
            history.note(*now_us, format_args!("{name} fails: {:?}", error.code()));
            // A call need not succeed if something went wrong while it waited.
            let mut call = *call;
            call.is_calm &= node.is_calm_since(call.called_us);
            laws.failed(history, &call, error, &ending);
        }
    }
}

/// Inflicts faults, one after another, to the end.
fn go_wrong(world: &World) {
    loop {
        let gap_us = {
            let mut state = world.lock();
            let gap_us = state.scenario.gap_ms * 1_000;
            state.random.about(gap_us)
        };
        if !world.wait_us(gap_us) {
            return;
        }
        let mut state = world.lock();
        let faults = state.scenario.faults;
        let sum: u32 = faults.iter().map(|(_, weight)| weight).sum();
        let mut left = state.random.below(u64::from(sum)) as u32;
        let fault = faults.iter().find(|(_, weight)| {
            let found = left < *weight;
            left = left.saturating_sub(*weight);
            found
        });
        let count = state.nodes.len() as u64;
        let node = state.random.below(count) as usize;
        if let Some((fault, _)) = fault {
            inflict(world, &mut state, *fault, node);
        }
    }
}

fn inflict(world: &World, state: &mut State, fault: Fault, node: usize) {
    let now_us = state.now_us;
    match fault {
        Fault::Kill => die(world, state, node, "kill"),
        Fault::PowerLoss => die(world, state, node, "power loss"),
        Fault::LostFile => {
            let life = state.nodes[node].life;
            die(world, state, node, "kill, and its file lost");
            if state.nodes[node].life != life {
                state.drives.lose_files(node);
            }
        }
        Fault::Pause | Fault::Suspend => {
            let longest_us = state.random.pick(&[100_000, 2_000_000, 9_000_000]);
            let us = state.random.between(1_000, longest_us);
            if !state.freeze(node, us) {
                return;
            }
            let kind = if fault == Fault::Pause { "pause" } else { "suspend" };
            if fault == Fault::Suspend {
                state.nodes[node].clocks.suspended_us += us;
            }
            state.history.fault(now_us, kind, format_args!("n{node}, {us} us"));
        }
        Fault::StepSize | Fault::StepBack | Fault::Stuck | Fault::Coarse => {
            disturb_clock(world, state, fault, node);
        }
        Fault::SlowDisk => {
            let us = state.random.between(100_000, 6_000_000);
            state.drives.slow_until_us = now_us + us;
            state.history.fault(now_us, "slow disk", format_args!("{us} us"));
        }
        Fault::StoreDown
        | Fault::StoreRestart
        | Fault::StoreStep
        | Fault::Restore
        | Fault::BegunAnew => {
            disturb_store(state, fault);
        }
        Fault::StoreHour | Fault::StoreBack if state.server.offset_us != 0 => {}
        Fault::StoreBack => {
            let most_us = state.random.pick(&[1_000_000, 3_600_000_000, 86_400_000_000]);
            let by_us = -state.random.between(1_000, most_us);
            state.server.step(by_us);
            state.history.fault(now_us, "store clock set back", format_args!("{by_us} us"));
        }
        Fault::StoreHour => {
            let (hour_us, us) = (3_600_000_000, 3_000_000);
            state.server.step(hour_us);
            state.history.fault(now_us, "store an hour ahead", format_args!("{us} us"));
            let again = world.clone();
            let put_right = move || again.lock().server.step(-hour_us);
            state.start(us, None, Box::new(put_right));
        }
    }
}

fn disturb_clock(world: &World, state: &mut State, fault: Fault, node: usize) {
    let now_us = state.now_us;
    let State { nodes, random, history, .. } = state;
    let clocks = &mut nodes[node].clocks;
    match fault {
        Fault::Coarse => {
            let coarse_ms = random.between(1, 100);
            let precise_us = if random.chance(500_000) { coarse_ms * 1_000 } else { 1 };
            clocks.coarsen(coarse_ms * 1_000, precise_us);
            history.fault(now_us, "coarse clock", format_args!("n{node}, {coarse_ms} ms"));
        }
        Fault::Stuck if !clocks.is_stuck() => {
            clocks.stick(now_us);
            history.fault(now_us, "stuck clock", format_args!("n{node}"));
            let (us, is_late) = (random.between(1_000, 8_000_000), random.chance(500_000));
            let again = world.clone();
            let go_on = move || {
                let mut state = again.lock();
                let now_us = state.now_us;
                state.nodes[node].clocks.go_on(now_us, is_late);
                state.nodes[node].see_clocks(now_us);
                state.history.note(now_us, format_args!("n{node} clock goes on"));
            };
            state.start(us, None, Box::new(go_on));
        }
        Fault::StepBack => {
            let by_us = -random.between(1_000, 400_000);
            clocks.step(now_us, by_us);
            history.fault(now_us, "clock step back", format_args!("n{node}, {by_us} us"));
        }
        _ => {
            let most_us = random.pick(&[10_000, 1_000_000, 30_000_000, 600_000_000]);
            let by_us = random.between(-most_us, most_us);
            clocks.step(now_us, by_us);
            history.fault(now_us, "clock step", format_args!("n{node}, {by_us} us"));
        }
    }
    state.nodes[node].see_clocks(now_us);
}

fn disturb_store(state: &mut State, fault: Fault) {
    let now_us = state.now_us;
    let State { server, random, history, laws, .. } = state;
    let mut gone_us = random.between(20_000, 300_000);
    match fault {
        Fault::StoreStep => {
            let most_us = if random.chance(200_000) { 600_000_000 } else { 250_000 };
            let by_us = random.between(-most_us, most_us);
            server.step(by_us);
            history.fault(now_us, "store clock step", format_args!("{by_us} us"));
            return;
        }
        Fault::Restore => {
            let requests = random.between(1, 60) as usize;
            let forgotten = server.restore(requests);
            laws.restored();
            server.restarts += 1;
            history.fault(now_us, "store restored", format_args!("{forgotten} requests forgotten"));
        }
        Fault::BegunAnew => {
            server.begin_anew();
            laws.restored();
            server.restarts += 1;
            history.fault(now_us, "store begun anew", format_args!(""));
        }
        Fault::StoreDown => {
            gone_us = random.between(200_000, 9_000_000);
            history.fault(now_us, "store down", format_args!("{gone_us} us"));
        }
        _ => {
            server.restarts += 1;
            history.fault(now_us, "store restart", format_args!("{gone_us} us"));
        }
    }
    server.down_until_us = server.down_until_us.max(now_us + gone_us);
    let until_us = server.down_until_us;
    state.trouble_for_all(until_us);
}
