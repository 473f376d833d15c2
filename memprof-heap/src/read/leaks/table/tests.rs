//! The printed reports of made-up leaks.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes the strings, and writes them so"
)]

use crate::read::frame::Frame;
use crate::read::leaks::{Ages, Growth, Leak, Leaks};
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
    Growth { per_second, interval, per_observation: per_second, confidence: 0.999_99 }
}

fn leak(function: &str, per_second: f64) -> Leak {
    Leak {
        location: Some(frame(function, 41)),
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
        ages: Ages {
            oldest: Duration::from_mins(1),
            median: Duration::from_secs(30),
            quarters: [15.0 * per_second; 4],
        },
        stack: vec![frame(function, 41), of_std(), frame("app::serve", 12)],
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
        lost_samples: 0,
        restarted: false,
        suspects,
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
        78.1 KiB/s (70.3 KiB to 85.9 KiB)   4.6 MiB ± 765.6 KiB live  app::cache::put (src/server.rs:41)
          in request;parse · 800 B per call · 1200 blocks · oldest 60.0 s, median 30.0 s · 99.9 % sure
            from app::serve (src/server.rs:12)
        8.8 KiB/s (7.9 KiB to 9.7 KiB)     527.3 KiB ± 86.1 KiB live  app::log (src/server.rs:41)
          in request;parse · 90 B per call · 1200 blocks · oldest 60.0 s, median 30.0 s · 99.9 % sure
        the process grows by 97.7 KiB/s (87.9 KiB to 107.4 KiB); unexplained: 11 %
        60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
}

#[test]
fn the_page_shows_a_leak() {
    let text = leaks(vec![leak("app::cache::put", 80_000.0)], Some(100_000.0)).to_string();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/leaks.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    assert!(page.contains(&format!("```text\n{text}\n```")), "docs/leaks.md lacks\n{text}");
}

#[test]
fn slow_growth_is_shown_per_minute_or_hour() {
    check(
        &leaks(vec![leak("app::log", 30.0)], Some(30.0)),
        &expect![[r#"
            1.8 KiB/min (1.6 KiB to 1.9 KiB)  1.8 KiB ± 294 B live  app::log (src/server.rs:41)
              in request;parse · 0.3 B per call · 1200 blocks · oldest 60.0 s, median 30.0 s · 99.9 % sure
                from app::serve (src/server.rs:12)
            the process grows by 1.8 KiB/min (1.6 KiB to 1.9 KiB); unexplained: 0 %
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    check(
        &leaks(vec![leak("app::log", 0.1)], Some(0.1)),
        &expect![[r#"
        360 B/h (324 B to 396 B)  6 B ± 1 B live  app::log (src/server.rs:41)
          in request;parse · 0 B per call · 1200 blocks · oldest 60.0 s, median 30.0 s · 99.9 % sure
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
    assert!(text.contains("…23 more"), "{text}");
}

#[test]
fn unexplained_growth_is_listed() {
    check(
        &leaks(Vec::new(), Some(100_000.0)),
        &expect![[r#"
        the process grows by 97.7 KiB/s (87.9 KiB to 107.4 KiB), but no call site has significant growth:
        each has too few samples (one byte in 64.0 KiB is sampled) or does not grow steadily
        60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    check(
        &leaks(vec![leak("app::log", 30_000.0)], None),
        &expect![[r#"
            29.3 KiB/s (26.4 KiB to 32.2 KiB)  1.7 MiB ± 287.1 KiB live  app::log (src/server.rs:41)
              in request;parse · 300 B per call · 1200 blocks · oldest 60.0 s, median 30.0 s · 99.9 % sure
                from app::serve (src/server.rs:12)
            the process as a whole does not grow: it changed by −4.9 KiB (exact count)
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
    check(
        &leaks(Vec::new(), None),
        &expect![[r#"
            nothing grows; the process changed by −4.9 KiB since the start
            60 observations in 60.0 s · counts only memory allocated since then"#]],
    );
}

#[test]
fn lost_samples_and_restarts_are_listed() {
    let doubtful = Leaks { lost_samples: 3, restarted: true, ..leaks(Vec::new(), None) };
    check(
        &doubtful,
        &expect![[r#"
            nothing grows; the process changed by −4.9 KiB since the start
            60 observations in 60.0 s · counts only memory allocated since then · 3 samples lost
            restarted, because the level changed"#]],
    );
    let early = Leaks { observations: 1, ..doubtful };
    check(
        &early,
        &expect![[r#"
        too few observations: 1 in 60.0 s; 5 are needed
        restarted, because the level changed"#]],
    );
}
