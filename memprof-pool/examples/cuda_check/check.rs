//! The results of the check: rows with expected and measured values, as a table and as JSON.

use super::smi::{self, Unknown, Used};
use core::fmt;
use memprof_gpu::cuda::{Cuda, CudaError};
use serde::Serialize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// All results, and the device and driver on which they were obtained.
#[derive(Debug, Default, Serialize)]
pub(super) struct Check {
    device: String,
    uuid: String,
    cuda: String,
    driver: String,
    /// The time in seconds since 1970.
    unix_seconds: u64,
    rows: Vec<Row>,
}

/// One checked or recorded value.
#[derive(Debug, Serialize)]
struct Row {
    /// The group of the row: 4 for costs and released memory, 5 for contexts and the driver's pool,
    /// 11 for the event timer.
    step: u8,
    what: String,
    /// The expected value. Absent if the value is only recorded.
    expected: Option<Quantity>,
    /// The measured value. Absent if it is unknown.
    measured: Option<Quantity>,
    why_unknown: Option<Unknown>,
    holds: Option<bool>,
}

/// A number with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Quantity {
    Bytes(i64),
    Nanoseconds(u64),
    Count(u64),
}

impl Check {
    /// Records the device and the driver.
    pub(super) fn describe(&mut self, cuda: &Cuda) -> Result<(), CudaError> {
        let device = cuda.device(0)?;
        self.device = device.name;
        self.uuid = device.uuid.to_string();
        self.cuda = cuda.driver_version()?.to_string();
        self.driver = smi::driver_version().unwrap_or_else(|reason| format!("unknown ({reason})"));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.unix_seconds = now.as_secs();
        Ok(())
    }

    /// Returns `true` if no row failed.
    pub(super) fn holds(&self) -> bool {
        self.rows.iter().all(|row| row.holds != Some(false))
    }

    pub(super) fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Checks a number of bytes.
    pub(super) fn bytes(&mut self, step: u8, what: &str, expected: u64, measured: u64) {
        self.compare(step, what, Quantity::bytes(expected), Quantity::bytes(measured));
    }

    /// Checks a count.
    pub(super) fn count(&mut self, step: u8, what: &str, expected: u64, measured: u64) {
        self.compare(step, what, Quantity::Count(expected), Quantity::Count(measured));
    }

    /// Records a time.
    pub(super) fn time(&mut self, step: u8, what: &str, measured: Duration) {
        self.time_if_known(step, what, Ok(measured));
    }

    /// Records a time, or the reason why it is unknown.
    pub(super) fn time_if_known(
        &mut self,
        step: u8,
        what: &str,
        measured: Result<Duration, Unknown>,
    ) {
        self.push(step, what, None, measured.map(Quantity::time), None);
    }

    /// Checks a time, with a tolerance of 2 %.
    pub(super) fn times(&mut self, step: u8, what: &str, expected: Duration, measured: Duration) {
        let holds = expected.abs_diff(measured) <= expected / 50;
        let quantity = Quantity::time(measured);
        self.push(step, what, Some(Quantity::time(expected)), Ok(quantity), Some(holds));
    }

    /// Records the change of the device's used bytes.
    pub(super) fn change(&mut self, step: u8, what: &str, before: &Used, after: &Used) {
        let change = self.change_of(before, after);
        self.push(step, what, None, change, None);
    }

    /// Checks that the device's used bytes did not change.
    pub(super) fn unchanged(&mut self, step: u8, what: &str, before: &Used, after: &Used) {
        let (nothing, change) = (Quantity::Bytes(0), self.change_of(before, after));
        let holds = change.as_ref().ok().map(|change| *change == nothing);
        self.push(step, what, Some(nothing), change, holds);
    }

    fn change_of(&self, before: &Used, after: &Used) -> Result<Quantity, Unknown> {
        let [before, after] = [before.of(&self.uuid)?, after.of(&self.uuid)?];
        Ok(Quantity::Bytes(after.cast_signed() - before.cast_signed()))
    }

    fn compare(&mut self, step: u8, what: &str, expected: Quantity, measured: Quantity) {
        self.push(step, what, Some(expected), Ok(measured), Some(expected == measured));
    }

    fn push(
        &mut self,
        step: u8,
        what: &str,
        expected: Option<Quantity>,
        measured: Result<Quantity, Unknown>,
        holds: Option<bool>,
    ) {
        let (measured, why_unknown) = match measured {
            Ok(quantity) => (Some(quantity), None),
            Err(reason) => (None, Some(reason)),
        };
        let what = what.to_owned();
        self.rows.push(Row { step, what, expected, measured, why_unknown, holds });
    }
}

impl Quantity {
    fn bytes(bytes: u64) -> Self {
        Self::Bytes(i64::try_from(bytes).unwrap_or(i64::MAX))
    }

    fn time(time: Duration) -> Self {
        Self::Nanoseconds(time.as_nanos() as u64)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, uuid, cuda, driver, unix_seconds, rows } = self;
        let at = format!("{unix_seconds} s after 1970 began");
        writeln!(out, "{device} ({uuid}) · CUDA {cuda} · driver {driver} · {at}\n")?;
        let head = ["step", "what", "expected", "measured", ""].map(str::to_owned);
        let mut lines = vec![head];
        lines.extend(rows.iter().map(Row::cells));
        let width = |column: usize| {
            lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
        };
        let [what, expected, measured] = [1, 2, 3].map(width);
        for [step, name, should, is, result] in &lines {
            let line =
                format!("{step:>4}  {name:what$}  {should:>expected$}  {is:>measured$}  {result}");
            writeln!(out, "{}", line.trim_end())?;
        }
        let failed = rows.iter().filter(|row| row.holds == Some(false)).count();
        let unknown = rows.iter().filter(|row| row.measured.is_none()).count();
        writeln!(out, "\n{} rows · {failed} failed · {unknown} unknown", rows.len())
    }
}

impl Row {
    fn cells(&self) -> [String; 5] {
        let result = match (self.holds, &self.why_unknown) {
            (Some(true), _) => "holds",
            (Some(false), _) => "FAILS",
            (None, Some(reason)) => reason,
            (None, None) => "",
        };
        let text = |quantity: Option<Quantity>| quantity.map(|quantity| quantity.to_string());
        let measured = text(self.measured).unwrap_or("unknown".to_owned());
        let expected = text(self.expected).unwrap_or_default();
        [self.step.to_string(), self.what.clone(), expected, measured, result.to_owned()]
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(out, "{bytes} B"),
            Self::Nanoseconds(nanoseconds) => {
                write!(out, "{:?}", Duration::from_nanos(*nanoseconds))
            }
            Self::Count(count) => write!(out, "{count}"),
        }
    }
}

/// Returns the median and the 99th percentile.
pub(super) fn median_and_99th(times: &mut [Duration]) -> [Duration; 2] {
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    [at(50), at(99)]
}
