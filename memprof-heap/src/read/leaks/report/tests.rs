//! The printed reports of made-up leaks.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes the strings, and writes them so"
)]

use crate::read::frame::Frame;
use crate::read::leaks::report::Process;
use crate::read::leaks::{Ages, Doubt, Growth, Leak, Leaks};
use crate::record::estimate::Estimate;
use core::time::Duration;
use expect_test::{Expect, expect};
use std::collections::HashSet;

fn frame(function: &str, line: u32) -> Frame {
    let (function, file) = (Some(function.into()), Some("src/server.rs".into()));
    Frame { function, file, line: Some(line), address: 1 }
}

fn of_std() -> Frame {
    let file = Some("/rustc/59807616e1/library/std/src/thread/mod.rs".into());
    Frame { file, ..frame("std::thread::run", 7) }
}

fn growth(per_second: f64) -> Growth {
    let interval = (0.9 * per_second, 1.1 * per_second);
    Growth { per_second, interval, per_observation: per_second }
}

fn leak(function: &str, per_second: f64) -> Leak {
    Leak {
        location: Some(frame(function, 41)),
        your_code: Some(frame(function, 41)),
        operation: vec!["request", "parse"],
        growth: growth(per_second),
        bytes_per_call: Some(per_second / 100.0),
        live: Estimate {
            value: 60.0 * per_second,
            variance: (5.0 * per_second).powi(2),
            samples: 99,
            unseen: 0.0,
        },
        live_blocks: Estimate::exact(1200.0),
        ages: Ages { oldest: Duration::from_mins(1), median: Duration::from_secs(30) },
        stack: vec![frame(function, 41), of_std(), frame("app::serve", 12)],
        shared_frames: None,
        stacks: Vec::new(),
        doubt: None,
        was_freed: false,
        sites: HashSet::new(),
        since: 0,
    }
}

fn leaks(suspects: Vec<Leak>, process: Option<f64>) -> Leaks {
    Leaks {
        watched: Duration::from_mins(1),
        observations: 60,
        process: Some(growth(process.unwrap_or(10.0))),
        process_grows: process.is_some(),
        process_bytes: process.map_or(-5000, |process| (60.0 * process) as i64),
        mean_bytes: 65_536,
        smallest_found: 49_152.0,
        lost_samples: 0,
        restarted: false,
        suspects,
        wider: Vec::new(),
        doubtful: Vec::new(),
    }
}

fn check(leaks: &Leaks, expected: &Expect) {
    let text = leaks.to_string();
    assert!(text.lines().count() <= 24 && text.lines().all(|line| line.chars().count() <= 100));
    expected.assert_eq(&text);
}

