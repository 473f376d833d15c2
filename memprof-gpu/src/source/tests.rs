//! Tests of the source with devices whose behaviour a test sets.

use super::GpuSource;
use crate::{
    DeviceIdentity, DeviceReading, DeviceSampler, Environment, MemoryCounters, MemorySource,
    ProcessMemory, SamplerError, Unavailable, Wanted,
};
use core::time::Duration;
use memprof_profile::source::Source;
use memprof_profile::tree::Device;
use memprof_test_support::wait_until;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// The behaviour of the devices.
#[derive(Default)]
struct Behaviour {
    /// The used bytes of the first device. The other devices are lost.
    used: AtomicU64,
    /// The number of memory readings.
    readings: AtomicU64,
    /// While a test locks it, the driver is busy.
    busy: Mutex<()>,
    is_slow: AtomicBool,
    /// The fault that occurs instead of a reading.
    fault: Mutex<Fault>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Fault {
    #[default]
    None,
    Error,
    Panic,
}

struct FakeSampler {
    devices: Vec<DeviceIdentity>,
    behaviour: Arc<Behaviour>,
}

impl DeviceSampler for FakeSampler {
    fn devices(&self) -> &[DeviceIdentity] {
        &self.devices
    }

    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError> {
        let behaviour = &self.behaviour;
        drop(behaviour.busy.lock());
        let fault = *behaviour.fault.lock().expect("not poisoned");
        match fault {
            Fault::None => {}
            Fault::Error => return Err(SamplerError::NoSuchDevice { device, devices: 0 }),
            Fault::Panic => panic!("the test requested a panic"),
        }
        if behaviour.is_slow.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(2));
        }
        let mut reading = DeviceReading::unread(device, Duration::ZERO);
        if wanted.memory {
            let used = behaviour.used.load(Ordering::Relaxed);
            behaviour.readings.fetch_add(1, Ordering::Relaxed);
            let source = MemorySource::NvmlV2;
            reading.memory = match device {
                0 => MemoryCounters::balanced(1000, 900 - used, Some(100), source),
                _ => Err(Unavailable::Lost),
            };
        }
        if wanted.processes {
            let own = ProcessMemory { pid: std::process::id(), used: Some(50), gpu_instance: None };
            reading.processes = Ok(vec![own]);
        }
        if wanted.health {
            reading.temperature_celsius = Ok(41);
            reading.power_milliwatts = Err(Unavailable::NoPermission);
        }
        Ok(reading)
    }

    fn environment(&self) -> Environment {
        Environment::default()
    }
}

fn source(devices: u16, behaviour: &Arc<Behaviour>) -> GpuSource {
    source_every(Duration::from_millis(10), devices, behaviour)
}

/// Creates a source of devices, which a thread reads at this interval and again for each snapshot.
fn source_every(every: Duration, devices: u16, behaviour: &Arc<Behaviour>) -> GpuSource {
    let identity = |number: u16| DeviceIdentity {
        index: number.into(),
        uuid: format!("GPU-{number}"),
        name: None,
        part: None,
        ordinal: Some(number),
    };
    let devices = (0..devices).map(identity).collect();
    let sampler = FakeSampler { devices, behaviour: behaviour.clone() };
    let builder = GpuSource::builder().memory_interval(every).slow_interval(every);
    builder.start_with(sampler).expect("there is a thread")
}

/// Waits for `more` further readings of the memory.
fn wait_for(behaviour: &Behaviour, more: u64) {
    wait_for_reading(behaviour, behaviour.readings.load(Ordering::Relaxed) + more);
}

/// Waits until the memory was read `until` times.
fn wait_for_reading(behaviour: &Behaviour, until: u64) {
    wait_until("the memory is read", || behaviour.readings.load(Ordering::Relaxed) >= until);
}

fn gauge(source: &GpuSource, name: &str) -> Option<Result<u64, String>> {
    source.gauges().into_iter().find(|gauge| gauge.name == name).map(|gauge| gauge.value)
}

