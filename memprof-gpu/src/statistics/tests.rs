//! Tests that the statistics of a device add up, even if its driver does not report some counters.

use super::DeviceStatistics;
use crate::{
    DeviceIdentity, DeviceReading, MemoryCounters, MemorySource, ProcessMemory, Unavailable,
};
use core::time::Duration;
use memprof_profile::Profile;

const OWN: u32 = 42;

fn identity(uuid: &str) -> DeviceIdentity {
    let (uuid, name) = (uuid.to_owned(), Some("H100".to_owned()));
    DeviceIdentity { index: 0, uuid, name, part: None, ordinal: Some(0) }
}

fn memory(used: u64, driver_reserved: Option<u64>) -> MemoryCounters {
    let free = 1000 - used - driver_reserved.unwrap_or(0);
    MemoryCounters::balanced(1000, free, driver_reserved, MemorySource::NvmlV2)
        .expect("the parts are no more than the whole")
}

fn row(pid: u32, used: Option<u64>) -> ProcessMemory {
    ProcessMemory { pid, used, gpu_instance: None }
}

fn statistics(
    memory: MemoryCounters,
    processes: Result<Vec<ProcessMemory>, Unavailable>,
    held: u64,
) -> DeviceStatistics {
    let unread = DeviceReading::unread(0, Duration::ZERO);
    let reading = DeviceReading { memory: Ok(memory), processes, ..unread };
    DeviceStatistics::of_process(&identity("GPU-1"), &reading, held, Some(OWN))
        .expect("the counters are consistent")
}

#[test]
fn leaves_add_up_to_the_devices_total_with_and_without_processes() {
    let rows = |rows: &[ProcessMemory]| Ok(rows.to_vec());
    let cases = [
        (
            Some(100),
            rows(&[row(OWN, Some(300)), row(7, Some(200))]),
            120,
            "attributed 120, unattributed 180, other_processes 200",
        ),
        (Some(100), rows(&[row(OWN, Some(300))]), 400, "attributed 400, unknown_owner 100"),
        (None, rows(&[row(7, Some(200))]), 120, "attributed 120, unknown_owner 380"),
        (Some(0), rows(&[row(OWN, None)]), 900, "attributed 500, unknown_owner 0"),
        (Some(100), Err(Unavailable::NotSupported), 0, "attributed 0, unknown_owner 500"),
        (
            Some(100),
            rows(&[row(OWN, Some(900))]),
            0,
            "attributed 0, unattributed 500, other_processes 0",
        ),
        (
            Some(100),
            rows(&[row(OWN, Some(100)), row(OWN, Some(50))]),
            0,
            "attributed 0, unattributed 150, other_processes 350",
        ),
    ];
    for (reserved, processes, held, expected) in cases {
        let statistics = statistics(memory(500, reserved), processes, held);
        let leaves = statistics.leaves();
        let of_used = leaves.iter().filter(|(path, ..)| path[1] == "used");
        let printed: Vec<String> = of_used
            .map(|(path, _, bytes)| format!("{} {bytes}", path.last().map_or("", |it| it)))
            .collect();
        assert_eq!(printed.join(", "), expected);
        assert_eq!(
            leaves.iter().any(|(path, ..)| path[1] == "driver_reserved"),
            reserved.is_some()
        );
        assert_eq!(Profile::of_counters("gpu", leaves).total_bytes(), 1000, "{expected}");
    }
}

#[test]
fn attributed_excess_is_reported() {
    let statistics = statistics(memory(500, None), Ok(vec![row(OWN, Some(300))]), 620);
    assert_eq!((statistics.attributed(), statistics.attributed_excess()), (500, 120));
}

/// A driver in a container lists the host's IDs, or this process with 0 bytes.
#[test]
fn memory_of_this_process_is_unknown_in_a_container() {
    let values = 10;
    let reading = |rows: &[ProcessMemory]| DeviceReading {
        memory: Ok(memory(500, None)),
        processes: Ok(rows.to_vec()),
        ..DeviceReading::unread(0, Duration::ZERO)
    };
    let host_ids = [row(OWN, Some(300)), row(OWN + 1, Some(200))];
    let no_bytes = [row(OWN, Some(0)), row(OWN + 1, Some(0))];
    let cases = [
        (&host_ids[..], None, Unavailable::OtherPidNamespace),
        (&no_bytes, Some(OWN), Unavailable::NotReported),
        (&host_ids[1..], Some(OWN), Unavailable::NotReported),
        (&[], Some(OWN), Unavailable::NotReported),
    ];
    for (rows, pid, reason) in cases {
        let statistics =
            DeviceStatistics::of_process(&identity("GPU-1"), &reading(rows), values, pid)
                .expect("the counters are consistent");
        assert_eq!(statistics.process, Err(reason));
        assert_eq!(statistics.other_processes(), None, "unknown is not another process's");
    }
}

#[test]
fn without_memory_counters_there_are_no_statistics() {
    let reading = DeviceReading::unread(0, Duration::ZERO);
    let none = DeviceStatistics::new(&identity("GPU-1"), &reading, 0);
    assert_eq!(none, Err(Unavailable::NotAsked));
}

#[test]
fn counters_that_contradict_each_other_are_refused() {
    let wrong = MemoryCounters::balanced(100, 90, Some(20), MemorySource::NvmlV2);
    assert!(matches!(wrong, Err(Unavailable::Inconsistent(_))));
}

#[test]
fn an_inconsistent_reading_is_an_error() {
    let whole = memory(500, Some(100));
    let wrong = [
        MemoryCounters { free: 1001, ..whole },
        MemoryCounters { used: u64::MAX, ..whole },
        MemoryCounters { used: 499, ..whole },
        MemoryCounters { driver_reserved: Some(u64::MAX), ..whole },
        MemoryCounters { total: 0, ..whole },
    ];
    for memory in wrong {
        let unread = DeviceReading::unread(0, Duration::ZERO);
        let reading = DeviceReading { memory: Ok(memory), ..unread };
        let statistics = DeviceStatistics::new(&identity("GPU-1"), &reading, 0);
        assert!(statistics.is_err(), "{memory:?}");
    }
    assert_eq!(whole.checked(), Ok(whole));
}

#[test]
fn statistics_with_changed_fields_do_not_overflow() {
    let mut statistics = statistics(memory(500, None), Ok(vec![row(OWN, Some(300))]), 420);
    (statistics.process, statistics.memory.free) = (Ok(900), u64::MAX);
    assert_eq!((statistics.other_processes(), statistics.pressure()), (Some(0), Some(0.0)));
}

#[test]
fn a_total_of_0_is_not_reported() {
    let none = MemoryCounters::balanced(0, 0, Some(0), MemorySource::NvmlV2);
    assert_eq!(none, Err(Unavailable::NotReported));
}
