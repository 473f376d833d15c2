//! The parts of the program that a profiler profiles: healthy, stuck, panicking and exiting ones.

use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};
use std::sync::{Arc, Mutex, RwLock};
use std::thread;
use std::time::Duration;

/// A part of the program that a profiler profiles.
#[derive(Debug)]
pub enum Part {
    /// A value that the program changes all the time.
    Ledger(Arc<RwLock<Vec<String>>>),
    /// A value whose impl panics, behind a lock of the program.
    Frail(Arc<Mutex<Frail>>),
    /// A value whose impl does not return.
    Stuck(Arc<Stuck>),
    /// A value whose profile calls `exit`.
    Exits,
    /// A source that does not return.
    StuckSource,
    /// A source that panics.
    FrailSource,
}

/// A value whose impl panics.
#[derive(Debug, Default)]
pub struct Frail(pub u64);

/// A value whose impl takes two minutes.
#[derive(Debug, Default)]
pub struct Stuck;

/// A time longer than the driver waits for any run.
pub(crate) const FOREVER: Duration = Duration::from_mins(2);

impl MemoryProfile for Frail {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {
        panic!("the impl is wrong");
    }
}

impl MemoryProfile for Stuck {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {
        // The driver waits for this line, and compares no line that begins with `profiler:`.
        crate::observed::say("profiler: stuck");
        thread::sleep(FOREVER);
    }
}
