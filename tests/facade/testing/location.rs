//! The source position that a failing assertion reports is the position of its call.

use super::panic_of;
use memprof::testing::assert_profile;
use memprof::{assert_budget, report};
use std::panic;
use std::sync::mpsc::channel;
use std::thread;

#[test]
fn a_failure_has_the_location_of_the_macro() {
    let (places, of_this_thread) = channel();
    let this = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == this {
            let place = info.location().expect("a panic has a location");
            let _ = places.send((place.file().to_owned(), place.line()));
        } else {
            before(info);
        }
    }));
    let value = vec![0_u8; 100];
    let line = line!();
    panic_of(|| assert_budget!(value, "1 B"));
    panic_of(|| assert_budget!(value, "1 b"));
    panic_of(|| assert_budget!(&&value, "1 B"));
    panic_of(|| assert_profile!(value, "Cargo.toml"));
    panic_of(|| assert_profile!(value, "Cargo.toml", within "much"));
    panic_of(|| report!(&&value));
    // Restores the earlier hook for all other tests.
    drop(panic::take_hook());
    let places: Vec<_> = of_this_thread.try_iter().collect();
    let expected: Vec<_> = (line + 1..=line + 6).map(|line| (file!().to_owned(), line)).collect();
    assert_eq!(places, expected);
}
