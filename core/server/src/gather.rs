//! Gathers the state of the service.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use snowmint::{Stats, redacted};

use super::config::Config;
use super::phase::Phase;
use super::recent::Recent;
use super::service::Service;
use super::setup::Setup;
use super::sources::{Health, NamedSource};
use super::state::{
    FailureState, Moment, Process, Row, Rows, ServerState, SourceNow, SourceOf, State, StoreState,
    WorkerNow,
};
use super::turns::TurnHolder;
use super::watch::{Board, Observed};
use crate::moment::now_ms;

type Sources = Rows<SourceOf, SourceNow>;

impl Observed for Service {
    fn board(&self) -> &Board {
        &self.board
    }

    fn state(&self) -> State {
        state(self)
    }

    fn is_stopping(&self) -> bool {
        self.phases.present() == Phase::Stopping
    }
}

fn state(service: &Service) -> State {
    let setup = service.setup();
    let at_ms = now_ms();
    let sources = sources(&setup, at_ms);
    let phase = service.phases.present();
    let are_ready = sources.iter().all(|row| row.now.ready || !row.now.required);
    State {
        process: Process {
            version: env!("CARGO_PKG_VERSION"),
            instance: Arc::clone(&service.instance),
            begun_ms: begun_ms(service),
        },
        moment: Moment {
            at_ms,
            phase: name_of(phase),
            ready: phase == Phase::Serving && are_ready,
            uptime_ms: service.started.elapsed().as_millis().try_into().unwrap_or(u64::MAX),
            connections: service.connections(),
        },
        stores: stores(&setup.config, &sources, service),
        servers: servers(&setup),
        tokens: setup.tokens.rows(),
        errors: Recent::of_all(service.recents()),
        sources,
    }
}

fn begun_ms(service: &Service) -> i64 {
    let begun = service.begun.duration_since(UNIX_EPOCH).unwrap_or_default();
    begun.as_millis().try_into().unwrap_or(i64::MAX)
}

const fn name_of(phase: Phase) -> &'static str {
    match phase {
        Phase::Starting => "starting",
        Phase::Serving => "serving",
        Phase::Draining => "draining",
        Phase::Stopping => "stopping",
    }
}

fn sources(setup: &Setup, at_ms: i64) -> Sources {
    let all = setup.sources.healths().map(|(named, health)| {
        let now = SourceNow {
            required: setup.sources.requires(named),
            owner: owner(named, &setup.config),
            ..now_of(named, health, at_ms)
        };
        Row { name: Arc::clone(&named.shown), of: named.described(), now }
    });
    all.collect()
}

fn now_of(named: &NamedSource, health: Health, at_ms: i64) -> SourceNow {
    let stats = health.stats.unwrap_or_default();
    let lasts_ms = health.runway_ms.filter(|runway_ms| *runway_ms < u64::MAX);
    SourceNow {
        ready: health.is_ready,
        why: health.why,
        issued: named.issued.count(),
        buckets: stats.buckets.iter().map(Into::into).collect(),
        step: stats.step,
        rate_per_s: stats.rate.map(|rate| (rate * 10.0).round() / 10.0),
        runway_s: lasts_ms.map(|runway_ms| runway_ms as f64 / 1_000.0),
        worker: worker(&stats, at_ms),
        failure: stats.last_failure.as_ref().map(FailureState::from),
        ..SourceNow::default()
    }
}

fn worker(stats: &Stats, at_ms: i64) -> Option<WorkerNow> {
    // Without a lease, reserved time that has passed means nothing, because no more was needed.
    let counts = |reserved_ms: &i64| stats.reserve_ms.is_some() || *reserved_ms > 0;
    let reserved_ms = stats.reserved_ms.filter(counts);
    Some(WorkerNow {
        worker_id: stats.worker_id?,
        lease_age_ms: stats.lease_age_ms,
        reserved_until_ms: reserved_ms.map(|reserved_ms| at_ms.saturating_add(reserved_ms)),
        reserve_ms: stats.reserve_ms,
        clock_offset_ms: stats.clock_offset_ms,
        borrowed_ms: stats.borrowed_ms,
        rollbacks: stats.rollbacks,
    })
}

