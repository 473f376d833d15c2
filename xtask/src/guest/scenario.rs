//! A scenario: how the program is run, and what the driver does to it.

use super::disk::Kind;
use nix::sys::signal::Signal;
use std::time::Duration;

/// One way to run the program.
#[derive(Clone, Copy)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// The program's name for it.
    pub(super) program: &'static str,
    pub(super) stimulus: Stimulus,
    pub(super) environment: &'static [(&'static str, &'static str)],
    pub(super) disk: Kind,
    /// The program is the first process that it sees, as in a container.
    pub(super) is_first_process: bool,
    /// A file of the program's own that a process in the background makes last.
    pub(super) waits_for: Option<&'static str>,
    /// The longest time that the recorded program may take, from the signal if there is one.
    pub(super) limit: Duration,
}

/// The driver's action on a running program.
#[derive(Clone, Copy)]
pub(super) enum Stimulus {
    None,
    Signals {
        /// The driver waits until the profiler cannot go on.
        when_stuck: bool,
        signals: &'static [Signal],
    },
}

/// A signal ends a program within 2 s; the rest is for a busy machine.
const SIGNAL_LIMIT: Duration = Duration::from_millis(2_500);

/// A program that nothing holds up.
const NORMAL_LIMIT: Duration = Duration::from_secs(20);

/// A program that runs to its end by itself.
pub(super) const fn undisturbed(name: &'static str) -> Scenario {
    Scenario {
        name,
        program: name,
        stimulus: Stimulus::None,
        environment: &[],
        disk: Kind::Ordinary,
        is_first_process: false,
        waits_for: None,
        limit: NORMAL_LIMIT,
    }
}

/// A program that gets signals once it is ready.
pub(super) const fn signalled(name: &'static str, signals: &'static [Signal]) -> Scenario {
    let stimulus = Stimulus::Signals { when_stuck: false, signals };
    Scenario { stimulus, limit: SIGNAL_LIMIT, ..undisturbed(name) }
}

/// A program that gets SIGTERM once the profiler cannot go on.
pub(super) const fn terminated_stuck(name: &'static str) -> Scenario {
    let stimulus = Stimulus::Signals { when_stuck: true, signals: &[Signal::SIGTERM] };
    Scenario { stimulus, limit: SIGNAL_LIMIT, ..undisturbed(name) }
}
