//! The session's thread: waits for the next snapshot, a command, a signal or the allocator, and
//! calls the recorder.

use super::{Recorder, rest_after};
use crate::command::{Command, Reply, Way};
use crate::config::Origin;
use crate::exit;
use crate::heap;
use crate::peaks::Action;
use crate::result::{Document, DocumentFiles};
#[cfg(unix)]
use crate::signals::Signal;
use crate::time::{Clock, Deadline, Schedule, nanoseconds};
use crate::wake::SESSION;
use core::panic::AssertUnwindSafe;
use memprof_recording::document::{Ended, Snapshot, Trigger};
use std::collections::VecDeque;
use std::io;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

pub(crate) struct SessionThread {
    recorder: Recorder,
    folder_named_by: Origin,
    clock: Clock,
    schedule: Schedule,
    commands: Receiver<Command>,
    /// Commands that were received but not executed, because a signal or the exit came first.
    waiting: VecDeque<Command>,
    /// The time of the next snapshot. It is `u64::MAX` until the start snapshot is taken.
    next_ns: u64,
}

enum Next {
    Go,
    End(Option<Box<Answer>>),
}

/// The caller that waits for the end of the session, and the answer for that caller.
type Answer = (Reply<Finished>, Finished);
type Finished = (Document, io::Result<()>);

impl SessionThread {
    pub(crate) fn new(
        recorder: Recorder,
        folder_named_by: Origin,
        clock: Clock,
        schedule: Schedule,
        commands: Receiver<Command>,
    ) -> Self {
        let (waiting, next_ns) = (VecDeque::new(), u64::MAX);
        Self { recorder, folder_named_by, clock, schedule, commands, waiting, next_ns }
    }

    /// Calls `over` after everything is written and the values of the program are dropped.
    pub(crate) fn run(mut self, over: impl FnOnce()) {
        heap::as_profiler_thread(move || {
            self.recorder.user_code.ensure_thread();
            self.recorder.begin_files(&self.folder_named_by);
            let answer = self.record();
            self.drop_commands();
            drop(self);
            // Call this before `over`, because afterwards it would apply to the next session.
            exit::done();
            over();
            if let Some(answer) = answer {
                let (reply, finished) = *answer;
                reply.send(finished);
            }
        });
    }

    /// Drops the commands that were not executed before the session ended. Their roots and sources
    /// are dropped on the `UserCode` thread, because their destructors are code of the program.
    fn drop_commands(&mut self) {
        let mut values = Vec::new();
        let received = core::iter::from_fn(|| self.commands.try_recv().ok());
        for command in self.waiting.drain(..).chain(received) {
            if matches!(command, Command::AddRoot(_) | Command::AddSource(_)) {
                values.push(command);
            }
        }
        self.recorder.user_code.drop_values(values);
    }

    fn record(&mut self) -> Option<Box<Answer>> {
        loop {
            let now = self.clock.now_ns();
            if now < self.next_ns {
                let interval = Duration::from_nanos(self.next_ns - now);
                let action = self.recorder.next_action_in(now).unwrap_or(interval);
                SESSION.wait(interval.min(action));
            }
            // A panic of the profiler must not reach the program.
            let step = catch_unwind(AssertUnwindSafe(|| self.step()));
            match step {
                Ok(Next::Go) => {}
                Ok(Next::End(answer)) => return answer,
                Err(_) => {
                    let warning = "the recorder panicked; recording continues";
                    self.recorder.warn(warning.to_owned());
                    self.recorder.rest_after_panic(self.clock.now_ns());
                    self.next_ns = self.after(self.interval());
                }
            }
        }
    }

    fn step(&mut self) -> Next {
        self.recorder.take_events_unless_resting(self.clock.now_ns());
        loop {
            if let Some(end) = self.answer_urgent() {
                return end;
            }
            let next = self.waiting.pop_front().map_or_else(|| self.commands.try_recv(), Ok);
            match next {
                Ok(command) => {
                    if let end @ Next::End(_) = self.handle_command(command) {
                        return end;
                    }
                    self.recorder.summarise_if_due();
                }
                Err(TryRecvError::Empty) => {
                    self.recorder.drop_removed_roots();
                    break;
                }
                // No handle is left that could finish the session.
                Err(TryRecvError::Disconnected) => {
                    let _ = self.finish(Ended::Finished, Deadline::after(FINISH));
                    return Next::End(None);
                }
            }
        }
        let now = self.clock.now_ns();
        match self.recorder.peak_action(now) {
            Action::Snapshot => drop(self.take_snapshot(Trigger::Peak, None)),
            Action::Stacks => self.recorder.record_stacks(now),
            Action::Nothing => {}
        }
        self.recorder.snapshot_near_limit(self.clock.now_ns());
        if self.clock.now_ns() >= self.next_ns {
            let snapshot = self.take_snapshot(Trigger::Interval, None);
            let interval = self.schedule.after(self.next_ns, self.recorder.doublings());
            let scheduled = self.next_ns.saturating_add(nanoseconds(interval));
            // Slow snapshots are taken less often. Missed snapshots are not taken later.
            self.next_ns = scheduled.max(self.after(rest_after(&snapshot)));
        }
        self.recorder.summarise_if_due();
        // A signal that arrived since the last wait is answered now, because the last wait may
        // already have consumed the wake for it.
        self.answer_urgent().unwrap_or(Next::Go)
    }

