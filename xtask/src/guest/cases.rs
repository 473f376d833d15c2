//! The cases: what is done to the program, and what its recording must say.

use super::disk::Kind;
use super::recorded::{self, Checked};
use super::run::Run;
use nix::sys::signal::Signal;
use std::time::Duration;

/// A case of the program, and one way to run it.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// What the program calls it.
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
    /// Checks the recording and returns its figures.
    pub(super) recording: fn(&Run) -> Checked,
}

/// What the driver does to a program that runs.
#[derive(Clone, Copy)]
pub(super) enum Stimulus {
    None,
    Signals {
        /// Whether to wait until the profiler cannot go on.
        when_stuck: bool,
        signals: &'static [Signal],
    },
}

/// A signal ends a program within 2 s; the rest is for a busy machine.
const SIGNAL_LIMIT: Duration = Duration::from_millis(2_500);

/// A program that nothing holds up.
const NORMAL_LIMIT: Duration = Duration::from_secs(20);

const BASE: Case = Case {
    name: "",
    program: "",
    stimulus: Stimulus::None,
    environment: &[],
    disk: Kind::Ordinary,
    is_first_process: false,
    waits_for: None,
    limit: NORMAL_LIMIT,
    recording: recorded::finished,
};

const fn case(name: &'static str, recording: fn(&Run) -> Checked) -> Case {
    Case { name, program: name, recording, ..BASE }
}

const fn signalled(
    name: &'static str,
    when_stuck: bool,
    signals: &'static [Signal],
    recording: fn(&Run) -> Checked,
) -> Case {
    let stimulus = Stimulus::Signals { when_stuck, signals };
    Case { name, program: name, stimulus, recording, limit: SIGNAL_LIMIT, ..BASE }
}

/// Leaves it to the environment whether the program is recorded.
const UNDECIDED: (&str, &str) = ("GUEST_LEAVES_IT_TO_THE_ENVIRONMENT", "1");

pub(super) const CASES: &[Case] = &[
    case("fork", recorded::finished),
    case("closefrom", recorded::finished_or_warned),
    Case { waits_for: Some("done"), ..case("daemonise", recorded::finished) },
    case("execute", recorded::finished),
    case("exit-from-thread", recorded::exited),
    Case { limit: Duration::from_secs(5), ..case("exit-from-profile", recorded::exited) },
    case("main-returns", recorded::exited),
    case("no-threads", recorded::nothing_but_one_warning),
    case("out-of-memory", recorded::out_of_memory),
    case("blocked-signals", recorded::finished),
    signalled("waited-signals", false, &[Signal::SIGTERM], recorded::finished),
    signalled("handled-signals", false, &[Signal::SIGTERM], recorded::finished),
    // The first may come before the call.
    signalled("interrupted-call", false, &[Signal::SIGTERM; 3], recorded::finished),
    Case { is_first_process: true, ..case("first-process", recorded::finished) },
    signalled("default-after", false, &[Signal::SIGINT], recorded::finished),
    signalled("terminated", false, &[Signal::SIGTERM], recorded::terminated),
    Case {
        name: "interrupted-then-terminated",
        ..signalled("terminated", false, &[Signal::SIGINT, Signal::SIGTERM], recorded::readable)
    },
    signalled("terminated-stuck-root", true, &[Signal::SIGTERM], recorded::terminated_beside_root),
    signalled("terminated-stuck-source", true, &[Signal::SIGTERM], recorded::terminated),
    Case {
        name: "terminated-stuck-disk",
        disk: Kind::Stuck,
        ..signalled("terminated", false, &[Signal::SIGTERM], recorded::readable)
    },
    // A checkpoint and `finish` each return within their budget.
    Case { limit: Duration::from_secs(15), ..case("finish-stuck-root", recorded::readable) },
    case("file-limit", recorded::lost_with_one_warning),
    case("no-file-size", recorded::nothing_but_one_warning),
    Case { disk: Kind::Full, ..case("full-from-start", recorded::late_with_one_warning) },
    Case { disk: Kind::Full, ..case("full-disk", recorded::lost_with_one_warning) },
    case("unwritable", recorded::nothing_but_one_warning),
    case("planted-link", recorded::finished),
    Case {
        name: "settings-of-no-recording",
        environment: &[UNDECIDED, ("MEMPROF_FOO", "1"), ("MEMPROF_INTERVAL", "never")],
        ..case("settings", recorded::nothing)
    },
    Case {
        name: "wrong-settings",
        environment: &[UNDECIDED, ("MEMPROF", "1"), ("MEMPROF_INTERVAL", "never")],
        ..case("settings", recorded::one_warning)
    },
    Case { name: "fifo-unasked", ..case("fifo-settings", recorded::finished) },
    Case {
        name: "fifo-as-settings",
        environment: &[UNDECIDED, ("MEMPROF", "1"), ("MEMPROF_CONFIG", "memprof.toml")],
        ..case("fifo-settings", recorded::one_warning)
    },
    case("panicking-impl", recorded::frail_root),
    case("panicking-source", recorded::frail_source),
    case("second-copy", recorded::counted_throughout),
    Case { limit: Duration::from_secs(5), ..case("panic-hook-exits", recorded::exited) },
];
