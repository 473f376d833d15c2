//! Simulated series, in which the true growth is known.
#![expect(clippy::float_cmp, reason = "these are exact")]
#![expect(clippy::similar_names, reason = "`life` and `live` are the terms")]

use crate::read::leaks::growth::{Doubt, grows_in_steps, grows_steadily, growth};
use crate::read::leaks::report::judge;
use crate::read::leaks::{Block, Held, Point, Series};
use crate::record::estimate::Estimate;
use memprof_test_support::rounds;

struct Random(u64);

impl Random {
    fn seeded(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (0..8).for_each(|_| _ = random.unit());
        random
    }

    /// Returns a number between 0.0 and 1.0, uniformly distributed.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns a number whose logarithm is uniformly distributed.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// Returns an exponentially distributed number with the mean 1.
    fn exponential(&mut self) -> f64 {
        -self.unit().ln()
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.unit() * of.len() as f64) as usize]
    }
}

/// A sampled block. The mean of the samples is 1, until they are thinned. The watch is the time
/// from 0 to 1.
#[derive(Clone, Copy)]
struct Life {
    born: f64,
    died: f64,
    size: f64,
}

const FOREVER: f64 = 9.0;

/// The sizes of blocks, in means: small ones, large ones, and mixed ones.
const SIZES: [&[f64]; 3] = [&[0.01], &[8.0], &[0.01, 0.1, 1.0, 5.0]];

fn probability(size: f64, mean: f64) -> f64 {
    -(-size / mean).exp_m1()
}

fn sample(size: f64, mean: f64) -> Estimate {
    let probability = probability(size, mean);
    let value = size / probability;
    let variance = value * value * (1.0 - probability);
    Estimate { value, variance, samples: 1, unseen: mean }
}

impl Life {
    /// Returns true if the sample remains, or is taken, when the mean of the samples is 2.
    fn is_kept(&self) -> bool {
        let drawn = Random::seeded(self.born.to_bits()).unit();
        drawn <= probability(self.size, 2.0) / probability(self.size, 1.0)
    }
}

impl Held {
    fn hold(&mut self, life: &Life, at: f64, mean: f64) {
        let sample = sample(life.size, mean);
        let (bytes, age) = (sample.value, at - life.born);
        self.largest = self.largest.max((life.size * 65_536.0) as u64);
        if life.born <= 0.0 {
            self.older.add(sample);
            self.older_squares += bytes * bytes;
        } else {
            self.younger.add(sample);
            self.younger_squares += bytes * bytes;
            self.ages += bytes * age;
            self.age_squares += bytes * age * age;
        }
    }
}

fn series(lives: &[Life], observations: u32) -> Series {
    thinned_series(lives, observations, FOREVER)
}

/// The samples are thinned at a time `thinned`: half of them remain, which represent twice as many
/// bytes.
fn thinned_series(lives: &[Life], observations: u32, thinned: f64) -> Series {
    let count = f64::from(observations);
    let mean = |at: f64| if at < thinned { 1.0 } else { 2.0 };
    let point = |number: u32| {
        let (seconds, mut held) = (f64::from(number) / count, Held::default());
        (held.younger.unseen, held.older.unseen) = (mean(seconds), mean(seconds));
        Point { seconds, number: number.into(), calls: 0, held }
    };
    let mut all: Vec<Point> = (0..=observations).map(point).collect();
    let is_sampled = |life: &Life, at: f64| at < thinned || life.is_kept();
    for life in lives {
        let [from, to] = [life.born, life.died.min(2.0)].map(|at| (at * count).ceil().max(0.0));
        for at in all.iter_mut().take(to as usize).skip(from as usize) {
            if is_sampled(life, at.seconds) {
                at.held.hold(life, at.seconds, mean(at.seconds));
            }
        }
    }
    let live = lives.iter().filter(|life| life.born <= 1.0 && life.died > 1.0);
    let block = |life: &Life| Block {
        born: life.born,
        bytes: sample(life.size, mean(1.0)).value,
        ..Block::default()
    };
    let blocks = live.filter(|life| is_sampled(life, 1.0)).map(block).collect();
    Series { baseline: all.remove(0).held, points: all, blocks }
}

/// Draws samples of small blocks at random, as [`samples`] does.
fn small(
    random: &mut Random,
    most: f64,
    rate: impl Fn(f64) -> f64,
    died: impl FnMut(&mut Random, f64) -> f64,
) -> Vec<Life> {
    samples_of(SIZES[0], random, 0.0, most, rate, died)
}

