//! A child process that receives the signals of this process: Unix.
#![expect(unsafe_code, reason = "sets the actions of signals in the child")]

use rustix::process::{Pid, Signal, getpgrp, kill_process};
use rustix::termios::tcgetpgrp;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::flag::register_conditional_default;
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithRawSiginfo;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

const SIGNALS: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];

type Signals = SignalsInfo<WithRawSiginfo>;

/// Passes signals on, so that the command ends as it would without `memprof run`. Returns the process
/// id of the command and how it ended.
pub(in super::super) fn run(command: &mut Command) -> io::Result<(u32, ExitStatus)> {
    let ignored = ignored();
    let is_ignored = |signal: i32| ignored >> (signal - 1) & 1 == 1;
    // With a handler, a command below `nohup` would not ignore these signals.
    let handled: Vec<i32> = SIGNALS.into_iter().filter(|&signal| !is_ignored(signal)).collect();
    if is_ignored(SIGCHLD) {
        ignore_sigchld_in_child(command);
    }
    let running = Running::begin(&handled)?;
    let signals = Signals::new(handled.iter().chain(&[SIGCHLD]))?;
    let child = command.spawn()?;
    let pid = child.id();
    let status = wait(child, signals);
    drop(running);
    Ok((pid, status?))
}

/// Returns the name of a signal, or `signal 34` for a signal without one.
pub(in super::super) fn signal_name(signal: i32) -> String {
    let name = signal_hook::low_level::signal_name(signal);
    name.map_or_else(|| format!("signal {signal}"), str::to_owned)
}

/// Makes a command start with `SIGCHLD` ignored. Without this, the command has its default action,
/// because this process has a handler. `SIGPIPE` has its default action too, which std sets; a Rust
/// program ignores it from its start.
fn ignore_sigchld_in_child(command: &mut Command) {
    let ignore = || {
        // SAFETY: `SIG_IGN` is the system's own action.
        unsafe { libc::signal(SIGCHLD, libc::SIG_IGN) };
        Ok(())
    };
    // SAFETY: in a forked child, only functions that are safe in a signal handler may be called
    // before `exec`. `signal` is one, and the closure does not allocate.
    unsafe { command.pre_exec(ignore) };
}

/// The number of commands that run now. While it is above 0, signals do not terminate this process.
static RUNNING: Mutex<usize> = Mutex::new(0);

/// `true` if no command runs, so that signals terminate this process as usual.
static IS_IDLE: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The signals that terminate this process only if no command runs. They are registered once: a
/// handler of an earlier command would end this process during a later command.
static REGISTERED: Mutex<Vec<i32>> = Mutex::new(Vec::new());

struct Running;

impl Running {
    fn begin(signals: &[i32]) -> io::Result<Self> {
        let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        *running += 1;
        IS_IDLE.store(false, Ordering::Release);
        let this = Self;
        drop(running);
        for &signal in signals {
            if !registered.contains(&signal) {
                register_conditional_default(signal, IS_IDLE.clone())?;
                registered.push(signal);
            }
        }
        Ok(this)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        *running -= 1;
        IS_IDLE.store(*running == 0, Ordering::Release);
    }
}

fn wait(mut child: Child, mut signals: Signals) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        for info in signals.wait() {
            let signal = info.si_signo;
            // The terminal sends these signals to the command too.
            let is_sent_to_both = matches!(signal, SIGINT | SIGQUIT)
                && !is_of_process(info.si_code)
                && has_terminal();
            if signal != SIGCHLD && !is_sent_to_both {
                pass_on(&child, signal);
            }
        }
    }
}

/// The command has not been waited for, so no other process has its process id.
fn pass_on(child: &Child, signal: i32) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let (Some(pid), Some(signal)) = (pid, Signal::from_named_raw(signal)) {
        // Ignore a failure: the command may run as another user, or may have ended.
        let _ = kill_process(pid, signal);
    }
}

/// `false` if the kernel sent the signal, or if that is unknown.
fn is_of_process(code: i32) -> bool {
    if cfg!(any(target_os = "linux", target_os = "android")) {
        // Codes of the kernel are positive.
        code <= 0
    } else {
        // `SI_USER` of macOS and FreeBSD.
        code == 0x10001
    }
}

/// Returns `true` if the terminal sends Ctrl-C to this process, and so to the command.
fn has_terminal() -> bool {
    let terminal = File::open("/dev/tty");
    terminal.is_ok_and(|terminal| tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp()))
}

/// Only Linux can report ignored signals without unsafe code; elsewhere the set is empty.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::process::Command;

    #[test]
    fn a_second_command_receives_signals_like_the_first() {
        for _ in 0..2 {
            // The command signals this process, which passes the signal on.
            let script = "trap 'exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.01; done";
            let (_, ended) = run(Command::new("sh").args(["-c", script])).expect("sh runs");
            assert_eq!(ended.code(), Some(7));
        }
    }
}
