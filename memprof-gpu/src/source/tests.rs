//! Tests of the source with devices whose behaviour a test sets.

use super::GpuSource;
use crate::{
    DeviceIdentity, DeviceReading, DeviceSampler, Environment, MemoryCounters, MemorySource,
    ProcessMemory, SamplerError, Unavailable, Wanted,
};
use core::time::Duration;
use memprof_profile::source::Source;
use memprof_profile::tree::Device;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

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
    /// The fault that the sampler has instead of returning a reading.
    fault: Mutex<Fault>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Fault {
    #[default]
    None,
    Error,
    Panic,
}

struct Told {
    devices: Vec<DeviceIdentity>,
    behaviour: Arc<Behaviour>,
}

impl DeviceSampler for Told {
    fn devices(&self) -> &[DeviceIdentity] {
        &self.devices
    }

    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError> {
        let behaviour = &self.behaviour;
        drop(behaviour.busy.lock());
        let fault = *behaviour.fault.lock().expect("nobody panicked with it");
        match fault {
            Fault::None => {}
            Fault::Error => return Err(SamplerError::TraceEnded { device }),
            Fault::Panic => panic!("it was told to"),
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

/// Creates a source of devices that a thread reads at this interval, and again for each snapshot.
fn source_every(every: Duration, devices: u16, behaviour: &Arc<Behaviour>) -> GpuSource {
    let identity = |number: u16| DeviceIdentity {
        index: number.into(),
        uuid: format!("GPU-{number}"),
        name: None,
        part: None,
        ordinal: Some(number),
    };
    let devices = (0..devices).map(identity).collect();
    let told = Told { devices, behaviour: behaviour.clone() };
    let builder = GpuSource::builder().memory_interval(every).slow_interval(every);
    builder.start_with(told).expect("there is a thread")
}

/// Waits for `more` further readings of the memory.
fn wait_for(behaviour: &Behaviour, more: u64) {
    wait_until(behaviour, behaviour.readings.load(Ordering::Relaxed) + more);
}

fn wait_until(behaviour: &Behaviour, until: u64) {
    let began = Instant::now();
    while behaviour.readings.load(Ordering::Relaxed) < until {
        assert!(began.elapsed() < Duration::from_mins(1), "nothing is read");
        thread::sleep(Duration::from_millis(1));
    }
}

fn gauge(source: &GpuSource, name: &str) -> Option<Result<u64, String>> {
    source.gauges().into_iter().find(|gauge| gauge.name == name).map(|gauge| gauge.value)
}

#[test]
fn a_device_that_fails_costs_its_own_counters_only() {
    let behaviour = Arc::new(Behaviour::default());
    behaviour.used.store(200, Ordering::Relaxed);
    let mut source = source(2, &behaviour);
    source.beside_roots(&[(Device::Cpu, 7), (Device::Cuda(0), 30)]);
    let profile = source.read().expect("one of them tells");
    let folded = "gpu;cuda:0;driver_reserved 100\ngpu;cuda:0;free 700\n\
                  gpu;cuda:0;used;other_processes 150\ngpu;cuda:0;used;process;attributed 30\n\
                  gpu;cuda:0;used;process;unattributed 20\n";
    assert_eq!(profile.to_folded(), folded);
    assert_eq!(source.statistics().len(), 1);
    assert_eq!(gauge(&source, "cuda:0 temperature"), Some(Ok(41)));
    let lost = Some(Err(Unavailable::Lost.to_string()));
    assert_eq!(gauge(&source, "cuda:1 memory"), lost);
    let never = Some(Err(Unavailable::NotReported.to_string()));
    assert_eq!(
        gauge(&source, "cuda:1 peak used, sampled"),
        never,
        "a peak that nobody saw is not 0"
    );
    let refused = Some(Err(Unavailable::NoPermission.to_string()));
    assert_eq!(gauge(&source, "cuda:0 power"), refused);
}

#[test]
fn what_values_say_past_the_counters_is_a_gauge() {
    let behaviour = Arc::new(Behaviour::default());
    behaviour.used.store(200, Ordering::Relaxed);
    let mut source = source(1, &behaviour);
    let excess = "cuda:0 attributed excess";
    source.beside_roots(&[(Device::Cuda(0), 80)]);
    let _ = source.read().expect("it tells");
    assert_eq!(gauge(&source, excess), Some(Ok(30)));
    source.beside_roots(&[(Device::Cuda(0), 50)]);
    let _ = source.read().expect("it tells");
    assert_eq!(gauge(&source, excess), None);
}

#[test]
fn where_no_device_tells_the_reading_is_the_reason() {
    let behaviour = Arc::new(Behaviour::default());
    let told = Told {
        devices: source(2, &behaviour).devices()[1..].to_vec(),
        behaviour: behaviour.clone(),
    };
    let mut none = GpuSource::builder().start_with(OneLost(told)).expect("there is a thread");
    let error = none.read().expect_err("it is lost");
    assert_eq!(error.to_string(), Unavailable::Lost.to_string());
    assert!(none.statistics().is_empty());
}

/// The sampler of the lost device alone.
struct OneLost(Told);

impl DeviceSampler for OneLost {
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
fn a_peak_between_two_snapshots_is_seen_and_told_once() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source(1, &behaviour);
    behaviour.used.store(600, Ordering::Relaxed);
    wait_for(&behaviour, 2);
    behaviour.used.store(10, Ordering::Relaxed);
    wait_for(&behaviour, 2);
    let _ = source.read().expect("it tells");
    assert_eq!(gauge(&source, "cuda:0 peak used, sampled"), Some(Ok(600)));
    wait_for(&behaviour, 2);
    let _ = source.read().expect("it tells");
    assert_eq!(gauge(&source, "cuda:0 peak used, sampled"), Some(Ok(10)));
}

#[test]
fn a_driver_that_does_not_answer_is_not_waited_for() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source(1, &behaviour);
    let _ = source.read().expect("it tells");
    let busy = behaviour.busy.lock().expect("nobody panicked");
    let folded = source.read().expect("as it was before").to_folded();
    assert!(gauge(&source, "cuda:0 age of this reading").is_some());
    drop(busy);
    wait_for(&behaviour, 2);
    assert_eq!(source.read().expect("it tells").to_folded(), folded);
    assert!(gauge(&source, "cuda:0 age of this reading").is_none());
}

#[test]
fn a_driver_that_never_answered_is_the_reason() {
    let behaviour = Arc::new(Behaviour::default());
    let busy = behaviour.busy.lock().expect("nobody panicked");
    let mut source = source(1, &behaviour);
    let error = source.read().expect_err("nothing was read");
    assert_eq!(error.to_string(), "the driver failed: it has not answered yet");
    drop(busy);
}

#[test]
fn a_driver_that_hangs_while_it_is_asked_is_not_waited_for_and_not_asked_again_for_nothing() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_hours(1), 1, &behaviour);
    wait_until(&behaviour, 1);
    let _ = source.read().expect("it tells");
    let busy = behaviour.busy.lock().expect("nobody panicked");
    for _ in 0..3 {
        let _ = source.read().expect("as it was before");
        assert!(gauge(&source, "cuda:0 age of this reading").is_some());
    }
    drop(busy);
    let mut asked = 0;
    while asked == 0 || gauge(&source, "cuda:0 age of this reading").is_some() {
        asked += 1;
        let _ = source.read().expect("it tells");
    }
    // The thread may still read for one request that timed out: the driver had begun that call.
    assert!(behaviour.readings.load(Ordering::Relaxed) <= 2 + 1 + asked);
}