/// Draws samples at random from `start` to 1.0, `rate` a watch, but at most `most`.
fn samples(
    random: &mut Random,
    start: f64,
    most: f64,
    rate: impl Fn(f64) -> f64,
    died: impl FnMut(&mut Random, f64) -> f64,
) -> Vec<Life> {
    let sizes = random.pick(&SIZES);
    samples_of(sizes, random, start, most, rate, died)
}

fn samples_of(
    sizes: &[f64],
    random: &mut Random,
    start: f64,
    most: f64,
    rate: impl Fn(f64) -> f64,
    mut died: impl FnMut(&mut Random, f64) -> f64,
) -> Vec<Life> {
    let (mut born, mut lives) = (start, Vec::new());
    loop {
        born += random.exponential() / most;
        if born > 1.0 {
            return lives;
        }
        if random.unit() * most <= rate(born) {
            let size = random.pick(sizes);
            lives.push(Life { born, died: died(random, born), size });
        }
    }
}

/// Returns a pool of blocks with exponential lives, which was there before the watch.
fn pool(random: &mut Random, life: f64, live: f64, rate: impl Fn(f64) -> f64) -> Vec<Life> {
    let most = live / life;
    let died = |random: &mut Random, born| born + life * random.exponential();
    samples(random, -6.0 * life, most, |at| most * rate(at), died)
}

fn observations(random: &mut Random) -> u32 {
    random.pick(&[12, 30, 60, 200])
}

fn is_suspect(series: &Series) -> bool {
    series.growth().interval.0 > 0.0 && series.doubt().is_none()
}

fn suspects(count: u64, make: impl Fn(&mut Random) -> Vec<Life>) -> f64 {
    thinned_suspects(count, make, |_| FOREVER)
}

