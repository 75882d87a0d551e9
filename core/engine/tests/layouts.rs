//! Layouts: fields to ID is one to one, and nothing leaves its field (law L4).

use proptest::prelude::*;
use snowmint_engine::{Error, FieldKind, Fit, Layout, LayoutBuilder, Parts};

const WORKERS: [FieldKind; 4] =
    [FieldKind::Datacenter, FieldKind::Worker, FieldKind::Process, FieldKind::Shard];

/// The parts of a layout. The tests compute the expected results from them.
#[derive(Clone, Debug)]
struct Plan {
    /// Kind, width, constant; from the top bit down.
    fields: Vec<(FieldKind, u32, u64)>,
    epoch_ms: i64,
    tick_ms: u32,
}

impl Plan {
    fn layout(&self) -> Layout {
        let start = Layout::builder().epoch_ms(self.epoch_ms).tick_ms(self.tick_ms);
        let builder = self.fields.iter().fold(start, |builder, &(kind, bits, value)| match kind {
            FieldKind::Constant => builder.constant(bits, value),
            kind => builder.field(kind, bits),
        });
        builder.build().expect("the strategy makes valid plans")
    }

    fn bits(&self, wanted: impl Fn(FieldKind) -> bool) -> u32 {
        self.fields.iter().filter(|field| wanted(field.0)).map(|field| field.1).sum()
    }

    /// An ID put together bit by bit. `worker` is shared out from its lowest bits.
    fn id(&self, tick: u64, mut worker: u64, sequence: u64, rollback: u64) -> u64 {
        let (mut id, mut shift) = (0_u128, 0);
        for &(kind, bits, constant) in self.fields.iter().rev() {
            let mask = (1_u128 << bits) - 1;
            let value = match kind {
                FieldKind::Constant => constant,
                FieldKind::Time => tick,
                FieldKind::Sequence => sequence,
                FieldKind::Rollback => rollback,
                _ => worker,
            };
            if kind.is_worker() {
                worker >>= bits;
            }
            id |= (u128::from(value) & mask) << shift;
            shift += bits;
        }
        u64::try_from(id).expect("the fields take at most 64 bits")
    }

    fn tick_start_ms(&self, tick: u64) -> i64 {
        let tick_ms = i128::from(self.tick_ms);
        let epoch_tick = i128::from(self.epoch_ms).div_euclid(tick_ms);
        i64::try_from((epoch_tick + i128::from(tick)) * tick_ms).expect("a valid plan's time")
    }

    fn last_tick(&self) -> u64 {
        (1 << self.bits(|kind| kind == FieldKind::Time)) - 1
    }
}

fn ticks_ms() -> impl Strategy<Value = u32> {
    prop_oneof![Just(1), 2..=10_u32, Just(1000), 1..=u32::MAX]
}

fn epochs_ms() -> impl Strategy<Value = i64> {
    let wide = -(1_i64 << 61)..(1 << 61);
    prop_oneof![-10..10_i64, Just(1_288_834_974_657), wide]
}

/// Valid divisions: every kind of field, any width, any order, bits left over or not.
fn plans() -> impl Strategy<Value = Plan> {
    let widths = (1..=62_u32, 0..=32_u32, [0..=32_u32, 0..=9, 0..=9, 0..=9], 0..=2_u32);
    let constants = prop::collection::vec((1..=8_u32, any::<u64>()), 0..=2);
    (widths, constants, ticks_ms(), epochs_ms()).prop_flat_map(
        |((time, sequence, workers, rollback), constants, tick_ms, epoch_ms)| {
            let (mut left, mut worker_left, mut fields) = (64_u32, 32_u32, Vec::new());
            let mut add = |kind, bits: u32, constant: u64| {
                let bits = bits.min(left);
                if bits > 0 {
                    left -= bits;
                    fields.push((kind, bits, constant & ((1 << bits) - 1)));
                }
            };
            // The last tick has to lie within 64-bit milliseconds.
            let longest = 62 - u64::from(tick_ms).next_power_of_two().ilog2();
            add(FieldKind::Time, time.min(longest), 0);
            add(FieldKind::Sequence, sequence, 0);
            for (kind, bits) in WORKERS.into_iter().zip(workers) {
                let bits = bits.min(worker_left);
                worker_left -= bits;
                add(kind, bits, 0);
            }
            add(FieldKind::Rollback, rollback, 0);
            for (bits, value) in constants {
                add(FieldKind::Constant, bits, value);
            }
            Just(fields).prop_shuffle().prop_map(move |fields| Plan { fields, epoch_ms, tick_ms })
        },
    )
}

/// A plan, and values that fit its time, worker, sequence and rollback fields.
fn plans_with_values() -> impl Strategy<Value = (Plan, [u64; 4])> {
    let value = || prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)];
    (plans(), [value(), value(), value(), value()]).prop_map(
        |(plan, [time, worker, low, count])| {
            let fit = |value: u64, bits: u32| value & ((1 << bits) - 1);
            let values = [
                fit(time, plan.bits(|kind| kind == FieldKind::Time)),
                fit(worker, plan.bits(FieldKind::is_worker)),
                fit(low, plan.bits(|kind| kind == FieldKind::Sequence)),
                fit(count, plan.bits(|kind| kind == FieldKind::Rollback)),
            ];
            (plan, values)
        },
    )
}

