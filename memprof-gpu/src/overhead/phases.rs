//! What a wrapper tells of its phases.

use super::bench::nanoseconds;
use super::timer::Timer;
use serde::{Deserialize, Serialize};

/// What a wrapper does in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Whether the operands go together.
    Check,
    /// Making them go together.
    Conversion,
    /// Making the wrapper of the result.
    Construction,
    /// The raw operation.
    Dispatch,
}

impl Phase {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::Check, Self::Conversion, Self::Construction, Self::Dispatch];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Conversion => "conversion",
            Self::Construction => "construction",
            Self::Dispatch => "dispatch",
        }
    }
}

/// What a wrapper tells which phase it is in.
///
/// A wrapper whose operations take any recorder is timed with [`Unrecorded`], which compiles to
/// nothing, and its time is split in a pass of its own with [`Phases`].
///
/// ```
/// use memprof_gpu::overhead::{Bench, Phase, Plan, Recorder, Unrecorded};
/// use std::convert::Infallible;
/// use std::time::Duration;
///
/// struct Metres(Vec<f64>);
///
/// impl Metres {
///     fn add(&self, other: &Self, recorder: &mut impl Recorder) -> Option<Self> {
///         recorder.enter(Phase::Check);
///         let fits = self.0.len() == other.0.len();
///         recorder.enter(Phase::Dispatch);
///         let sums = fits.then(|| self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect());
///         recorder.enter(Phase::Construction);
///         let sum = sums.map(Self);
///         recorder.leave();
///         sum
///     }
/// }
///
/// let length = Metres(vec![1.0; 100]);
/// assert!(length.add(&length, &mut Unrecorded).is_some());
/// let plan = Plan::default().measure(Duration::from_millis(2));
/// let split = Bench::on_host(plan)
///     .split(|phases| Ok::<_, Infallible>(length.add(&length, phases)))?;
/// assert_eq!(split.conversion_ns, None, "it never said that it converts");
/// assert!(split.dispatch_ns.is_some());
/// # Ok::<(), memprof_gpu::overhead::OverheadError>(())
/// ```
pub trait Recorder {
    /// The phase begins, and the one before, if any, ends.
    fn enter(&mut self, phase: Phase);

    /// The phase ends.
    fn leave(&mut self);
}

/// Records nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrecorded;

impl Recorder for Unrecorded {
    #[inline(always)]
    fn enter(&mut self, _: Phase) {}

    #[inline(always)]
    fn leave(&mut self) {}
}

/// Times the phases of a wrapper's calls. [`Bench::split`](super::Bench::split) makes it.
#[derive(Debug)]
pub struct Phases<'t, T: Timer> {
    timer: &'t mut T,
    /// The phase that began last, and when; none if none is open.
    pub(super) open: Option<(Phase, T::Mark)>,
    pub(super) sums: [Option<f64>; 4],
    /// Phases that were closed; each took the time of a mark more than it is said to.
    pub(super) closed: [u32; 4],
    pub(super) failure: Option<T::Error>,
}

impl<'t, T: Timer> Phases<'t, T> {
    pub(super) fn new(timer: &'t mut T) -> Self {
        Self { timer, open: None, sums: [None; 4], closed: [0; 4], failure: None }
    }

    fn close(&mut self, next: Option<Phase>) {
        let now = match self.timer.mark() {
            Ok(now) => now,
            Err(error) => {
                self.failure.get_or_insert(error);
                return;
            }
        };
        if let Some((phase, start)) = self.open.take() {
            match self.timer.elapsed(&start, &now) {
                Ok(time) => {
                    *self.sums[phase as usize].get_or_insert(0.0) += nanoseconds(time);
                    self.closed[phase as usize] += 1;
                }
                Err(error) => drop(self.failure.get_or_insert(error)),
            }
        }
        self.open = next.map(|phase| (phase, now));
    }
}

impl<T: Timer> Recorder for Phases<'_, T> {
    fn enter(&mut self, phase: Phase) {
        self.close(Some(phase));
    }

    fn leave(&mut self) {
        self.close(None);
    }
}
