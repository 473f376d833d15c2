//! Text for a terminal: its width, its colours, and names escaped so that they cannot control it.

use crate::arguments::Color;
use anstyle::AnsiColor;
use memprof_profile::text::{Style, StyledText};
use serde::Serialize;
use std::fmt::Write;
use std::io::{self, IsTerminal};

/// The width if the output is not a terminal.
const WIDTH: usize = 100;

pub(crate) fn width() -> usize {
    columns().unwrap_or(WIDTH)
}

pub(crate) fn width_of_errors() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(WIDTH, |(width, _)| width.0.into())
}

pub(crate) fn columns() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(width, _)| width.0.into())
}

/// Returns `text` with each character escaped that `escape_debug` treats as unprintable: control
/// characters, and characters that hide or reorder text.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        if is_printable(char) {
            safe.push(char);
        } else {
            let _ = write!(safe, "{}", char.escape_debug());
        }
    }
    safe
}

/// Returns the safe text of at most 80 characters, for a line with space for one name.
pub(crate) fn brief(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", escaped(&text[..end])),
        None => escaped(text),
    }
}

fn is_printable(char: char) -> bool {
    match char {
        ' '..='~' => true,
        _ => char.escape_debug().len() == 1,
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// Several lines, which people can read too.
    Lines,
    /// One line.
    Line,
}

/// The JSON of a command; `docs/format.md` describes the keys of each format.
#[derive(Serialize)]
struct Document<'c, T> {
    format: &'static str,
    version: u32,
    #[serde(flatten)]
    content: &'c T,
}

/// Writes the name of the format first, and escapes characters that are unsafe on a terminal.
pub(crate) fn document(
    format: &'static str,
    layout: Layout,
    content: &impl Serialize,
) -> Result<String, serde_json::Error> {
    let document = Document { format, version: 1, content };
    match layout {
        Layout::Lines => json(&document),
        Layout::Line => Ok(escaped_json(&serde_json::to_string(&document)?)),
    }
}

/// Formats a value as JSON on several lines, as [`document`] does.
pub(crate) fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(escaped_json(&serde_json::to_string_pretty(value)?))
}

/// Outside of strings, JSON has only printable ASCII and line breaks.
fn escaped_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for char in json.chars() {
        if char == '\n' || is_printable(char) {
            safe.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        }
    }
    safe
}

/// A colour only repeats what the text states. `auto` needs a terminal with colours.
pub(crate) fn painted(text: &StyledText, color: Color) -> String {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let is_on = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => io::stdout().is_terminal() && !set("NO_COLOR") && !is_dumb(),
    };
    if !is_on {
        return text.to_string();
    }
    let mut painted = String::new();
    for (style, part) in text.parts() {
        let color = color_of(style);
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

fn color_of(style: Style) -> anstyle::Style {
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
    use super::{Color, Style, StyledText, brief, escaped, json, painted};

    #[test]
    fn control_and_bidi_characters_are_escaped() {
        let cases = [
            ("model.json", "model.json"),
            ("it's \"ours\"\\", "it's \"ours\"\\"),
            ("größe 名前.json", "größe 名前.json"),
            ("\u{1b}[31m\n", "\\u{1b}[31m\\n"),
            ("a\u{202e}b\u{9b}", "a\\u{202e}b\\u{9b}"),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text), expected);
        }
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(brief(&"名".repeat(80)), "名".repeat(80));
        assert_eq!(brief(&"名".repeat(81)), "名".repeat(80) + "…");
    }

    #[test]
    fn escaped_strings_decode_to_the_same_text() {
        for name in ["plain", "\u{1b}[31m\n", "\u{9b}31m\u{7f}", "\u{202e}\u{e0041}", "名前 é 🚀"]
        {
            let json = json(&name).unwrap();
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), name);
            assert!(!json.contains(|char: char| char.is_control() || char == '\u{202e}'), "{json}");
        }
    }

    #[test]
    fn painting_adds_colours_and_nothing_else() {
        let mut text = StyledText::default();
        text.push(Style::Faint, "├─ ");
        text.push(Style::Plain, "a  5 B\n");
        text.push(Style::Warning, "not exact\n\n2 allocations");
        let expected = "\u{1b}[2m├─ \u{1b}[0ma  5 B\n\u{1b}[33mnot exact\u{1b}[0m\n\n\
             \u{1b}[33m2 allocations\u{1b}[0m";
        assert_eq!(painted(&text, Color::Always), expected);
        assert_eq!(painted(&text, Color::Never), text.to_string());
    }
}
