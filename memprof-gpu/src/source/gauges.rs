//! The gauges of a device: figures that are not bytes in its branch.

use super::watcher::DeviceSnapshot;
use crate::{Counter, DeviceStatistics, Unavailable};
use core::time::Duration;
use memprof_profile::source::Gauge;

/// Returns the gauges of a device for one snapshot.
pub(crate) fn of(
    snapshot: &DeviceSnapshot,
    statistics: Result<&DeviceStatistics, &Unavailable>,
) -> Vec<Gauge> {
    let frame = snapshot.identity.frame();
    let reading = &snapshot.reading;
    let gauge = |name: &str, unit, value: Counter<u64>| {
        Gauge::new(format!("{frame} {name}"), unit, value.map_err(|reason| reason.to_string()))
    };
    let traffic = |direction: fn(&crate::Traffic) -> u64| {
        reading.traffic.as_ref().map(direction).map_err(Unavailable::clone)
    };
    let number = |counter: &Counter<u32>| counter.clone().map(u64::from);
    let peak = match snapshot.peak.readings {
        0 => Err(Unavailable::NotReported),
        _ => Ok(snapshot.peak.used),
    };
    let mut gauges = vec![
        // The peak since the last snapshot is sampled, so it is a lower bound.
        gauge("peak used, sampled", "bytes", peak),
        gauge("memory read interval", "ns", Ok(nanoseconds(snapshot.interval))),
        gauge("temperature", "celsius", number(&reading.temperature_celsius)),
        gauge("power", "milliwatts", number(&reading.power_milliwatts)),
        gauge("sent", "bytes", traffic(|traffic| traffic.sent)),
        gauge("received", "bytes", traffic(|traffic| traffic.received)),
    ];
    if let Some(pool) = statistics.ok().and_then(|statistics| statistics.allocator) {
        gauges.push(gauge("pool allocated", "bytes", Ok(pool.allocated)));
        gauges.push(gauge("pool reserved", "bytes", Ok(pool.reserved)));
        let peak = |peak: Option<u64>| peak.ok_or(Unavailable::NotReported);
        gauges.push(gauge("pool peak allocated", "bytes", peak(pool.peak_allocated)));
        gauges.push(gauge("pool peak reserved", "bytes", peak(pool.peak_reserved)));
    }
    if let Some(age) = snapshot.age {
        gauges.push(gauge("age of this reading", "ns", Ok(nanoseconds(age))));
    }
    if let Ok(statistics) = statistics
        && let Err(reason) = &statistics.process
    {
        gauges.push(gauge("memory of this process", "bytes", Err(reason.clone())));
    }
    match statistics {
        Err(reason) => gauges.push(gauge("memory", "bytes", Err(reason.clone()))),
        Ok(statistics) if statistics.attributed_excess() > 0 => {
            let excess = statistics.attributed_excess();
            gauges.push(gauge("attributed excess", "bytes", Ok(excess)));
        }
        Ok(_) => {}
    }
    gauges
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
