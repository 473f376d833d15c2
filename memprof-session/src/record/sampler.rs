//! The session's thread: it waits for the next moment, a command, a signal or the allocator, and has
//! the recorder do the work.

use super::clock::{Clock, nanoseconds};
use super::command::Command;
use super::exit;
use super::heap;
use super::recorder::{Recorder, rest_after};
use super::report::{Report, ReportFiles};
#[cfg(unix)]
use super::signals::Signal;
use super::wake::Pipe;
use crate::Recording;
use crate::document::{Ended, Snapshot, Trigger};
use core::panic::AssertUnwindSafe;
use std::io;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

/// The session's thread, before it runs.
pub(crate) struct Sampler {
    pub(crate) recorder: Recorder,
    pub(crate) clock: Clock,
    pub(crate) interval: Duration,
    pub(crate) pipe: Pipe,
    pub(crate) commands: Receiver<Command>,
    /// When the interval is over. Never, until the first snapshot, which is that of the start.
    pub(crate) next_ns: u64,
}

/// What comes next.
enum Next {
    Go,
    End,
}

impl Sampler {
    /// Runs until the session is over.
    pub(crate) fn run(mut self) {
        heap::unrecorded(move || {
            loop {
                let now = self.clock.now_ns();
                if now < self.next_ns {
                    self.pipe.wait(Duration::from_nanos(self.next_ns - now));
                }
                // A fault of the profiler must not be one of the program.
                let step = catch_unwind(AssertUnwindSafe(|| self.step()));
                match step {
                    Ok(Next::Go) => {}
                    Ok(Next::End) => break,
                    Err(_) => {
                        let warning = "the session panicked while it recorded; it goes on";
                        self.recorder.warn(warning.to_owned());
                        self.next_ns = self.after(self.interval);
                    }
                }
            }
            drop(self);
        });
    }

    fn step(&mut self) -> Next {
        self.recorder.take_events();
        self.recorder.take_summary(self.clock.now_ns(), Duration::ZERO);
        loop {
            match self.commands.try_recv() {
                Ok(command) => {
                    if let Next::End = self.obey(command) {
                        return Next::End;
                    }
                }
                Err(TryRecvError::Empty) => break,
                // Nobody is left who could finish it.
                Err(TryRecvError::Disconnected) => {
                    let _ = self.finish(Ended::Finished);
                    return Next::End;
                }
            }
        }
        if exit::is_asked_for() {
            let _ = self.finish(Ended::Exited);
            exit::done();
            return Next::End;
        }
        #[cfg(unix)]
        while let Some(signal) = Signal::pending() {
            self.answer(signal);
        }
        if self.recorder.took_peak() {
            self.look(Trigger::Peak, None);
        }
        if self.clock.now_ns() >= self.next_ns {
            let snapshot = self.look(Trigger::Interval, None);
            let scheduled = self.next_ns.saturating_add(nanoseconds(self.interval));
            // What takes long is done less often. Moments that were slept through are not made up for.
            self.next_ns = scheduled.max(self.after(rest_after(&snapshot)));
        }
        Next::Go
    }

    fn after(&self, time: Duration) -> u64 {
        self.clock.now_ns().saturating_add(nanoseconds(time))
    }

    fn look(&mut self, trigger: Trigger, name: Option<String>) -> Arc<Snapshot> {
        self.recorder.snapshot(self.clock.now_ns(), trigger, name)
    }

    /// Nobody may be waiting for the answer any more, which is fine.
    fn obey(&mut self, command: Command) -> Next {
        match command {
            Command::AddRoot(root) => self.recorder.add_root(root),
            Command::RemoveRoot(name) => {
                self.recorder.remove_root(&name);
                heap::recorded(|| drop(name));
            }
            Command::AddSource(source) => self.recorder.add_source(source),
            Command::Snapshot { trigger, name, reply } => {
                let snapshot = self.look(trigger, name);
                if trigger == Trigger::Start {
                    self.next_ns = self.after(self.interval);
                }
                let _ = reply.send(snapshot);
            }
            Command::Timeline { reply } => {
                let _ = reply.send(self.recorder.history().moments().to_vec());
            }
            Command::Report { reply } => {
                let written = self.write_report(Trigger::Request, None, Ended::Running);
                let _ = reply.send((self.report(), written));
            }
            Command::Finish { ended, reply } => {
                let written = self.finish(ended);
                let _ = reply.send((self.report(), written));
                return Next::End;
            }
        }
        Next::Go
    }

    fn finish(&mut self, ended: Ended) -> io::Result<()> {
        self.write_report(Trigger::End, None, ended)
    }

    fn write_report(
        &mut self,
        trigger: Trigger,
        name: Option<String>,
        ended: Ended,
    ) -> io::Result<()> {
        self.recorder.snapshot_for_report(self.clock.now_ns(), trigger, name);
        self.recorder.write_report(self.clock.now_ns(), ended)
    }

    #[cfg(unix)]
    fn answer(&mut self, signal: Signal) {
        let ends = signal.ends_the_program();
        self.look(Trigger::Signal, Some(signal.word().to_owned()));
        let ended = if ends { Ended::Signal(signal.word().to_owned()) } else { Ended::Running };
        let _ = self.recorder.write_report(self.clock.now_ns(), ended);
        if ends {
            signal.end_the_program();
        }
        signal.done();
    }

    fn report(&self) -> Report {
        let files = self.recorder.paths().map(|(report, timeline)| ReportFiles {
            report: report.to_owned(),
            timeline: timeline.to_owned(),
        });
        let landmarks = Recording {
            metadata: self.recorder.metadata().clone(),
            snapshots: self.recorder.history().landmarks(),
            operation_paths: Vec::new(),
            operation_events: Vec::new(),
            out_of_memory: Vec::new(),
            summary: self.recorder.summary().clone(),
            unreadable_lines: 0,
            has_summary: true,
        };
        Report { files, landmarks: Some(landmarks) }
    }
}
