//! Planted leaks, and heaps that only look like leaks, in a program that takes samples.

mod heaps;
mod limits;
mod many_stacks;
mod paths;
mod planted;

use crate::Alone;
use memprof_heap::leak::{Leak, LeakWatch, Leaks};
use memprof_heap::site::Names;
use memprof_heap::{Level, Rate};
use std::hint::black_box;
use std::time::Duration;

/// Waits until no other test runs. Samples have the given rate and the same random numbers in each
/// run.
fn alone(rate: Rate) -> Alone {
    let alone = crate::alone(Level::Sampled, rate);
    memprof_heap::__private::seed(7);
    alone
}

/// Watches rounds of work, with an observation after each.
///
/// Without names, the same leaks must be found. There may be a suspect that has no names, but then
/// the stacks around it do not grow.
fn watched(rounds: u32, mut work: impl FnMut(u32)) -> Leaks {
    let watch = LeakWatch::start().expect("samples are taken");
    let unnamed = LeakWatch::start().expect("samples are taken").with_names(Names::Off);
    for round in 0..rounds {
        work(round);
        pause();
        watch.observe().expect("samples are taken");
        unnamed.observe().expect("samples are taken");
    }
    let leaks = watch.leaks();
    let unnamed = unnamed.leaks();
    let is_doubtful = unnamed.wider().any(|around| around.doubt.is_some());
    assert!(unnamed.is_empty() == leaks.is_empty() || is_doubtful, "{leaks}\n{unnamed}");
    leaks
}

/// Waits, so that the clock distinguishes the blocks of one round from the blocks of the next.
fn pause() {
    std::thread::sleep(Duration::from_millis(2));
}

/// Returns a block that the compiler does not optimise away.
fn block(bytes: usize) -> Vec<u8> {
    black_box(vec![1; bytes])
}

/// Returns the name of the function that leaks, without the path around it.
fn function(leak: &Leak) -> &str {
    let function = leak.location.as_ref().and_then(|frame| frame.function.as_deref());
    function.and_then(|name| name.rsplit("::").find(|part| !part.starts_with('{'))).unwrap_or("?")
}

fn functions(leaks: &Leaks) -> Vec<&str> {
    leaks.iter().map(function).collect()
}

/// Pseudo-random numbers that are the same in every run.
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }
}
