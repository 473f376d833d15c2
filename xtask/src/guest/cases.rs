//! The cases: how the program runs, what the driver does to it, and the expected recording.

use super::disk::Disk;
use super::recorded::{self, Checked};
use super::run::Run;
use nix::sys::signal::Signal::{self, SIGINT, SIGTERM};
use std::time::Duration;

/// One way to run the program, and the check of its recording.
#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) program: &'static str,
    /// Checks the recording and returns its figures.
    pub(super) recording: fn(&Run) -> Checked,
    /// The signals for the program when it is ready.
    pub(super) signals: &'static [Signal],
    /// `true` if the driver first waits until the profiler is blocked.
    pub(super) when_stuck: bool,
    pub(super) environment: &'static [(&'static str, &'static str)],
    pub(super) disk: Disk,
    /// `true` if the program is the first process in its namespace, as in a container.
    pub(super) is_first_process: bool,
    /// The file that a background process of the program creates last.
    pub(super) waits_for: Option<&'static str>,
    /// The time limit of the recorded program, from the signal if there is one.
    pub(super) limit: Duration,
}

/// A signal ends a program within 2 s; the rest is a margin for a busy machine.
const SIGNAL_LIMIT: Duration = Duration::from_millis(2_500);

/// With this variable, the environment decides whether the program is recorded.
const UNDECIDED: (&str, &str) = ("GUEST_LEAVES_IT_TO_THE_ENVIRONMENT", "1");

/// Returns the case of a program that runs to its end by itself.
const fn plain(name: &'static str, recording: fn(&Run) -> Checked) -> Case {
    Case {
        name,
        program: name,
        recording,
        signals: &[],
        when_stuck: false,
        environment: &[],
        disk: Disk::Ordinary,
        is_first_process: false,
        waits_for: None,
        // Nothing delays the program.
        limit: Duration::from_secs(20),
    }
}

/// Returns the case of a program that gets signals when it is ready.
const fn signalled(
    name: &'static str,
    signals: &'static [Signal],
    recording: fn(&Run) -> Checked,
) -> Case {
    Case { signals, limit: SIGNAL_LIMIT, ..plain(name, recording) }
}

/// Returns the case of a program that gets SIGTERM when the profiler is blocked.
const fn stuck(name: &'static str, recording: fn(&Run) -> Checked) -> Case {
    Case { when_stuck: true, ..signalled(name, &[SIGTERM], recording) }
}

const fn settings(
    name: &'static str,
    program: &'static str,
    environment: &'static [(&'static str, &'static str)],
    recording: fn(&Run) -> Checked,
) -> Case {
    Case { program, environment, ..plain(name, recording) }
}

const fn within(seconds: u64, case: Case) -> Case {
    Case { limit: Duration::from_secs(seconds), ..case }
}

pub(super) const CASES: &[Case] = &[
    plain("fork", recorded::finished),
    plain("closefrom", recorded::finished_or_warned),
    Case { waits_for: Some("done"), ..plain("daemonise", recorded::finished) },
    plain("execute", recorded::finished),
    plain("exit-from-thread", recorded::exited),
    within(5, plain("exit-from-profile", recorded::exited)),
    plain("main-returns", recorded::exited),
    plain("no-threads", recorded::nothing_but_one_warning),
    plain("out-of-memory", recorded::out_of_memory),
    plain("blocked-signals", recorded::finished),
    signalled("waited-signals", &[SIGTERM], recorded::finished),
    signalled("handled-signals", &[SIGTERM], recorded::finished),
    // The first signal may arrive before the call.
    signalled("interrupted-call", &[SIGTERM; 3], recorded::finished),
    Case { is_first_process: true, ..plain("first-process", recorded::finished) },
    signalled("default-after", &[SIGINT], recorded::finished),
    signalled("terminated", &[SIGTERM], recorded::terminated),
    Case {
        program: "terminated",
        ..signalled("interrupted-then-terminated", &[SIGINT, SIGTERM], recorded::readable)
    },
    stuck("terminated-stuck-root", recorded::terminated_with_stuck_root),
    stuck("terminated-stuck-source", recorded::terminated),
    Case {
        program: "terminated",
        disk: Disk::Stuck,
        ..signalled("terminated-stuck-disk", &[SIGTERM], recorded::readable)
    },
    // A checkpoint and `finish` each return within their budget.
    within(15, plain("finish-stuck-root", recorded::readable)),
    plain("file-limit", recorded::lost_with_one_warning),
    plain("no-file-size", recorded::nothing_but_one_warning),
    Case { disk: Disk::Full, ..plain("full-from-start", recorded::late_with_one_warning) },
    Case { disk: Disk::Full, ..plain("full-disk", recorded::lost_with_one_warning) },
    plain("unwritable", recorded::nothing_but_one_warning),
    plain("planted-link", recorded::finished),
    settings(
        "settings-of-no-recording",
        "settings",
        &[UNDECIDED, ("MEMPROF_FOO", "1"), ("MEMPROF_INTERVAL", "never")],
        recorded::nothing,
    ),
    settings(
        "wrong-settings",
        "settings",
        &[UNDECIDED, ("MEMPROF", "1"), ("MEMPROF_INTERVAL", "never")],
        recorded::one_warning,
    ),
    settings("fifo-unasked", "fifo-settings", &[], recorded::finished),
    settings(
        "fifo-as-settings",
        "fifo-settings",
        &[UNDECIDED, ("MEMPROF", "1"), ("MEMPROF_CONFIG", "memprof.toml")],
        recorded::one_warning,
    ),
    plain("panicking-impl", recorded::frail_root),
    plain("panicking-source", recorded::frail_source),
    plain("second-copy", recorded::counted_throughout),
    within(5, plain("panic-hook-exits", recorded::exited)),
];