fn thinned_suspects(
    count: u64,
    make: impl Fn(&mut Random) -> Vec<Life>,
    thinned: impl Fn(&mut Random) -> f64,
) -> f64 {
    let is_one = |seed: &u64| {
        let mut random = Random::seeded(*seed);
        let lives = make(&mut random);
        let observations = observations(&mut random);
        is_suspect(&thinned_series(&lives, observations, thinned(&mut random)))
    };
    (0..count).filter(is_one).count() as f64 / count as f64
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn the_growth_of_a_leak_is_within_its_interval_in_94_of_100_cases() {
    let trials = rounds(1000, 10_000);
    for expected in [15.0, 25.0, 100.0, 400.0, 1600.0] {
        for size in [0.01, 0.9] {
            let p = probability(size, 1.0);
            let blocks = (expected / p).round();
            let truth = blocks * size;
            let (mut inside, mut widths) = (0, Vec::new());
            for trial in 0..trials {
                let mut random = Random::seeded(trial);
                let mut now = Held::default();
                now.younger.unseen = 1.0;
                let mut born = 0.0;
                // Draw the distance to the next sampled block.
                loop {
                    born += (random.unit().ln() / (1.0 - p).ln()).ceil() / blocks;
                    if born > 1.0 {
                        break;
                    }
                    now.hold(&Life { born, died: FOREVER, size }, 1.0, 1.0);
                }
                let (_, (low, high)) = growth(&Held::default(), &now);
                inside += u32::from((low..=high).contains(&truth));
                widths.push((high - low) / (2.0 * 1.96 * truth / expected.sqrt()));
            }
            widths.sort_by(f64::total_cmp);
            let (share, width) = (f64::from(inside) / trials as f64, widths[widths.len() / 2]);
            assert!(share >= 0.94, "{expected} samples of {size}: {share}");
            assert!(width <= 1.3, "{expected} samples of {size}: {width}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn at_most_one_in_1000_heaps_that_do_not_grow_is_a_suspect() {
    type Make = fn(&mut Random) -> Vec<Life>;
    let kinds: [(&str, Make); 7] = [
        ("a pool", |random| {
            let (life, live) = (random.scale(0.01, 10.0), random.scale(5.0, 800.0));
            pool(random, life, live, |_| 1.0)
        }),
        ("a pool that was not sampled before", |random| {
            let (life, live) = (random.scale(0.01, 0.1), random.scale(5.0, 800.0));
            pool(random, life, live, |at| f64::from(u8::from(at > 0.0)))
        }),
        ("a cache that is cleared", |random| {
            let (period, most) = (random.between(0.02, 0.99), random.scale(5.0, 1000.0));
            let phase = random.unit() * period;
            let cleared = |at: f64| ((at - phase) / period).ceil() * period + phase;
            samples(random, -period, most / period, |_| f64::MAX, |_, born| cleared(born))
        }),
        ("a table that fills up", |random| {
            let (full, most) = (random.between(0.05, 0.8), random.scale(5.0, 2000.0));
            let rate = move |at| if at < full { f64::MAX } else { 0.0 };
            samples(random, 0.0, most / full, rate, |_, _| FOREVER)
        }),
        ("a table that fills up more and more slowly", |random| {
            let (time, most) = (random.between(0.02, 0.2), random.scale(5.0, 2000.0));
            let rate = move |at: f64| most / time * (-at / time).exp();
            samples(random, 0.0, most / time, rate, |_, _| FOREVER)
        }),
        ("a table that fills up and then replaces entries at random", |random| {
            let (full, most) = (random.between(0.05, 0.75), random.scale(5.0, 2000.0));
            let life = random.scale(0.02, 5.0);
            let rate = move |at| if at < full { most / full } else { most / life };
            let died =
                move |random: &mut Random, born: f64| born.max(full) + life * random.exponential();
            samples(random, 0.0, most / full.min(life), rate, died)
        }),
        ("blocks that are allocated at once", |random| {
            let (at, most) = (random.between(0.05, 0.95), random.scale(5.0, 2000.0));
            let rate = move |born| if born < at + 0.005 { f64::MAX } else { 0.0 };
            samples(random, at, most / 0.005, rate, |_, _| FOREVER)
        }),
    ];
    let count = rounds(150, 5000);
    let found = |thinned: fn(&mut Random) -> f64| {
        let found = kinds.map(|(kind, make)| (kind, thinned_suspects(count, make, thinned)));
        let all = found.iter().map(|one| one.1).sum::<f64>() / found.len() as f64;
        (found, all)
    };
    let (thinned, all) = found(|random| random.between(0.0, 1.0));
    assert!(all <= rounds(0.002, 0.001), "{thinned:?}");
    assert!(thinned.iter().all(|one| one.1 <= rounds(0.015, 0.006)), "{thinned:?}");
    let (found, all) = found(|_| FOREVER);
    assert!(all <= 0.001, "{found:?}");
    assert!(found.iter().all(|one| one.1 <= rounds(0.007, 0.003)), "{found:?}");
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn a_busier_program_is_seldom_a_suspect() {
    let count = rounds(200, 5000);
    let step = suspects(count, |random| {
        let (at, factor) = (random.between(0.1, 0.9), random.between(1.3, 4.0));
        let (life, live) = (random.scale(0.01, 0.16), random.scale(20.0, 1000.0));
        pool(random, life, live, move |now| if now < at { 1.0 / factor } else { 1.0 })
    });
    let ramp = suspects(count, |random| {
        let factor = random.between(1.3, 6.0);
        let (life, live) = (random.scale(0.01, 0.16), random.scale(20.0, 1000.0));
        pool(random, life, live, move |now| (1.0 + (factor - 1.0) * now.max(0.0)) / factor)
    });
    assert!(step <= 0.002 && ramp <= 0.005, "{step} {ramp}");
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn leaks_are_suspects_from_30_samples_also_beside_short_lived_blocks() {
    let count = rounds(100, 2000);
    let leak = |live: f64, rate: fn(f64) -> f64, beside: f64| {
        suspects(count, |random| {
            let mut lives = small(random, 2.0 * live, |at| live * rate(at), |_, _| FOREVER);
            let died = |random: &mut Random, born| born + 0.003 * random.exponential();
            let most = beside / 0.003;
            lives.extend(samples_of(SIZES[0], random, -0.02, most, |_| f64::MAX, died));
            lives
        })
    };
    for live in [30.0, 45.0, 300.0, 1000.0] {
        let (steady, faster) = (leak(live, |_| 1.0, 0.01), leak(live, |at| 2.0 * at, 0.01));
        assert!(steady >= 0.95 && faster >= 0.95, "{live}: {steady} {faster}");
        let beside = leak(live, |_| 1.0, live / 15.0);
        assert!(beside >= 0.9, "{live}: {beside}");
    }
    let few = leak(4.0, |_| 1.0, 0.01);
    assert!(few <= 0.05, "{few}");
    let bursts = leak(100.0, |at| if (at * 12.0).fract() < 0.5 { 2.0 } else { 0.0 }, 0.01);
    assert!(bursts >= 0.95, "{bursts}");
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn leaks_are_suspects_after_their_samples_were_thinned() {
    for (live, least) in [(30.0, 0.85), (120.0, 0.9), (480.0, 0.98)] {
        let leak = |random: &mut Random| small(random, 2.0 * live, |_| f64::MAX, |_, _| FOREVER);
        let found = thinned_suspects(rounds(100, 2000), leak, |random| random.between(0.0, 1.0));
        assert!(found >= least, "{live}: {found}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn a_leak_that_is_all_growth_of_the_process_is_hardly_ever_replaced() {
    let count = rounds(200, 5000);
    for live in [40.0, 400.0] {
        let truth = live * sample(SIZES[0][0], 1.0).value;
        let is_replaced = |seed: &u64| {
            let lives = small(&mut Random::seeded(*seed), live, |_| live, |_, _| FOREVER);
            let judged = judge(&series(&lives, 60), 1.0, truth);
            judged.is_some_and(|(_, doubt)| doubt == Some(Doubt::Replaced))
        };
        let share = (0..count).filter(is_replaced).count() as f64 / count as f64;
        assert!(share <= rounds(0.005, 0.001), "{live}: {share}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn exponential_growth_is_a_suspect_at_any_pace() {
    for pace in [3.0, 6.0, 10.0, 20.0] {
        let share = suspects(rounds(100, 2000), |random| {
            let most = 200.0 * pace;
            let rate = move |at: f64| most * (pace * (at - 1.0)).exp();
            small(random, most, rate, |_, _| FOREVER)
        });
        assert!(share >= 0.95, "{pace}: {share}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn queues_that_are_drained_too_slowly_are_suspects_with_the_true_growth() {
    let count = rounds(40, 1000);
    for (drained, live, least) in
        [(0.3, 100.0, 0.8), (0.6, 300.0, 0.9), (0.9, 500.0, 0.8), (0.9, 1000.0, 0.95)]
    {
        let rate = live / (1.0 - drained);
        let (mut found, mut true_growth) = (0, 0);
        for seed in 0..count {
            let mut random = Random::seeded(seed);
            let lives = small(&mut random, rate, |_| rate, |_, born| born / drained);
            let series = series(&lives, 60);
            found += u32::from(series.doubt().is_none());
            let (low, high) = series.growth().interval;
            let mean = sample(SIZES[0][0], 1.0).value;
            true_growth += u32::from((low..=high).contains(&(live * mean)));
        }
        let [found, covered] = [found, true_growth].map(|one| f64::from(one) / count as f64);
        assert!(found >= least, "drained at {drained}, {live} live: {found}");
        assert!(covered >= 0.9, "drained at {drained}, {live} live: {covered}");
    }
}

#[test]
fn the_reason_of_a_doubt_is_the_first_test_that_fails() {
    let mut random = Random::seeded(1);
    let mut doubt = |most: f64, rate: fn(f64) -> f64, died: fn(&mut Random, f64) -> f64| {
        series(&small(&mut random, most, rate, died), 60).doubt()
    };
    let steady = |_: f64| f64::MAX;
    assert_eq!(doubt(6.0, steady, |_, _| FOREVER), Some(Doubt::FewSamples));
    let fills = |at: f64| if at < 0.5 { f64::MAX } else { 0.0 };
    assert_eq!(doubt(400.0, fills, |_, _| FOREVER), Some(Doubt::Unsteady));
    let short = |random: &mut Random, born: f64| born + 0.02 * random.exponential();
    assert_eq!(doubt(40_000.0, |at| 40_000.0 * at, short), Some(Doubt::ShortLived));
    assert_eq!(doubt(400.0, steady, |_, _| FOREVER), None);
}

#[test]
fn a_thinned_baseline_has_the_errors_of_both_estimates() {
    let held = |variance, unseen| Held {
        older: Estimate { value: 100.0, variance, samples: 10, unseen },
        ..Held::default()
    };
    let (_, same) = growth(&held(1000.0, 10.0), &held(1000.0, 10.0));
    let (bytes, thinned) = growth(&held(1000.0, 10.0), &held(4000.0, 40.0));
    assert_eq!(bytes, 0.0);
    assert!(thinned.0 < same.0 && thinned.1 > same.1 && thinned.1 > 100.0, "{same:?} {thinned:?}");
}

#[test]
fn bytes_per_call_are_those_of_calls_since_the_series_held_memory() {
    let point = |number: u64, calls, bytes| {
        let held = Held { younger: Estimate::exact(bytes), ..Held::default() };
        Point { seconds: number as f64, number, calls, held }
    };
    let points = vec![point(1, 0, 0.0), point(2, 10, 20.0), point(3, 14, 28.0)];
    let of = |points| Series { points, ..Series::default() };
    assert_eq!(of(points.clone()).per_call(), Some(2.0));
    assert_eq!(of(points[..2].to_vec()).per_call(), None);
    let growth = of(points).growth();
    assert_eq!((growth.per_second, growth.interval), (28.0 / 3.0, (28.0 / 3.0, 28.0 / 3.0)));
    assert_eq!(growth.per_observation, 28.0 / 3.0);
}

/// Returns the capacity of a buffer that doubles when it is full.
fn doubled(bytes: f64) -> f64 {
    bytes.log2().ceil().exp2()
}

#[test]
fn one_block_that_doubles_grows_in_steps_at_any_pace() {
    for observations in [8, 10, 12, 20, 60, 250] {
        for phase in 0..20 {
            let pace = 1e6 * (f64::from(phase) / 20.0).exp2();
            let seen: Vec<_> = (1..=observations)
                .map(f64::from)
                .map(|second| (second, doubled(pace * second)))
                .collect();
            assert!(grows_in_steps(&seen), "{observations} {phase}");
            // The buffer is freed at the end.
            let cleared: Vec<_> = seen.iter().copied().chain([(260.0, 1e6)]).collect();
            assert!(!grows_in_steps(&cleared), "{observations} {phase}");
        }
    }
}

#[test]
fn one_block_that_doubles_each_second_grows_in_steps() {
    for each in [0.3, 1.0, 2.0, 2.4] {
        let seen: Vec<_> = (1..=20)
            .map(f64::from)
            .map(|second| (second, 4096.0 * (second / each).floor().exp2()))
            .collect();
        assert!(grows_in_steps(&seen), "{each} s");
    }
}

#[test]
fn one_block_that_grows_by_the_same_amount_grows_steadily() {
    let sizes =
        |of: fn(f64) -> f64| (1..=30).map(f64::from).map(|at| (at, of(at))).collect::<Vec<_>>();
    assert!(grows_steadily(&sizes(|at| 1e6 + 1e5 * at)));
    assert!(!grows_steadily(&sizes(|at| 1e6 + 1e5 * at.min(15.0))));
    assert!(!grows_steadily(&sizes(|at| 1e5 * (at % 7.0))));
    assert!(!grows_steadily(&sizes(|at| 1e6 + 1e5 * at.ln())));
}

#[test]
fn a_buffer_as_large_as_its_largest_message_hardly_ever_grows() {
    let mut random = Random::seeded(77);
    // The sizes are uniform, exponential, or so uneven that they hardly have a mean.
    let sizes: [fn(f64) -> f64; 3] =
        [|chance| 1e6 * chance, |chance| -1e5 * chance.ln(), |chance| 1e4 / chance.sqrt()];
    let capacities: [fn(f64) -> f64; 2] = [doubled, |bytes| bytes];
    for (kind, size) in sizes.iter().enumerate() {
        for (capacity, messages) in [(capacities[0], 10), (capacities[0], 100), (capacities[1], 10)]
        {
            let mut found = 0;
            for _ in 0..200 {
                let mut most = 1.0_f64;
                let seen: Vec<_> = (1..=60)
                    .map(|second| {
                        for _ in 0..messages {
                            most = most.max(size(random.unit()));
                        }
                        (f64::from(second), capacity(most))
                    })
                    .collect();
                found += u32::from(grows_in_steps(&seen) || grows_steadily(&seen));
            }
            assert!(found <= 20, "{kind}, {messages} messages: {found} of 200");
        }
    }
}

#[test]
fn one_block_of_random_size_hardly_ever_grows() {
    let mut random = Random::seeded(5);
    let grows = |_: &u32| {
        let sizes: Vec<_> = (1..=60).map(|at| (f64::from(at), 1e6 * random.unit())).collect();
        grows_in_steps(&sizes) || grows_steadily(&sizes)
    };
    let found = (0..1000).filter(grows).count();
    assert!(found <= 3, "{found} of 1000");
}
