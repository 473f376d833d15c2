//! Estimates from samples, compared with what is known to be live.

#![expect(clippy::cast_precision_loss, reason = "estimates are of amounts far below 2⁵²")]

mod estimates;
mod failing;
mod forgotten;
mod inner;
mod largest;
mod places;
#[path = "../totals/random.rs"]
mod random;
mod threads;
mod trials;

use memprof_heap::site::{Estimate, Frame, Sites};
use memprof_heap::{Allocator, Level, Rate, set_level, set_rate, sites};
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static ALLOC: Allocator<inner::Inner> = Allocator::new(inner::Inner);

/// Makes the tests of this program wait for each other, because samples are global. Samples are
/// taken only while a test holds a `Sampling`. Other threads allocate a few hundred bytes at the
/// same time.
struct Sampling {
    _alone: MutexGuard<'static, ()>,
}

impl Sampling {
    fn at(rate: Rate) -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        set_rate(rate);
        set_level(Level::Sampled);
        Self { _alone: alone }
    }
}

impl Drop for Sampling {
    fn drop(&mut self) {
        set_level(Level::Off);
    }
}

fn now() -> Sites {
    sites().expect("the level is Sampled")
}

/// Estimates the live bytes of the functions of this program whose names begin with `function`. So
/// allocations of the test harness are excluded.
fn live_of(function: &str) -> Estimate {
    let is_it = |frame: &Frame| frame.function.as_deref().is_some_and(|f| f.starts_with(function));
    let sites = now();
    let here = sites.iter().filter(|site| site.location.as_ref().is_some_and(is_it));
    here.map(|site| site.live).sum()
}

/// Returns a block that the compiler does not optimise away.
#[inline(never)]
fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}
