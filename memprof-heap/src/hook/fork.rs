//! The repairs of a forked child, which [`fork`](crate::base::fork) calls.

use crate::base::fork::{self, Child};
use crate::sampling;
use crate::thread::threads;

/// Prepares for forks, when recording is first switched on.
pub(crate) fn register() {
    fork::register(repair);
}

fn repair(child: Child) {
    threads::leave_behind(child);
    sampling::begin_in_child();
}
