//! Operations that are timed, sampled, and counted across changes of the level.

mod levels;
mod retained;
mod wall_time;

use crate::Alone;
use memprof_heap::{Level, Rate};

fn alone() -> Alone {
    crate::alone(Level::Counters, Rate::ADAPTIVE)
}
