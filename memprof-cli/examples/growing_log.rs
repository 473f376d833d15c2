//! A program with a session, whose log grows until the program ends. The tests of `memprof run` run
//! it: `memprof run cargo run --package memprof-cli --example growing_log`.
//!
//! The first argument is the number of seconds, the second one the exit code. With a third argument,
//! the session ends at once.

use memprof::{Allocator, Session};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: Allocator = Allocator::system();

fn main() {
    let session = Session::start();
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(15.0);
    let code = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let session = Some(session).filter(|_| arguments.next().is_none());
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut log = Vec::new();
    while Instant::now() < end {
        log.push(entry(log.len()));
        std::thread::sleep(Duration::from_millis(1));
    }
    println!("{} entries", log.len());
    drop(session);
    std::process::exit(code);
}

/// Returns 8,000 bytes, so that a few seconds have enough samples to find the line.
fn entry(number: usize) -> String {
    format!("{number:>8000}")
}
