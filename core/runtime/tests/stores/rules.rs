//! The statements by which databases renew leases and take ranges do what the rule does: a store in
//! memory, which has only the rule, gives the same answers to random calls at the same times.

use super::histories::Dice;
use super::*;
use snowmint::{Allocation, AllocationRequest, TagChange, TagOptions, WorkerRow};

const MAX_WORKER_ID: u32 = 3;

/// A store, and one in memory whose clock is set to the time of the other's last answer.
struct Twins<'a> {
    store: &'a dyn WorkerAdmin,
    rule: MemoryStore,
    clock: ManualClock,
    dice: Dice,
}

impl Twins<'_> {
    fn call(&mut self) -> Call {
        let bits = [(); 4].map(|()| self.dice.below(u32::MAX).to_le_bytes());
        attempt(bits.concat().try_into().unwrap())
    }

    /// Takes a worker ID that is not held. If there is none, an operator ends a lease.
    fn acquire(&mut self) -> Option<Lease> {
        let (call, mut request) = (self.call(), of_no_layout(REALM, MAX_WORKER_ID));
        request.owner = format!("holder-{}", self.dice.below(2));
        request.reserve_ms = MINUTE_MS + self.dice.below(MINUTE_MS);
        let lease =
            self.compare(self.store.acquire(&request, &call), |rule| rule.acquire(&request, &call));
        if lease.is_none() {
            let worker_id = self.dice.below(MAX_WORKER_ID + 1);
            for it in [self.store, &self.rule] {
                assert!(it.evict(REALM, worker_id).unwrap());
            }
        }
        lease
    }

    /// Renews a lease, as its holder or as somebody who has not all of it.
    fn renew(&mut self, lease: &Lease) -> Option<Lease> {
        let (call, reserve_ms) = (self.call(), 1 + self.dice.below(2 * MINUTE_MS));
        let lease = changed(lease.clone(), |it| match self.dice.below(8) {
            0 => it.token = call.attempt,
            1 => it.token = self.call().attempt,
            2 => it.epoch += 1,
            3 => it.owner.push('x'),
            4 => it.worker_id = self.dice.below(MAX_WORKER_ID + 2),
            _ => {}
        });
        let renewed = self.store.renew(&lease, reserve_ms, &call);
        self.compare(renewed, |rule| rule.renew(&lease, reserve_ms, &call))
    }

    fn compare(
        &self,
        answer: Result<Lease>,
        work: impl Fn(&MemoryStore) -> Result<Lease>,
    ) -> Option<Lease> {
        if let Ok(lease) = &answer {
            self.clock.0.store(lease.now_ms, Ordering::SeqCst);
        }
        match (answer, work(&self.rule)) {
            (Ok(given), Ok(ruled)) => {
                let of_store = |it: &mut Lease| {
                    (it.incarnation, it.key_space) = (given.incarnation.clone(), given.key_space);
                };
                assert_eq!(given, changed(ruled, of_store));
                Some(given)
            }
            (given, ruled) => {
                let [given, ruled] = [given, ruled].map(|it| it.map_err(|error| error.code()));
                assert_eq!(given, ruled);
                None
            }
        }
    }
}

/// What a row says of a lease that is not over.
fn held(store: &dyn WorkerAdmin) -> Vec<WorkerRow> {
    store.workers().unwrap().into_iter().filter(|row| row.held).collect()
}

pub(crate) fn leases_follow_the_rule(bench: &dyn Bench) {
    let clock = ManualClock::default();
    let rule = MemoryStore::with_clock(clock.clone());
    let mut twins = Twins { store: bench.workers(), rule, clock, dice: Dice::new(11) };
    let mut leases = Vec::new();
    let (mut taken, mut renewed) = (0, 0);
    for _ in 0..bench.patience() / 2 {
        let at = twins.dice.below(MAX_WORKER_ID + 2) as usize;
        let Some(lease) = leases.get(at).cloned() else {
            leases.extend(twins.acquire().inspect(|_| taken += 1));
            continue;
        };
        match twins.dice.below(8) {
            0 => {
                twins.store.release(&lease, &fresh()).unwrap();
                twins.rule.release(&lease, &fresh()).unwrap();
                leases.swap_remove(at);
            }
            1 => leases.push(lease), // a copied process
            _ => {
                match twins.renew(&lease) {
                    Some(lease) => (leases[at], renewed) = (lease, renewed + 1),
                    None if twins.dice.below(2) == 0 => drop(leases.swap_remove(at)),
                    None => {}
                }
                assert_eq!(held(twins.store), held(&twins.rule));
            }
        }
    }
    assert!(taken > 8 && renewed > 20, "{taken} taken, {renewed} renewed");
}

pub(crate) fn ranges_follow_the_rule(bench: &dyn Bench) {
    let (store, rule) = (bench.segments(), MemoryStore::new());
    let mut dice = Dice::new(12);
    let orders = tag("orders");
    let mut max = 5_000;
    let options = TagOptions::default().start(7).step(30).stride(3).max(max);
    let both: [&dyn SegmentAdmin; 2] = [store, &rule];
    for it in both {
        it.create_tag(&orders, options).unwrap();
    }
    let mut ended = 0;
    for _ in 0..bench.patience() / 2 {
        let count = Some(1 + u64::from(dice.below(300))).filter(|count| count % 3 != 0);
        let request = [AllocationRequest::new(orders.clone(), count)];
        let taken = |it: &dyn SegmentAdmin| {
            let range = it.allocate(&request, &fresh()).unwrap().pop().unwrap();
            range.map(|Allocation { range, step, .. }| (range, step)).map_err(|error| error.code())
        };
        let [given, ruled] = both.map(taken);
        assert_eq!(given, ruled);
        if given == Err(Code::TagExhausted) {
            ended += 1;
            max += u64::from(dice.below(20_000));
            let step = 1 + u64::from(dice.below(100));
            for it in both {
                it.change_tag(&orders, TagChange::default().max(max).step(step)).unwrap();
            }
        }
    }
    assert!(ended > 2, "{ended}");
}
