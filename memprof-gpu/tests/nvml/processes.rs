//! Tests of the processes that hold memory of a device.

use crate::fake::Fake;
use crate::{GIB, fake, open, read};
use memprof_gpu::{ProcessMemory, Unavailable};

fn add(fake: &Fake, list: &str, number: u64, pid: u64, memory: Option<u64>) {
    let of = |key: &str| format!("{key} of {list} process {number} of 0");
    fake.set(&format!("{list} processes of 0"), number + 1);
    fake.set(&of("pid"), pid);
    if let Some(memory) = memory {
        fake.set(&of("memory"), memory);
    }
}

fn row(pid: u32, used: Option<u64>) -> ProcessMemory {
    ProcessMemory { pid, used, gpu_instance: None }
}

#[test]
fn computing_and_drawing_processes_are_listed_by_number() {
    let fake = fake(1, &[]);
    add(&fake, "Compute", 0, 900, Some(3 * GIB));
    add(&fake, "Compute", 1, 70, Some(GIB));
    add(&fake, "Graphics", 0, 80, Some(2 * GIB));
    // This process computes and draws, and has one row.
    add(&fake, "Graphics", 1, 900, Some(3 * GIB));
    let rows = read(&mut open(&fake), 0).processes.expect("they are listed");
    assert_eq!(rows, [row(70, Some(GIB)), row(80, Some(2 * GIB)), row(900, Some(3 * GIB))]);
}

#[test]
fn a_process_on_several_parts_of_a_device_has_a_row_for_each() {
    let fake = fake(1, &[]);
    for (number, (instance, compute)) in (0..).zip([(1, 0), (1, 1), (2, 0)]) {
        add(&fake, "Compute", number, 900, Some((number + 1) * GIB));
        fake.set(&format!("instance of Compute process {number} of 0"), instance);
        fake.set(&format!("compute instance of Compute process {number} of 0"), compute);
    }
    let rows = read(&mut open(&fake), 0).processes.expect("they are listed");
    let rows: Vec<_> = rows.iter().map(|row| (row.gpu_instance, row.used)).collect();
    let expected = [(Some(1), Some(GIB)), (Some(1), Some(2 * GIB)), (Some(2), Some(3 * GIB))];
    assert_eq!(rows, expected);
}

#[test]
fn unreported_memory_of_a_process_is_not_0() {
    let fake = fake(1, &[]);
    add(&fake, "Compute", 0, 900, None);
    let rows = read(&mut open(&fake), 0).processes.expect("they are listed");
    assert_eq!(rows, [row(900, None)]);
}

#[test]
fn no_processes_are_an_empty_list() {
    assert_eq!(read(&mut open(&fake(1, &[])), 0).processes, Ok(Vec::new()));
}

#[test]
fn processes_are_listed_again_if_one_starts_after_the_count() {
    let fake = fake(1, &[]);
    add(&fake, "Compute", 0, 900, Some(GIB));
    // There are more processes than fit into the wrapper's buffer.
    fake.set("surprise of 0", 20);
    let rows = read(&mut open(&fake), 0).processes.expect("the second time there is room");
    assert_eq!(rows.len(), 21);
}

#[test]
fn an_old_driver_has_no_list() {
    let fake = fake(1, &["nvmlDeviceGetComputeRunningProcesses_v3"]);
    assert_eq!(read(&mut open(&fake), 0).processes, Err(Unavailable::MissingSymbol));
}

#[test]
fn each_reading_has_the_current_list_of_processes() {
    let fake = fake(1, &[]);
    let mut sampler = open(&fake);
    for count in [0, 3, 1, 7, 0] {
        fake.set("Compute processes of 0", count);
        let rows = read(&mut sampler, 0).processes.expect("they are listed");
        assert_eq!(rows.len() as u64, count);
    }
}
