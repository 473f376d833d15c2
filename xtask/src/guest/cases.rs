//! The cases, each with a scenario and the expected contents of its recording.

use super::disk::Kind;
use super::recorded::{self, Checked};
use super::run::Run;
use super::scenario::{Scenario, signalled, terminated_stuck, undisturbed};
use nix::sys::signal::Signal;
use std::time::Duration;

/// A scenario and the check of its recording.
pub(super) struct Case {
    pub(super) scenario: Scenario,
    /// Checks the recording and returns its figures.
    pub(super) recording: fn(&Run) -> Checked,
}

const fn case(scenario: Scenario, recording: fn(&Run) -> Checked) -> Case {
    Case { scenario, recording }
}

/// Returns the case of a program that runs to its end by itself.
const fn plain(name: &'static str, recording: fn(&Run) -> Checked) -> Case {
    case(undisturbed(name), recording)
}

/// Returns the same scenario with another time limit.
const fn within(seconds: u64, scenario: Scenario) -> Scenario {
    Scenario { limit: Duration::from_secs(seconds), ..scenario }
}

/// Returns the same scenario with its recording on another disk.
const fn on(disk: Kind, scenario: Scenario) -> Scenario {
    Scenario { disk, ..scenario }
}

/// With this variable, the environment decides whether the program is recorded.
const UNDECIDED: (&str, &str) = ("GUEST_LEAVES_IT_TO_THE_ENVIRONMENT", "1");

pub(super) const CASES: &[Case] = &[
    plain("fork", recorded::finished),
    plain("closefrom", recorded::finished_or_warned),
    case(Scenario { waits_for: Some("done"), ..undisturbed("daemonise") }, recorded::finished),
    plain("execute", recorded::finished),
    plain("exit-from-thread", recorded::exited),
    case(within(5, undisturbed("exit-from-profile")), recorded::exited),
    plain("main-returns", recorded::exited),
    plain("no-threads", recorded::nothing_but_one_warning),
    plain("out-of-memory", recorded::out_of_memory),
    plain("blocked-signals", recorded::finished),
    case(signalled("waited-signals", &[Signal::SIGTERM]), recorded::finished),
    case(signalled("handled-signals", &[Signal::SIGTERM]), recorded::finished),
    // The first signal may arrive before the call.
    case(signalled("interrupted-call", &[Signal::SIGTERM; 3]), recorded::finished),
    case(Scenario { is_first_process: true, ..undisturbed("first-process") }, recorded::finished),
    case(signalled("default-after", &[Signal::SIGINT]), recorded::finished),
    case(signalled("terminated", &[Signal::SIGTERM]), recorded::terminated),
    case(
        Scenario {
            name: "interrupted-then-terminated",
            ..signalled("terminated", &[Signal::SIGINT, Signal::SIGTERM])
        },
        recorded::readable,
    ),
    case(terminated_stuck("terminated-stuck-root"), recorded::terminated_with_stuck_root),
    case(terminated_stuck("terminated-stuck-source"), recorded::terminated),
    case(
        Scenario {
            name: "terminated-stuck-disk",
            ..on(Kind::Stuck, signalled("terminated", &[Signal::SIGTERM]))
        },
        recorded::readable,
    ),
    // A checkpoint and `finish` each return within their budget.
    case(within(15, undisturbed("finish-stuck-root")), recorded::readable),
    plain("file-limit", recorded::lost_with_one_warning),
    plain("no-file-size", recorded::nothing_but_one_warning),
    case(on(Kind::Full, undisturbed("full-from-start")), recorded::late_with_one_warning),
    case(on(Kind::Full, undisturbed("full-disk")), recorded::lost_with_one_warning),
    plain("unwritable", recorded::nothing_but_one_warning),
    plain("planted-link", recorded::finished),
    case(
        Scenario {
            name: "settings-of-no-recording",
            environment: &[UNDECIDED, ("MEMPROF_FOO", "1"), ("MEMPROF_INTERVAL", "never")],
            ..undisturbed("settings")
        },
        recorded::nothing,
    ),
    case(
        Scenario {
            name: "wrong-settings",
            environment: &[UNDECIDED, ("MEMPROF", "1"), ("MEMPROF_INTERVAL", "never")],
            ..undisturbed("settings")
        },
        recorded::one_warning,
    ),
    case(Scenario { name: "fifo-unasked", ..undisturbed("fifo-settings") }, recorded::finished),
    case(
        Scenario {
            name: "fifo-as-settings",
            environment: &[UNDECIDED, ("MEMPROF", "1"), ("MEMPROF_CONFIG", "memprof.toml")],
            ..undisturbed("fifo-settings")
        },
        recorded::one_warning,
    ),
    plain("panicking-impl", recorded::frail_root),
    plain("panicking-source", recorded::frail_source),
    plain("second-copy", recorded::counted_throughout),
    case(within(5, undisturbed("panic-hook-exits")), recorded::exited),
];