fn parts(plan: &Plan, [tick, worker, sequence, rollback]: [u64; 4]) -> Parts {
    Parts {
        unix_ms: plan.tick_start_ms(tick),
        worker_id: worker as u32,
        sequence: sequence as u32,
        rollback: rollback as u32,
    }
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn l4_encode_and_decode_are_inverse((plan, values) in plans_with_values(), bit in 0..64_u32) {
        let (layout, parts) = (plan.layout(), parts(&plan, values));
        let id = plan.id(values[0], values[1], values[2], values[3]);
        prop_assert_eq!(layout.encode(parts), Ok(id));
        prop_assert_eq!(layout.decode(id), Ok(parts));
        prop_assert_eq!(layout.parts(id), parts);
        // Any other 64 bits: either foreign, or other parts that lead back to them.
        let other = id ^ (1 << bit);
        match layout.decode(other) {
            Ok(others) => {
                prop_assert_ne!(others, parts);
                prop_assert_eq!(layout.encode(others), Ok(other));
            }
            Err(error) => {
                prop_assert_eq!(error, Error::IdNotInLayout { id: other });
                prop_assert_eq!(layout.parts(other), parts);
            }
        }
    }

    #[test]
    fn l4_ids_differ_iff_their_parts_do((plan, values) in plans_with_values(),
                                        (at, with) in (0..4_usize, any::<u64>())) {
        let layout = plan.layout();
        let mut others = values;
        others[at] ^= with & [plan.last_tick(), u64::from(layout.max_worker_id()),
            layout.sequence().max(), layout.rollback().max()][at];
        let (one, two) = (layout.encode(parts(&plan, values)), layout.encode(parts(&plan, others)));
        prop_assert_eq!(one == two, values == others);
    }

    #[test]
    fn l4_every_id_of_a_time_lies_between_its_bounds((plan, values) in plans_with_values(),
                                                     late in any::<u32>()) {
        let layout = plan.layout();
        let at = plan.tick_start_ms(values[0]) + i64::from(late % plan.tick_ms);
        let id = plan.id(values[0], values[1], values[2], values[3]);
        let (least, most) = (layout.min_id(at).unwrap(), layout.max_id(at).unwrap());
        prop_assert!(least <= id && id <= most);
        prop_assert_eq!(least, plan.id(values[0], 0, 0, 0));
        prop_assert_eq!(most, plan.id(values[0], u64::MAX, u64::MAX, u64::MAX));
    }

    #[test]
    fn l4_a_value_one_past_its_field_is_refused((plan, values) in plans_with_values()) {
        let (layout, fits) = (plan.layout(), parts(&plan, values));
        let refusal = |field, max: u64| Err(Error::FieldOutOfRange { field, value: max + 1, max });
        if let Some(worker_id) = layout.max_worker_id().checked_add(1) {
            let past = refusal(FieldKind::Worker, u64::from(layout.max_worker_id()));
            prop_assert_eq!(layout.encode(Parts { worker_id, ..fits }), past);
        }
        let max = layout.sequence().max();
        if let Ok(sequence) = u32::try_from(max + 1) {
            let encoded = layout.encode(Parts { sequence, ..fits });
            if layout.sequence().bits() > 0 {
                prop_assert_eq!(encoded, refusal(FieldKind::Sequence, max));
            } else {
                prop_assert!(encoded.is_err());
            }
        }
        let rollback = layout.rollback().max() as u32 + 1;
        let past = Parts { rollback, ..fits };
        prop_assert!(layout.encode(past).is_err());
    }

    #[test]
    fn l4_times_outside_the_layout_are_refused((plan, values) in plans_with_values()) {
        let (layout, fits) = (plan.layout(), parts(&plan, values));
        let (first, last) = (plan.tick_start_ms(0), plan.tick_start_ms(plan.last_tick() + 1) - 1);
        prop_assert_eq!(layout.expires_ms(), last + 1);
        for at in [first, plan.epoch_ms, last] {
            let inside = Parts { unix_ms: at, ..fits };
            prop_assert!(layout.encode(inside).is_ok());
            prop_assert_eq!(layout.check_mints_at(at), Ok(()));
        }
        for at in [first - 1, last + 1, i64::MIN, i64::MAX] {
            let refusal = Error::TimeOutOfRange { unix_ms: at, first_ms: first, last_ms: last };
            prop_assert_eq!(layout.encode(Parts { unix_ms: at, ..fits }), Err(refusal));
            prop_assert_eq!(layout.min_id(at), Err(refusal));
            prop_assert_eq!(layout.max_id(at), Err(refusal));
        }
        let (epoch_ms, now_ms) = (plan.epoch_ms, first - 1);
        let early = Error::EpochInFuture { epoch_ms, now_ms };
        prop_assert_eq!(layout.check_mints_at(now_ms), Err(early));
        let late = Error::LayoutExpired { since_ms: last + 1 };
        prop_assert_eq!(layout.check_mints_at(last + 1), Err(late));
    }

    /// Ticks are `floor(now / tick) − floor(epoch / tick)`, below 1970 too.
    #[test]
    fn ticks_are_floors((plan, values) in plans_with_values(), away in -5_000..5_000_i64,
                        anywhere in any::<i64>()) {
        let layout = plan.layout();
        for at in [plan.epoch_ms + away, plan.tick_start_ms(values[0]) + away, away, anywhere] {
            let floor = |ms: i64| i128::from(ms).div_euclid(i128::from(plan.tick_ms));
            let tick = u64::try_from(floor(at) - floor(plan.epoch_ms));
            let expected = tick.ok().filter(|tick| *tick <= plan.last_tick());
            prop_assert_eq!(layout.tick_at(at).ok(), expected);
        }
    }

    /// `fits` against the largest ID of every tick, searched.
    #[test]
    fn fits_agrees_with_the_largest_ids(plan in plans()) {
        let layout = plan.layout();
        for bits in 0..=66_u32 {
            let too_wide = |tick: u64| {
                u128::from(plan.id(tick, u64::MAX, u64::MAX, u64::MAX)) >> bits != 0
            };
            let (mut low, mut high) = (0, plan.last_tick() + 1);
            while low < high {
                let middle = low + (high - low) / 2;
                if too_wide(middle) { high = middle } else { low = middle + 1 }
            }
            let expected = match low {
                first if first > plan.last_tick() => Fit::Always,
                0 => Fit::Never,
                first => Fit::Until(plan.tick_start_ms(first)),
            };
            prop_assert_eq!(layout.fits(bits), expected, "{} bits", bits);
        }
    }

    /// The displayed form of a layout is parsed as the same layout, and its fields by the builder.
    #[test]
    fn display_and_fields_are_inverse(plan in plans()) {
        let layout = plan.layout();
        let text = layout.fields_text().to_string();
        let builder = Layout::builder().fields(&text).unwrap();
        let read = builder.epoch_ms(plan.epoch_ms).tick_ms(plan.tick_ms).build();
        prop_assert_eq!(read, Ok(layout), "{}", text);
        // With nothing lost.
        prop_assert_eq!(layout.to_string().parse(), Ok(layout), "{}", layout);
    }

    /// L6: no text makes the parser panic, and what it reads is displayed as it is read again.
    #[test]
    fn l6_the_fields_parser_takes_any_text(text in "\\PC*", near in
        "((time|worker|sequence|zero|constant|shard|x)[:=]?[0-9+-]{0,3}(=[0-9]{0,21})?,?){0,11}") {
        for text in [text, near] {
            if let Ok(layout) = Layout::builder().fields(&text).and_then(LayoutBuilder::build) {
                let shown = layout.fields_text().to_string();
                let again = Layout::builder().fields(&shown).and_then(LayoutBuilder::build);
                prop_assert_eq!(again.map(|it| it.fields_text().to_string()), Ok(shown), "{}", text);
            }
        }
    }
}

