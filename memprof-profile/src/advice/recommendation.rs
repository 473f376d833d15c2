//! A finding of a rule: how severe, what shows it, what to do.

use crate::advice::UNITS;
use core::fmt;

memprof_core::keywords! {
    /// How much a finding matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Severity {
        /// Good news: nothing is to be done.
        Good => "good",
        /// Worth knowing.
        Info => "info",
        /// Memory that could be saved.
        Warning => "warning",
        /// A failure to come if nothing is done.
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
    /// A finding, and the figures that show it.
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

    /// The same, of the path alone.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same with an action to take.
    pub fn with_action(mut self, action: impl Into<String>) -> Self {
        self.action = Some(action.into());
        self
    }

    /// The same with the bytes that the action saves.
    pub fn with_savings(mut self, bytes: u64) -> Self {
        self.savings = Some(bytes);
        self.is_upper_bound = false;
        self
    }

    /// The same with an upper bound of the bytes that the action saves.
    pub fn with_savings_at_most(mut self, bytes: u64) -> Self {
        self.savings = Some(bytes);
        self.is_upper_bound = true;
        self
    }

    /// The name of the rule.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Where, spelled as folded stacks spell paths; `None` if it is about the whole profile.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The figures behind the finding.
    pub fn evidence(&self) -> &str {
        &self.evidence
    }

    /// The action to take, if there is one.
    pub fn action(&self) -> Option<&str> {
        self.action.as_deref()
    }

    /// The bytes that the action saves, or an upper bound; `None` if neither is known.
    pub fn savings(&self) -> Option<u64> {
        self.savings
    }

    /// Returns `true` if [`savings`](Self::savings) is an upper bound and not the exact amount.
    pub fn is_upper_bound(&self) -> bool {
        self.is_upper_bound
    }

    /// One line, in which paths are spelled as `path` does, and other texts as `text` does.
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

/// One line: `spare at numbers: 7.6 MiB of 7.6 MiB unused: call shrink_to_fit … (saves 7.6 MiB)`.
impl fmt::Display for Recommendation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.line(str::to_owned, str::to_owned))
    }
}
