//! The text format: each metric with its help, its type and its samples.

use core::fmt::{self, Display, Write as _};
use memprof_profile::text::Shown;
use std::collections::HashSet;

#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
}

/// The type of a metric: a gauge goes up and down, a counter only goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Gauge,
    Counter,
}

/// The labels of a sample: names that memprof chose, and values from the program.
pub(super) type Labels<'n> = Vec<(&'static str, &'n str)>;

impl Text {
    pub(super) fn one(
        &mut self,
        (name, kind): (&str, Kind),
        help: &str,
        value: Option<impl Display>,
    ) {
        self.each((name, kind), help, [(Labels::new(), value)]);
    }

    /// Leaves out samples of unknown value, and a metric without known samples. Of several samples
    /// with equal labels, only the first is written.
    pub(super) fn each<'n>(
        &mut self,
        (name, kind): (&str, Kind),
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'n>, Option<impl Display>)>,
    ) {
        let mut written_labels = HashSet::new();
        for (labels, value) in samples {
            let Some(value) = value else { continue };
            let labels = written(&labels);
            if written_labels.is_empty() {
                let kind = if kind == Kind::Gauge { "gauge" } else { "counter" };
                let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            }
            let line = format!("{name}{labels} {value}\n");
            if written_labels.insert(labels) {
                self.text.push_str(&line);
            }
        }
    }

    pub(super) fn end(self) -> String {
        self.text
    }
}

/// Formats labels: `{root="index",device="cpu"}`. Values are escaped for terminals.
fn written(labels: &Labels<'_>) -> String {
    let label = |(name, value): &(&str, &str)| {
        let value = Shown(value).to_string().replace('\\', "\\\\").replace('"', "\\\"");
        format!("{name}=\"{value}\"")
    };
    match labels.iter().map(label).collect::<Vec<_>>().join(",") {
        none if none.is_empty() => none,
        some => format!("{{{some}}}"),
    }
}

/// An exact decimal number: 1 500 000 000 ns is `1.5` seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal {
    pub(super) parts: u64,
    pub(super) digits: u32,
}

pub(super) const fn whole(parts: u64) -> Decimal {
    Decimal { parts, digits: 0 }
}

pub(super) const fn seconds(ns: u64) -> Decimal {
    Decimal { parts: ns, digits: 9 }
}

impl Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_u64.pow(self.digits);
        let (whole, rest) = (self.parts / unit, self.parts % unit);
        if rest == 0 {
            return write!(out, "{whole}");
        }
        let rest = format!("{rest:0width$}", width = self.digits as usize);
        write!(out, "{whole}.{}", rest.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, Kind, Labels, Text, seconds};

    #[test]
    fn times_are_exact() {
        for (ns, expected) in [
            (0, "0"),
            (1, "0.000000001"),
            (1_500_000_000, "1.5"),
            (100_000_000_000, "100"),
            (u64::MAX, "18446744073.709551615"),
        ] {
            assert_eq!(seconds(ns).to_string(), expected);
        }
        assert_eq!(Decimal { parts: 41_250, digits: 3 }.to_string(), "41.25");
    }

    #[test]
    fn labels_are_escaped_and_closed() {
        let mut text = Text::default();
        let names = ["a\"b", "c\\d", "e\nf", "g\u{0}", "\u{202e}h", "", "a\"b"];
        let sample = |name| (vec![("root", name)], Some(1));
        text.each(("bytes", Kind::Gauge), "Of roots.", names.map(sample));
        expect_test::expect![[r#"
            # HELP bytes Of roots.
            # TYPE bytes gauge
            bytes{root="a\"b"} 1
            bytes{root="c\\d"} 1
            bytes{root="e\\nf"} 1
            bytes{root="g\\u{0}"} 1
            bytes{root="\\u{202e}h"} 1
            bytes{root="\"\""} 1
        "#]]
        .assert_eq(&text.end());
    }

    #[test]
    fn an_unknown_value_has_no_line() {
        let mut text = Text::default();
        text.one(("swap_bytes", Kind::Gauge), "Unknown.", None::<u64>);
        text.each(("x", Kind::Counter), "None.", Vec::<(Labels<'_>, Option<u64>)>::new());
        assert_eq!(text.end(), "");
    }
}
