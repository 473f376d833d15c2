//! The series that are leaks. Their minima grow and their blocks stay, or they are one block that
//! grows in steps.

#[cfg(test)]
mod tests;

use crate::read::leaks::groups::Point;
use crate::read::leaks::growth::Growth;
use crate::read::leaks::trend::MIN_OBSERVATIONS;
use crate::read::leaks::{Observation, Trend};

/// The number of windows into which a series is divided.
///
/// Adjacent observations of a program are correlated, but the trend test assumes independent ones.
/// The minima of this many windows hardly depend on the fluctuations of their neighbours.
const WINDOWS: usize = 20;

/// The minimum share of the growth that must come from blocks allocated in the first half of the
/// watch. For a steady leak this share is one half. For a leak that accelerates with the square of
/// time, it is a quarter.
const STAYED: f64 = 1.0 / 8.0;

/// The number of standard errors by which bytes must grow, as in [`Trend::grows`].
const STANDARD_ERRORS: f64 = 3.0;

/// The course of any series of bytes.
pub(crate) struct Course {
    pub(crate) growth: Growth,
    pub(crate) grows: bool,
    /// True if the series is one block that grows in steps, like a buffer that doubles.
    pub(crate) in_steps: bool,
    /// Bytes for each call, if calls ended.
    pub(crate) per_call: Option<f64>,
}

/// Returns the course of a place's bytes; `None` if there are fewer than two observations.
pub(crate) fn course(points: &[Point]) -> Option<Course> {
    let chosen = min_of_windows(points, Point::growth);
    let trend = |x: fn(&Point) -> f64| {
        let observation = |point: &&Point| Observation {
            x: x(point),
            y: point.growth(),
            standard_error: point.standard_error(),
        };
        Trend::of(&chosen.iter().map(observation).collect::<Vec<_>>())
    };
    let in_time = trend(|point| point.seconds)?;
    let called = points.iter().all(|point| point.calls > 0 || point.younger.samples == 0);
    let counted = || trend(|point| point.calls as f64).map(|by_calls| by_calls.slope);
    let by_trend = in_time.grows() && stays(&chosen);
    let in_steps = !by_trend && one_block_grows(points);
    let growth = growth(&in_time, trend(|point| point.number as f64)?.slope);
    Some(Course {
        growth: match points.last() {
            Some(last) if in_steps => Growth::in_steps((last.seconds, last.growth()), growth),
            _ => growth,
        },
        grows: by_trend || in_steps,
        in_steps,
        per_call: if called { counted() } else { None },
    })
}

/// The bytes below which a growing block is not a suspect.
const MIN_BLOCK: f64 = 65_536.0;

/// Returns true if the largest block grows in steps, and has most of the bytes that the place
/// holds.
///
/// A buffer that doubles when it is full grows rarely. So most values of the series are equal, and
/// its later half has at most one step. The trend test finds no trend in such a series.
fn one_block_grows(points: &[Point]) -> bool {
    let Some(last) = points.last() else { return false };
    let largest = last.largest as f64;
    let series: Vec<_> = points.iter().map(|point| (point.seconds, point.largest as f64)).collect();
    largest >= MIN_BLOCK
        && largest >= last.younger.value / 2.0
        && last.younger.value > 0.0
        && grows_in_steps(&series)
}

/// Returns true if bytes grow in steps like those of a buffer that doubles and is filled at a
/// steady pace.
///
/// First, each value is replaced by the minimum of itself and all later values, so that bytes that
/// are freed later do not count. A step is an increase to at least 1.5 times the value. There must
/// be at least three steps, and the last three must come after 8 %, 20 % and 50 % of the time.
/// After the first tenth of the time, the value divided by the time must stay the same within a
/// factor of 4.1.
///
/// A buffer that is reused, and as large as the largest message so far, hardly ever passes, because
/// its steps come early.
pub(crate) fn grows_in_steps(series: &[(f64, f64)]) -> bool {
    const STEP: f64 = 1.5;
    const SPREAD: f64 = 4.1;
    if series.len() < MIN_OBSERVATIONS {
        return false;
    }
    let mut kept = series.to_vec();
    for index in (1..kept.len()).rev() {
        kept[index - 1].1 = kept[index - 1].1.min(kept[index].1);
    }
    let Some(&(end, _)) = kept.last() else { return false };
    let (mut level, mut steps) = (0.0, Vec::new());
    for (seconds, bytes) in &kept {
        if level <= 0.0 {
            level = *bytes;
        } else if *bytes >= STEP * level {
            level = *bytes;
            steps.push(*seconds);
        }
    }
    let [.., first, second, third] = steps[..] else { return false };
    let paces = kept.iter().filter(|one| one.0 >= 0.1 * end).map(|one| one.1 / one.0);
    let (least, most) = paces
        .fold((f64::INFINITY, 0.0_f64), |(least, most), pace| (least.min(pace), most.max(pace)));
    third > 0.5 * end && second > 0.2 * end && first > 0.08 * end && most <= SPREAD * least
}

/// Returns the course of exact bytes, by seconds and by numbers of observations.
pub(crate) fn exact_course(series: &[(f64, u64, i64)]) -> Option<Course> {
    let chosen = min_of_windows(series, |one| one.2 as f64);
    let trend = |x: fn(&(f64, u64, i64)) -> f64| {
        let observation = |one: &&(f64, u64, i64)| Observation {
            x: x(one),
            y: one.2 as f64,
            standard_error: 0.0,
        };
        Trend::of(&chosen.iter().map(observation).collect::<Vec<_>>())
    };
    let in_time = trend(|one| one.0)?;
    Some(Course {
        growth: growth(&in_time, trend(|one| one.1 as f64)?.slope),
        grows: in_time.grows(),
        in_steps: false,
        per_call: None,
    })
}

fn growth(in_time: &Trend, per_observation: f64) -> Growth {
    Growth {
        per_second: in_time.slope,
        interval: in_time.slope_interval,
        per_observation,
        confidence: 1.0 - in_time.chance,
    }
}

/// Returns the minimum of each window, or all values if there are at most as many values as
/// windows. The first window may be shorter. Its minimum is then larger, so growth may be missed
/// but is not invented.
fn min_of_windows<T>(series: &[T], value: impl Fn(&T) -> f64) -> Vec<&T> {
    let size = series.len().div_ceil(WINDOWS).max(1);
    let windows = series.rchunks(size);
    let least = windows.map(|window| window.iter().min_by(|a, b| value(a).total_cmp(&value(b))));
    let mut chosen: Vec<&T> = least.flatten().collect();
    chosen.reverse();
    chosen
}

/// Returns true if the allocated memory stays allocated, which a merely busier program does not
/// explain.
///
/// The memory stays if the bytes that have been live for at least half of the watch have grown too.
/// It also stays if the same blocks have become larger, because a reallocation makes a block young.
fn stays(points: &[&Point]) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
    let growth = last.growth() - first.growth();
    let earlier = points[..points.len().div_ceil(2)].iter().map(|point| point.lasting);
    let stayed = last.lasting - earlier.fold(f64::INFINITY, f64::min) >= STAYED * growth;
    let blocks = last.younger_blocks.value - first.younger_blocks.value;
    let error = last.younger_blocks.standard_error().hypot(first.younger_blocks.standard_error());
    let same_blocks = first.younger_blocks.samples > 0 && blocks <= STANDARD_ERRORS * error;
    stayed || same_blocks
}
