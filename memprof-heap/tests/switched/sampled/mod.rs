//! Estimates from samples, compared with what is known to be live.

#![expect(clippy::cast_precision_loss, reason = "estimates are of amounts far below 2⁵²")]

mod estimates;
mod failing;
mod forgotten;
mod largest;
mod lifetimes;
mod places;
mod threads;
mod trials;

use crate::{Alone, alone};
use memprof_heap::site::{Estimate, Frame, Sites};
use memprof_heap::{Level, Rate, sites};

fn sampling(rate: Rate) -> Alone {
    alone(Level::Sampled, rate)
}

fn now() -> Sites {
    sites().expect("the level is Sampled")
}

/// Estimates the live bytes that functions with this text in their names allocated in a source file.
/// So allocations of the test harness are excluded.
fn live_of(file: &str, function: &str) -> Estimate {
    let is_it = |frame: &Frame| {
        frame.file.as_deref().is_some_and(|name| name.ends_with(file))
            && frame.function.as_deref().is_some_and(|name| name.contains(function))
    };
    let sites = now();
    let here = sites.iter().filter(|site| site.location.as_ref().is_some_and(is_it));
    here.map(|site| site.live).sum()
}