    /// Answers the events that precede commands: signals, and the end of the program.
    fn answer_urgent(&mut self) -> Option<Next> {
        if let Some(deadline) = exit::requested() {
            self.register();
            let _ = self.finish(Ended::Exited, deadline);
            return Some(Next::End(None));
        }
        #[cfg(unix)]
        while let Some(signal) = Signal::pending() {
            self.register();
            self.answer(signal);
        }
        None
    }

    /// Adds and removes the roots and sources of received commands. Other commands wait.
    fn register(&mut self) {
        while let Ok(command) = self.commands.try_recv() {
            match command {
                Command::AddRoot(_) | Command::RemoveRoot(_) | Command::AddSource(_) => {
                    self.handle_command(command);
                }
                command => self.waiting.push_back(command),
            }
        }
    }

    fn interval(&self) -> Duration {
        self.schedule.after(self.clock.now_ns(), self.recorder.doublings())
    }

    fn after(&self, time: Duration) -> u64 {
        self.clock.now_ns().saturating_add(nanoseconds(time))
    }

    fn take_snapshot(&mut self, trigger: Trigger, name: Option<String>) -> Arc<Snapshot> {
        let deadline = Deadline::after(self.recorder.snapshot_budget());
        self.recorder.snapshot(self.clock.now_ns(), trigger, name, deadline)
    }

    /// Returns the last snapshot, or a new one if that is older than the interval.
    fn latest_snapshot(&mut self) -> Arc<Snapshot> {
        let now = self.clock.now_ns();
        let last = self.recorder.history.last().filter(|last| {
            let interval = self.schedule.after(last.at_ns, self.recorder.doublings());
            now < last.at_ns.saturating_add(nanoseconds(interval.max(rest_after(last))))
        });
        let last = last.cloned();
        last.unwrap_or_else(|| self.take_snapshot(Trigger::Interval, None))
    }

    /// The caller may have stopped waiting for the answer.
    fn handle_command(&mut self, command: Command) -> Next {
        match command {
            Command::AddRoot(root) => {
                if let Some(root) = root.take() {
                    self.recorder.roots.add(root);
                }
            }
            Command::RemoveRoot(name) => {
                if let Some(name) = name.as_ref() {
                    self.recorder.remove_root(name);
                }
            }
            Command::AddSource(source) => {
                if let Some(source) = source.take() {
                    self.recorder.sources.add(source);
                }
            }
            #[cfg(unix)]
            Command::Warn(warning) => self.recorder.warn(warning),
            Command::Snapshot { trigger, name, reply } => {
                let snapshot = self.take_snapshot(trigger, name);
                if trigger == Trigger::Start {
                    self.next_ns = self.after(self.interval());
                }
                reply.send(snapshot);
            }
            Command::LatestSnapshot { reply } => {
                let latest = self.latest_snapshot();
                reply.send(latest);
            }
            Command::Recording { reply } => {
                self.latest_snapshot();
                self.recorder.summarise_if_due();
                reply.send(self.recorder.recording_of_now(self.clock.now_ns()));
            }
            Command::Document { deadline, reply } => {
                let written = self.write_document(Trigger::Request, None, Ended::Running, deadline);
                reply.send((self.document(), written));
            }
            Command::Finish { way, deadline, reply } => {
                self.recorder.metadata.was_dropped = way == Way::Drop;
                let written = self.finish(Ended::Finished, deadline);
                return Next::End(Some(Box::new((reply, (self.document(), written)))));
            }
        }
        Next::Go
    }

    fn finish(&mut self, ended: Ended, deadline: Deadline) -> io::Result<()> {
        self.write_document(Trigger::End, None, ended, deadline)?;
        self.recorder.remove_timeline();
        Ok(())
    }

    fn write_document(
        &mut self,
        trigger: Trigger,
        name: Option<String>,
        ended: Ended,
        deadline: Deadline,
    ) -> io::Result<()> {
        self.recorder.snapshot_for_document(self.clock.now_ns(), trigger, name, deadline);
        self.recorder.write_document(self.clock.now_ns(), ended)
    }

    #[cfg(unix)]
    fn answer(&mut self, signal: Signal) {
        let Some(received_ns) = signal.received_ns() else { return };
        let ends = signal.ends_the_program();
        let (ended, deadline) = if ends {
            (
                Ended::Signal(signal.as_str().to_owned()),
                Deadline::of_end(received_ns, LAST_SNAPSHOT_TIME),
            )
        } else {
            (Ended::Running, Deadline::after(FINISH))
        };
        let name = Some(signal.as_str().to_owned());
        let written = self.write_document(Trigger::Signal, name, ended, deadline);
        if ends {
            if written.is_ok() {
                self.recorder.remove_timeline();
            }
            signal.end_the_program();
        }
        signal.done(received_ns);
    }

    fn document(&self) -> Document {
        let files = self.recorder.paths().map(|(document, timeline)| DocumentFiles {
            document: document.to_owned(),
            timeline: timeline.to_owned(),
            has_timeline: self.recorder.has_timeline,
        });
        let landmarks = self.recorder.landmarks(None);
        Document { files, landmarks: Some(landmarks), ..Document::default() }
    }
}

/// The time for the last snapshot before a signal terminates the program.
///
/// The rest of the two seconds is for writing the document.
#[cfg(unix)]
const LAST_SNAPSHOT_TIME: Duration = Duration::from_millis(1300);

/// The time limit of the snapshot before a document is written, including the lookup of names. A
/// request to end the program shortens it.
pub(crate) const FINISH: Duration = Duration::from_secs(16);
