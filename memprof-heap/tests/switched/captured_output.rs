//! Captured output: the buffer of the test harness grows, but is not a leak of the work that
//! prints.

use crate::alone;
use memprof_heap::leak::{LeakError, check_no_leak};
use memprof_heap::{Level, Rate, assert_no_leak};

/// A number with a `Display` implementation of the program.
struct Request(u32);

impl std::fmt::Display for Request {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "request {} of a program that prints a line for each of them", self.0)
    }
}

#[test]
fn output_captured_by_the_harness_is_no_leak() {
    let _alone = alone(Level::Off, Rate::ADAPTIVE);
    let mut number = 0;
    assert_no_leak!(|| {
        number += 1;
        println!("{}", Request(number));
        eprintln!("a line that is captured as well");
    });
}

#[test]
fn a_leak_beside_captured_output_is_still_found() {
    let _alone = alone(Level::Off, Rate::ADAPTIVE);
    let mut kept = Vec::with_capacity(1000);
    let found = check_no_leak(10, || {
        kept.push(vec![1_u8; 500]);
        println!("a line that the test harness captures, long enough to grow its buffer often");
    });
    let Err(LeakError::Leaks(leak)) = found else { panic!("{found:?}") };
    assert_eq!(leak.sites.len(), 1, "{leak}");
    assert!((leak.bytes_per_round - 500.0).abs() < 1.0, "{leak}");
}
