//! Tests of exports of sessions to Perfetto, speedscope and Prometheus, to files and over HTTP.

use crate::memprof::{command, file, folder, run};
use crate::recordings::{bare, importer};
use crate::samples::LATER;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

#[test]
fn a_trace_is_of_the_whole_session() {
    let folder = folder("served-perfetto");
    let report = file(&folder, "run.json", importer().report());
    let (one, other) =
        (folder.join("run.pftrace"), file(&folder, "run.jsonl", importer().timeline()));
    run(&["export", "--to", "perfetto", "-o", one.to_str().unwrap(), &report]).well();
    let trace = std::fs::read(&one).unwrap();
    // The trace begins with a packet and contains names.
    assert_eq!(trace[0], 0x0a);
    assert!(trace.windows(9).any(|name| name == b"heap live"));
    let two = folder.join("timeline.pftrace");
    run(&["export", "--to", "perfetto", "-o", two.to_str().unwrap(), &other]).well();
    assert_eq!(std::fs::read(two).unwrap(), trace, "a report and its timeline give the same trace");
    for (arguments, expected) in [
        (vec!["--root", "cache", &*report], "leave out `--root`"),
        (vec![&*format!("{report}@end")], "leave out the `@`"),
        (vec![&*file(&folder, "later.folded", LATER)], "expected a recording of a session"),
    ] {
        let refused = run(&[&["export", "--to", "perfetto"], &arguments[..]].concat());
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(refused.err.contains(expected), "{arguments:?}: {}", refused.err);
    }
}

#[test]
fn speedscope_exports_a_session_a_root_or_a_profile() {
    let folder = folder("served-speedscope");
    let report = file(&folder, "run.json", importer().report());
    let later = file(&folder, "later.folded", LATER);
    let speedscope = |arguments: &[&str]| -> Value {
        let ran = run(&[&["export", "--to", "speedscope"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        serde_json::from_str(&ran.out).expect("it is JSON")
    };
    let units = |json: &Value| -> Vec<String> {
        let profiles = json["profiles"].as_array().unwrap();
        profiles.iter().map(|profile| profile["unit"].as_str().unwrap().to_owned()).collect()
    };
    let all = speedscope(&[&report]);
    assert!(units(&all).contains(&"bytes".into()) && units(&all).contains(&"nanoseconds".into()));
    let at = speedscope(&[&format!("{report}@after_load")]);
    assert_ne!(all["profiles"][0]["name"], at["profiles"][0]["name"]);
    assert_eq!(units(&speedscope(&["--root", "cache", &report])), ["bytes"]);
    let profile = speedscope(&[&later]);
    assert_eq!(units(&profile), ["bytes"]);
    assert_eq!(profile["profiles"][0]["endValue"], 48 + 500_000 + 500_000 + 8_800_000 + 1_200_119);
    let mut nothing = bare();
    nothing.snapshots.clear();
    let nothing =
        run(&["export", "--to", "speedscope", &file(&folder, "bare.json", nothing.report())]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(2), ""));
    assert!(nothing.err.contains("register a value with the session"), "{}", nothing.err);
}

#[test]
fn metrics_are_of_the_named_snapshot() {
    let folder = folder("served-prometheus");
    let report = file(&folder, "run.json", importer().report());
    let metrics = |source: &str| run(&["export", "--to", "prometheus", source]).well();
    let (last, loaded) = (metrics(&report), metrics(&format!("{report}@after_load")));
    assert!(last.contains("memprof_operation_calls_total{operation=\"serve\"} 1250\n"), "{last}");
    assert!(loaded.contains("memprof_heap_live_bytes ") && !loaded.contains("operation"));
    // A program may be killed while it writes a line.
    let timeline = importer().timeline();
    let torn = file(&folder, "torn.jsonl", format!("{timeline}{{\"snapshot\":"));
    let torn = run(&["export", "--to", "prometheus", &torn]);
    assert_eq!((torn.code, torn.out), (Some(0), last));
    assert!(torn.err.contains("torn.jsonl: "), "{}", torn.err);
    let mut nothing = bare();
    nothing.snapshots.clear();
    let nothing =
        run(&["export", "--to", "prometheus", &file(&folder, "bare.json", nothing.report())]);
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("no snapshot"), "{}", nothing.err);
}

/// The command while it serves. Dropping the value stops the command, even if the test fails.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the metrics at the address that the command printed, such as `127.0.0.1:9464`.
fn scrape(address: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn each_scrape_reads_the_file_again() {
    let folder = folder("served-listen");
    let timeline = file(&folder, "run.jsonl", importer().timeline());
    let mut command = command(&["export", "--to", "prometheus", "--listen", "127.0.0.1:0"]);
    let mut server = Server(command.arg(&timeline).stderr(Stdio::piped()).spawn().unwrap());
    let mut message = String::new();
    BufReader::new(server.0.stderr.take().unwrap()).read_line(&mut message).unwrap();
    let (_, rest) = message.split_once("http://").expect("it prints its address");
    let (address, rest) = rest.split_once("/metrics").expect("it prints its address");
    assert_eq!(rest, " for this machine, until stopped\n");
    let first = scrape(address);
    assert!(first.starts_with("HTTP/1.1 200 OK\r\n"), "{first}");
    let written = run(&["export", "--to", "prometheus", &timeline]).well();
    assert!(first.ends_with(&format!("\r\n\r\n{written}")));
    // The program continues, and its timeline grows.
    let text = std::fs::read_to_string(&timeline).unwrap();
    let snapshot = text.lines().rfind(|line| line.starts_with("{\"snapshot\"")).unwrap();
    let mut grown: Value = serde_json::from_str(snapshot).unwrap();
    grown["snapshot"]["heap"]["live_bytes"] = 12_345.into();
    std::fs::write(&timeline, format!("{text}{grown}\n")).unwrap();
    assert!(scrape(address).contains("\nmemprof_heap_live_bytes 12345\n"));
    std::fs::remove_file(&timeline).unwrap();
    let disconnected = scrape(address);
    assert!(
        disconnected.starts_with("HTTP/1.1 500 ") && disconnected.contains("no such file"),
        "{disconnected}"
    );
}

#[test]
fn metrics_that_cannot_be_served_are_an_error_at_the_start() {
    let folder = folder("served-refused");
    let report = file(&folder, "run.json", importer().report());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (arguments, expected) in [
        (["prometheus", "--listen", &*taken, &*report], "in use: expected a free port"),
        (["perfetto", "--listen", "127.0.0.1:0", &report], "expected `--to prometheus`"),
        (["prometheus", "--listen", "127.0.0.1:0", "-"], "can be read only once"),
        (["prometheus", "--listen", "127.0.0.1:0", "gone.json"], "no such file"),
        (["prometheus", "--listen", "localhost", &report], "invalid value 'localhost'"),
        (["prometheus", "--listen", "127.0.0.1:0", "--force"], "cannot be used with"),
    ] {
        let refused = run(&[&["export", "--to"], &arguments[..]].concat());
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(refused.err.contains(expected), "{arguments:?}: {}", refused.err);
    }
}