#[test]
fn the_worst_comes_first_with_its_stack() {
    let both = vec![leak("app::cache::put", 80_000.0), leak("app::log", 9000.0)];
    check(
        &leaks(both, Some(100_000.0)),
        &expect![[r#"
            app::cache::put (src/server.rs:41)
              78.1 KiB/s (70.3 KiB to 85.9 KiB) · 4.6 MiB ± 831.2 KiB live in 1,200 blocks
              in request;parse · 800 B per call · oldest 60.0 s, median 30.0 s
                from app::serve (src/server.rs:12)
            app::log (src/server.rs:41)
              8.8 KiB/s (7.9 KiB to 9.7 KiB) · 527.3 KiB ± 93.5 KiB live in 1,200 blocks
              in request;parse · 90 B per call · oldest 60.0 s, median 30.0 s
            the process grows by 97.7 KiB/s (87.9 KiB to 107.4 KiB); unexplained: 11 %
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
}

#[test]
fn the_page_shows_a_leak() {
    let text = leaks(vec![leak("app::cache::put", 80_000.0)], Some(100_000.0)).to_string();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/allocations.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    assert!(page.contains(&format!("```text\n{text}\n```")), "docs/allocations.md lacks\n{text}");
}

#[test]
fn slow_growth_is_shown_per_minute_or_hour() {
    check(
        &leaks(vec![leak("app::log", 30.0)], Some(30.0)),
        &expect![[r#"
            app::log (src/server.rs:41)
              1.8 KiB/min (1.6 KiB to 1.9 KiB) · 1.8 KiB ± 319 B live in 1,200 blocks
              in request;parse · 0.3 B per call · oldest 60.0 s, median 30.0 s
                from app::serve (src/server.rs:12)
            the process grows by 1.8 KiB/min (1.6 KiB to 1.9 KiB); unexplained: 0 %
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    check(
        &leaks(vec![leak("app::log", 0.1)], Some(0.1)),
        &expect![[r#"
            app::log (src/server.rs:41)
              360 B/h (324 B to 396 B) · 6 B ± 1 B live in 1,200 blocks
              in request;parse · 0 B per call · oldest 60.0 s, median 30.0 s
                from app::serve (src/server.rs:12)
            the process grows by 360 B/h (324 B to 396 B); unexplained: 0 %
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
}

#[test]
fn many_suspects_are_cut_to_a_screen() {
    let many = (1..30).map(|n| leak(&"a_long_name_".repeat(20), 1e6 / f64::from(n)));
    let text = leaks(many.collect(), Some(4e6)).to_string();
    assert!(text.lines().count() <= 24 && text.lines().all(|line| line.chars().count() <= 100));
    assert!(text.contains("…24 more"), "{text}");
}

#[test]
fn unexplained_growth_is_listed() {
    check(
        &leaks(Vec::new(), Some(100_000.0)),
        &expect![[r#"
            the process grows by 97.7 KiB/s (87.9 KiB to 107.4 KiB), but no call site certainly does
            (one byte in 64.0 KiB is sampled)
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    check(
        &leaks(vec![leak("app::log", 30_000.0)], None),
        &expect![[r#"
            app::log (src/server.rs:41)
              29.3 KiB/s (26.4 KiB to 32.2 KiB) · 1.7 MiB ± 311.7 KiB live in 1,200 blocks
              in request;parse · 300 B per call · oldest 60.0 s, median 30.0 s
                from app::serve (src/server.rs:12)
            the process as a whole does not grow: it changed by −4.9 KiB (exact count)
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    check(
        &leaks(Vec::new(), None),
        &expect![[r#"
            nothing grows; the process changed by −4.9 KiB (exact count)
            growth of one call site by 48.0 KiB/s would have been found
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
}

#[test]
fn call_sites_that_are_no_suspects_are_listed_with_the_reason() {
    let doubtful = || {
        let of =
            |doubt, per_second| Leak { doubt: Some(doubt), ..leak("app::cache::put", per_second) };
        vec![
            of(Doubt::Unsteady, 90_000.0),
            of(Doubt::FewSamples, 40_000.0),
            of(Doubt::ShortLived, 30_000.0),
            of(Doubt::Replaced, 20_000.0),
        ]
    };
    check(
        &Leaks { doubtful: doubtful(), ..leaks(Vec::new(), Some(100_000.0)) },
        &expect![[r#"
            the process grows by 97.7 KiB/s (87.9 KiB to 107.4 KiB), but no call site certainly does
            (one byte in 64.0 KiB is sampled)
              87.9 KiB/s (79.1 KiB to 96.7 KiB)  not steady: app::cache::put (src/server.rs:41)
              39.1 KiB/s (35.2 KiB to 43.0 KiB)  99 samples: app::cache::put (src/server.rs:41)
              29.3 KiB/s (26.4 KiB to 32.2 KiB)  short-lived blocks: app::cache::put (src/server.rs:41)
              19.5 KiB/s (17.6 KiB to 21.5 KiB)  replaced (the process grew less): cache::put (src/server.rs:41)
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    let replaced = doubtful().split_off(3);
    check(
        &Leaks { doubtful: replaced.clone(), ..leaks(Vec::new(), None) },
        &expect![[r#"
            nothing grows; the process changed by −4.9 KiB (exact count)
            growth of one call site by 48.0 KiB/s would have been found
              19.5 KiB/s (17.6 KiB to 21.5 KiB)  replaced (the process grew less): cache::put (src/server.rs:41)
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    let suspects = vec![leak("app::log", 9000.0)];
    check(
        &Leaks { doubtful: replaced, ..leaks(suspects, Some(10_000.0)) },
        &expect![[r#"
            app::log (src/server.rs:41)
              8.8 KiB/s (7.9 KiB to 9.7 KiB) · 527.3 KiB ± 93.5 KiB live in 1,200 blocks
              in request;parse · 90 B per call · oldest 60.0 s, median 30.0 s
                from app::serve (src/server.rs:12)
            the process grows by 9.8 KiB/s (8.8 KiB to 10.7 KiB); unexplained: 10 %
              19.5 KiB/s (17.6 KiB to 21.5 KiB)  replaced (the process grew less): cache::put (src/server.rs:41)
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
}

#[test]
fn lost_samples_and_restarts_are_listed() {
    let doubtful = Leaks { lost_samples: 3, restarted: true, ..leaks(Vec::new(), None) };
    check(
        &doubtful,
        &expect![[r#"
            nothing grows; the process changed by −4.9 KiB (exact count)
            growth of one call site by 48.0 KiB/s would have been found
            60 observations in 60.0 s · counts only memory allocated since then · 3 samples lost
            restarted, because the level changed"#]],
    );
    let early = Leaks { observations: 1, ..doubtful };
    check(
        &early,
        &expect![[r#"
            unknown, too few observations: 1 in 60.0 s; 5 are needed
            restarted, because the level changed"#]],
    );
}

#[test]
fn a_process_grows_if_it_holds_what_its_suspects_hold() {
    let grows = |bytes: f64| {
        let mut process = Process {
            growth: Some(growth(0.0)),
            grows: false,
            bytes,
            most_bytes: f64::INFINITY,
            most_per_second: f64::INFINITY,
        };
        // The block was allocated after a half of the minute.
        let block = Leak { live: Estimate::exact(3e6), ..leak("app::table", 100_000.0) };
        process.explain(&[block], 60.0, 60);
        process.grows
    };
    assert_eq!([2.9e6, 3e6].map(grows), [false, true]);
}
