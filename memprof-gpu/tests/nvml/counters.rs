//! Tests that each counter has a value, or the reason why it is unavailable.

use crate::{GIB, LOST, NO_PERMISSION, NOT_SUPPORTED, fake, open, read};
use memprof_gpu::{DeviceSampler, MemoryCounters, MemorySource, Traffic, Unavailable, Wanted};

#[test]
fn counters_have_the_drivers_values() {
    let fake = fake(1, &[]);
    for (key, value) in [("temperature", 41), ("power", 121_000), ("sent", 7), ("received", 9)] {
        fake.set(&format!("{key} of 0"), value);
    }
    let reading = read(&mut open(&fake), 0);
    let memory = MemoryCounters {
        total: 80 * GIB,
        used: 20 * GIB,
        free: 59 * GIB,
        driver_reserved: Some(GIB),
        source: MemorySource::NvmlV2,
    };
    assert_eq!(reading.memory, Ok(memory));
    assert_eq!(reading.temperature_celsius, Ok(41));
    assert_eq!(reading.power_milliwatts, Ok(121_000));
    assert_eq!(reading.traffic, Ok(Traffic { sent: 7, received: 9 }));
    assert!(reading.cost > core::time::Duration::ZERO);
}

#[test]
fn an_unsupported_counter_is_not_0() {
    let reading = read(&mut open(&fake(1, &[])), 0);
    assert_eq!(reading.temperature_celsius, Err(Unavailable::NotSupported));
    assert_eq!(reading.power_milliwatts, Err(Unavailable::NotSupported));
    assert_eq!(reading.traffic, Err(Unavailable::NotSupported));
}

#[test]
fn each_refusal_has_its_reason() {
    let cases = [
        (NOT_SUPPORTED, Unavailable::NotSupported),
        (NO_PERMISSION, Unavailable::NoPermission),
        (6, Unavailable::NotReported),
        (13, Unavailable::MissingSymbol),
        (21, Unavailable::NotReported),
        (999, Unavailable::Failed("an internal driver error occurred".into())),
        (LOST, Unavailable::Lost),
        (16, Unavailable::Lost),
        (25, Unavailable::Failed("it has another version of this counter".into())),
        (27, Unavailable::Failed("not ready yet".into())),
        (4711, Unavailable::Failed("NVML error 4711".into())),
    ];
    // The v1 memory counters are called without the wrapper.
    let fake = fake(1, &["nvmlDeviceGetMemoryInfo_v2"]);
    fake.set("temperature of 0", 41);
    let mut sampler = open(&fake);
    for (code, expected) in cases {
        for function in ["nvmlDeviceGetPowerUsage", "nvmlDeviceGetMemoryInfo"] {
            fake.set(&format!("fail {function}"), code);
        }
        let reading = read(&mut sampler, 0);
        assert_eq!(reading.power_milliwatts, Err(expected.clone()));
        assert_eq!(reading.memory, Err(expected));
        assert_eq!(reading.temperature_celsius, Ok(41));
    }
}

#[test]
fn only_wanted_counters_are_read_from_the_driver() {
    let fake = fake(1, &[]);
    let mut sampler = open(&fake);
    let reading = sampler.sample(0, Wanted::MEMORY).expect("there is a device");
    assert!(reading.memory.is_ok());
    assert_eq!(reading.processes, Err(Unavailable::NotAsked));
    let other = ["ComputeRunningProcesses_v3", "PowerUsage", "Temperature", "FieldValues"];
    for function in other {
        assert_eq!(fake.get(&format!("calls of nvmlDeviceGet{function}")), 0, "{function}");
    }
}

#[test]
fn an_old_driver_returns_memory_without_the_reserved_part() {
    let fake = fake(1, &["nvmlDeviceGetMemoryInfo_v2"]);
    let memory = read(&mut open(&fake), 0).memory.expect("the old form is there");
    assert_eq!((memory.used, memory.driver_reserved), (21 * GIB, None));
    assert_eq!(memory.source, MemorySource::NvmlV1);
    assert_eq!(memory.free + memory.used, memory.total);
}

#[test]
fn without_both_memory_functions_the_driver_is_too_old() {
    let fake = fake(1, &["nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetMemoryInfo"]);
    assert_eq!(read(&mut open(&fake), 0).memory, Err(Unavailable::MissingSymbol));
}

#[test]
fn counters_read_at_two_moments_still_add_up_to_the_total() {
    let fake = fake(1, &[]);
    fake.set("free of 0", 50 * GIB);
    let memory = read(&mut open(&fake), 0).memory.expect("it can be");
    assert_eq!((memory.total, memory.used), (80 * GIB, 29 * GIB));
}

#[test]
fn inconsistent_counters_are_refused() {
    let fake = fake(1, &[]);
    fake.set("free of 0", 81 * GIB);
    let memory = read(&mut open(&fake), 0).memory;
    assert!(matches!(memory, Err(Unavailable::Inconsistent(_))), "{memory:?}");
}

#[test]
fn a_device_without_its_own_memory_has_the_hosts_counters() {
    let fake = fake(1, &[]);
    for function in ["nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetMemoryInfo"] {
        fake.set(&format!("fail {function}"), NOT_SUPPORTED);
    }
    assert_eq!(read(&mut open(&fake), 0).memory, Err(Unavailable::NotSupported));
    fake.set("unified", 1);
    let memory = read(&mut open(&fake), 0).memory;
    if cfg!(target_os = "linux") {
        let memory = memory.expect("the host reports memory");
        assert_eq!(memory.source, MemorySource::HostUnified);
        assert!(memory.free > 0 && memory.free < memory.total);
    } else {
        assert_eq!(memory, Err(Unavailable::NotSupported));
    }
}

#[test]
fn a_lost_device_is_an_error_until_it_returns() {
    let fake = fake(2, &[]);
    let mut sampler = open(&fake);
    assert!(read(&mut sampler, 0).memory.is_ok());
    fake.set("fail nvmlDeviceGetHandleByIndex_v2 of 0", LOST);
    let lost = read(&mut sampler, 0);
    assert_eq!(lost.memory, Err(Unavailable::Lost));
    assert_eq!(lost.processes, Err(Unavailable::Lost));
    assert_eq!(lost.traffic, Err(Unavailable::Lost));
    assert!(read(&mut sampler, 1).memory.is_ok(), "the other one is not lost");
    fake.set("fail nvmlDeviceGetHandleByIndex_v2 of 0", 0);
    assert!(read(&mut sampler, 0).memory.is_ok());
}

#[test]
fn several_threads_may_each_have_a_sampler() {
    let fake = fake(2, &[]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut sampler = open(&fake);
                for round in 0..100 {
                    assert!(read(&mut sampler, round % 2).memory.is_ok());
                }
            });
        }
    });
    assert_eq!(fake.get("initialised"), 0, "each was closed");
}
