//! The rows of the check: what is expected, what was measured, and whether it holds.

use core::fmt;
use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

/// The rows so far. Each is printed as soon as it is known, so a crash later loses none.
pub(super) struct Rows<'o> {
    out: &'o mut dyn Write,
    /// The capability that the next rows check.
    capability: &'static str,
    all: Vec<Row>,
}

/// One checked or recorded figure.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    capability: &'static str,
    what: String,
    outcome: Outcome,
    /// Absent if the figure is only recorded.
    expected: Option<Figure>,
    /// Absent if the figure is unknown.
    measured: Option<Figure>,
    /// Why a figure is unknown, or the error that ended a group.
    reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Pass,
    Fail,
    /// The machine lacks what the row needs.
    Skip,
    /// The figure is recorded and has no expected value.
    Recorded,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Figure {
    Bytes(u64),
    Nanoseconds(u64),
    Count(u64),
}

impl From<Duration> for Figure {
    fn from(time: Duration) -> Self {
        Self::Nanoseconds(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl<'o> Rows<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        Self { out, capability: "", all: Vec::new() }
    }

    pub(super) fn of(&mut self, capability: &'static str) {
        self.capability = capability;
    }

    pub(super) fn bytes(&mut self, what: &str, expected: u64, measured: u64) {
        self.compare(what, Figure::Bytes(expected), Figure::Bytes(measured));
    }

    pub(super) fn count(&mut self, what: &str, expected: u64, measured: u64) {
        self.compare(what, Figure::Count(expected), Figure::Count(measured));
    }

    pub(super) fn holds(&mut self, what: &str, holds: bool) {
        self.count(what, 1, holds.into());
    }

    /// Checks a time, with a tolerance of 2 %.
    pub(super) fn near(&mut self, what: &str, expected: Duration, measured: Duration) {
        let holds = expected.abs_diff(measured) <= expected / 50;
        let outcome = if holds { Outcome::Pass } else { Outcome::Fail };
        self.add(what, outcome, Some(expected.into()), Some(measured.into()), None);
    }

    pub(super) fn record(&mut self, what: &str, measured: impl Into<Figure>) {
        self.add(what, Outcome::Recorded, None, Some(measured.into()), None);
    }

    /// Adds a row that this machine can't check.
    pub(super) fn skip(&mut self, what: &str, reason: &str) {
        self.add(what, Outcome::Skip, None, None, Some(reason.to_owned()));
    }

    /// Runs a group. An error ends only this group, and is a row that failed.
    pub(super) fn group(
        &mut self,
        capability: &'static str,
        run: impl FnOnce(&mut Self) -> Result<(), Box<dyn Error>>,
    ) {
        self.of(capability);
        if let Err(error) = run(self) {
            let mut reason = error.to_string();
            let mut cause = error.source();
            while let Some(error) = cause {
                reason = format!("{reason}: {error}");
                cause = error.source();
            }
            self.add("the checks up to their end", Outcome::Fail, None, None, Some(reason));
        }
    }

    fn compare(&mut self, what: &str, expected: Figure, measured: Figure) {
        let outcome = if expected == measured { Outcome::Pass } else { Outcome::Fail };
        self.add(what, outcome, Some(expected), Some(measured), None);
    }

    fn add(
        &mut self,
        what: &str,
        outcome: Outcome,
        expected: Option<Figure>,
        measured: Option<Figure>,
        reason: Option<String>,
    ) {
        let capability = self.capability;
        let row = Row { capability, what: what.to_owned(), outcome, expected, measured, reason };
        // If nobody reads the output, the file still gets the rows.
        let _ = writeln!(self.out, "{row}").and_then(|()| self.out.flush());
        self.all.push(row);
    }

    pub(super) fn are_good(&self) -> bool {
        self.all.iter().all(|row| row.outcome != Outcome::Fail)
    }

    pub(super) fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(&self.all)
    }

    pub(super) fn print(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }
}

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { capability, what, outcome, expected, measured, reason } = self;
        let outcome = match outcome {
            Outcome::Pass => "pass",
            Outcome::Fail => "FAIL",
            Outcome::Skip => "skip",
            Outcome::Recorded => "",
        };
        write!(out, "{outcome:4}  {capability:20}  {what}")?;
        if let Some(measured) = measured {
            write!(out, ": {measured}")?;
        }
        if let Some(expected) = expected
            && Some(expected) != measured.as_ref()
        {
            write!(out, ", expected {expected}")?;
        }
        reason.as_ref().map_or(Ok(()), |reason| write!(out, ": {reason}"))
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(out, "{bytes} B"),
            Self::Nanoseconds(time) => write!(out, "{:?}", Duration::from_nanos(*time)),
            Self::Count(count) => write!(out, "{count}"),
        }
    }
}

pub(super) fn median_and_99th(times: &mut [Duration]) -> [Duration; 2] {
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    [at(50), at(99)]
}