#[test]
fn a_failed_device_loses_only_its_own_counters() {
    let behaviour = Arc::new(Behaviour::default());
    behaviour.used.store(200, Ordering::Relaxed);
    let mut source = source(2, &behaviour);
    source.set_attributed(&[(Device::Cpu, 7), (Device::Cuda(0), 30)]);
    let profile = source.read().expect("one device is read");
    let folded = "gpu;nvml:0;driver_reserved 100\ngpu;nvml:0;free 700\n\
                  gpu;nvml:0;used;other_processes 150\ngpu;nvml:0;used;process;attributed 30\n\
                  gpu;nvml:0;used;process;unattributed 20\n";
    assert_eq!(profile.to_folded(), folded);
    assert_eq!(source.statistics().len(), 1);
    assert_eq!(gauge(&source, "nvml:0 temperature"), Some(Ok(41)));
    let lost = Some(Err(Unavailable::Lost.to_string()));
    assert_eq!(gauge(&source, "nvml:1 memory"), lost);
    let not_reported = Some(Err(Unavailable::NotReported.to_string()));
    assert_eq!(
        gauge(&source, "nvml:1 peak used, sampled"),
        not_reported,
        "an unread peak is not 0"
    );
    let no_permission = Some(Err(Unavailable::NoPermission.to_string()));
    assert_eq!(gauge(&source, "nvml:0 power"), no_permission);
}

#[test]
fn a_process_with_fewer_bytes_than_its_values_is_unknown() {
    let behaviour = Arc::new(Behaviour::default());
    behaviour.used.store(200, Ordering::Relaxed);
    let mut source = source(1, &behaviour);
    let gauges = ["nvml:0 memory of this process", "nvml:0 attributed excess"];
    for (held, unknown, excess) in [(50, false, None), (80, true, None), (230, true, Some(30))] {
        source.set_attributed(&[(Device::Cuda(0), held)]);
        let profile = source.read().expect("the source reads");
        let unknown_owner = profile.bytes_at("nvml:0;used;unknown_owner");
        assert_eq!(unknown_owner, unknown.then_some(200_u64.saturating_sub(held)));
        let [process, beyond] = gauges.map(|name| gauge(&source, name));
        assert_eq!(process.map(|value| value.is_err()), unknown.then_some(true), "{held}");
        assert_eq!(beyond, excess.map(Ok), "{held}");
    }
}

#[test]
fn without_any_device_memory_the_reading_is_an_error() {
    let behaviour = Arc::new(Behaviour::default());
    let sampler = FakeSampler {
        devices: source(2, &behaviour).devices()[1..].to_vec(),
        behaviour: behaviour.clone(),
    };
    let mut none =
        GpuSource::builder().start_with(LostDeviceOnly(sampler)).expect("there is a thread");
    let error = none.read().expect_err("it is lost");
    assert_eq!(error.to_string(), Unavailable::Lost.to_string());
    assert!(none.statistics().is_empty());
}

/// A sampler that has only the lost device.
struct LostDeviceOnly(FakeSampler);

impl DeviceSampler for LostDeviceOnly {
    fn devices(&self) -> &[DeviceIdentity] {
        self.0.devices()
    }

    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError> {
        self.0.sample(device + 1, wanted)
    }

    fn environment(&self) -> Environment {
        self.0.environment()
    }
}

#[test]
fn a_peak_between_two_snapshots_is_reported_once() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source(1, &behaviour);
    behaviour.used.store(600, Ordering::Relaxed);
    wait_for(&behaviour, 2);
    behaviour.used.store(10, Ordering::Relaxed);
    wait_for(&behaviour, 2);
    let _ = source.read().expect("the source reads");
    assert_eq!(gauge(&source, "nvml:0 peak used, sampled"), Some(Ok(600)));
    wait_for(&behaviour, 2);
    let _ = source.read().expect("the source reads");
    assert_eq!(gauge(&source, "nvml:0 peak used, sampled"), Some(Ok(10)));
}

#[test]
fn a_busy_driver_does_not_block_a_snapshot() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source(1, &behaviour);
    let _ = source.read().expect("the source reads");
    let busy = behaviour.busy.lock().expect("not poisoned");
    let folded = source.read().expect("as it was before").to_folded();
    assert!(gauge(&source, "nvml:0 age of this reading").is_some());
    drop(busy);
    wait_for(&behaviour, 2);
    assert_eq!(source.read().expect("the source reads").to_folded(), folded);
    assert!(gauge(&source, "nvml:0 age of this reading").is_none());
}

#[test]
fn a_driver_that_never_answered_is_an_error() {
    let behaviour = Arc::new(Behaviour::default());
    let busy = behaviour.busy.lock().expect("not poisoned");
    let mut source = source(1, &behaviour);
    let error = source.read().expect_err("nothing was read");
    assert_eq!(error.to_string(), "not read yet");
    drop(busy);
}

