//! The event timer: its noise, its resolution, and its agreement with the host's clock.

use super::rows::{Rows, median_and_99th};
use memprof_gpu::cuda::{Cuda, CudaStream, DeviceContext, EventTimer};
use std::error::Error;
use std::thread::sleep;
use std::time::{Duration, Instant};

const PAIRS: usize = 1000;

/// Times pairs of events without work between them, and the same work in turns.
pub(super) fn noise(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
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
    rows.record("to record an event, median", median);
    let empty: Result<Vec<_>, _> = pairs.iter().map(|(from, to)| timer.elapsed(from, to)).collect();
    let mut empty = empty?;
    let steps = empty.windows(2).map(|pair| pair[1].abs_diff(pair[0]));
    match steps.filter(|step| !step.is_zero()).min() {
        Some(step) => rows.record("smallest step", step),
        None => rows.skip("smallest step", "no two measurements differ"),
    }
    let [median, worst] = median_and_99th(&mut empty);
    rows.record("no work, median", median);
    rows.record("no work, 99th of 100", worst);

    timer.displace_caches()?;
    let (mut turns, mut rounds) = (Vec::new(), [Vec::new(), Vec::new()]);
    for turn in 0..200 {
        let from = timer.record()?;
        timer.displace_caches()?;
        turns.push((turn % 2, from, timer.record()?));
    }
    timer.synchronize()?;
    for (round, from, to) in &turns {
        rounds[*round].push(timer.elapsed(from, to)?);
    }
    for (name, round) in ["in one turn", "in the other"].into_iter().zip(&mut rounds) {
        let [median, worst] = median_and_99th(round);
        rows.record(&format!("256 MiB overwritten {name}, median"), median);
        rows.record(&format!("256 MiB overwritten {name}, 99th of 100"), worst);
    }
    Ok(())
}

pub(super) fn against_host(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
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
    rows.near("ten sleeps of the host, by the timer", by_host, by_device);
    Ok(())
}
