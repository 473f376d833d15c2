//! Names made safe to show: nothing that moves the cursor, hides, or reorders text.

use core::fmt::{self, Write};

/// A name as a terminal may show it: control and format characters are written as Rust writes them.
#[derive(Clone, Copy, Debug)]
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
/// Readers split a line at its last space and at every `;`, and take a number before the last space
/// for a second count. So white space is written `_` and `;` is written `:`; the rest as [`Shown`].
#[derive(Clone, Copy, Debug)]
pub struct Frame<'n>(pub &'n str);

impl fmt::Display for Frame<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => return out.write_str(EMPTY),
            // A line that begins with `# ` is a comment to some readers.
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

/// How a name without characters is written, so that there is something to point at.
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

/// Control characters, line separators, and the invisible characters that reorder text.
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
    fn hostile_names_are_shown_and_stay_one_frame() {
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
