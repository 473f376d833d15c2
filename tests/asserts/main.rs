//! `assert_exact!` in a program that has the allocator installed as the documentation describes.

#![allow(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes the strings, and writes them so"
)]

mod balanced;
mod inexact;
mod leaks;
mod panics;
mod unbalanced;

use memprof::MemoryProfile;
use memprof::heap::exact::check_exact;
use std::panic;
use std::sync::Once;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

/// Makes panics print only their message. A backtrace allocates many bytes on the thread, which
/// thins out the samples of other tests.
fn without_backtraces() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| panic::set_hook(Box::new(|panic| eprintln!("{panic}"))));
}

/// Returns the message for a value that is not exact.
fn message<T: MemoryProfile>(make: impl FnOnce() -> T) -> String {
    check_exact(make).expect_err("the value is not exact").to_string()
}

#[test]
fn the_facade_measures() {
    assert!(memprof::heap::is_installed());
    let (text, measured) = memprof::heap::measure(|| "x".repeat(100)).expect("it is installed");
    assert_eq!(text.len(), 100);
    assert_eq!(measured.net_bytes(), 100);
}
