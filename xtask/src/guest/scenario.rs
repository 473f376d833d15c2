//! A scenario: the way to run the program, and the driver's action on it.

use super::disk::Kind;
use nix::sys::signal::Signal;
use std::time::Duration;

/// One way to run the program.
#[derive(Clone, Copy)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// The program's name for the scenario.
    pub(super) program: &'static str,
    pub(super) stimulus: Stimulus,
    pub(super) environment: &'static [(&'static str, &'static str)],
    pub(super) disk: Kind,
    /// `true` if the program is the first process in its namespace, as in a container.
    pub(super) is_first_process: bool,
    /// The file that a background process of the program creates last.
    pub(super) waits_for: Option<&'static str>,
    /// The time limit of the recorded program, from the signal if there is one.
    pub(super) limit: Duration,
}

/// The driver's action on a running program.
#[derive(Clone, Copy)]
pub(super) enum Stimulus {
    None,
    Signals {
        /// `true` if the driver waits until the profiler is blocked.
        when_stuck: bool,
        signals: &'static [Signal],
    },
}

/// A signal ends a program within 2 s; the rest is a margin for a busy machine.
const SIGNAL_LIMIT: Duration = Duration::from_millis(2_500);

/// The limit of a program that nothing delays.
const NORMAL_LIMIT: Duration = Duration::from_secs(20);

/// Returns the scenario of a program that runs to its end by itself.
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

/// Returns the scenario of a program that gets signals when it is ready.
pub(super) const fn signalled(name: &'static str, signals: &'static [Signal]) -> Scenario {
    let stimulus = Stimulus::Signals { when_stuck: false, signals };
    Scenario { stimulus, limit: SIGNAL_LIMIT, ..undisturbed(name) }
}

/// Returns the scenario of a program that gets SIGTERM when the profiler is blocked.
pub(super) const fn terminated_stuck(name: &'static str) -> Scenario {
    let stimulus = Stimulus::Signals { when_stuck: true, signals: &[Signal::SIGTERM] };
    Scenario { stimulus, limit: SIGNAL_LIMIT, ..undisturbed(name) }
}