#[test]
fn what_a_sampler_can_not_read_is_no_longer_what_it_was() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_hours(1), 1, &behaviour);
    let _ = source.read().expect("it tells");
    assert_eq!(gauge(&source, "cuda:0 temperature"), Some(Ok(41)));
    *behaviour.fault.lock().expect("nobody panicked") = Fault::Error;
    let why = "the driver failed: the trace has no more readings of device 0";
    while source.read().is_ok() {
        assert!(gauge(&source, "cuda:0 age of this reading").is_some());
    }
    assert_eq!(source.read().expect_err("it is at its end").to_string(), why);
    for counter in ["temperature", "power", "sent", "memory", "processes"] {
        let gauge = gauge(&source, &format!("cuda:0 {counter}"));
        assert_eq!(gauge, Some(Err(why.to_owned())), "{counter}");
    }
}

#[test]
fn a_sampler_that_panics_is_an_error_from_then_on() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_hours(1), 1, &behaviour);
    let _ = source.read().expect("it tells");
    *behaviour.fault.lock().expect("nobody panicked") = Fault::Panic;
    // The thread takes some time to panic. Until then, the source returns the last reading.
    while source.read().is_ok() {
        assert!(gauge(&source, "cuda:0 age of this reading").is_some());
    }
    for _ in 0..2 {
        let error = source.read().expect_err("nobody reads any more");
        assert_eq!(error.to_string(), "the thread that reads the GPUs panicked");
        assert!(source.gauges().is_empty());
    }
}

#[test]
fn in_a_process_that_was_forked_nobody_is_asked_and_nobody_is_waited_for() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::from_hours(1), 1, &behaviour);
    wait_until(&behaviour, 1);
    let _ = source.read().expect("it tells");
    source.watcher.as_mut().expect("there is a thread").fork();
    let busy = behaviour.busy.lock().expect("nobody panicked");
    let error = source.read().expect_err("it has no thread");
    assert!(error.to_string().starts_with("this process is a fork"), "{error}");
    assert_eq!(behaviour.readings.load(Ordering::Relaxed), 2);
    drop(busy);
}

#[test]
fn an_interval_without_an_end_is_a_day() {
    let behaviour = Arc::new(Behaviour::default());
    let mut source = source_every(Duration::MAX, 1, &behaviour);
    let _ = source.read().expect("it tells");
    assert_eq!(gauge(&source, "cuda:0 memory read interval"), Some(Ok(86_400_000_000_000)));
}

#[test]
fn reading_that_takes_too_much_of_the_time_is_done_less_often() {
    let behaviour = Arc::new(Behaviour::default());
    behaviour.is_slow.store(true, Ordering::Relaxed);
    let mut source = source(1, &behaviour);
    wait_for(&behaviour, 20);
    let _ = source.read().expect("it tells");
    let interval = gauge(&source, "cuda:0 memory read interval").expect("it is told");
    assert!(interval.expect("it is known") >= 20_000_000);
}

#[test]
fn its_thread_ends_with_it() {
    let behaviour = Arc::new(Behaviour::default());
    let source = source(1, &behaviour);
    wait_for(&behaviour, 1);
    drop(source);
    // The other reference was the sampler's, in the thread that has ended.
    assert_eq!(Arc::strong_count(&behaviour), 1);
}
