//! Checks of the event timer: its noise, its resolution, and its agreement with the host's clock.

use super::check::{Check, median_and_99th};
use memprof_gpu::cuda::{CudaError, CudaStream, DeviceContext, EventTimer};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The number of pairs of events with no work between them.
const PAIRS: usize = 1000;

/// Times pairs of events without work between them. Records the cost of an event, the measured
/// times, and their resolution.
pub(super) fn noise(check: &mut Check, context: &DeviceContext) -> Result<(), CudaError> {
    let timer = EventTimer::in_context(context, CudaStream::DEFAULT)?;
    timer.prepare(2 * PAIRS)?;
    let (mut pairs, mut durations) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let start = Instant::now();
        let from = timer.record()?;
        durations.push(start.elapsed());
        pairs.push((from, timer.record()?));
    }
    timer.synchronize()?;
    let [median, _] = median_and_99th(&mut durations);
    check.time(11, "to record an event, median", median);

    let mut empty = Vec::new();
    for (from, to) in &pairs {
        empty.push(timer.elapsed(from, to)?);
    }
    let [median, worst] = median_and_99th(&mut empty);
    check.time(11, "no work, by the timer, median", median);
    check.time(11, "no work, by the timer, 99th of 100", worst);
    let steps = empty.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
    let step = steps.filter(|step| !step.is_zero()).min();
    check.time_if_known(11, "least step", step.ok_or("no two measurements differ".to_owned()));
    Ok(())
}

/// Times the same work twice in turns, and records the difference between the medians.
pub(super) fn same_work_twice(check: &mut Check, context: &DeviceContext) -> Result<(), CudaError> {
    let timer = EventTimer::in_context(context, CudaStream::DEFAULT)?;
    timer.displace_caches()?;
    let (mut marks, mut rounds) = (Vec::new(), [Vec::new(), Vec::new()]);
    for at in 0..200 {
        let from = timer.record()?;
        timer.displace_caches()?;
        marks.push((at % 2, from, timer.record()?));
    }
    timer.synchronize()?;
    for (round, from, to) in &marks {
        rounds[*round].push(timer.elapsed(from, to)?);
    }
    for (name, round) in ["in one turn", "in the other"].into_iter().zip(&mut rounds) {
        let [median, worst] = median_and_99th(round);
        check.time(11, &format!("256 MiB overwritten {name}, median"), median);
        check.time(11, &format!("256 MiB overwritten {name}, 99th of 100"), worst);
    }
    Ok(())
}

/// Times a sleep of the host between two events.
pub(super) fn against_host(check: &mut Check, context: &DeviceContext) -> Result<(), CudaError> {
    let timer = EventTimer::in_context(context, CudaStream::DEFAULT)?;
    timer.prepare(2)?;
    let [mut by_host, mut by_device] = [Duration::ZERO; 2];
    for _ in 0..10 {
        let from = timer.record()?;
        let start = Instant::now();
        sleep(Duration::from_millis(20));
        by_host += start.elapsed();
        let to = timer.record()?;
        timer.synchronize()?;
        by_device += timer.elapsed(&from, &to)?;
    }
    check.times(11, "ten sleeps of the host, by the timer", by_host, by_device);
    Ok(())
}
