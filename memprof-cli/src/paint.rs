//! Colours for a terminal. A colour only repeats what the text states.

use crate::arguments::Color;
use anstyle::AnsiColor;
use memprof_profile::text::{Style, StyledText};
use std::fmt::Write;
use std::io::{self, IsTerminal};

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

    pub(crate) fn text(self, text: &StyledText) -> String {
        if !self.on {
            return text.to_string();
        }
        let mut painted = String::new();
        for (style, part) in text.parts() {
            let color = color(style);
            // A colour ends with its line, because some pagers reset colours there.
            for line in part.split_inclusive('\n') {
                let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
                let _ = match line {
                    "" => write!(painted, "{end}"),
                    _ => write!(painted, "{color}{line}{color:#}{end}"),
                };
            }
        }
        painted
    }
}

fn color(style: Style) -> anstyle::Style {
    let plain = anstyle::Style::new();
    let colored = |color: AnsiColor| plain.fg_color(Some(color.into()));
    match style {
        Style::Faint => plain.dimmed(),
        Style::Good => colored(AnsiColor::Green),
        Style::Warning => colored(AnsiColor::Yellow),
        Style::Bad => colored(AnsiColor::Red),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::{Paint, Style, StyledText};

    #[test]
    fn painting_adds_colours_and_nothing_else() {
        let mut text = StyledText::default();
        text.push(Style::Faint, "├─ ");
        text.push(Style::Plain, "a  5 B\n");
        text.push(Style::Warning, "not exact\n\n2 allocations");
        let painted = Paint { on: true }.text(&text);
        let expected = "\u{1b}[2m├─ \u{1b}[0ma  5 B\n\u{1b}[33mnot exact\u{1b}[0m\n\n\
             \u{1b}[33m2 allocations\u{1b}[0m";
        assert_eq!(painted, expected);
        assert_eq!(Paint { on: false }.text(&text), text.to_string());
    }
}
