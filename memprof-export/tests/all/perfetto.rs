//! Traces for Perfetto.

use crate::protobuf::{Message, Value, all, message, one, shown};
use crate::timelines::{SNAPSHOT, WRONG, hostile, timeline};
use expect_test::{expect, expect_file};
use memprof_export::perfetto;
use memprof_recording::Recording;
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;
use std::io;

/// Returns the packets of a trace.
fn packets(recording: &Recording) -> Vec<Message> {
    let mut trace = Vec::new();
    perfetto::write(recording, &mut trace).expect("it can be written");
    let trace = message(&trace);
    assert!(trace.iter().all(|(field, _)| *field == 1), "a trace is nothing but packets");
    trace.iter().map(|(_, packet)| packet.message()).collect()
}

/// The field numbers of a packet: its clocks, names, track and event.
const CLOCKS: u64 = 6;
const NAMES: u64 = 12;
const TRACK: u64 = 60;
const EVENT: u64 = 11;

/// Returns one line for each packet.
fn printed(recording: &Recording) -> String {
    let mut text = String::new();
    let mut names: HashMap<(u64, u64), String> = HashMap::new();
    for packet in packets(recording) {
        assert_eq!(one(&packet, 10).map(Value::number), Some(1));
        if let Some(interned) = one(&packet, NAMES) {
            for (kind, name) in interned.message() {
                let name = name.message();
                let text = one(&name, 2).expect("it has a name").text();
                names.insert((kind, name[0].1.number()), text);
            }
        } else if let Some(track) = one(&packet, TRACK) {
            let track = track.message();
            let names = [(1, "track"), (5, "in"), (2, "name")];
            let _ = write!(text, "{}", shown(&track, &names));
            if let Some(process) = one(&track, 3) {
                let names = [(1, "pid"), (6, "process"), (8, "label")];
                let _ = write!(text, " {}", shown(&process.message(), &names));
            }
            if let Some(counter) = one(&track, 8) {
                let names = [(3, "unit"), (6, "unit"), (7, "scale")];
                let _ = write!(text, " {}", shown(&counter.message(), &names));
            }
            text.push('\n');
        } else if let Some(event) = one(&packet, EVENT) {
            let event = event.message();
            let kind = one(&event, 9).expect("it has a kind").number();
            let kind = ["", "begin", "end", "mark", "count"][kind as usize];
            let _ = write!(text, "  {} {kind}", shown(&packet, &[(8, "at")]));
            let _ = write!(text, " {}", shown(&event, &[(11, "on"), (23, "name"), (30, "is")]));
            if let Some(number) = one(&event, 10) {
                let _ = write!(text, " {:?}", names[&(2, number.number())]);
            }
            for annotation in all(&event, 4).map(Value::message) {
                let name = &names[&(3, annotation[0].1.number())];
                let _ = match &annotation[1] {
                    (4, value) => write!(text, " {name}={}", value.number().cast_signed()),
                    (17, value) => write!(text, " {name}={:?}", names[&(29, value.number())]),
                    other => panic!("{other:?}"),
                };
            }
            text.push('\n');
        } else {
            assert!(one(&packet, CLOCKS).is_some(), "{packet:?}");
        }
    }
    text
}

#[test]
fn a_trace_has_curves_calls_and_marks() {
    expect_file!["../golden/perfetto.txt"].assert_eq(&printed(&hostile()));
}

#[test]
fn the_trace_of_an_empty_session_has_a_process() {
    let expected = expect![[r#"
        track=1 pid=4711 process="importer" label="memprof 0.1.0" label="linux x86_64"
    "#]];
    expected.assert_eq(&printed(&timeline(&[])));
    // Unknown values have no curve.
    expected.assert_eq(&printed(&timeline(&[SNAPSHOT])));
}

#[test]
fn times_and_bytes_over_perfettos_limit_are_clamped() {
    let events =
        r#"{"operation_events":[[1,1,9223372036854775808,18446744073709551615,5,0,5,null]]}"#;
    let snapshot =
        SNAPSHOT.replace("\"process\":{}", "\"process\":{\"rss_bytes\":18446744073709551615}");
    let printed = printed(&timeline(&[events, &snapshot]));
    assert_eq!(printed.matches("at=9223372036854775807").count(), 2, "{printed}");
    assert!(printed.contains("is=9223372036854775807"), "{printed}");
}

#[test]
fn each_call_begins_and_ends_once_in_the_order_of_time() {
    let recording = hostile();
    let mut open: HashMap<u64, Vec<u64>> = HashMap::new();
    let (mut calls, mut time) = (0, 0);
    for packet in packets(&recording) {
        let Some(event) = one(&packet, EVENT).map(Value::message) else { continue };
        let at = one(&packet, 8).expect("it has a time").number();
        let track = one(&event, 11).expect("it has a track").number();
        match one(&event, 9).expect("it has a kind").number() {
            1 => {
                let open = open.entry(track).or_default();
                assert!(open.last().is_none_or(|&outer| outer <= at));
                open.push(at);
                calls += 1;
            }
            2 => {
                let began = open.get_mut(&track).and_then(Vec::pop).expect("it began");
                assert!(began <= at);
                time += at - began;
            }
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty), "{open:?}");
    assert_eq!(calls, recording.operation_events.len());
    let duration =
        recording.operation_events.iter().map(|one| one.end_ns.saturating_sub(one.start_ns));
    assert_eq!(time, duration.sum::<u64>());
}

#[test]
fn invalid_profiles_and_failed_writes_are_errors() {
    let error = perfetto::write(&timeline(&[WRONG]), Vec::new()).expect_err("it is not a profile");
    assert!(error.to_string().starts_with("cannot read the profile of \"pool\" in snapshot 4; "));
    assert!(error.source().is_some());
    let full = perfetto::write(&hostile(), Full).expect_err("there is no room");
    expect!["cannot write; check the free disk space (no room)"].assert_eq(&format!("{full:?}"));
}

/// `cargo test --profile bench -p memprof-export --test all million -- --ignored --nocapture`
#[test]
#[ignore = "prints its duration, which is meaningful only in an optimised build"]
fn a_million_calls_as_a_trace() {
    let mut recording = hostile();
    let call = recording.operation_events[0];
    recording.operation_events.extend((0..1_000_000_u64).map(|at| {
        let mut call = call;
        // Four threads; each fourth call contains the three before it.
        (call.path, call.thread) = (if at % 4 == 3 { 2 } else { 7 }, (at / 4 % 4) as u32);
        let start = at / 16 * 4000;
        (call.start_ns, call.end_ns) = if at % 4 == 3 {
            (start, start + 3900)
        } else {
            (start + at % 4 * 1000, start + at % 4 * 1000 + 800)
        };
        call.net_bytes = (at % 1000).cast_signed() * 100;
        call
    }));
    let mut bytes = Count(0);
    let began = std::time::Instant::now();
    perfetto::write(&recording, &mut bytes).expect("it can be written");
    println!("{} bytes in {:?}", bytes.0, began.elapsed());
    assert!(bytes.0 > 50_000_000);
}

/// A counter of written bytes.
struct Count(usize);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A disk without free space.
struct Full;

impl io::Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("no room"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
