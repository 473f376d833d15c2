//! Names and messages that are safe to print: without characters that move the cursor, hide or
//! reorder text, or act as markup.

use core::fmt::{self, Write};
use core::iter::successors;
use memprof_core::tree::write_escaped;
use std::error::Error;

/// A name that is safe in a terminal: control and format characters are escaped as in Rust. A name
/// without a visible character is in quotes.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Shown<'n>(pub &'n str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.chars().all(char::is_whitespace) {
            out.write_char('"')?;
            self.0.chars().try_for_each(|char| write_escaped(char, out))?;
            return out.write_char('"');
        }
        if self.0.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return out.write_str(self.0);
        }
        self.0.chars().try_for_each(|char| write_escaped(char, out))
    }
}

/// A string as code in a cell of a table: nothing in it is markup, a link or a mention.
///
/// Plain names are in backticks. Names with characters that end a cell or a code span are written
/// as HTML, in which each of these characters is a numeric reference.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Code<T>(pub T);

impl<T: fmt::Display> fmt::Display for Code<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let is_plain = !text.is_empty()
            && !text.contains(['`', '|', '\\', '\n', '\r'])
            && !text.starts_with(' ')
            && !text.ends_with(' ');
        if is_plain {
            return write!(out, "`{text}`");
        }
        out.write_str("<code>")?;
        for char in text.chars() {
            match char {
                '\n' | '\r' => out.write_char(' ')?,
                _ if char.is_ascii_punctuation() && char != ';' => {
                    write!(out, "&#{};", u32::from(char))?;
                }
                _ => out.write_char(char)?,
            }
        }
        out.write_str("</code>")
    }
}

/// Returns the header of a table. All columns except the last are right-aligned, for numbers.
pub fn head(columns: &[&str]) -> String {
    let line = columns.join(" | ");
    let rules: Vec<&str> = columns
        .iter()
        .enumerate()
        .map(|(at, _)| if at + 1 < columns.len() { "---:" } else { ":---" })
        .collect();
    format!("| {line} |\n| {} |\n", rules.join(" | "))
}

/// Returns a row of a table.
pub fn row(cells: &[&dyn fmt::Display]) -> String {
    let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Returns the lines unchanged, between fences that are longer than any fence in them.
pub fn fenced(lines: &str) -> String {
    let longest = lines.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", lines.trim_end_matches('\n'))
}

/// The maximum number of causes that are printed.
const MAX_CAUSES: usize = 8;

/// Prints an error and, in parentheses, its causes: `cannot read the trace (broken pipe)`.
///
/// The `Display` of memprof's errors leaves the causes out, for callers that print each
/// [`source`](Error::source) separately. At most eight causes are printed, because an error may be
/// its own cause.
///
/// ```
/// use memprof_profile::text::WithCauses;
///
/// let error = "12 parsecs".parse::<u64>().unwrap_err();
/// assert_eq!(WithCauses(&error).to_string(), "invalid digit found in string");
/// ```
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one error")]
pub struct WithCauses<'e>(pub &'e dyn Error);

impl fmt::Display for WithCauses<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)?;
        let mut causes = successors(self.0.source(), |&cause| cause.source()).take(MAX_CAUSES);
        let Some(first) = causes.next() else { return Ok(()) };
        write!(out, " ({first}")?;
        for cause in causes {
            write!(out, ": {cause}")?;
        }
        out.write_str(")")
    }
}

/// Implements `Debug` for an error with the text of `Display` and the causes, because `main` and
/// `unwrap` print this form.
macro_rules! debug_as_text {
    ($error:ty) => {
        impl core::fmt::Debug for $error {
            fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&$crate::text::WithCauses(self), out)
            }
        }
    };
}

pub(crate) use debug_as_text;

#[cfg(test)]
mod tests {
    use super::*;
    use memprof_core::tree::Frame;

    #[test]
    fn unprintable_names_are_escaped_and_stay_one_frame() {
        let cases = [
            ("values", "values", "values"),
            ("", "\"\"", "\"\""),
            (" ", "\" \"", "_"),
            ("\u{3000}\n", "\"\u{3000}\\n\"", "_\\n"),
            ("#", "#", "\\u{23}"),
            ("[u8; 4]", "[u8; 4]", "[u8:_4]"),
            ("bus 12", "bus 12", "bus_12"),
            (" a ", " a ", "_a_"),
            ("a\nb\tc\r", "a\\nb\\tc\\r", "a\\nb\\tc\\r"),
            ("\u{1b}[31mred", "\\u{1b}[31mred", "\\u{1b}[31mred"),
            ("a\u{202e}b", "a\\u{202e}b", "a\\u{202e}b"),
            ("a\u{2028}b\u{85}c", "a\\u{2028}b\\u{85}c", "a\\u{2028}b\\u{85}c"),
            ("a\u{a0}b\u{3000}c", "a\u{a0}b\u{3000}c", "a_b_c"),
            ("名前 é 👩‍🚀", "名前 é 👩‍🚀", "名前_é_👩‍🚀"),
        ];
        for (name, shown, frame) in cases {
            assert_eq!(Shown(name).to_string(), shown, "{name:?}");
            assert_eq!(Frame(name).to_string(), frame, "{name:?}");
        }
    }

    #[test]
    fn any_name_is_formatted_as_code() {
        let cases = [
            ("Model;row_ptr", "`Model;row_ptr`"),
            ("<b>&amp;", "`<b>&amp;`"),
            ("@all #1 https://x.y", "`@all #1 https://x.y`"),
            ("a|b", "<code>a&#124;b</code>"),
            ("a`b`", "<code>a&#96;b&#96;</code>"),
            ("\\u{1b}*x*", "<code>&#92;u&#123;1b&#125;&#42;x&#42;</code>"),
            ("a|<img src=x>", "<code>a&#124;&#60;img src&#61;x&#62;</code>"),
            ("two\nlines", "<code>two lines</code>"),
            ("", "<code></code>"),
        ];
        for (text, expected) in cases {
            assert_eq!(Code(text).to_string(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_fence_is_longer_than_any_fence_inside() {
        assert_eq!(fenced("a `b`\n"), "```text\na `b`\n```\n");
        assert_eq!(fenced("````"), "`````text\n````\n`````\n");
    }

    #[derive(Debug)]
    struct Failed(&'static str, Option<Box<Failed>>);

    impl fmt::Display for Failed {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str(self.0)
        }
    }

    impl Error for Failed {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn causes_follow_in_parentheses() {
        let disk = Failed("disk full", None);
        let write = Failed("write failed", Some(Box::new(disk)));
        let page = Failed("no page", Some(Box::new(write)));
        assert_eq!(WithCauses(&page).to_string(), "no page (write failed: disk full)");
    }
}
