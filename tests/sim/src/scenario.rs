//! What goes wrong in a history, and how often.

use snowmint::ClockPolicy;

/// What the nodes mint with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Snowflakes under leased worker IDs.
    Lease,
    /// Snowflakes under fixed worker IDs, each node with one of its own and a mark file.
    Fixed,
    /// Segments of two tags that all nodes share.
    Segment,
}

/// Something that goes wrong at a moment of its own, and not in the middle of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A node takes no steps, for up to 9 s.
    Pause,
    /// A machine sleeps: as a pause, and boot time may stand still.
    Suspend,
    /// A wall clock steps, up to 10 min.
    StepSize,
    /// A wall clock steps back, up to 400 ms.
    StepBack,
    /// A wall clock stands still for up to 8 s.
    Stuck,
    /// A wall clock shows only every 1 to 100 ms.
    Coarse,
    /// A process is killed.
    Kill,
    /// A process is killed, and its state file deleted while it is down.
    LostFile,
    /// A machine loses power: what its files had not synced is lost, whole or in parts.
    PowerLoss,
    /// The store cannot be reached for up to 9 s.
    StoreDown,
    /// The store is gone for a moment, and all calls under way with it.
    StoreRestart,
    /// The store's clock steps: mostly within 250 ms, now and then up to 10 min.
    StoreStep,
    /// The store's clock is an hour ahead for 3 s.
    StoreHour,
    /// The store's clock is set back, once, by up to a day.
    StoreBack,
    /// The store is restored from an older copy of itself.
    Restore,
    /// The store loses all that it has, and is begun anew.
    BegunAnew,
    /// Files take up to 5 s for each write, for a while.
    SlowDisk,
}

/// A mix of faults.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What the nodes mint with.
    pub kind: Kind,
    /// The clock policy, if it is not drawn.
    pub policy: Option<ClockPolicy>,
    /// How long a process lives that is not killed, the least and the most.
    pub lives_ms: [i64; 2],
    /// How many nodes mint.
    pub nodes: usize,
    /// The width of the worker ID: 2 for four of them.
    pub worker_bits: u32,
    /// The shortest and longest reservation.
    pub reserve_ms: [i64; 2],
    /// How long a history lasts, in simulated seconds.
    pub seconds: i64,
    /// Mean time between faults.
    pub gap_ms: i64,
    /// The faults, with weights.
    pub faults: &'static [(Fault, u32)],
    /// Of a million messages to or from the store, how many are lost.
    pub loss: u32,
    /// Of a million calls, how many reach the store only after the caller has given up.
    pub late: u32,
    /// Of a million renewals, how many are delivered again later.
    pub repeat: u32,
    /// Of a million waits inside the runtime, at how many the process dies.
    pub crash: u32,
    /// Of a million readings of a clock, after how many the node stands still.
    pub read_pause: u32,
    /// Of the same, after how many it does so for up to 20 ms, as on a busy machine.
    pub read_delay: u32,
    /// Of a million readings of the cheap clock, after how many the reading thread alone is
    /// delayed for up to 60 ms.
    pub thread_delay: u32,
    /// Of a million calls, how many the store answers only seconds later.
    pub hang: u32,
    /// Of a million calls, in how many the store panics.
    pub panic: u32,
    /// What each message takes beside its usual time: the least and the most.
    pub distance_ms: [i64; 2],
    /// Whether all processes call themselves alike, as in containers.
    pub namesakes: bool,
    /// Whether all processes draw the same random bits, as clones of one machine.
    pub twins: bool,
    /// Whether the last node has another layout than the others.
    pub two_layouts: bool,
    /// Of a million writes and syncs of a file, how many fail.
    pub io_error: u32,
    /// Of a million calls for snowflakes, how many are for hundreds.
    pub burst: u32,
    /// Mean time between two calls of a caller.
    pub think_ms: i64,
    /// How far wall clocks are off at the start, in milliseconds.
    pub skew_ms: i64,
    /// Whether a call must succeed once nothing has been wrong for a second.
    pub is_live: bool,
}

