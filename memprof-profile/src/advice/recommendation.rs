//! A finding of a rule, with its severity, its evidence and the action to take.

use crate::advice::UNITS;
use core::fmt;

memprof_core::keywords! {
    /// The importance of a finding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Severity {
        /// Good news that needs no action.
        Good => "good",
        /// A fact that is worth knowing.
        Info => "info",
        /// Memory that could be saved.
        Warning => "warning",
        /// A problem that leads to a failure later if nothing changes.
        Critical => "critical",
    }
}

/// A finding of a rule, with its figures and the action to take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Recommendation {
    pub(super) rule: String,
    severity: Severity,
    path: Option<String>,
    evidence: String,
    action: Option<String>,
    savings: Option<u64>,
    is_upper_bound: bool,
}

impl Recommendation {
    /// Returns a finding with the figures behind it as `evidence`.
    pub fn new(severity: Severity, evidence: impl Into<String>) -> Self {
        let evidence = evidence.into();
        Self {
            rule: String::new(),
            severity,
            path: None,
            evidence,
            action: None,
            savings: None,
            is_upper_bound: false,
        }
    }

    /// Limits the finding to a path.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Sets the action to take.
    pub fn with_action(mut self, action: impl Into<String>) -> Self {
        self.action = Some(action.into());
        self
    }

    /// Sets the bytes that the action saves.
    pub fn with_savings(mut self, bytes: u64) -> Self {
        self.savings = Some(bytes);
        self.is_upper_bound = false;
        self
    }

    /// Sets an upper bound of the bytes that the action saves.
    pub fn with_savings_at_most(mut self, bytes: u64) -> Self {
        self.savings = Some(bytes);
        self.is_upper_bound = true;
        self
    }

    /// Returns the name of the rule.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Returns the importance of the finding.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the path of the finding, spelled as in folded stacks; `None` if the finding is about
    /// the whole profile.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// Returns the figures behind the finding.
    pub fn evidence(&self) -> &str {
        &self.evidence
    }

    /// Returns the action to take, if there is one.
    pub fn action(&self) -> Option<&str> {
        self.action.as_deref()
    }

    /// Returns the bytes that the action saves, or an upper bound; `None` if neither is known.
    pub fn savings(&self) -> Option<u64> {
        self.savings
    }

    /// Returns `true` if [`savings`](Self::savings) is an upper bound and not the exact amount.
    pub fn is_upper_bound(&self) -> bool {
        self.is_upper_bound
    }

    /// Returns the finding as one line, with its path spelled by `path` and other texts by `text`.
    pub(crate) fn line(&self, path: fn(&str) -> String, text: fn(&str) -> String) -> String {
        let path = self.path.as_ref().map(|at| format!(" at {}", path(at)));
        let action = self.action.as_ref().map(|action| format!("; {}", text(action)));
        let savings = self.savings.filter(|&bytes| bytes > 0);
        let bound = if self.is_upper_bound { "at most " } else { "" };
        let savings = savings.map(|bytes| format!(" (saves {bound}{})", UNITS.show(bytes)));
        format!(
            "{}{}: {}{}{}",
            text(&self.rule),
            path.unwrap_or_default(),
            text(&self.evidence),
            action.unwrap_or_default(),
            savings.unwrap_or_default(),
        )
    }
}

/// Writes the finding on one line, such as
/// `spare at numbers: 7.6 MiB of 7.6 MiB is unused capacity (100.0 %); call … (saves 7.6 MiB)`.
impl fmt::Display for Recommendation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.line(str::to_owned, str::to_owned))
    }
}
