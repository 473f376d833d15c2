//! Names that are safe to show, without characters that move the cursor, hide or reorder text.

use core::fmt::{self, Write};

/// A name that is safe in a terminal: control and format characters are escaped as in Rust.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Shown<'n>(pub &'n str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str(EMPTY);
        }
        if self.0.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return out.write_str(self.0);
        }
        self.0.chars().try_for_each(|char| write_safe(char, out))
    }
}

/// A name as a frame of a folded stack.
///
/// Readers split a line at its last space and at every `;`. They read a number before the last
/// space as a second count. So white space becomes `_` and `;` becomes `:`; the rest is as in
/// [`Shown`].
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Frame<'n>(pub &'n str);

impl fmt::Display for Frame<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => return out.write_str(EMPTY),
            // Some readers treat a line that begins with `# ` as a comment.
            "#" => return out.write_str("\\u{23}"),
            name if name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';') => {
                return out.write_str(name);
            }
            _ => {}
        }
        self.0.chars().try_for_each(|char| match char {
            ';' => out.write_char(':'),
            _ if is_hostile(char) => write_safe(char, out),
            _ if char.is_whitespace() => out.write_char('_'),
            _ => out.write_char(char),
        })
    }
}

/// The text shown for an empty name, so that it is visible.
const EMPTY: &str = "\"\"";

fn write_safe(char: char, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match char {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ if is_hostile(char) => write!(out, "{}", char.escape_unicode()),
        _ => out.write_char(char),
    }
}

/// Returns whether a character is a control character, a line separator, or an invisible character
/// that reorders text.
pub fn is_hostile(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unprintable_names_are_escaped_and_stay_one_frame() {
        let cases = [
            ("values", "values", "values"),
            ("", "\"\"", "\"\""),
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
}