const CALM: Scenario = Scenario {
    name: "calm",
    kind: Kind::Lease,
    policy: None,
    lives_ms: [500, 30_000],
    nodes: 3,
    worker_bits: 2,
    reserve_ms: [1_000, 4_000],
    seconds: 20,
    gap_ms: 1_000_000,
    faults: &[],
    loss: 0,
    late: 0,
    repeat: 0,
    crash: 0,
    read_pause: 0,
    read_delay: 0,
    thread_delay: 0,
    hang: 0,
    panic: 0,
    distance_ms: [0, 0],
    namesakes: false,
    twins: false,
    two_layouts: false,
    io_error: 0,
    burst: 3_333,
    think_ms: 25,
    skew_ms: 200,
    is_live: true,
};

const CLOCKS: &[(Fault, u32)] = &[(Fault::StepSize, 5), (Fault::Stuck, 2), (Fault::Coarse, 2)];

/// Every scenario.
pub const SCENARIOS: &[Scenario] = &[
    CALM,
    Scenario { name: "busy", read_delay: 20_000, thread_delay: 5_000, think_ms: 8, ..CALM },
    Scenario {
        name: "busy-fixed",
        kind: Kind::Fixed,
        read_delay: 20_000,
        thread_delay: 5_000,
        think_ms: 8,
        ..CALM
    },
    Scenario { name: "clocks", gap_ms: 900, faults: CLOCKS, skew_ms: 600_000, ..CALM },
    Scenario {
        name: "clocks-fixed",
        kind: Kind::Fixed,
        gap_ms: 1_500,
        faults: &[(Fault::StepSize, 5), (Fault::Stuck, 2), (Fault::Coarse, 2), (Fault::Kill, 3)],
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "rollbacks-fixed",
        kind: Kind::Fixed,
        policy: Some(ClockPolicy::ROLLBACK_BITS),
        lives_ms: [100, 2_000],
        reserve_ms: [500, 2_000],
        gap_ms: 150,
        faults: &[(Fault::StepBack, 1)],
        think_ms: 5,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "pauses",
        nodes: 4,
        gap_ms: 1_200,
        faults: &[(Fault::Pause, 4), (Fault::Suspend, 1)],
        read_pause: 400,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "crashes",
        gap_ms: 2_000,
        nodes: 4,
        faults: &[(Fault::Kill, 3), (Fault::Pause, 1)],
        crash: 4_000,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "crashes-fixed",
        kind: Kind::Fixed,
        reserve_ms: [100, 2_000],
        gap_ms: 2_000,
        faults: &[(Fault::Kill, 2), (Fault::PowerLoss, 2), (Fault::Pause, 1), (Fault::StepSize, 1)],
        crash: 8_000,
        io_error: 10_000,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "messages",
        gap_ms: 3_000,
        nodes: 4,
        faults: &[(Fault::Pause, 1)],
        loss: 60_000,
        late: 60_000,
        repeat: 200_000,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "answers-lost",
        policy: Some(ClockPolicy::LINGDU),
        worker_bits: 4,
        reserve_ms: [4_000, 8_000],
        gap_ms: 400,
        faults: &[(Fault::StepSize, 9), (Fault::Kill, 1)],
        loss: 400_000,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "outages",
        gap_ms: 3_000,
        faults: &[(Fault::StoreDown, 2), (Fault::StoreRestart, 2)],
        seconds: 32,
        ..CALM
    },
    Scenario {
        name: "store-clock",
        gap_ms: 2_500,
        nodes: 4,
        faults: &[(Fault::StoreStep, 3), (Fault::StoreDown, 1), (Fault::Kill, 2)],
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "store-hour",
        worker_bits: 6,
        reserve_ms: [2_000, 8_000],
        gap_ms: 9_000,
        seconds: 30,
        faults: &[(Fault::StoreHour, 1)],
        ..CALM
    },
    Scenario {
        name: "store-back",
        worker_bits: 6,
        gap_ms: 6_000,
        seconds: 40,
        faults: &[(Fault::StoreBack, 1)],
        ..CALM
    },
    Scenario {
        name: "slow-store",
        reserve_ms: [8_000, 20_000],
        distance_ms: [150, 900],
        skew_ms: 600_000,
        ..CALM
    },
    Scenario { name: "hanging-store", gap_ms: 3_000, hang: 150_000, is_live: false, ..CALM },
    Scenario { name: "panicking-store", gap_ms: 3_000, panic: 100_000, ..CALM },
    Scenario {
        name: "panicking-segments",
        kind: Kind::Segment,
        gap_ms: 3_000,
        panic: 100_000,
        ..CALM
    },
    Scenario {
        name: "namesakes",
        nodes: 4,
        gap_ms: 1_500,
        faults: &[(Fault::Kill, 3), (Fault::Pause, 2)],
        loss: 60_000,
        late: 60_000,
        repeat: 200_000,
        namesakes: true,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "twins",
        nodes: 4,
        gap_ms: 1_500,
        faults: &[(Fault::Kill, 3), (Fault::Pause, 2)],
        loss: 60_000,
        late: 60_000,
        twins: true,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "churn",
        nodes: 6,
        gap_ms: 700,
        faults: &[(Fault::Kill, 4), (Fault::Pause, 2)],
        think_ms: 35,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "files-lost",
        kind: Kind::Fixed,
        gap_ms: 1_500,
        faults: &[(Fault::LostFile, 1)],
        burst: 50_000,
        seconds: 10,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "slow-disk",
        kind: Kind::Fixed,
        gap_ms: 2_500,
        faults: &[(Fault::SlowDisk, 3), (Fault::Kill, 1), (Fault::PowerLoss, 1)],
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "segments",
        kind: Kind::Segment,
        gap_ms: 1_500,
        faults: &[
            (Fault::Kill, 2),
            (Fault::Pause, 2),
            (Fault::StoreDown, 2),
            (Fault::StoreRestart, 1),
            (Fault::StepSize, 1),
        ],
        loss: 30_000,
        late: 30_000,
        crash: 2_000,
        read_pause: 100,
        ..CALM
    },
    Scenario {
        name: "segments-restored",
        kind: Kind::Segment,
        gap_ms: 4_000,
        faults: &[(Fault::Restore, 2), (Fault::Kill, 1), (Fault::StoreRestart, 1)],
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "leases-restored",
        nodes: 4,
        gap_ms: 4_000,
        faults: &[(Fault::Restore, 2), (Fault::Kill, 1), (Fault::StoreRestart, 1)],
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "two-layouts",
        nodes: 4,
        gap_ms: 2_000,
        faults: &[(Fault::Kill, 3), (Fault::StoreRestart, 1)],
        two_layouts: true,
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "begun-anew",
        nodes: 4,
        gap_ms: 4_000,
        faults: &[(Fault::BegunAnew, 1), (Fault::Kill, 1)],
        is_live: false,
        ..CALM
    },
    Scenario {
        name: "storm",
        nodes: 5,
        gap_ms: 500,
        faults: &[
            (Fault::Pause, 4),
            (Fault::Suspend, 1),
            (Fault::StepSize, 4),
            (Fault::Stuck, 1),
            (Fault::Coarse, 1),
            (Fault::Kill, 3),
            (Fault::StoreDown, 2),
            (Fault::StoreRestart, 2),
            (Fault::StoreStep, 1),
        ],
        loss: 30_000,
        late: 30_000,
        repeat: 100_000,
        crash: 2_000,
        read_pause: 200,
        skew_ms: 600_000,
        is_live: false,
        ..CALM
    },
];

impl Scenario {
    /// The scenario of a name.
    pub fn named(name: &str) -> Option<&'static Scenario> {
        SCENARIOS.iter().find(|scenario| scenario.name == name)
    }

    /// Whether the store may be restored: what it granted after the copy was made is then granted
    /// again, and what is owed is that its clients find out.
    pub fn restores(&self) -> bool {
        let restores = [Fault::Restore, Fault::BegunAnew];
        self.faults.iter().any(|(fault, _)| restores.contains(fault))
    }
}
