//! Escaping of texts from outside, which makes them safe for a terminal.

use memprof_profile::text::WithCauses;
use std::error::Error;
use std::fmt::Write;

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

/// Returns the safe text of an error and its causes, on one line. Errors of other crates may quote
/// unsafe text from a file.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    escaped(&WithCauses(error).to_string())
}

/// Returns the safe text of at most 80 characters, for a line with space for one name.
pub(crate) fn brief(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", escaped(&text[..end])),
        None => escaped(text),
    }
}

/// Returns `true` if a character is safe to print on a terminal.
pub(crate) fn is_printable(char: char) -> bool {
    match char {
        ' '..='~' => true,
        _ => char.escape_debug().len() == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{brief, escaped};

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
}
