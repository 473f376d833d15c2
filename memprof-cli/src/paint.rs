//! Colours for a terminal. A colour only repeats what the text states.

use crate::arguments::Color;
use std::io::{self, IsTerminal};

const RESET: &str = "\u{1b}[0m";
const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";

/// The setting that turns colours of the output on or off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// Returns the setting of the argument. `auto` needs a terminal with colours.
    pub(crate) fn new(color: Color) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let on = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && !set("NO_COLOR") && !is_dumb(),
        };
        Self { on }
    }

    /// Paints a tree: the lines before names are dim, and the verdict has the colour of its
    /// exactness.
    pub(crate) fn tree(self, text: &str, exact: bool) -> String {
        if !self.on {
            return text.into();
        }
        let summary_color = if exact { GREEN } else { YELLOW };
        let mut painted = String::with_capacity(text.len() * 5 / 4);
        let mut in_summary = false;
        for (index, line) in text.lines().enumerate() {
            if index > 0 {
                painted.push('\n');
            }
            let name = line.find(|char| !LEADING.contains(&char)).unwrap_or(line.len());
            // Only the root and the verdict begin at the margin.
            in_summary |= index > 0 && name == 0;
            let (color, end) = if in_summary { (summary_color, line.len()) } else { (DIM, name) };
            if end > 0 {
                painted.extend([color, &line[..end], RESET]);
            }
            painted.push_str(&line[end..]);
        }
        painted
    }

    /// Paints a report: severities have colours, and the verdict has the colour of its exactness.
    pub(crate) fn report(self, text: &str, exact: bool) -> String {
        if !self.on {
            return text.into();
        }
        let summary_color = if exact { GREEN } else { YELLOW };
        let painted = text.lines().enumerate().map(|(index, line)| {
            // Only the heading and the verdict begin at the margin.
            let Some(inner) = line.strip_prefix("  ") else {
                let color = if index == 0 { "" } else { summary_color };
                let end = if index == 0 { "" } else { RESET };
                return format!("{color}{line}{end}");
            };
            let (label, rest) = inner.split_at(inner.find(' ').unwrap_or(inner.len()));
            let color = match label {
                "critical" => RED,
                "warning" => YELLOW,
                "good" => GREEN,
                _ => return line.into(),
            };
            format!("  {color}{label}{RESET}{rest}")
        });
        painted.collect::<Vec<_>>().join("\n")
    }

    /// Paints a comparison: growth is red, shrinkage is green, and the last lines are dim.
    pub(crate) fn diff(self, text: &str) -> String {
        if !self.on {
            return text.into();
        }
        let painted = text.lines().map(|line| {
            let color = match line.trim_start().chars().next() {
                Some('+') => RED,
                Some('-' | '−') => GREEN,
                _ => return format!("{DIM}{line}{RESET}"),
            };
            // The change with its unit comes first, and two spaces follow it.
            let start = line.len() - line.trim_start().len();
            let end = line[start..].find("  ").map_or(line.len(), |end| start + end);
            format!("{}{color}{}{RESET}{}", &line[..start], &line[start..end], &line[end..])
        });
        painted.collect::<Vec<_>>().join("\n")
    }
}

/// The characters before the names in a tree.
const LEADING: [char; 5] = ['│', '├', '└', '─', ' '];

#[cfg(test)]
mod tests {
    use super::Paint;

    #[test]
    fn painting_adds_colours_and_nothing_else() {
        let tree = "Model  8 B\n├─ a   5 B\n│  └─ b\n└─ c   3 B\nexact · 2\nallocations";
        let painted = Paint { on: true }.tree(tree, true);
        let plain = painted.replace("\u{1b}[0m", "").replace("\u{1b}[2m", "");
        assert_eq!(plain.replace("\u{1b}[32m", ""), tree);
        assert!(painted.starts_with("Model"), "{painted}");
        assert!(painted.ends_with("\u{1b}[32mallocations\u{1b}[0m"), "{painted}");
        assert_eq!(Paint { on: false }.tree(tree, true), tree);
        let report =
            "Model: 8 B\n  data  8 B\n  warning  x at y\n           z\nnot exact: 1 locked";
        let painted = Paint { on: true }.report(report, false);
        let plain = painted.replace("\u{1b}[0m", "").replace("\u{1b}[33m", "");
        assert_eq!(plain, report);
        assert!(painted.contains("  \u{1b}[33mwarning\u{1b}[0m  x at y"), "{painted}");
        assert!(painted.ends_with("\u{1b}[33mnot exact: 1 locked\u{1b}[0m"), "{painted}");
        assert_eq!(Paint { on: false }.report(report, false), report);
    }
}
