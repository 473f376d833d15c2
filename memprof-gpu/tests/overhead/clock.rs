//! A host and a device whose time passes only when an operation says so.

use memprof_gpu::overhead::{Batch, Bench, Plan, Timer};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

/// The time on a clock, in nanoseconds, which operations move on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    pub(crate) now: Rc<Cell<u64>>,
    /// What each mark takes.
    pub(crate) mark_ns: u64,
    /// What a [`Timer::sync`] takes of the host.
    pub(crate) on_sync: Option<(Rc<Cell<u64>>, u64)>,
    /// Marks after which it fails; never, if it is 0.
    pub(crate) fails_after: u64,
    pub(crate) marks: u64,
    /// What was asked of it but marks, in order.
    pub(crate) asked: Rc<RefCell<Vec<&'static str>>>,
}

impl Clock {
    pub(crate) fn advance(&self, nanoseconds: u64) {
        self.now.set(self.now.get() + nanoseconds);
    }

    pub(crate) fn hand(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.now)
    }
}

impl Timer for Clock {
    type Mark = u64;
    type Error = std::io::Error;

    fn mark(&mut self) -> Result<u64, Self::Error> {
        self.marks += 1;
        if self.marks == self.fails_after {
            return Err(std::io::Error::other("the clock broke"));
        }
        let now = self.now.get();
        self.advance(self.mark_ns);
        Ok(now)
    }

    fn elapsed(&mut self, from: &u64, to: &u64) -> Result<Duration, Self::Error> {
        Ok(Duration::from_nanos(to.saturating_sub(*from)))
    }

    fn sync(&mut self) -> Result<(), Self::Error> {
        self.asked.borrow_mut().push("sync");
        if let Some((host, nanoseconds)) = &self.on_sync {
            host.set(host.get() + nanoseconds);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        self.asked.borrow_mut().push("flush");
        Ok(())
    }
}

/// A plan of so many samples, each of one call, without regard to time.
pub(crate) fn plan(samples: u32) -> Plan {
    Plan::default()
        .warmup(Duration::ZERO)
        .measure(Duration::ZERO)
        .min_samples(samples)
        .batch(Batch::Calls(1))
}

/// The host alone.
pub(crate) fn on_host(clock: &Clock, plan: Plan) -> Bench<Clock, Clock> {
    Bench::with_timers(clock.clone(), None, plan)
}

/// Numbers from 0 to below `end` that look random, the same in every run.
pub(crate) fn numbers(mut seed: u64, end: u64) -> impl FnMut() -> u64 {
    move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) % end
    }
}
