//! Tests that traces are played as they were recorded, and that other files are refused.

use super::{TraceSampler, TraceWriter};
use crate::{
    DeviceSampler, MemoryCounters, MemorySource, ProcessMemory, SamplerError, Traffic, Unavailable,
    Wanted,
};
use std::io::{self, BufReader};
use std::time::Duration;

const TRACE: &str = include_str!("two_devices.jsonl");

fn trace() -> TraceSampler {
    TraceSampler::read(TRACE.as_bytes()).expect("it is a trace")
}

#[test]
fn a_trace_is_played_as_it_was_recorded() {
    let mut played = trace();
    assert_eq!(played.environment().driver.as_deref(), Some("580.159.03"));
    assert_eq!(played.devices()[1].uuid, "GPU-22222222-0000-0000-0000-000000000000");
    let reading = played.sample(0, Wanted::ALL).expect("there is one");
    let memory = MemoryCounters {
        total: 85_520_809_984,
        used: 3_221_225_472,
        free: 81_684_594_688,
        driver_reserved: Some(614_989_824),
        source: MemorySource::NvmlV2,
    };
    assert_eq!(reading.memory, Ok(memory));
    let row = ProcessMemory { pid: 4711, used: Some(3_221_225_472), gpu_instance: None };
    assert_eq!(reading.processes, Ok(vec![row]));
    assert_eq!(reading.traffic, Ok(Traffic { sent: 1000, received: 2000 }));
    let other = played.sample(1, Wanted::ALL).expect("there is one");
    assert_eq!(other.memory, Err(Unavailable::Lost));
    assert_eq!(other.power_milliwatts, Err(Unavailable::Failed("NVML error 999".into())));
}

#[test]
fn a_recorded_replay_differs_only_in_its_times() {
    let mut played = trace();
    let mut written = TraceWriter::begin(Vec::new(), &played).expect("memory can be written");
    for device in [0, 1, 0] {
        let reading = played.sample(device, Wanted::ALL).expect("there is one");
        written.add(&reading).expect("memory can be written");
    }
    let written = written.finish().expect("memory can be written");
    let written = String::from_utf8(written).expect("it is text");
    let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&written), lines(TRACE));
}

#[test]
fn unwanted_counters_are_not_returned() {
    let reading = trace().sample(0, Wanted::SLOW).expect("there is one");
    assert_eq!(reading.memory, Err(Unavailable::NotAsked));
    assert!(reading.processes.is_ok());
}

#[test]
fn a_trace_ends_and_has_the_devices_that_its_head_lists() {
    let mut played = trace();
    assert_eq!((played.left(0), played.left(1), played.left(2)), (2, 1, 0));
    assert!(played.sample(1, Wanted::ALL).is_ok());
    let ended = played.sample(1, Wanted::ALL);
    assert!(matches!(ended, Err(SamplerError::TraceEnded { device: 1 })));
    let none = played.sample(2, Wanted::ALL);
    assert!(matches!(none, Err(SamplerError::NoSuchDevice { device: 2, devices: 2 })));
}

#[test]
fn a_recording_that_was_cut_off_is_read_up_to_there() {
    let cut = &TRACE[..TRACE.len() - 20];
    let played = TraceSampler::read(cut.as_bytes()).expect("the rest is whole");
    assert_eq!((played.left(0), played.left(1), played.is_cut_off()), (1, 1, true));
}

#[test]
fn with_unlimited_intervals_each_device_is_recorded_once() {
    let mut written = TraceWriter::begin(Vec::new(), &trace()).expect("memory can be written");
    let unlimited = Some(Duration::from_hours(1));
    let readings = written.record(&mut trace(), Duration::MAX, unlimited);
    assert_eq!(readings.expect("memory can be written"), 2);
}

#[test]
fn a_line_that_is_too_long_is_not_read_whole() {
    let error = TraceSampler::read(BufReader::new(io::repeat(b' '))).expect_err("it has no end");
    assert_eq!(error.to_string(), "line 1: expected a line of at most 16777216 bytes");
}

#[test]
fn counters_that_contradict_each_other_are_played_as_a_reason() {
    for wrong in ["\"total\":1", "\"total\":18446744073709551615", "\"total\":0"] {
        let text = TRACE.replacen("\"total\":85520809984", wrong, 1);
        assert_ne!(text, TRACE);
        let mut played = TraceSampler::read(text.as_bytes()).expect("each line is a reading");
        let reading = played.sample(0, Wanted::ALL).expect("there is one");
        assert!(reading.memory.is_err(), "{wrong}");
        assert!(played.sample(0, Wanted::ALL).is_ok_and(|next| next.memory.is_ok()), "{wrong}");
    }
}

#[test]
fn invalid_traces_are_refused_with_the_reason() {
    let head = TRACE.lines().next().expect("there is a head");
    let later = head.replacen("\"version\":1", "\"version\":7", 1);
    let stray = TRACE.replacen("\"device\":1", "\"device\":9", 1);
    let cases = [
        ("", "line 1: expected the head of a trace, as `memprof gpu record` writes it"),
        (
            "main;parse 12\n",
            "line 1: expected the head of a trace, as `memprof gpu record` writes it",
        ),
        (
            "{\"format\":\"memprof profile\",\"version\":1}\n",
            "expected the format \"memprof gpu trace\", found \"memprof profile\"",
        ),
        (&later, "version 7 needs a newer memprof: this one reads up to version 1"),
        (&stray, "line 3: the head lists no device 9"),
        (&format!("{head}\n{{}}\n"), "line 2: expected a reading"),
    ];
    for (text, expected) in cases {
        let error = TraceSampler::read(text.as_bytes()).expect_err("it is not a trace");
        assert_eq!(error.to_string(), expected);
    }
}