/// If two parts make the worker ID, the upper part gives the upper bits.
#[test]
fn worker_ids_are_put_together_from_their_parts() {
    let (datacenter, worker) = (FieldKind::Datacenter, FieldKind::Worker);
    assert_eq!(Layout::TWITTER.worker_id(&[(datacenter, 11), (worker, 26)]), Ok(378));
    assert_eq!(Layout::TWITTER.worker_id(&[(worker, 26), (datacenter, 11)]), Ok(378));
    assert_eq!(Layout::TWITTER.worker_id(&[(datacenter, 31), (worker, 31)]), Ok(1023));
    assert_eq!(Layout::TWITTER.worker_id(&[]), Ok(0));
    let parts = |layout: Layout, id| layout.worker_parts(id).unwrap().collect::<Vec<_>>();
    assert_eq!(parts(Layout::TWITTER, 378), [(datacenter, 11), (worker, 26)]);
    assert_eq!(parts(Layout::DISCORD, 32), [(worker, 1), (FieldKind::Process, 0)]);
    assert_eq!(parts(Layout::INSTAGRAM, 1341), [(FieldKind::Shard, 1341)]);
    assert_eq!(parts(Layout::MASTODON, 0), []);
    let past = Error::FieldOutOfRange { field: worker, value: 32, max: 31 };
    assert_eq!(Layout::TWITTER.worker_id(&[(worker, 32)]), Err(past));
    let past = Error::FieldOutOfRange { field: worker, value: 1024, max: 1023 };
    assert_eq!(Layout::TWITTER.worker_parts(1024).err(), Some(past));
    let absent = Error::FieldOutOfRange { field: FieldKind::Shard, value: 1, max: 0 };
    assert_eq!(Layout::TWITTER.worker_id(&[(FieldKind::Shard, 1)]), Err(absent));
    let no_worker = Error::FieldOutOfRange { field: FieldKind::Time, value: 1, max: 0 };
    assert_eq!(Layout::TWITTER.worker_id(&[(FieldKind::Time, 1)]), Err(no_worker));
}