#[cfg(feature = "nvml")]
#[test]
fn without_a_driver_each_reading_is_an_error() {
    let absent = crate::NvmlSampler::open_at("/nowhere/libnvidia-ml.so.1").expect_err("no file");
    let reason = absent.to_string();
    let mut source = GpuSource::failed(absent);
    for _ in 0..2 {
        let error = source.read().expect_err("there is no driver");
        assert_eq!(error.to_string(), reason);
    }
    assert!(source.devices().is_empty() && source.gauges().is_empty());
}

#[test]
fn requests_that_timed_out_before_the_driver_began_are_skipped() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_secs(3600), 1, &behaviour);
    wait_for_reading(&behaviour, 1);
    let _ = source.read().expect("the source reads");
    let busy = behaviour.busy.lock().expect("not poisoned");
    for _ in 0..3 {
        let _ = source.read().expect("as it was before");
        assert!(gauge(&source, "nvml:0 age of this reading").is_some());
    }
    drop(busy);
    let mut requests = 0;
    wait_until("a reading is new", || {
        requests += 1;
        let _ = source.read().expect("the source reads");
        gauge(&source, "nvml:0 age of this reading").is_none()
    });
    // The thread may still finish one request that timed out, because the driver had begun that
    // call.
    assert!(behaviour.readings.load(Ordering::Relaxed) <= 2 + 1 + requests);
}

#[test]
fn a_counter_that_can_no_longer_be_read_is_an_error() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_secs(3600), 1, &behaviour);
    let _ = source.read().expect("the source reads");
    assert_eq!(gauge(&source, "nvml:0 temperature"), Some(Ok(41)));
    *behaviour.fault.lock().expect("not poisoned") = Fault::Error;
    let reason = "the driver failed: no device 0; there are 0, numbered from 0";
    wait_until("a reading fails", || {
        let is_error = source.read().is_err();
        assert!(is_error || gauge(&source, "nvml:0 age of this reading").is_some());
        is_error
    });
    assert_eq!(source.read().expect_err("it is at its end").to_string(), reason);
    for counter in ["temperature", "power", "sent", "memory"] {
        let gauge = gauge(&source, &format!("nvml:0 {counter}"));
        assert_eq!(gauge, Some(Err(reason.to_owned())), "{counter}");
    }
}

#[test]
fn after_a_panic_of_the_sampler_each_reading_is_an_error() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_secs(3600), 1, &behaviour);
    let _ = source.read().expect("the source reads");
    *behaviour.fault.lock().expect("not poisoned") = Fault::Panic;
    // The thread takes some time to panic. Until then, the source returns the last reading.
    wait_until("a reading fails", || {
        let is_error = source.read().is_err();
        assert!(is_error || gauge(&source, "nvml:0 age of this reading").is_some());
        is_error
    });
    for _ in 0..2 {
        let error = source.read().expect_err("the thread panicked");
        assert_eq!(error.to_string(), "the thread that reads the GPUs panicked");
        assert!(source.gauges().is_empty());
    }
}

#[test]
fn a_forked_process_neither_sends_requests_nor_waits() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_secs(3600), 1, &behaviour);
    wait_for_reading(&behaviour, 1);
    let _ = source.read().expect("the source reads");
    source.watcher.as_mut().expect("there is a thread").simulate_fork();
    let busy = behaviour.busy.lock().expect("not poisoned");
    let error = source.read().expect_err("it has no thread");
    assert!(error.to_string().starts_with("this process is a fork"), "{error}");
    assert_eq!(behaviour.readings.load(Ordering::Relaxed), 2);
    drop(busy);
}

#[test]
fn the_longest_interval_is_one_day() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::MAX, 1, &behaviour);
    let _ = source.read().expect("the source reads");
    assert_eq!(gauge(&source, "nvml:0 memory read interval"), Some(Ok(86_400_000_000_000)));
}

#[test]
fn slow_readings_double_the_interval() {
    let behaviour = Arc::new(Behaviour::default());
    behaviour.is_slow.store(true, Ordering::Relaxed);
    let mut source = source(1, &behaviour);
    wait_for(&behaviour, 20);
    let _ = source.read().expect("the source reads");
    let interval = gauge(&source, "nvml:0 memory read interval").expect("there is a gauge");
    assert!(interval.expect("it is known") >= 20_000_000);
}

#[test]
fn the_thread_ends_when_the_source_is_dropped() {
    let behaviour = Arc::new(Behaviour::default());
    let source = source(1, &behaviour);
    wait_for(&behaviour, 1);
    drop(source);
    // The sampler had the other reference, in the thread that has ended.
    assert_eq!(Arc::strong_count(&behaviour), 1);
}
