//! Traces of GPU counters.

use memprof_gpu::{DeviceSampler, DeviceStatistics, TraceSampler, Wanted};

/// Checks a trace of GPU counters.
///
/// # Panics
/// Panics if the statistics of a reading panic.
pub fn gpu_trace(input: &[u8]) {
    let mut trace = match TraceSampler::read(input) {
        Ok(trace) => trace,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let devices = trace.devices().to_vec();
    for (number, identity) in devices.iter().enumerate() {
        while trace.left(number) > 0 {
            let Ok(reading) = trace.sample(number, Wanted::ALL) else { break };
            let Ok(statistics) = DeviceStatistics::new(identity, &reading, 1 << 20) else {
                continue;
            };
            assert!(statistics.attributed() <= statistics.held, "no more is attributed than held");
            assert!(statistics.pressure().is_none_or(|share| share >= 0.0));
            drop((statistics.unattributed(), statistics.other_processes(), statistics.advice()));
        }
        assert!(trace.sample(number, Wanted::ALL).is_err(), "no reading is left");
    }
}