fn owner(named: &NamedSource, config: &Config) -> Option<String> {
    match &*named.turn()?.holder() {
        TurnHolder::ThisServer { .. } => Some(config.ordered.address.clone()),
        TurnHolder::OtherServer(owner) => Some(owner.address().to_owned()),
        TurnHolder::Unknown { .. } => None,
    }
}

fn stores(config: &Config, sources: &Sources, service: &Service) -> Vec<StoreState> {
    let mut all: BTreeMap<&str, StoreState> = BTreeMap::new();
    for row in sources {
        let Some(url) = &row.of.store else { continue };
        let store = all.entry(url).or_insert_with(|| StoreState::new(url));
        store.sources += 1;
        store.note("sources");
        // If another server has the turn, that server calls the store.
        let is_asked =
            !row.now.is_of_unasked(url) && (row.now.owner.is_none() || !row.now.buckets.is_empty());
        let failure = row.now.failure.as_ref().filter(|failure| failure.is_of_store());
        let fails = failure.is_some_and(|failure| !failure.over);
        let is_up = !fails && (row.now.ready || row.now.step.is_some());
        if is_asked {
            // The store is up if all its sources say so.
            store.up = Some(store.up.unwrap_or(true) && is_up);
        }
        let is_later = |failure: &&FailureState| {
            store
                .failure
                .as_ref()
                .is_none_or(|known| (!known.over, known.at_ms) < (!failure.over, failure.at_ms))
        };
        if let Some(failure) = failure.filter(is_later) {
            store.failure = Some(failure.clone());
        }
    }
    let (leases, turns) = (redacted(&config.leases.store), redacted(&config.ordered.store));
    for (url, role) in [(&*leases, "leases"), (&*turns, "turns")] {
        if !url.is_empty() {
            all.entry(url).or_insert_with(|| StoreState::new(url)).note(role);
        }
    }
    if let Some((store, failure)) = all.get_mut(&*leases).zip(service.leases.failure()) {
        store.up = Some(store.up.unwrap_or(true) && failure.as_ref().is_none_or(|it| it.over));
        store.failure = store.failure.take().filter(|known| !known.over).or(failure);
    }
    all.into_values().collect()
}

impl SourceNow {
    /// Returns true if the source's servers have not answered yet.
    fn is_of_unasked(&self, store: &str) -> bool {
        let has_something = self.worker.is_some() || self.issued > 0 || !self.buckets.is_empty();
        store.starts_with("http") && !has_something && self.failure.is_none()
    }
}

impl StoreState {
    fn new(url: &str) -> StoreState {
        StoreState { url: url.to_owned(), roles: Vec::new(), sources: 0, up: None, failure: None }
    }

    fn note(&mut self, role: &'static str) {
        if !self.roles.contains(&role) {
            self.roles.push(role);
        }
    }
}

fn servers(setup: &Setup) -> Vec<ServerState> {
    let own = setup.config.ordered.address.as_str();
    let mut all: BTreeMap<String, ServerState> = BTreeMap::new();
    let of = |address: &str, is_self| ServerState {
        address: address.to_owned(),
        is_self,
        sources: Vec::new(),
        why: None,
    };
    if !own.is_empty() {
        all.insert(own.to_owned(), of(own, true));
    }
    for named in setup.sources.all() {
        let Some(turn) = named.turn() else { continue };
        let Some(address) = owner(named, &setup.config) else { continue };
        let server = all.entry(address).or_insert_with_key(|address| of(address, false));
        server.sources.push(Arc::clone(&named.shown));
        server.why = server.why.take().or_else(|| turn.peer_failure().filter(|_| !server.is_self));
    }
    all.into_values().collect()
}
