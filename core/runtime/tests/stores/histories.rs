//! Random histories of many holders: the intervals of a worker ID are disjoint and rise.

use super::*;
use std::collections::HashMap;

/// xorshift64*: the same history for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as u32 % n
    }
}

/// Holders that acquire, renew, lose answers, release and forget, and an operator who evicts.
pub(crate) struct History<'a> {
    store: &'a dyn WorkerAdmin,
    dice: Dice,
    holders: Vec<Option<Lease>>,
    /// Up to where each worker ID is reserved by the latest of its epochs.
    latest: HashMap<u32, Lease>,
    tokens: u64,
    pub(crate) grants: u32,
    pub(crate) renewals: u32,
    pub(crate) losses: u32,
}

const MAX_WORKER_ID: u32 = 4;

impl<'a> History<'a> {
    pub(crate) fn new(store: &'a dyn WorkerAdmin, seed: u64) -> History<'a> {
        History {
            store,
            dice: Dice::new(seed),
            holders: vec![None; 8],
            latest: HashMap::new(),
            tokens: 0,
            grants: 0,
            renewals: 0,
            losses: 0,
        }
    }

    pub(crate) fn step(&mut self) {
        let holder = self.dice.below(8) as usize;
        match self.holders[holder].clone() {
            None => self.acquire(holder),
            Some(lease) => match self.dice.below(16) {
                0..9 => self.renew(holder, &lease),
                9..12 => self.release(holder, &lease),
                12 => self.holders[holder] = None,
                13 => drop(self.store.evict(REALM, lease.worker_id).unwrap()),
                14 => self.holders[(holder + 1) % 8] = Some(lease), // a copied process
                _ => {}
            },
        }
    }

    fn token(&mut self) -> Token {
        self.tokens += 1;
        let mut token = [0; 16];
        token[..8].copy_from_slice(&self.tokens.to_le_bytes());
        token
    }

    fn acquire(&mut self, holder: usize) {
        let (token, reserve_ms) = (self.token(), 1 + self.dice.below(12));
        let request =
            changed(request(&format!("holder-{}", self.dice.below(3)), MAX_WORKER_ID), |it| {
                it.reserve_ms = reserve_ms;
                it.max_ahead_ms = self.dice.below(16);
                it.avoid = Some(self.dice.below(8)).filter(|id| *id <= MAX_WORKER_ID);
            });
        match self.store.acquire(&request, &attempt(token)) {
            Ok(lease) => {
                self.granted(&request, &lease);
                self.holders[holder] = Some(lease).filter(|_| self.dice.below(8) != 0);
            }
            Err(error) => assert_eq!(error.code(), Code::WorkersExhausted, "{error}"),
        }
    }

    fn granted(&mut self, request: &LeaseRequest, lease: &Lease) {
        self.grants += 1;
        assert!(lease.worker_id <= MAX_WORKER_ID && Some(lease.worker_id) != request.avoid);
        assert!(lease.floor_ms >= lease.now_ms, "{lease:?}");
        let ahead = lease.floor_ms - lease.now_ms;
        assert!(ahead <= i64::from(request.max_ahead_ms), "{lease:?} for {request:?}");
        assert!(4 * (lease.reserved_ms - lease.floor_ms) >= i64::from(request.reserve_ms));
        if let Some(before) = self.latest.insert(lease.worker_id, lease.clone()) {
            assert_above(lease, &before);
        }
    }

    fn renew(&mut self, holder: usize, lease: &Lease) {
        let (next, reserve_ms) = (self.token(), 1 + self.dice.below(12));
        let answer_lost = self.dice.below(8) == 0;
        let mut renewed = self.store.renew(lease, reserve_ms, &attempt(next));
        if answer_lost && renewed.is_ok() {
            renewed = self.store.renew(lease, reserve_ms, &attempt(next));
        }
        match renewed {
            Ok(renewed) => {
                self.renewals += 1;
                let latest = self.latest.get_mut(&lease.worker_id).unwrap();
                assert_eq!(renewed.epoch, latest.epoch, "only the latest epoch is renewed");
                assert_eq!(renewed.floor_ms, lease.floor_ms);
                assert!(renewed.reserved_ms >= latest.reserved_ms, "{renewed:?} {latest:?}");
                *latest = renewed.clone();
                self.holders[holder] = Some(renewed);
            }
            Err(error) => {
                assert_eq!(error.code(), Code::LeaseLost, "{error}");
                self.losses += 1;
                self.holders[holder] = None;
            }
        }
    }

    fn release(&mut self, holder: usize, lease: &Lease) {
        self.store.release(lease, &fresh()).unwrap();
        if self.dice.below(4) != 0 {
            self.holders[holder] = None;
        }
    }
}

pub(crate) fn leases_never_overlap(bench: &dyn Bench) {
    let mut history = History::new(bench.workers(), 7);
    for step in 0..bench.patience() {
        history.step();
        if step % 3 == 0 {
            bench.pass(step % 5);
        }
    }
    let most = bench.patience() / 100;
    assert!(history.grants > 5 * most, "{} grants", history.grants);
    assert!(history.renewals > 5 * most, "{} renewals", history.renewals);
    assert!(history.losses > most / 2, "{} losses", history.losses);
}
