//! The faults of a history, and how often they occur.

use snowmint::ClockPolicy;

/// The source that the nodes mint with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Snowflakes under leased worker IDs.
    Lease,
    /// Snowflakes under fixed worker IDs, each node with one of its own and a mark file.
    Fixed,
    /// Segments of two tags that all nodes share.
    Segment,
}

/// A fault that occurs at a moment of its own, not in the middle of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A node stands still for up to 9 s.
    Pause,
    /// A machine is suspended: a pause in which boot time may stand still.
    Suspend,
    /// A wall clock steps by up to 10 min.
    StepSize,
    /// A wall clock steps back by up to 400 ms.
    StepBack,
    /// A wall clock stands still for up to 8 s.
    Stuck,
    /// A wall clock shows only every 1 to 100 ms.
    Coarse,
    /// A process is killed.
    Kill,
    /// A process is killed, and its state file deleted while it is down.
    LostFile,
    /// A machine loses power: the unsynced content of its files is lost, whole or in parts.
    PowerLoss,
    /// The store cannot be reached for up to 9 s.
    StoreDown,
    /// The store is gone for a moment, and all calls under way fail.
    StoreRestart,
    /// The store's clock steps: mostly within 250 ms, now and then up to 10 min.
    StoreStep,
    /// The store's clock is an hour ahead for 3 s.
    StoreHour,
    /// The store's clock is set back, once, by up to a day.
    StoreBack,
    /// The store is restored from an older copy of itself.
    Restore,
    /// The store loses everything, and is begun anew.
    BegunAnew,
    /// Each write of a file takes up to 5 s, for a while.
    SlowDisk,
}

/// A mix of faults.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// The name on the command line.
    pub name: &'static str,
    /// The source that the nodes mint with.
    pub kind: Kind,
    /// The clock policy; `None` draws one.
    pub policy: Option<ClockPolicy>,
    /// The shortest and longest life of a process that is not killed.
    pub lives_ms: [i64; 2],
    /// The number of nodes.
    pub nodes: usize,
    /// The width of the worker ID: 2 gives four of them.
    pub worker_bits: u32,
    /// The shortest and longest reservation.
    pub reserve_ms: [i64; 2],
    /// The length of a history, in simulated seconds.
    pub seconds: i64,
    /// The mean time between faults.
    pub gap_ms: i64,
    /// The faults, with weights.
    pub faults: &'static [(Fault, u32)],
    /// Messages to or from the store that are lost, in a million.
    pub loss: u32,
    /// Calls that reach the store only after the caller has given up, in a million.
    pub late: u32,
    /// Renewals that are delivered again later, in a million.
    pub repeat: u32,
    /// Waits inside the runtime at which the process dies, in a million.
    pub crash: u32,
    /// Readings of a clock after which the node stands still, in a million.
    pub read_pause: u32,
    /// Readings of a clock after which the node stands still for up to 20 ms, as on a busy machine,
    /// in a million.
    pub read_delay: u32,
    /// Readings of the cheap clock after which only the reading thread is delayed for up to 60 ms,
    /// in a million.
    pub thread_delay: u32,
    /// Calls that the store answers only seconds later, in a million.
    pub hang: u32,
    /// Calls in which the store panics, in a million.
    pub panic: u32,
    /// The least and the most that each message takes beside its usual time.
    pub distance_ms: [i64; 2],
    /// True if all processes have the same name, as in containers.
    pub namesakes: bool,
    /// True if all processes draw the same random bits, as clones of one machine do.
    pub twins: bool,
    /// True if the last node has another layout than the others.
    pub two_layouts: bool,
    /// Writes and syncs of a file that fail, in a million.
    pub io_error: u32,
    /// Calls for snowflakes that ask for hundreds, in a million.
    pub burst: u32,
    /// The mean time between two calls of a caller.
    pub think_ms: i64,
    /// The largest error of wall clocks at the start, in milliseconds.
    pub skew_ms: i64,
    /// True if a call must succeed once nothing has been wrong for a second.
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
    /// Returns the scenario with this name.
    pub fn named(name: &str) -> Option<&'static Scenario> {
        SCENARIOS.iter().find(|scenario| scenario.name == name)
    }

    /// Returns true if the store may be restored. It then repeats grants made after the copy, and
    /// its clients only have to detect that.
    pub fn restores(&self) -> bool {
        let restores = [Fault::Restore, Fault::BegunAnew];
        self.faults.iter().any(|(fault, _)| restores.contains(fault))
    }
}
