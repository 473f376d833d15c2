//! Markdown for pull requests: tables, and names in which nothing acts as markup.

use core::fmt::{self, Write};

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

/// Returns the head of a table. All columns except the last are right-aligned, for figures.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
