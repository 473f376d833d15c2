//! The host's time within a wrapper by phase, which criterion does not measure.

use core::hint::black_box;
use std::time::{Duration, Instant};

/// A part of a wrapper's call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Checks whether the operands match.
    Check,
    /// Converts the operands so that they match.
    Conversion,
    /// Creates the wrapper of the result.
    Construction,
    /// The raw operation.
    Dispatch,
}

impl Phase {
    /// All phases, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Check, Self::Conversion, Self::Construction, Self::Dispatch];

    /// Returns the phase's name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Conversion => "conversion",
            Self::Construction => "construction",
            Self::Dispatch => "dispatch",
        }
    }
}

/// A receiver of the phases of a wrapper's call.
///
/// Criterion times a wrapper with [`Unrecorded`], which compiles to nothing. [`Phases`] times the
/// phases in a separate pass, because reading the clock takes longer than many phases.
pub trait Recorder {
    /// Begins a phase and ends the previous one.
    fn enter(&mut self, phase: Phase);

    /// Ends the current phase.
    fn exit(&mut self);
}

/// A recorder that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrecorded;

impl Recorder for Unrecorded {
    #[inline(always)]
    fn enter(&mut self, _: Phase) {}

    #[inline(always)]
    fn exit(&mut self) {}
}

/// The sums of the times of each phase.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    open: Option<(Phase, Instant)>,
    times: [Duration; 4],
    /// The number of times that each phase ended. Each measured time includes one reading of the
    /// clock.
    ended: [u32; 4],
}

impl Phases {
    fn end(&mut self, now: Instant) {
        if let Some((phase, start)) = self.open.take() {
            self.times[phase as usize] += now - start;
            self.ended[phase as usize] += 1;
        }
    }
}

impl Recorder for Phases {
    fn enter(&mut self, phase: Phase) {
        let now = Instant::now();
        self.end(now);
        self.open = Some((phase, now));
    }

    fn exit(&mut self) {
        self.end(Instant::now());
    }
}

/// The host's nanoseconds per call by phase, without the cost of the clock. `None` if the wrapper
/// never entered the phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Split([Option<f64>; 4]);

/// The number of calls between two calls of `wait`. Work that a device has not begun must fit into
/// its queue.
const CALLS: u32 = 16;
/// The number of empty phases that measure the cost of the clock.
const EMPTY: u32 = 1024;

impl Split {
    /// Splits the time of a wrapped operation, which runs for about `time`. After some calls,
    /// `wait` waits for the device.
    ///
    /// # Errors
    /// Returns an error if the operation or `wait` fails.
    pub fn of<R, E>(
        time: Duration,
        mut wrapped: impl FnMut(&mut Phases) -> Result<R, E>,
        mut wait: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut phases = Phases::default();
        let mut calls = 0;
        let start = Instant::now();
        while calls == 0 || start.elapsed() < time {
            for _ in 0..CALLS {
                drop(black_box(wrapped(&mut phases)?));
                phases.open = None;
            }
            wait()?;
            calls += CALLS;
        }
        let mut empty = Phases::default();
        for _ in 0..EMPTY {
            empty.enter(Phase::Check);
            empty.exit();
        }
        let clock = empty.times[0].as_secs_f64() / f64::from(EMPTY);
        Ok(Self(Phase::ALL.map(|phase| {
            let ended = phases.ended[phase as usize];
            let seconds = phases.times[phase as usize].as_secs_f64() - clock * f64::from(ended);
            (ended > 0).then(|| seconds.max(0.0) * 1e9 / f64::from(calls))
        })))
    }

    /// Returns the time of a phase.
    pub fn phase(&self, phase: Phase) -> Option<f64> {
        self.0[phase as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::{Phase, Recorder, Split};
    use core::convert::Infallible;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn each_entered_phase_has_its_own_time() {
        let work = |recorder: &mut super::Phases| {
            recorder.enter(Phase::Check);
            recorder.enter(Phase::Dispatch);
            sleep(Duration::from_millis(1));
            recorder.exit();
            Ok::<(), Infallible>(())
        };
        let mut waits = 0;
        let split = Split::of(Duration::ZERO, work, || {
            waits += 1;
            Ok(())
        });
        let split = split.expect("it can't fail");
        assert_eq!((waits, split.phase(Phase::Conversion)), (1, None));
        let [check, dispatch] = [Phase::Check, Phase::Dispatch]
            .map(|phase| split.phase(phase).expect("it was entered"));
        assert!(dispatch >= 1e6 && check < dispatch, "{split:?}");
    }
}
